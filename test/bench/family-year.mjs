/**
 * What a year of a family takes: bytes of the tables with their indexes, of a dose and of a family, and the same where
 * idempotency keys stay for ever, as before they were cleaned. Then the time and the bytes of a backup, and the time of a
 * restore. Bytes are those of a table that has been in use: each day's rows are written, the keys of the day before are
 * forgotten, VACUUM frees their room each week, and `ops compact` writes the indexes anew each month: what is shown is the
 * state a month after the last time.
 *
 *   npm run build && node test/bench/family-year.mjs [families] [days]
 *
 * A family: 4 profiles, 8 medications with 2 doses a day in all of 4 people (16 doses a day), a reading a day, 2 visits a
 * month. Sealed blobs have the size that the client makes of them.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, withClient } from './lib/postgres.mjs';
import { ROOT } from './lib/processes.mjs';

const [families = 4, days = 365] = process.argv.slice(2).map(Number);
const DOSES_A_DAY = 16;
const TABLES = [
  'profiles',
  'medications',
  'doses',
  'appointments',
  'health_stats',
  'changes',
  'account_usage',
];
const OPS = join(ROOT, 'dist/apps/api/src/ops/main.js');

const scratch = mkdtempSync(join(tmpdir(), 'hrs-family-'));
const postgres = await startPostgres({ fsync: 'off', autovacuum: 'off' });
try {
  const kept = await aYear('kept', { cleans: false });
  const cleaned = await aYear('cleaned', { cleans: true });
  const compacted = await aYear('compacted', { cleans: true, compacts: true });
  const less = ({ dose }) => `${dose.toFixed(0)} bytes (${((1 - dose / kept.dose) * 100).toFixed(0)} % less)`;
  console.log(
    `\nA dose with its place in the feed: ${kept.dose.toFixed(0)} bytes with its key for ever, ` +
      `${less(cleaned)} with keys forgotten, ${less(compacted)} with indexes compacted each month, too`,
  );
  console.log(
    `A family and year: ${mb(kept.family)} MB, ${mb(cleaned.family)} MB, ${mb(compacted.family)} MB; ` +
      `${((compacted.family * 10_000) / 1e9).toFixed(0)} GB a year for 10,000 families`,
  );
  const folder = join(scratch, 'backup');
  // What a command takes that reads nothing.
  const start = timed(() => ops('compacted', 'status'));
  const saved = timed(() => ops('compacted', 'backup', folder)) - start;
  const bytes = Number(execFileSync('du', ['-sb', folder]).toString().split('\t')[0]);
  await postgres.createDatabase('restored');
  const loaded = timed(() => ops('restored', 'restore', folder, '--yes')) - start;
  const perGb = (seconds) => (seconds / (compacted.all / 1e9)).toFixed(0);
  console.log(
    `A backup: ${mb((bytes / families / days) * 365)} MB a family and year; ${perGb(saved)} s a GB of tables, ` +
      `a restore with its check ${perGb(loaded)} s a GB`,
  );
} finally {
  await postgres.stop();
  rmSync(scratch, { recursive: true, force: true });
}

async function aYear(name, { cleans, compacts = false }) {
  await postgres.createDatabase(name);
  ops(name, 'migrate');
  return withClient(postgres.urlOf(name), async (client) => {
    const run = (text, values) => client.query(text, values);
    // As ciphertexts are: base64 of what looks random, so that no backup is small by accident.
    await run(`CREATE FUNCTION blob(bytes int) RETURNS text VOLATILE LANGUAGE sql AS $$ SELECT translate(encode(decode(
      string_agg(md5(random()::text), ''), 'hex'), 'base64'), E'\\n', '') FROM generate_series(1, bytes / 16) $$`);
    await run(
      `INSERT INTO accounts (id, email, password_hash, wrapped_dek, wrapped_dek_iv, recovery_wrapped_dek, recovery_wrapped_dek_iv)
      SELECT gen_random_uuid(), n || '@example.org', 'h', 'w', 'i', 'r', 'i' FROM generate_series(1, $1::int) n`,
      [families],
    );
    await run(`INSERT INTO logins SELECT email, id, 'pbkdf2-sha256', 600000, 'salt' FROM accounts`);
    await run(`INSERT INTO profiles (account_id, id, kind, relationship, wrapped_profile_dek, wrapped_profile_dek_iv, name_data, name_iv)
      SELECT a.id, gen_random_uuid(), 'human', 'self', repeat('k', 64), repeat('i', 16), to_json(blob(120)), repeat('i', 16)
      FROM accounts a, generate_series(1, 4)`);
    await run(`INSERT INTO medications (account_id, id, profile_id, route, encrypted_data)
      SELECT p.account_id, gen_random_uuid(), p.id, 'oral', to_json(blob(525)) FROM profiles p, generate_series(1, 2)`);
    for (let day = days; day > 0; day--) {
      const at = `now() - interval '${day} days'`;
      const id = idAt(at);
      const key = `sha256(random()::text::bytea), sha256(random()::text::bytea)`;
      // One after the other, morning and evening, as people log them: rows of one statement would fill the indexes better.
      await run(`DO $$ DECLARE m record; BEGIN
        FOR m IN SELECT account_id, id, row_number() OVER () AS n, hour FROM (
          SELECT * FROM medications, unnest(ARRAY[0, 12]) AS hour ORDER BY hour, random()
        ) rounds LOOP
          INSERT INTO doses (account_id, id, medication_id, taken, logged_at, created_at, idempotency_key, idempotency_body, proof)
            SELECT m.account_id, ${idAt('at')}, m.id, true, at, at, ${key}, blob(64)
            FROM (SELECT ${at} + m.hour * interval '1 hour' + m.n * interval '10 ms' AS at) moment;
        END LOOP; END $$`);
      await run(`INSERT INTO health_stats (account_id, id, profile_id, encrypted_data, recorded_at, created_at, idempotency_key, idempotency_body)
        SELECT DISTINCT ON (account_id) account_id, ${id}, id, to_json(blob(375)), ${at}, ${at}, ${key} FROM profiles`);
      if (day % 15 === 0)
        await run(`INSERT INTO appointments (account_id, id, profile_id, status, encrypted_data, created_at, idempotency_key, idempotency_body)
          SELECT DISTINCT ON (account_id) account_id, ${id}, id, 'scheduled', to_json(blob(450)), ${at}, ${key} FROM profiles`);
      if (!cleans) continue;
      for (const table of ['doses', 'health_stats', 'appointments'])
        await run(`UPDATE ${table} SET idempotency_key = NULL, idempotency_body = NULL
          WHERE idempotency_key IS NOT NULL AND created_at <= ${at} - interval '11 hours'`);
      if (day % 7 === 0) await run(`VACUUM ${TABLES.join(', ')}`);
      if (compacts && day % 30 === 0) ops(name, 'compact');
    }
    const sizes = {};
    for (const table of TABLES)
      sizes[table] = Number((await run(`SELECT pg_total_relation_size('${table}') AS bytes`)).rows[0].bytes);
    const all = Object.values(sizes).reduce((sum, bytes) => sum + bytes, 0);
    const doses = families * days * DOSES_A_DAY;
    const entries = Number((await run('SELECT count(*) FROM changes')).rows[0].count);
    const dose = sizes.doses / doses + sizes.changes / entries;
    console.log(
      name,
      Object.entries(sizes)
        .map(([table, bytes]) => `${table} ${mb(bytes)}`)
        .join(', '),
      'MB',
    );
    return { dose, all, family: (all / families / days) * 365 };
  });
}

/** A version 7 UUID, as the service makes: the first digits are the time. */
function idAt(at) {
  return `(lpad(to_hex((extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid`;
}

function ops(name, ...args) {
  execFileSync(process.execPath, [OPS, ...args], {
    env: { ...process.env, DATABASE_URL: postgres.urlOf(name), LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function timed(work) {
  const startedAt = performance.now();
  work();
  return (performance.now() - startedAt) / 1000;
}

function mb(bytes) {
  return (bytes / 1e6).toFixed(2);
}
