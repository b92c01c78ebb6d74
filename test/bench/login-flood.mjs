/**
 * How much slower an authenticated read becomes while strangers flood the login: medians in turns, quiet and flooded.
 *
 *   npm run build && node test/bench/login-flood.mjs [connections] [limits]
 *
 * The limits are off, so that the flood reaches the hasher, and the hashes cost what they cost in production. With
 * `limits` they are on, and every request comes from an address of its own: then each also costs the statements of the
 * limiter before it finds the queue full. The ratio should stay under 2.
 */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median } from './lib/measure.mjs';
import { startPostgres } from './lib/postgres.mjs';
import { startService } from './lib/processes.mjs';

const ROUNDS = 5;
const SECONDS = 4;
const LOAD = fileURLToPath(new URL('lib/load.mjs', import.meta.url));

/** With limits an account has 3,000 requests a minute. */
const PAUSE_MS = 25;

const connections = Number(process.argv[2] ?? 100);
const isLimited = process.argv[3] === 'limits';
const scratch = mkdtempSync(join(tmpdir(), 'hrs-flood-'));
const postgres = await startPostgres();
const service = await startService(
  'service',
  {
    DATABASE_URL: postgres.url,
    JWT_SECRET: randomBytes(32).toString('hex'),
    DECOY_SECRET: randomBytes(32).toString('hex'),
    RATE_LIMITS: isLimited ? 'on' : 'off',
    TRUST_PROXY_HOPS: '1',
    LOG_LEVEL: 'warn',
  },
  join(scratch, 'log'),
);
try {
  const { token, email } = await register();
  const ratios = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const quietMs = await readFor(token, SECONDS);
    const flood = startFlood(email);
    await sleep(500);
    const floodedMs = await readFor(token, SECONDS);
    const { statuses } = await flood;
    ratios.push(floodedMs / quietMs);
    print(
      `round ${round}: quiet ${quietMs.toFixed(2)} ms, flooded ${floodedMs.toFixed(2)} ms, ${JSON.stringify(statuses)}`,
    );
  }
  print(`median of a read under a flood of ${connections} connections / quiet: ${median(ratios).toFixed(2)}`);
} finally {
  await service.stop();
  await postgres.stop();
  rmSync(scratch, { recursive: true, force: true });
}

function print(line) {
  process.stdout.write(`${line}\n`);
}

async function register() {
  const wraps = ['wrapped_dek', 'wrapped_dek_iv', 'recovery_wrapped_dek', 'recovery_wrapped_dek_iv'];
  const email = 'known@example.org';
  const body = { email, password: 'secret', ...Object.fromEntries(wraps.map((name) => [name, 'x'])) };
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${service.url}/api/auth/register`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const { token } = await answer.json();
  return { token, email };
}

/** @returns the median of the reads' durations, one after the other. */
async function readFor(token, seconds) {
  const durations = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const begin = performance.now();
    const answer = await fetch(`${service.url}/api/users/me`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`A read was answered ${answer.status}.`);
    durations.push(performance.now() - begin);
    if (isLimited) await sleep(PAUSE_MS);
  }
  return median(durations);
}

/** Wrong passwords, half of them for an account that there is; from a process of its own. */
function startFlood(email) {
  const requests = Array.from({ length: isLimited ? 50 * connections : 2 }, (_, index) => ({
    method: 'POST',
    path: '/api/auth/login',
    headers: { 'content-type': 'application/json', ...(isLimited && { 'x-forwarded-for': address(index) }) },
    body: JSON.stringify({ email: index % 2 ? email : `${index}@example.org`, password: 'wrong' }),
  }));
  return new Promise((resolve, reject) => {
    const child = fork(LOAD);
    child.once('message', resolve);
    child.once('error', reject);
    child.send({ url: service.url, connections, seconds: SECONDS + 1, requests });
  });
}

function address(index) {
  return `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
}
