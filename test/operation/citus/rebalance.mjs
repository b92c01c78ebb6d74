/**
 * Adds a worker to a Citus cluster, and moves shards to it, while clients write through the service. Then it compares
 * what they were told with what is stored: nothing may be missing or be there twice, and no request may fail for a
 * client that follows `Retry-After`. Before that, it compares reads on two workers with reads on one.
 *
 *   npm run build
 *   node test/operation/citus/start-cluster.mjs --spare        (prints the two variables)
 *   TEST_CITUS_URL=… CITUS_SPARE_PORT=… node test/operation/citus/rebalance.mjs
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../support/free-port.js';
import { query } from './query.mjs';

const DIST = fileURLToPath(new URL('../../../dist/apps/api/src/', import.meta.url));
const { TEST_CITUS_URL: ADMIN_URL, CITUS_SPARE_PORT: SPARE_PORT } = process.env;
const ACCOUNTS = 24;
const SHARDS = 12;
const ROUNDS = 3;
const READ_MS = 4_000;
/** Writes go on for so long before the shards move, and after. */
const BESIDE_MS = 2_000;
const NAME = `rebalance_${randomBytes(4).toString('hex')}`;

const urlOf = (port, database = NAME) => {
  const url = new URL(ADMIN_URL);
  url.port = String(port);
  url.pathname = `/${database}`;
  return url.href;
};

const nodes = await query(
  ADMIN_URL,
  'SELECT nodeport AS port FROM pg_dist_node ORDER BY groupid <> 0, groupid',
);
const [coordinator, ...workers] = nodes.map(({ port }) => port);
const here = urlOf(coordinator);
const environment = {
  PATH: process.env.PATH,
  DATABASE_URL: here,
  DATABASE_PREPARED: 'off',
  JWT_SECRET: randomBytes(32).toString('hex'),
  DECOY_SECRET: randomBytes(32).toString('hex'),
  SECOND_STEP_SECRET: randomBytes(32).toString('hex'),
  PASSWORD_HASH_ITERATIONS: '1',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'error',
  PORT: String(await freePort()),
};
const service = `http://127.0.0.1:${environment.PORT}`;
const failures = [];
let child;

