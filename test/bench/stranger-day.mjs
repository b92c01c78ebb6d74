/**
 * A stranger's day, and what it costs the owners and the disk: sign-ups from 100 networks, each of which then stores as much
 * as it may, and a list of stolen passwords that is tried over many accounts from the same networks.
 *
 *   npm run build && node test/bench/stranger-day.mjs [sign-ups, 10000] [accounts, 5000] [networks that fill the disk, 2]
 *
 * The limits are on, as in production. The hash is a cheap one: a real one makes all of it slower, and the limits count the same.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, withClient } from './lib/postgres.mjs';
import { startService } from './lib/processes.mjs';

const NETWORKS = 100;
/** Of the stranger's requests. */
const AT_ONCE = 32;
const MIB = 1024 ** 2;
const OWNERS = 10;
const [signUps = 10_000, accounts = 5_000, fillers = 2] = process.argv.slice(2).map(Number);

const scratch = mkdtempSync(join(tmpdir(), 'hrs-stranger-'));
const postgres = await startPostgres();
const service = await startService(
  'service',
  {
    NODE_ENV: 'test',
    DATABASE_URL: postgres.url,
    JWT_SECRET: randomBytes(32).toString('hex'),
    DECOY_SECRET: randomBytes(32).toString('hex'),
    PASSWORD_HASH_ITERATIONS: '1000',
    TRUST_PROXY_HOPS: '1',
    LOG_LEVEL: 'fatal',
  },
  join(scratch, 'log'),
);
try {
  await run();
} finally {
  await service.stop();
  await postgres.stop();
  rmSync(scratch, { recursive: true, force: true });
}

async function run() {
  const owners = [];
  for (let number = 0; number < OWNERS; number++) owners.push(await anOwner(number));
  const quiet = await whileOwners(owners, () => new Promise((resolve) => setTimeout(resolve, 5_000)));
  tell('owners without a stranger', quiet.owners);

  const before = await diskBytes();
  const signedUp = await whileOwners(owners, () =>
    each(signUps, (number) => register(`stranger.${number}@example.org`, networkOf(number))),
  );
  tell(`${signUps} sign-ups from ${NETWORKS} networks`, signedUp);
  print(`  disk: ${mib((await diskBytes()) - before)} MiB`);

  const start = await diskBytes();
  const filled = await whileOwners(owners, () => each(fillers, (network) => fill(network)));
  tell(`${fillers} networks store what they may`, filled);
  const taken = filled.work.reduce((sum, { bytes }) => sum + bytes, 0);
  print(`  accepted ${mib(taken)} MiB; disk ${mib((await diskBytes()) - start)} MiB`);
  print(`  of 100 networks that would be ${mib((taken / fillers) * NETWORKS)} MiB a day`);

  await addAccounts();
  const tried = await whileOwners(owners, () =>
    each(accounts, (number) => login(`victim.${number}@example.org`, 'stolen', networkOf(number))),
  );
  tell(`stolen passwords over ${accounts} accounts`, tried);
}

