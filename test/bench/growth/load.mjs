import { BinaryRows } from './binary-rows.mjs';
import { copyIn } from './copy.mjs';

/** Settings of a server that is only loaded: what a crash would cost is a load. */
export const LOAD_SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  // Tables that are emptied and filled in one transaction are not logged at all.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  autovacuum: 'off',
  shared_buffers: '1GB',
  maintenance_work_mem: '1GB',
  work_mem: '512MB',
};

/** What each record counts for in `account_usage`, which triggers keep in a database that is not loaded. */
const USAGE_BYTES = {
  profiles: 'octet_length(name_data) + octet_length(wrapped_profile_dek)',
  medications: 'octet_length(encrypted_data)',
  doses: '0',
  appointments: 'octet_length(encrypted_data)',
  health_stats: 'octet_length(encrypted_data)',
};

/**
 * Fills a migrated database with a population, by COPY, in one transaction; indexes are built at the end, over the whole.
 *
 * @param log is told what was done and how long it took.
 */
export async function loadPopulation(client, population, log) {
  const tables = population.tables();
  const names = Object.keys(tables).join(', ');
  const timed = async (what, work) => {
    const begin = performance.now();
    await work();
    log(`${what}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  };
  await client.query('BEGIN');
  // No triggers: neither the usage's nor those of the foreign keys, which hold by the way ids are made.
  await client.query("SET LOCAL session_replication_role = 'replica'");
  await client.query(`TRUNCATE ${names} CASCADE`);
  await setIndexesAside(client, Object.keys(tables));
  for (const [table, { columns, rows }] of Object.entries(tables)) {
    const copy = `COPY ${table} (${columns}) FROM STDIN (FORMAT binary, FREEZE)`;
    await timed(`  rows of ${table}`, () => copyIn(client, copy, new BinaryRows().chunks(rows)));
  }
  for (const table of Object.keys(tables))
    await timed(`  indexes of ${table}`, () => client.query(`REINDEX TABLE ${table}`));
  await timed('  usage', () => client.query(fillUsage()));
  await client.query('COMMIT');
  await timed('  vacuum', () => client.query('VACUUM ANALYZE'));
  await assertLoaded(client, population);
}

/** Rows are not put into indexes until REINDEX builds them, which also declares them good again. */
async function setIndexesAside(client, tables) {
  await client.query(
    `UPDATE pg_index SET indisready = false, indisvalid = false WHERE indrelid = ANY ($1::regclass[])`,
    [tables],
  );
}

function fillUsage() {
  const parts = Object.entries(USAGE_BYTES).map(
    ([table, bytes]) =>
      `SELECT account_id, count(*) AS records, sum(${bytes}) AS bytes FROM ${table} GROUP BY account_id`,
  );
  return `INSERT INTO account_usage (account_id, records, bytes)
    SELECT account_id, sum(records), sum(bytes) FROM (${parts.join(' UNION ALL ')}) u GROUP BY account_id`;
}

/** @throws Error where the load is not what it should be: foreign keys were not checked while it went on. */
async function assertLoaded(client, population) {
  const { rows } = await client.query(
    `SELECT (SELECT sum(records) FROM account_usage) AS records,
      (SELECT count(*) FROM account_usage u LEFT JOIN accounts a ON a.id = u.account_id WHERE a.id IS NULL) AS lost`,
  );
  const [{ records, lost }] = rows;
  if (Number(records) !== population.records || Number(lost) > 0) {
    throw new Error(
      `Loaded ${records} records, ${lost} accounts of which do not exist; expected ${population.records}.`,
    );
  }
}