try {
  await makeDatabase();
  child = spawn(process.execPath, [`${DIST}main.js`], {
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await untilReady();
  const people = [];
  for (let count = 0; count < ACCOUNTS; count++) people.push(await aPerson());
  await compareReads(people);
  await rebalanceUnderWrites(people);
} finally {
  if (child && child.exitCode === null) {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
  }
  for (const port of [coordinator, ...workers, SPARE_PORT])
    await query(urlOf(port, 'postgres'), `DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`);
}

/** By the steps of docs/scaling.md. */
async function makeDatabase() {
  for (const port of [coordinator, ...workers, SPARE_PORT]) {
    await query(urlOf(port, 'postgres'), `CREATE DATABASE ${NAME}`);
    await query(urlOf(port), 'CREATE EXTENSION citus');
    await query(urlOf(port), `ALTER DATABASE ${NAME} SET citus.enable_unsafe_triggers = on`);
    await query(urlOf(port), `ALTER DATABASE ${NAME} SET citus.shard_count = ${SHARDS}`);
  }
  await query(here, `SELECT citus_set_coordinator_host('127.0.0.1', $1)`, [coordinator]);
  for (const port of workers) await query(here, `SELECT citus_add_node('127.0.0.1', $1)`, [port]);
  for (const command of ['migrate', 'distribute'])
    execFileSync(process.execPath, [`${DIST}ops/main.js`, command, '--yes'], {
      env: environment,
      stdio: 'inherit',
    });
}

async function compareReads(people) {
  for (const person of people) person.ids = [await write(person), await write(person)];
  const ratios = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const both = await reads(people);
    // Nobody writes now, and this way of moving is faster.
    await query(here, `SELECT citus_drain_node('127.0.0.1', $1, 'block_writes')`, [workers[1]]);
    const one = await reads(people);
    await query(here, `SELECT citus_set_node_property('127.0.0.1', $1, 'shouldhaveshards', true)`, [
      workers[1],
    ]);
    await query(here, `SELECT rebalance_table_shards(shard_transfer_mode := 'block_writes')`);
    ratios.push(both / one);
    print(`reads, round ${round}: ${both} on two workers, ${one} on one`);
  }
  print(`Reads on two workers / on one: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`);
}

/** @returns how many reads by id all people together get answered. */
async function reads(people) {
  const end = performance.now() + READ_MS;
  let count = 0;
  await Promise.all(
    people.map(async ({ token, ids }) => {
      while (performance.now() < end) {
        await call('GET', `/api/health-stats/${ids[count % 2]}`, token);
        count++;
      }
    }),
  );
  return count;
}

async function rebalanceUnderWrites(people) {
  let isOver = false;
  let moved;
  const writing = people.map(async (person) => {
    while (!isOver) {
      const id = await write(person);
      if (id) person.ids.push(id);
      if (id) await call('PUT', `/api/health-stats/${id}`, person.token, { encrypted_data: 'changed' });
    }
  });
  try {
    await sleep(BESIDE_MS);
    await query(here, `SELECT citus_add_node('127.0.0.1', $1)`, [SPARE_PORT]);
    const begin = performance.now();
    await query(here, 'SELECT rebalance_table_shards()');
    moved = performance.now() - begin;
    await sleep(BESIDE_MS);
  } finally {
    isOver = true;
    await Promise.all(writing);
  }
  let written = 0;
  let wrong = 0;
  for (const { token, ids } of people) {
    const { body } = await call('GET', '/api/health-stats', token);
    const stored = body.map(({ id }) => id).sort();
    if (JSON.stringify(stored) !== JSON.stringify([...ids].sort())) wrong++;
    written += ids.length;
  }
  const shards = await query(
    here,
    'SELECT nodeport, count(*)::int AS shards FROM citus_shards GROUP BY 1 ORDER BY 1',
  );
  print(`Rebalanced in ${(moved / 1000).toFixed(1)} s, while ${written} records were written.`);
  print(`Shards by node: ${shards.map((row) => row.shards).join(', ')}`);
  print(
    `Accounts whose records differ from what they were told: ${wrong}; requests that failed: ${failures.length}`,
  );
  for (const failure of new Set(failures)) print(failure);
  if (wrong > 0 || failures.length > 0) process.exitCode = 1;
}

/** @returns the id of a new record, or `undefined` for a failure. */
async function write({ token, profileId }) {
  const body = { profile_id: profileId, encrypted_data: 'x'.repeat(300) };
  return (await call('POST', '/api/health-stats', token, body, { 'Idempotency-Key': randomUUID() }))?.body.id;
}

async function aPerson() {
  const registration = {
    email: `${randomUUID()}@example.org`,
    password: 'a secret',
    wrapped_dek: 'k',
    wrapped_dek_iv: 'i',
    recovery_wrapped_dek: 'k',
    recovery_wrapped_dek_iv: 'i',
  };
  const { body } = await call('POST', '/api/auth/register', undefined, registration);
  const profile = await call('POST', '/api/profiles', body.token, { wrapped_profile_dek: 'k' });
  return { token: body.token, profileId: profile.body.profile_id, ids: [] };
}

/** Follows `Retry-After`. Anything else that is no success is a failure. */
async function call(method, path, token, body, headers = {}) {
  for (;;) {
    const answer = await fetch(service + path, {
      method,
      headers: {
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(body ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    if (answer.ok) return { body: text ? JSON.parse(text) : undefined };
    const wait = answer.headers.get('retry-after');
    if (!wait) {
      failures.push(`${method} ${path.replace(/[\w-]{36}/, ':id')}: ${answer.status} ${text}`);
      return undefined;
    }
    await sleep(Number(wait) * 1000);
  }
}

async function untilReady() {
  const isReady = () => fetch(`${service}/readyz`).then(({ status }) => status === 200);
  while (!(await isReady().catch(() => false))) {
    if (child.exitCode !== null) throw new Error('The service has ended.');
    await sleep(100);
  }
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