/** Owners sign in on their known device and read, over and over, while `work` runs. */
async function whileOwners(owners, work) {
  let isOver = false;
  const times = { signIn: [], read: [] };
  let refused = 0;
  const timed = async (name, call) => {
    const begin = performance.now();
    const { status, body } = await call();
    if (status === 200) times[name].push(performance.now() - begin);
    else refused++;
    return body;
  };
  const live = async (owner, number) => {
    while (!isOver) {
      const from = `192.0.2.${number + 1}`;
      const { email, password, device_token } = owner;
      const { token } = await timed('signIn', () =>
        post('/api/auth/login', { email, password, device_token }, from),
      );
      for (let count = 0; count < 10; count++) {
        await timed('read', () => send('GET', '/api/users/me', undefined, from, token));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  const lives = owners.map(live);
  const begin = performance.now();
  const done = await work().finally(() => (isOver = true));
  const seconds = (performance.now() - begin) / 1000;
  await Promise.all(lives);
  return { owners: { ...percentiles(times), refused }, work: done, seconds };
}

function percentiles(times) {
  return Object.fromEntries(
    Object.entries(times).map(([name, list]) => {
      const sorted = list.sort((a, b) => a - b);
      const at = (share) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
      return [name, `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`];
    }),
  );
}

function tell(what, { owners, work = [], seconds, ...same }) {
  const { signIn, read, refused } = owners ?? same;
  const statuses = {};
  for (const { status } of Array.isArray(work) ? work : [])
    if (status) statuses[status] = (statuses[status] ?? 0) + 1;
  print(`${what}${seconds ? ` in ${Math.round(seconds)} s ${JSON.stringify(statuses)}` : ''}`);
  print(`  owners: sign-in on a known device ${signIn}; read ${read}; ${refused} refused`);
}

async function anOwner(number) {
  const email = `owner.${number}@example.org`;
  const { body } = await register(email, `192.0.2.${number + 1}`, { remember_device: true });
  // As one of some weeks ago.
  await sql("UPDATE accounts SET created_at = now() - interval '30 days' WHERE email = $1", [email]);
  return { email, password: email, device_token: body.device_token };
}

function register(email, from, more = {}) {
  const wraps = Object.fromEntries(
    ['wrapped_dek', 'wrapped_dek_iv', 'recovery_wrapped_dek', 'recovery_wrapped_dek_iv'].map((name) => [
      name,
      randomBytes(48).toString('base64'),
    ]),
  );
  return post('/api/auth/register', { email, password: email, ...wraps, ...more }, from);
}

function login(email, password, from) {
  return post('/api/auth/login', { email, password }, from);
}

/** One network opens accounts and stores in each, until it is refused. */
async function fill(network) {
  const from = `10.1.${network}.1`;
  let bytes = 0;
  for (let account = 0; account < 100; account++) {
    const { status, body } = await register(`filler.${network}.${account}@example.org`, from);
    if (status !== 201) break;
    const id = randomUUID();
    await send('POST', '/api/profiles', { profile_id: id, wrapped_profile_dek: 'x' }, from, body.token);
    for (;;) {
      const record = { profile_id: id, encrypted_data: randomBytes(150_000).toString('base64') };
      const answer = await send('POST', '/api/health-stats', record, from, body.token);
      if (answer.status !== 201) break;
      bytes += record.encrypted_data.length;
    }
  }
  return { bytes };
}

function addAccounts() {
  return sql(
    `WITH made AS (
        INSERT INTO accounts (id, email, password_hash, wrapped_dek, wrapped_dek_iv, recovery_wrapped_dek, recovery_wrapped_dek_iv)
        SELECT gen_random_uuid(), 'victim.' || n || '@example.org', a.password_hash, 'w', 'i', 'w', 'i'
        FROM generate_series(0, $1::integer - 1) n, (SELECT password_hash FROM accounts LIMIT 1) a RETURNING id, email
      )
      INSERT INTO logins (email, account_id, kdf, kdf_iterations, kdf_salt)
      SELECT email, id, 'pbkdf2-sha256', 1000000, 'salt' FROM made`,
    [accounts],
  );
}

async function each(count, work) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < count) results.push(await work(next++));
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, worker));
  return results;
}

/** Each network is an IPv4 /24 of its own. */
function networkOf(number) {
  return `10.0.${number % NETWORKS}.1`;
}

function post(path, body, from) {
  return send('POST', path, body, from);
}

async function send(method, path, body, from, token) {
  const answer = await fetch(service.url + path, {
    method,
    headers: {
      'X-Forwarded-For': from,
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: body && JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json().catch(() => undefined) };
}

function sql(text, values) {
  return withClient(postgres.url, (client) => client.query(text, values));
}

async function diskBytes() {
  const { rows } = await sql('SELECT pg_database_size(current_database()) AS bytes');
  return Number(rows[0].bytes);
}

function mib(bytes) {
  return Math.round(bytes / MIB);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
