/**
 * One PostgreSQL for the whole run, migrated once into a template: the embedded one, or the one that TEST_DATABASE_URL
 * names. Then a process beside each worker, which runs services for it.
 */
const { fork } = require('node:child_process');
const { randomUUID } = require('node:crypto');
const { once } = require('node:events');
const { join } = require('node:path');

module.exports = async ({ maxWorkers }) => {
  const { TestCluster, makeServiceTemplate } = require('../../dist/libs/testing/src/index.js');
  const { createApp } = require('../../dist/apps/api/src/configure-app.js');
  const { ServiceConfig } = require('../../dist/libs/config/src/index.js');
  const { TEST_DATABASE_URL, TEST_CITUS_URL, TEST_PARTITIONS: partitions } = process.env;
  const given = TEST_DATABASE_URL ?? TEST_CITUS_URL;
  const cluster = given ? TestCluster.at(given) : await TestCluster.start();
  globalThis.stopPostgres = () => cluster.stop();
  // `npm run test:partitioned` runs every test on hash-partitioned tables.
  const settings = partitions ? { DATABASE_PARTITIONS: partitions } : {};
  // A template on Citus is one on each node: the first test file makes it, see citus.ts.
  if (TEST_CITUS_URL) process.env.TEST_RUN ??= randomUUID();
  else await makeServiceTemplate(cluster, (each) => createApp(new ServiceConfig(each)), settings);
  process.env.TEST_CLUSTER_URL = cluster.url;
  // `TEST_PGBOUNCER=8 npx jest test/e2e` runs every service through PgBouncer, which has 8 connections for each database.
  if (process.env.TEST_PGBOUNCER) {
    const { PgBouncer, pgBouncerProgram } = require('./pgbouncer');
    const program = pgBouncerProgram();
    if (!program) throw new Error('TEST_PGBOUNCER is set.');
    const pgBouncer = await PgBouncer.start(program, cluster.url, Number(process.env.TEST_PGBOUNCER));
    globalThis.stopPgBouncer = () => pgBouncer.stop();
    process.env.TEST_PGBOUNCER_URL = pgBouncer.urlTo(cluster.url);
  }
  const hosts = Array.from({ length: maxWorkers }, () => fork(join(__dirname, 'service-host.js')));
  globalThis.stopServiceHosts = () => hosts.forEach((host) => host.disconnect());
  const ports = await Promise.all(hosts.map((host) => once(host, 'message')));
  process.env.TEST_SERVICE_HOSTS = ports.map(([port]) => `http://127.0.0.1:${port}`).join(' ');
};
