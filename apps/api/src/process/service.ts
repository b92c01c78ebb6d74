import cluster from 'node:cluster';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ServiceConfig } from '@app/config';
import { Database } from '@app/database';
import { AggregatorRegistry } from 'prom-client';
import { createApp } from '../configure-app';
import { measureProcess, serveMetrics } from './metrics';
import { onSignal } from './on-signal';

/** Runs one process of the service: the only one, or a worker of several. */
export async function runService(config: ServiceConfig, fail: (error: unknown) => never): Promise<void> {
  let app: NestFastifyApplication | undefined = undefined;
  // Before there is an application there is nothing to finish: what a migration has not committed, the database undoes.
  onSignal(async () => app?.close(), fail);
  app = await createApp(config);
  if (config.metricsPort !== undefined) {
    measureProcess(app.get(Database));
    // A worker's numbers are asked for, and added up, by the primary.
    if (cluster.isWorker) new AggregatorRegistry();
    else await serveMetrics(config.host, config.metricsPort);
  }
  await app.listen(config.port, config.host);
  if (cluster.isPrimary) announce(await app.getUrl());
}

/** The line that tells a person where to go. */
export function announce(url: string): void {
  process.stdout.write(`Health Records Service is ready at ${url} - its documentation at /api/docs\n`);
}
