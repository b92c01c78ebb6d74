import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, QUEUE_NAMES } from '@app/common';
import {
  HASH_RUNS,
  LIMIT_DECISIONS,
  MAIL_ATTEMPTS,
  PUSH_MESSAGES,
  REPLICA_READS,
  SLOWED_SECRETS,
} from '@app/common/observation';
import { type Database, findDoneWork } from '@app/database';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, register } from 'prom-client';
import type { HealthService } from '../health/health.service';
import { versionOfService } from './service-version';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
/** Time for the database to answer a request for metrics. Afterwards it counts as away. */
const ANSWER_TIMEOUT_MS = 2_000;

const requests = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from the first byte of a request to the end of its answer.',
  labelNames: ['method', 'route', 'status'],
  // A request may take 30 seconds to come, and wait 10 seconds for its hash.
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 40],
});

/** Measures every request. Security: labels are route patterns, never URLs. */
export function measureRequests(fastify: FastifyInstance): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
}

/** What the metrics of a process are read from. */
export interface Measured {
  database: Pick<Database, 'connections' | 'query' | 'replicaState'>;
  storage: { isLow: boolean };
  health: Pick<HealthService, 'ready' | 'writes' | 'isShuttingDown'>;
  interactions: { knowledgeVersion: string | undefined };
}

/**
 * Metrics of this process and its database. Gauges are read at each request for metrics.
 *
 * Where the primary adds up the metrics of its workers, `aggregator` says how.
 */
export function measureProcess(measured: Measured): void {
  collectDefaultMetrics();
  measureVersions(measured);
  measureDatabase(measured);
  measureReplica(measured);
  measureQueues();
  measureHashes();
  countDecisions();
  countMail();
  countPushMessages();
}

/** Counts the ends of worker processes that nobody asked for. In a process without workers it stays 0. */
export function countWorkerDeaths(): Counter {
  return new Counter({
    name: 'worker_deaths_total',
    help: 'Worker processes that ended by themselves. Each is started again.',
  });
}

function measureVersions({ interactions }: Measured): void {
  const build = new Gauge({
    name: 'service_build_info',
    help: 'Always 1. The labels are the versions of the service and of Node.js.',
    labelNames: ['version', 'node'],
    aggregator: 'first',
  });
  build.set({ version: versionOfService(), node: process.versions.node }, 1);
  new Gauge({
    name: 'knowledge_base_info',
    help: 'Always 1. The label is the version of the knowledge base of drug interactions.',
    labelNames: ['version'],
    aggregator: 'first',
    collect() {
      // The metrics can be asked for before the application is initialised.
      if (interactions.knowledgeVersion) this.set({ version: interactions.knowledgeVersion }, 1);
    },
  });
}

