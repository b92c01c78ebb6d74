/**
 * Whether the service stays as fast as its database grows: databases of several sizes on one PostgreSQL, one service on
 * each, the same load on all in turns.
 *
 *   npm run build && node test/bench/growth.mjs [options]
 *
 * See `growth/options.mjs` for the options. Sizes are in accounts, with 50 records each.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadPopulation, LOAD_SETTINGS } from './growth/load.mjs';
import { readGrowthOptions } from './growth/options.mjs';
import { Population } from './growth/population.mjs';
import { summariseGrowth, tableOfGrowth } from './growth/report.mjs';
import { GROWTH_ROWS } from './growth/rows.mjs';
import { measure } from './lib/measure.mjs';
import { removeDataDir, startPostgres, withClient } from './lib/postgres.mjs';
import { ROOT, startService } from './lib/processes.mjs';
import { processorMilliseconds } from './lib/processor-time.mjs';
import { JWT_SECRET } from './lib/tokens.mjs';

/** What one account takes on the disk, with indexes, while they are built; measured. */
const BYTES_PER_ACCOUNT = 20_500;
const LEFT_FREE_BYTES = 8e9;
/** A session of PostgreSQL tells what it has counted when it has been idle for so long. */
const STATISTICS_MS = 11_000;
const COUNTS = `SELECT (SELECT sum(seq_scan)::int FROM pg_stat_user_tables WHERE relname = ANY ($1)) AS scans,
    (SELECT temp_files::int FROM pg_stat_database WHERE datname = current_database()) AS files`;

const options = readGrowthOptions();
const scratch = mkdtempSync(join(tmpdir(), 'hrs-growth-logs-'));
const dataDir = resolve(options.keep ?? mkdtempSync(join(tmpdir(), 'hrs-growth-')));
const DECOY_SECRET = randomBytes(32).toString('base64');
const SECOND_STEP_SECRET = randomBytes(32).toString('base64');
const running = [];

try {
  mkdirSync(dataDir, { recursive: true });
  const sizes = await loadAll();
  if (!options.loadOnly) await run(sizes);
} finally {
  for (const each of running.reverse()) await each.stop();
  rmSync(scratch, { recursive: true, force: true });
  if (!options.keep) removeDataDir(dataDir);
}

/** Loads what is not there yet. @returns the sizes, smallest first. */
async function loadAll() {
  const missing = options.sizes.filter((accounts) => !readNote(accounts));
  if (missing.length > 0) {
    const postgres = await startPostgres(LOAD_SETTINGS, dataDir);
    try {
      for (const accounts of missing) await loadOne(postgres, accounts);
    } finally {
      await postgres.stop();
    }
  }
  return options.sizes.map((accounts) => ({ database: databaseOf(accounts), ...readNote(accounts) }));
}

async function loadOne(postgres, wanted) {
  const { bavail, bsize } = statfsSync(dataDir);
  const room = Math.floor((bavail * bsize - LEFT_FREE_BYTES) / BYTES_PER_ACCOUNT);
  // What an account stores differs, and is 50 records on average over every eight.
  const accounts = Math.floor(Math.min(wanted, room) / 8) * 8;
  if (accounts < 8) throw new Error('The disk has no room.');
  if (accounts < wanted) log(`Room for ${accounts} accounts of ${wanted}.`);
  const database = databaseOf(wanted);
  const url = postgres.urlOf(database);
  await withClient(postgres.url, (client) => client.query(`DROP DATABASE IF EXISTS ${database}`));
  await postgres.createDatabase(database);
  const migrating = await startService('service', environmentOf(url), join(scratch, 'log'));
  await migrating.stop();
  const population = new Population(accounts, Date.now());
  log(`${accounts} accounts, ${population.records} records:`);
  const begin = performance.now();
  const bytes = await withClient(url, async (client) => {
    await loadPopulation(client, population, log);
    const { rows } = await client.query('SELECT pg_database_size(current_database()) AS bytes');
    return Number(rows[0].bytes);
  });
  const seconds = (performance.now() - begin) / 1000;
  log(`loaded in ${seconds.toFixed(0)} s, ${(bytes / 1e9).toFixed(2)} GB`);
  const note = { accounts, records: population.records, now: population.now, bytes, loadSeconds: seconds };
  writeFileSync(noteOf(wanted), JSON.stringify(note));
}

