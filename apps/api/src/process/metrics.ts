import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const requests = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from the first byte of a request to the end of its answer.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
});

/** Measures every request. Security: labels are route patterns, never URLs. */
export function measureRequests(fastify: FastifyInstance): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
}

/** Metrics of this process and its database. The values are read at each request for metrics. */
export function measureProcess(
  database: { connections(): { open: number; waiting: number } },
  storage: { isLow: boolean },
  budgets: { waiting: number },
  health: { writes: string },
): void {
  collectDefaultMetrics();
  new Gauge({
    name: 'database_writes_failing',
    help: '1 if the last try of a write failed: a full disk, or a database that is read-only. `/readyz` tries.',
    aggregator: 'max',
    collect() {
      this.set(Number(health.writes === 'failing'));
    },
  });
  new Gauge({
    name: 'storage_low',
    help: '1 while writes are refused because the database has too little room, else 0.',
    // The primary adds up the metrics of the workers. All of them see the same database.
    aggregator: 'max',
    collect() {
      this.set(Number(storage.isLow));
    },
  });
  new Gauge({
    name: 'requests_over_budget',
    help: 'Requests that wait for the budget of their account or address.',
    collect() {
      this.set(budgets.waiting);
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
