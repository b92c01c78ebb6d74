const { mkdtempSync, realpathSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { Client } = require('pg');
const { DataSource } = require('typeorm');

/** The database of which every test file gets a copy. */
const TEMPLATE = 'template_migrated';

/**
 * One PostgreSQL for the whole run, migrated once into a template: the embedded one, or the one that TEST_DATABASE_URL
 * names. Runs the built service's own code, since Jest maps no modules here; `npm test` builds first.
 */
module.exports = async () => {
  const { EmbeddedPostgres, dataSourceOptions } = require('../../dist/libs/database/src/index.js');
  const { ENTITIES } = require('../../dist/apps/api/src/database-schema.js');
  let clusterUrl = process.env.TEST_DATABASE_URL;
  if (!clusterUrl) {
    const dataDir = mkdtempSync(join(tmpdir(), 'hrs-test-'));
    const postgres = await EmbeddedPostgres.start({
      dataDir,
      password: 'test',
      settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '300' },
    });
    globalThis.stopPostgres = async () => {
      await postgres.stop();
      // As root the cluster is elsewhere, behind a link.
      for (const folder of [realpathSync(join(dataDir, 'postgres')), dataDir])
        rmSync(folder, { recursive: true, maxRetries: 5 });
    };
    clusterUrl = postgres.urlOf('postgres');
  }
  const client = new Client({ connectionString: clusterUrl });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  await client.end();
  const url = new URL(clusterUrl);
  url.pathname = `/${TEMPLATE}`;
  // `npm run test:partitioned` runs every test on hash-partitioned tables.
  const databasePartitions = Number(process.env.TEST_PARTITIONS ?? 0);
  const settings = { databasePoolSize: 2, databasePrepared: true, databasePartitions };
  const options = dataSourceOptions(settings, url.href, ENTITIES);
  const dataSource = await new DataSource(options).initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
  process.env.TEST_CLUSTER_URL = clusterUrl;
  // `TEST_PGBOUNCER=8 npx jest test/e2e` runs every service through PgBouncer, which has 8 connections for each database.
  if (process.env.TEST_PGBOUNCER) {
    const { PgBouncer, pgBouncerProgram } = require('./pgbouncer');
    const program = pgBouncerProgram();
    if (!program) throw new Error('TEST_PGBOUNCER is set.');
    const pgBouncer = await PgBouncer.start(program, clusterUrl, Number(process.env.TEST_PGBOUNCER));
    globalThis.stopPgBouncer = () => pgBouncer.stop();
    process.env.TEST_PGBOUNCER_URL = pgBouncer.urlTo(clusterUrl);
  }
};
