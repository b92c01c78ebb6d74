import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { keptSecret, resolveSecrets, type ServiceConfig } from '@app/config';
import { EmbeddedPostgres } from '@app/database';
import { register } from 'prom-client';
import { createLog } from '../service-logger';
import { countWorkerDeaths, serveMetrics } from './metrics';
import { onSignal } from './on-signal';
import { tellReady, type WorkerIsReady } from './service';
import { readWorkers } from './workers-metrics';

/** The delay limits the loop of restarts if a worker dies at its start. */
const RESTART_DELAY_MS = 1_000;

/**
 * Runs `WEB_CONCURRENCY` workers behind one port, restarts workers that die, and shuts them down in order.
 *
 * The primary owns the resources that may exist only once: the embedded database, the generated secrets and
 * the metrics port.
 */
export async function runPrimary(config: ServiceConfig, fail: (error: unknown) => never): Promise<void> {
  const log = createLog(config);
  resolveSecrets(config);
  let closing = false;
  let embedded: EmbeddedPostgres | undefined;
  onSignal(async () => {
    closing = true;
    await Promise.all(workers().map(end));
    await embedded?.stop();
  }, fail);
  if (!config.databaseUrl) {
    embedded = await EmbeddedPostgres.start({
      dataDir: config.dataDir,
      password: keptSecret(config.dataDir, 'postgres'),
      log: (line) => log.info({ context: 'Database', msg: line }),
    });
  }
  const deaths = countWorkerDeaths();
  let listening = 0;
  const fork = () =>
    cluster.fork(
      embedded && { DATABASE_URL: embedded.url, STORAGE_PATH: config.storagePath ?? config.dataDir },
    );

  let ready = 0;
  cluster.on('listening', () => listening++);
  cluster.on('message', (_worker, { ready: url }: Partial<WorkerIsReady>) => {
    if (url !== undefined && ++ready === config.webConcurrency) tellReady(url, config);
  });
  cluster.on('exit', (worker, code, signal) => {
    if (closing) return;
    // If a worker dies before any worker listens, a setting is wrong or the database is missing. A restart
    // would not help.
    if (listening === 0) process.exit(code || 1);
    deaths.inc();
    log.error({ msg: 'A worker died and is started again.', pid: worker.process.pid, code, signal });
    setTimeout(fork, RESTART_DELAY_MS);
  });
  for (let count = 0; count < config.webConcurrency; count++) fork();
  if (config.metricsPort !== undefined) {
    // The workers' metrics, and this process's own.
    const read = () => Promise.all([readWorkers(workers()), register.metrics()]);
    await serveMetrics(config.host, config.metricsPort, async () => (await read()).join('\n'));
  }
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

async function end(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const ended = once(worker, 'exit');
  worker.process.kill('SIGTERM');
  await ended;
}
