/**
 * One PostgreSQL for the whole run, migrated once into a template: the embedded one, or the one that TEST_DATABASE_URL
 * names. Runs the built service's own code, since Jest maps no modules here; `npm test` builds first.
 */
const { randomUUID } = require('node:crypto');

module.exports = async () => {
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
};
