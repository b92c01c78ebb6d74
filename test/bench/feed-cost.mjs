/**
 * What the feed of `GET /api/sync` adds to a create: two services on one PostgreSQL, in turns. The database of one has
 * the triggers of today; that of the other has those of before the feed, which only count against the quota.
 *
 *   npm run build && node test/bench/feed-cost.mjs [rounds] [seconds]
 *
 * By default 7 rounds of 4 seconds with 32 connections, each with accounts of its own. `time` is the median of the
 * ratios of the rounds, with the feed to without: at most 1.1, else it ends with 1. The processor time of PostgreSQL for
 * a create is shown, and not judged: most of the time of a create is the disk's.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { measure, median } from './lib/measure.mjs';
import { startPostgres, withClient } from './lib/postgres.mjs';
import { ROOT, startService, unlimitedEnvironment } from './lib/processes.mjs';
import { processorMilliseconds } from './lib/processor-time.mjs';
import { aBlob } from './lib/stage.mjs';
import { accessTokenOf } from './lib/tokens.mjs';

const MOST = 1.1;
const CONNECTIONS = 32;
const ACCOUNTS = 512;
const [rounds = 7, seconds = 4] = process.argv.slice(2).map(Number);

const scratch = mkdtempSync(join(tmpdir(), 'hrs-feed-cost-'));
const running = [];
try {
  const postgres = started(await startPostgres());
  const databasePid = Number(
    readFileSync(join(postgres.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
  );
  const arms = [];
  for (const name of ['feed', 'none']) {
    await postgres.createDatabase(name);
    const url = postgres.urlOf(name);
    const server = started(await startService(name, unlimitedEnvironment(url), join(scratch, name)));
    if (name === 'none') await withClient(url, endFeed);
    arms.push({ server, requests: await withClient(url, accounts), results: [] });
  }
  process.stdout.write(`load ${loadavg()[0].toFixed(2)} before\n`);
  // The first round warms up and is thrown away. Each round begins with the other side.
  for (let round = 0; round <= rounds; round++) {
    for (const { server, requests, results } of round % 2 ? arms : arms.toReversed()) {
      const before = processorMilliseconds(databasePid);
      const result = await measure(server, { connections: CONNECTIONS, seconds, requests });
      const databaseMicros = ((processorMilliseconds(databasePid) - before) * 1000) / result.good;
      if (round > 0) results.push({ ...result, databaseMicros });
    }
  }
  for (const { server } of arms)
    await withClient(postgres.urlOf(server.name), (client) => assertFeed(client, server.name));
  report(arms);
} finally {
  for (const each of running.reverse()) await each.stop();
  rmSync(scratch, { recursive: true, force: true });
}

/** The functions to which the migration of the feed goes back. They are as they were before it. */
async function endFeed(client) {
  const built = createRequire(import.meta.url)(
    join(ROOT, 'dist/libs/database/src/migrations/1794000000000-changes.js'),
  );
  const functions = [];
  const runner = {
    query: async (text) => {
      if (text.startsWith('CREATE OR REPLACE FUNCTION')) functions.push(text);
      return text.trimStart().startsWith('SELECT') ? (await client.query(text)).rows : [];
    },
  };
  await new built.Changes1794000000000().down(runner);
  for (const text of functions) await client.query(text);
}

/** @returns a create for each account. */
async function accounts(client) {
  const list = Array.from({ length: ACCOUNTS }, () => ({ id: randomUUID(), profileId: randomUUID() }));
  const columns = [list.map(({ id }) => id), list.map(({ profileId }) => profileId)];
  await client.query(
    `INSERT INTO accounts (id, email, password_hash, wrapped_dek, wrapped_dek_iv, recovery_wrapped_dek, recovery_wrapped_dek_iv)
      SELECT id, id || '@example.org', 'none', 'wrapped', 'iv', 'wrapped', 'iv' FROM unnest($1::uuid[]) id`,
    [columns[0]],
  );
  await client.query(
    `INSERT INTO profiles (account_id, id, kind, relationship, wrapped_profile_dek, wrapped_profile_dek_iv, name_data, name_iv)
      SELECT account_id, id, 'human', 'self', 'wrapped', 'iv', '""', '' FROM unnest($1::uuid[], $2::uuid[]) p (account_id, id)`,
    columns,
  );
  await client.query('VACUUM ANALYZE');
  return list.map(({ id, profileId }) => ({
    method: 'POST',
    path: '/api/health-stats',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${accessTokenOf(id)}` },
    body: JSON.stringify({ profile_id: profileId, encrypted_data: aBlob() }),
  }));
}

/** One side told every record to the feed, the other none. */
async function assertFeed(client, name) {
  const { rows } = await client.query(
    `SELECT (SELECT count(*) FROM health_stats) AS records, (SELECT count(*) FROM changes WHERE kind = 'health_stat') AS told`,
  );
  const [{ records, told }] = rows;
  if (Number(records) === 0 || told !== (name === 'feed' ? records : '0'))
    throw new Error(`The database "${name}" has ${records} records and tells ${told}.`);
}

function report([feed, none]) {
  const ratio = (of) => median(feed.results.map((result, round) => of(result) / of(none.results[round])));
  const time = ratio(({ perSecond }) => 1 / perSecond);
  const rate = ({ results }) => median(results.map(({ perSecond }) => perSecond)).toFixed(0);
  process.stdout.write(`creates a second: with the feed ${rate(feed)}, without ${rate(none)}\n`);
  process.stdout.write(`time ${time.toFixed(3)}   must be at most ${MOST}\n`);
  const processor = ratio(({ databaseMicros }) => databaseMicros);
  process.stdout.write(`processor time of PostgreSQL ${processor.toFixed(3)}\n`);
  if (time > MOST) process.exitCode = 1;
}

function started(server) {
  running.push(server);
  return server;
}
