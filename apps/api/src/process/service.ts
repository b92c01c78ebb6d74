import cluster from 'node:cluster';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ServiceConfig } from '@app/config';
import { Connector, Database, Storage } from '@app/database';
import type { Extensions } from '@app/extension';
import { createApp } from '../configure-app';
import { HealthService } from '../health/health.service';
import { InteractionsService } from '../interactions/interactions.service';
import { countWorkerDeaths, measureProcess, serveMetrics } from './metrics';
import { onSignal } from './on-signal';
import { processLog } from './process-log';
import { answerMetrics } from './workers-metrics';

/**
 * Connections that wait to be accepted. With fewer, a burst of one client's connections makes the kernel drop
 * those of others, which then try again after a second or more. The kernel's `somaxconn` limits it too.
 */
const BACKLOG = 4_096;

/** Runs one process of the service: the only process, or one of several workers. */
export async function runService(
  config: ServiceConfig,
  extension: Extensions,
  fail: (error: unknown) => never,
): Promise<void> {
  let app: NestFastifyApplication | undefined = undefined;
  // Until the application exists there is nothing to close. The database rolls an unfinished migration back.
  onSignal(async () => app?.close(), fail);
  app = await createApp(config, extension);
  if (config.metricsPort !== undefined) {
    measureProcess({
      database: app.get(Database),
      storage: app.get(Storage),
      health: app.get(HealthService),
      interactions: app.get(InteractionsService),
    });
    // The primary asks each worker for its metrics and adds them up.
    if (cluster.isWorker) answerMetrics();
    else {
      countWorkerDeaths();
      await serveMetrics(config.host, config.metricsPort);
    }
  }
  await app.listen({ port: config.port, host: config.host, backlog: BACKLOG });
  const url = await app.getUrl();
  if (!(await app.get(Connector).whenReady())) return;
  if (cluster.isPrimary) tellReady(url, config);
  else process.send!({ ready: url } satisfies WorkerIsReady);
}

/** What a worker tells its primary. */
export interface WorkerIsReady {
  /** The address at which it listens. */
  ready: string;
}

/** Tells the operator that the service is ready, and at which address. Its database is connected and migrated. */
export function tellReady(url: string, { docs }: ServiceConfig): void {
  const documentation = docs ? ` - documentation: ${url}/api/docs` : '';
  processLog.info(`Health Records Service is ready at ${url}${documentation}`);
}
