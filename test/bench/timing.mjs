/**
 * Whether the time of an answer tells which emails have accounts: each public credential route, asked in turns for an
 * unknown email, a known one and one whose recovery is off.
 *
 *   npm run build && node test/bench/timing.mjs [tries] [iterations]
 *
 * The limits are off. By default 200 tries of each, and hashes of 2,000 iterations: at full price a difference of one
 * statement would drown in the noise of the hash itself; whether there is a hash at all shows at any price.
 *
 * For each route: the medians, their ratio to the unknown email's, and `z`, the difference of the medians in standard
 * errors (of the median, from the median absolute deviation). Ends with 1 where a ratio is off by more than a tenth and
 * its `z` by more than 4: one of them alone is noise.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './lib/measure.mjs';
import { startPostgres } from './lib/postgres.mjs';
import { startUnlimitedService } from './lib/processes.mjs';

const WARM_UP = 30;
const WRONG = 'd3JvbmcgYXMgaXQgY2FuIGJlLCBidXQgb2YgdGhlIHJpZ2h0IGxlbmd0aA==';
const NEW_SECRET = { new_password: WRONG, new_wrapped_dek: 'x', new_wrapped_dek_iv: 'x' };

/** What a stranger may ask of an email. */
const QUESTIONS = {
  prelogin: (email) => post('prelogin', { email }),
  login: (email) => post('login', { email, password: WRONG }),
  'recovery-info': (email) => fetch(`${service.url}/api/auth/recovery-info?email=${email}`),
  'recovery/verify': (email) => post('recovery/verify', { email, recovery_proof: WRONG }),
  'recovery/reset-password': (email) =>
    post('recovery/reset-password', { email, recovery_proof: WRONG, ...NEW_SECRET }),
};

const tries = Number(process.argv[2] ?? 200);
const iterations = process.argv[3] ?? '2000';
const scratch = mkdtempSync(join(tmpdir(), 'hrs-timing-'));
const postgres = await startPostgres();
const service = await startUnlimitedService(postgres.url, iterations, join(scratch, 'log'));
try {
  const emails = {
    unknown: ['unknown1@example.org', 'unknown2@example.org'],
    known: [await register('known01@example.org', true), await register('known02@example.org', true)],
    'recovery off': [
      await register('off0001@example.org', false),
      await register('off0002@example.org', false),
    ],
  };
  print(`${tries} tries each, hashes of ${iterations} iterations; milliseconds\n`);
  print(row('', ...Object.keys(emails).map((sort) => `${sort}`), 'ratios', 'z'));
  for (const [name, ask] of Object.entries(QUESTIONS)) {
    const times = await measure(ask, emails);
    const [unknown, ...others] = Object.values(times);
    const ratios = others.map((other) => median(other) / median(unknown));
    const scores = others.map((other) => standardErrors(other, unknown));
    print(
      row(
        name,
        ...Object.values(times).map((each) => median(each).toFixed(3)),
        ratios.map((ratio) => ratio.toFixed(3)).join(' '),
        scores.map((score) => score.toFixed(1)).join(' '),
      ),
    );
    if (others.some((_, index) => Math.abs(ratios[index] - 1) > 0.1 && Math.abs(scores[index]) > 4))
      process.exitCode = 1;
  }
  print(process.exitCode ? '\nAn answer tells by its time.' : '\nNo answer tells by its time.');
} finally {
  await service.stop();
  await postgres.stop();
  rmSync(scratch, { recursive: true, force: true });
}

/** Sorts take turns within each round, in an order that changes, so that what comes first or last favours none. */
async function measure(ask, emails) {
  const sorts = Object.keys(emails);
  const times = Object.fromEntries(sorts.map((sort) => [sort, []]));
  for (let round = -WARM_UP; round < tries; round++) {
    for (let turn = 0; turn < sorts.length; turn++) {
      const sort = sorts[(turn + round + WARM_UP) % sorts.length];
      const begin = performance.now();
      const answer = await ask(emails[sort][(round + WARM_UP) % 2]);
      await answer.arrayBuffer();
      if (round >= 0) times[sort].push(performance.now() - begin);
      if (answer.status >= 500) throw new Error(`An answer was ${answer.status}.`);
    }
  }
  return times;
}

/** The difference of two medians in its standard errors. 1.4826 MADs are a deviation, 1.2533 that of a median's mean. */
function standardErrors(one, other) {
  const error = (times) => (1.2533 * 1.4826 * spread(times)) / Math.sqrt(times.length);
  return (median(one) - median(other)) / Math.hypot(error(one), error(other));
}

function spread(times) {
  const middle = median(times);
  return median(times.map((time) => Math.abs(time - middle)));
}

function post(route, body) {
  return fetch(`${service.url}/api/auth/${route}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function register(email, isRecoverable) {
  const wraps = ['wrapped_dek', 'recovery_wrapped_dek'].flatMap((name) => [
    [name, randomBytes(48).toString('base64')],
    [`${name}_iv`, randomBytes(12).toString('base64')],
  ]);
  const proof = isRecoverable ? { recovery_proof: 'the right one' } : {};
  const answer = await post('register', { email, password: 'right', ...Object.fromEntries(wraps), ...proof });
  if (answer.status !== 201) throw new Error(`register answered ${answer.status}: ${await answer.text()}`);
  return email;
}

function row(name, ...cells) {
  return [name.padEnd(24), ...cells.map((cell) => cell.padStart(14))].join(' ');
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