function measureDatabase({ database, storage, health }: Measured): void {
  const isUp = () => {
    const answer = health.ready().then(
      () => true,
      () => health.isShuttingDown,
    );
    return Promise.race([answer, sleep(ANSWER_TIMEOUT_MS, false, { ref: false })]);
  };
  new Gauge({
    name: 'database_up',
    help: '1 if the database answers and has the migrations of this version, else 0. Each request for metrics asks.',
    aggregator: 'min',
    async collect() {
      this.set(Number(await isUp()));
    },
  });
  new Gauge({
    name: 'database_writes_failing',
    help: '1 if the last try of a write failed: a full disk, or a database that is read-only.',
    aggregator: 'max',
    async collect() {
      // The check also tries to write.
      await isUp();
      this.set(Number(health.writes === 'failing'));
    },
  });
  new Gauge({
    name: 'storage_low',
    help: '1 while writes are refused because the database has too little room, else 0.',
    aggregator: 'max',
    collect() {
      this.set(Number(storage.isLow));
    },
  });
  new Gauge({
    name: 'work_done_timestamp_seconds',
    help: 'When the last backup, list of erasures and rehearsal were done, since 1970; 0 if never. No value without the database.',
    labelNames: ['work'],
    aggregator: 'max',
    async collect() {
      const found = (await isUp()) ? await findDoneWork(database).catch(() => undefined) : undefined;
      this.reset();
      for (const [work, seconds] of Object.entries(found ?? {})) this.set({ work }, seconds);
    },
  });
  new Gauge({
    name: 'database_connections',
    help: 'Connections to the database, and requests that wait for one.',
    labelNames: ['state'],
    collect() {
      const { open, waiting } = database.connections();
      this.set({ state: 'open' }, open);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  new Gauge({
    name: 'database_connections_limit',
    help: 'Connections to the database that may be open.',
    collect() {
      this.set(database.connections().most);
    },
  });
}

/** Without a replica these have no values. */
function measureReplica({ database }: Measured): void {
  new Gauge({
    name: 'database_replica_in_use',
    help: '1 if reads use the replica, 0 if they use the primary instead.',
    aggregator: 'min',
    async collect() {
      const state = await database.replicaState();
      if (state) this.set(Number(state.isInUse));
      else this.remove();
    },
  });
  new Gauge({
    name: 'database_replica_lag_seconds',
    help: 'How old the last change is that the replica shows; 0 if it shows all that it has received. No value if it does not answer.',
    aggregator: 'max',
    async collect() {
      const lagSeconds = (await database.replicaState())?.lagSeconds;
      if (lagSeconds === undefined) this.remove();
      else this.set(lagSeconds);
    },
  });
  const reads = new Counter({
    name: 'database_replica_reads_total',
    help: 'Reads that could use the replica, by who answered.',
    labelNames: ['from'],
  });
  REPLICA_READS.listen((read) => reads.inc({ from: read.from }));
}

function measureQueues(): void {
  new Gauge({
    name: 'queue_length',
    help: 'Work that waits in a queue, by the name of the limit.',
    labelNames: ['limit'],
    collect() {
      for (const limit of QUEUE_NAMES) this.set({ limit }, Queue.lengthOf(limit));
    },
  });
}

function measureHashes(): void {
  const wait = new Histogram({
    name: 'password_hash_wait_seconds',
    help: 'How long a hash of a secret waited for its turn.',
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  const duration = new Histogram({
    name: 'password_hash_duration_seconds',
    help: 'How long a hash of a secret took, without its wait.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  });
  const refused = new Counter({
    name: 'password_hash_refused_total',
    help: 'Hashes of secrets that were refused, because too many waited or the wait was too long.',
  });
  HASH_RUNS.listen(({ askedAt, startedAt, endedAt }) => {
    if (startedAt === undefined) return refused.inc();
    wait.observe((startedAt - askedAt) / 1000);
    duration.observe((endedAt - startedAt) / 1000);
  });
}

/** Security: the label is the name of a limit in the source code, never a key. */
function countDecisions(): void {
  const decisions = new Counter({
    name: 'rate_limit_decisions_total',
    help: 'Requests that a rate limit judged, and refusals of full queues, by the name of the limit.',
    labelNames: ['limit', 'decision'],
  });
  const slowed = new Counter({
    name: 'secrets_slowed_total',
    help: 'Tries of secrets by strangers that had to wait, because all of them together have tried many wrong ones.',
  });
  SLOWED_SECRETS.listen(() => slowed.inc());
  LIMIT_DECISIONS.listen(({ limit, isRefused }) =>
    decisions.inc({ limit, decision: isRefused ? 'refused' : 'allowed' }),
  );
}

function countMail(): void {
  const attempts = new Counter({
    name: 'mail_attempts_total',
    help: 'Tries to send mail, by what became of them. Without SMTP_URL it stays 0.',
    labelNames: ['result'],
  });
  MAIL_ATTEMPTS.listen(({ result }) => attempts.inc({ result }));
}

function countPushMessages(): void {
  const messages = new Counter({
    name: 'push_messages_total',
    help: 'Tries to send a reminder to a device, by what became of them. Without push it stays 0.',
    labelNames: ['result'],
  });
  PUSH_MESSAGES.listen(({ result }) => messages.inc({ result }));
}

/**
 * Serves metrics on a separate port, so that this port can stay private while the service's port is public.
 */
export async function serveMetrics(
  host: string,
  port: number,
  read: () => Promise<string> = () => register.metrics(),
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end();
    read().then(
      (text) => response.writeHead(200, { 'Content-Type': CONTENT_TYPE }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}
