/**
 * Many reminders within a minute: whether each leaves once, how late, and what it costs others who read meanwhile.
 *
 *   npm run build && node test/bench/reminders.mjs [reminders] [kill]
 *
 * Two services on one database send to a push service of this program. With `kill` the second service is killed twenty
 * times, at random, and another one begins. Wanted: none lost, none twice (killed: at most twice), and the 99th percentile of
 * a victim's reads within 3 times that without reminders.
 */
import { createECDH, randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { generate } from 'selfsigned';
import { inProcess } from './lib/in-process.mjs';
import { startPostgres, withClient } from './lib/postgres.mjs';
import { startService } from './lib/processes.mjs';
import { setStage, SIZES } from './lib/stage.mjs';
import { JWT_SECRET } from './lib/tokens.mjs';
import { readAtRate } from './lib/victim.mjs';

const SELF = fileURLToPath(import.meta.url);
const ACCOUNTS = 1_000;
const MINUTE_SECONDS = 60;
const HEAD_START_SECONDS = 40;
const KILLS = 20;
const LONGEST_MS = 30 * 60_000;
const WANTED_RATIO = 3;

if (process.send) {
  process.once('message', (job) => void readAtRate(job));
} else {
  const [count, mode] = process.argv.slice(2);
  await run(Number(count ?? 100_000), mode === 'kill');
}

async function run(count, isKilled) {
  const scratch = mkdtempSync(join(tmpdir(), 'hrs-reminders-'));
  const running = [];
  try {
    const push = await openPushService();
    running.push(push);
    const certificate = join(scratch, 'certificate.pem');
    writeFileSync(certificate, push.certificate);
    const postgres = await startPostgres();
    running.push(postgres);
    const environment = {
      DATABASE_URL: postgres.url,
      JWT_SECRET,
      DECOY_SECRET: randomBytes(32).toString('base64'),
      SECOND_STEP_SECRET: randomBytes(32).toString('base64'),
      VAPID_PRIVATE_KEY: vapidKey(),
      WEB_ORIGIN: 'https://records.example',
      PUSH_SERVICES: push.host,
      NODE_EXTRA_CA_CERTS: certificate,
      TRUST_PROXY_HOPS: '1',
      LOG_LEVEL: 'fatal',
    };
    const start = () => startService('service', environment, join(scratch, 'log'));
    const services = [await start(), await start()];
    running.push({ stop: () => Promise.all(services.map((each) => each.stop())) });
    Object.assign(SIZES, { readers: 2, collectors: 1, writers: 1, takers: 1, newcomers: 1, people: 1 });
    const { readers } = await setStage(postgres.url, services[0].url);
    const victim = (seconds) => inProcess(SELF, { url: services[0].url, seconds, reader: readers[0] });
    await victim(5);
    const quiet = await victim(15);
    await withClient(postgres.url, (client) => fill(client, push.host, count));
    const begin = Date.now() + HEAD_START_SECONDS * 1000;
    await withClient(postgres.url, (client) => plan(client, begin));
    await sleep(begin - Date.now());
    const killing = isKilled ? killAtRandom(services, start) : undefined;
    const busy = await victim(MINUTE_SECONDS);
    await allSent(push, count);
    await killing;
    report({ push, count, begin, quiet, busy, isKilled });
  } finally {
    for (const each of running.reverse()) await each.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function report({ push, count, begin, quiet, busy, isKilled }) {
  const twice = [...push.received.values()].filter((times) => times > 1).length;
  const lost = count - push.received.size;
  const ratio = busy.p99 / quiet.p99;
  const latest = (push.lastAt - begin) / 1000 - MINUTE_SECONDS;
  print(
    `${count} reminders: ${lost} lost, ${twice} twice; the last one ${latest.toFixed(0)} s after its minute; ` +
      `reads p99 ${quiet.p99.toFixed(1)} -> ${busy.p99.toFixed(1)} ms, ${ratio.toFixed(2)} times; ` +
      `${busy.refused} refused`,
  );
  if (lost > 0 || (twice > 0 && !isKilled) || ratio > WANTED_RATIO || busy.refused > 0) process.exitCode = 1;
}

async function allSent(push, count) {
  const until = Date.now() + LONGEST_MS;
  while (push.received.size < count && Date.now() < until) await sleep(500);
  // Whether one comes a second time.
  await sleep(3_000);
}

async function killAtRandom(services, start) {
  for (let left = KILLS; left > 0; left -= 1) {
    await sleep(randomInt(500, 4_000));
    services[1].child.kill('SIGKILL');
    services[1] = await start();
  }
}

function vapidKey() {
  const curve = createECDH('prime256v1');
  curve.generateKeys();
  return curve.getPrivateKey().toString('hex').padStart(64, '0');
}

/** Accounts with a device each, and their reminders, none of them due. */
async function fill(client, host, count) {
  const browser = createECDH('prime256v1');
  const p256dh = browser.generateKeys().toString('base64url');
  const auth = randomBytes(16).toString('base64url');
  await client.query(
    `INSERT INTO accounts (id, email, password_hash, wrapped_dek, wrapped_dek_iv, recovery_wrapped_dek, recovery_wrapped_dek_iv)
      SELECT id, id || '@example.org', 'none', 'wrapped', 'iv', 'wrapped', 'iv'
      FROM (SELECT md5('account' || n)::uuid id FROM generate_series(1, $1::integer) n) a`,
    [ACCOUNTS],
  );
  await client.query(
    `INSERT INTO sessions (account_id, id, token_hash)
      SELECT md5('account' || n)::uuid, md5('session' || n)::uuid, sha256(n::text::bytea)
      FROM generate_series(1, $1::integer) n`,
    [ACCOUNTS],
  );
  await client.query(
    `INSERT INTO push_subscriptions (account_id, id, session_id, endpoint, p256dh, auth, label)
      SELECT md5('account' || n)::uuid, md5('device' || n)::uuid, md5('session' || n)::uuid, $2 || n, $3, $4, 'A phone'
      FROM generate_series(1, $1::integer) n`,
    [ACCOUNTS, `https://${host}/`, p256dh, auth],
  );
  await client.query(
    `INSERT INTO reminders (account_id, id, subscription_id, slot_id, text, due_at, delay_minutes, time_zone, nag_minutes,
        nag_times, sent, is_closing)
      SELECT md5('account' || n)::uuid, gen_random_uuid(), md5('device' || n)::uuid, gen_random_uuid(), 'sealed',
        now(), 0, 'Europe/Berlin', 0, 0, 0, false
      FROM (SELECT 1 + n % $2 n FROM generate_series(1, $1::integer) n) r`,
    [count, ACCOUNTS],
  );
  await client.query('VACUUM ANALYZE');
}

/** Spreads the reminders over the minute. */
async function plan(client, begin) {
  await client.query(
    `UPDATE reminders SET due_at = moment, message_at = moment, send_at = moment
      FROM (SELECT id r, to_timestamp($1::float8 / 1000) + random() * interval '${MINUTE_SECONDS} s' AS moment FROM reminders) t WHERE id = r`,
    [begin],
  );
}

/** Counts the messages by their topic, which names the slot. */
async function openPushService() {
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  const service = { received: new Map(), lastAt: 0, certificate: cert };
  const server = createServer({ cert, key }, (request, response) => {
    const { topic } = request.headers;
    service.received.set(topic, (service.received.get(topic) ?? 0) + 1);
    service.lastAt = Date.now();
    request.resume();
    response.writeHead(201).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  service.host = `127.0.0.1:${server.address().port}`;
  service.stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return service;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