async function run(sizes) {
  const before = loadavg()[0];
  const settings = { shared_buffers: options.sharedBuffers };
  const postgres = started(await startPostgres(settings, dataDir));
  const servers = [];
  for (const size of sizes) {
    const url = postgres.urlOf(size.database);
    // Of an earlier run, with secrets of its own.
    await withClient(url, (client) => client.query('DELETE FROM secret_fingerprints'));
    const service = started(
      await startService(size.database, environmentOf(url), join(scratch, size.database)),
    );
    servers.push(Object.assign(service, { population: new Population(size.accounts, size.now) }));
  }
  const asked = GROWTH_ROWS.filter(({ id }) => !options.rows || options.rows.includes(id));
  const begin = await plansOf(sizes, postgres);
  const rows = summariseGrowth(asked, await roundsOf(asked, servers));
  const plans = await plansOf(sizes, postgres, begin);
  const machine = { cores: availableParallelism(), node: process.version, loadBefore: before };
  const report = { at: new Date().toISOString(), machine, settings, options, sizes, rows, plans };
  const out = resolve(options.out ?? join(ROOT, 'test/bench/growth-results.json'));
  writeFileSync(out, JSON.stringify(report, undefined, 2) + '\n');
  log(`\n${tableOfGrowth(report)}`);
  for (const { database, sequentialScans, sortsOnDisk } of plans)
    log(`${database}: ${sequentialScans} sequential scans, ${sortsOnDisk} sorts on disk`);
  log(`Written to ${out}`);
}

/**
 * What no plan should have, as PostgreSQL counts it: sequential scans of the tables that the rows ask, and files that a sort
 * wrote. @param since an earlier answer, from which on to count.
 */
async function plansOf(sizes, postgres, since) {
  await sleep(STATISTICS_MS);
  const answers = [];
  for (const [index, { database }] of sizes.entries()) {
    const { rows } = await withClient(postgres.urlOf(database), (client) =>
      client.query(COUNTS, [['accounts', 'profiles', 'medications', 'doses', 'health_stats']]),
    );
    const earlier = since?.[index] ?? { sequentialScans: 0, sortsOnDisk: 0 };
    answers.push({
      database,
      sequentialScans: rows[0].scans - earlier.sequentialScans,
      sortsOnDisk: rows[0].files - earlier.sortsOnDisk,
    });
  }
  return answers;
}

/**
 * All rows on all sizes in turns, so that what disturbs the machine disturbs all. The first turn goes once through all
 * that will be asked for, and is thrown away.
 */
async function roundsOf(rows, servers) {
  const { connections, people, seconds } = options;
  const turns = rows.flatMap((row) =>
    servers.map((server) => ({ row, server, requests: row.requests(server.population, people) })),
  );
  const results = [];
  for (let round = 0; round <= options.rounds; round++) {
    for (const { row, server, requests } of turns) {
      const before = databaseMilliseconds();
      const result = await measure(server, {
        connections,
        seconds: round === 0 ? 2 * seconds : seconds,
        requests: row.fresh ? row.requests(server.population, people) : requests,
      });
      const databaseMicros = ((databaseMilliseconds() - before) * 1000) / result.good;
      if (round > 0) results.push({ ...result, row: row.id, size: server.name, round, databaseMicros });
    }
    log(`Round ${round} of ${options.rounds}, load average ${loadavg()[0].toFixed(1)}`);
  }
  return results;
}

function databaseMilliseconds() {
  const postmaster = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0];
  return processorMilliseconds(postmaster);
}

function environmentOf(url) {
  return {
    DATABASE_URL: url,
    JWT_SECRET,
    DECOY_SECRET,
    SECOND_STEP_SECRET,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  };
}

function databaseOf(accounts) {
  return `accounts_${accounts}`;
}

function noteOf(accounts) {
  return join(dataDir, `${databaseOf(accounts)}.json`);
}

function readNote(accounts) {
  return existsSync(noteOf(accounts)) && JSON.parse(readFileSync(noteOf(accounts), 'utf8'));
}

function started(server) {
  running.push(server);
  return server;
}

function log(line) {
  process.stdout.write(`${line}\n`);
}
