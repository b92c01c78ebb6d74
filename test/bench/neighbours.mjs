/**
 * What one hostile client costs others: a victim reads 40 times a second (records and its account) while each attack runs at full force, in turns with
 * the same reads while eight connections ask for `/healthz`.
 *
 *   npm run build && node test/bench/neighbours.mjs [seconds] [attack,attack]
 *
 * The limits are on, as in production, and every client has an address of its own. Wanted: the 99th percentile of the victim's
 * reads within 3 times that beside `/healthz`, `/healthz` under 250 ms, no read refused, and less than 350 MB of memory.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inProcess } from './lib/in-process.mjs';
import { median } from './lib/measure.mjs';
import { startPostgres, withClient } from './lib/postgres.mjs';
import { memoryOf, startService } from './lib/processes.mjs';
import { addSpace, setStage, SIZES } from './lib/stage.mjs';
import { JWT_SECRET } from './lib/tokens.mjs';
import { CONNECT_MS, readAtRate, WARM_UP_MS } from './lib/victim.mjs';

const SELF = fileURLToPath(import.meta.url);
const LOAD = fileURLToPath(new URL('lib/load.mjs', import.meta.url));
/** Until its work has ended. */
const REST_MS = 3_000;
const WANTED = { ratio: 3, healthzMs: 250, memoryMb: 350, refused: 0 };
const ATTACKER = '203.0.113.1';
const MANY_DOSES = 100_000;
/** More than PostgreSQL counts within the time-out of such a read. All are of the last 30 days. */
const MILLION = 1_000_000;
const LIST_BYTES = 256 * 1024 ** 2;
/** Two of these fit into a page of 512 KiB. */
const BLOB_BYTES = 255 * 1024;
const UNREAD_ANSWERS = 6;
/** Of a page that is short by its rows and long by its bytes. */
const PAGED = 8;
const PAGERS = 6;
/** Accounts that ask from everywhere. */
const CROWD = 10;
/** Of the victim, who shares nothing with the attackers. */
const FOREIGN_SPACE = randomUUID();

if (process.send) {
  const roles = { victim: readAtRate, lists: readLists };
  process.once('message', ({ role, ...job }) => void roles[role](job));
} else {
  const [seconds, names] = process.argv.slice(2);
  await run(Number(seconds ?? 8), names?.split(','));
}

async function run(seconds, names) {
  const scratch = mkdtempSync(join(tmpdir(), 'hrs-neighbours-'));
  const running = [];
  try {
    const postgres = await startPostgres();
    running.push(postgres);
    const environment = {
      DATABASE_URL: postgres.url,
      JWT_SECRET,
      DECOY_SECRET: randomBytes(32).toString('base64'),
      SECOND_STEP_SECRET: randomBytes(32).toString('base64'),
      WEB_ORIGIN: 'https://records.example.org',
      TRUST_PROXY_HOPS: '1',
      LOG_LEVEL: 'fatal',
    };
    const service = await startService('service', environment, join(scratch, 'log'));
    running.push(service);
    Object.assign(SIZES, {
      readers: 2,
      collectors: 1 + PAGERS,
      writers: 1 + 2 * CROWD,
      takers: 2,
      newcomers: 1,
      people: 1,
    });
    const stage = await setStage(postgres.url, service.url);
    await fill(postgres.url, stage);
    await withClient(postgres.url, (client) =>
      addSpace(client, { id: FOREIGN_SPACE, memberId: stage.readers[0].id }),
    );
    const attacks = Object.entries(await attacksOn(service, stage)).filter(
      ([name]) => names?.includes(name) ?? true,
    );
    await measure(service, stage, seconds, beside(service));
    const quiet = [];
    const rows = [];
    for (const [name, start] of attacks) {
      quiet.push(await measure(service, stage, seconds, beside(service)));
      rows.push({ name, ...(await measure(service, stage, seconds, start)) });
    }
    const p99 = median(quiet.map((each) => each.p99));
    print(`beside /healthz: p99 ${p99.toFixed(1)} ms`);
    for (const row of rows) report(row, row.p99 / p99);
  } finally {
    for (const each of running.reverse()) await each.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The victim's reads while `start` runs. `start` gets the seconds, and returns a promise of its end. */
async function measure(service, stage, seconds, start) {
  let memoryMb = 0;
  const watch = setInterval(() => (memoryMb = Math.max(memoryMb, memoryOf(service.pid).now)), 50);
  const [reader] = stage.readers;
  const victim = inProcess(SELF, { role: 'victim', url: service.url, seconds, reader });
  await sleep(CONNECT_MS);
  await start(seconds + WARM_UP_MS / 1000);
  const result = await victim;
  clearInterval(watch);
  await sleep(REST_MS);
  return { ...result, memoryMb };
}

function report({ name, p99, healthzMs, refused, memoryMb }, ratio) {
  const values = { ratio, healthzMs, memoryMb, refused };
  const missed = Object.keys(WANTED).filter((key) => values[key] > WANTED[key]);
  print(
    `${name}: p99 ${p99.toFixed(1)} ms, ${ratio.toFixed(2)} times; /healthz at most ${healthzMs.toFixed(0)} ms; ` +
      `${memoryMb.toFixed(0)} MB; ${refused} refused${missed.length > 0 ? `; MISSED ${missed.join(', ')}` : ''}`,
  );
  if (missed.length > 0) process.exitCode = 1;
}

/** Fills the account of the attacker: a whole list at the default quota, and many doses of this month, and a million. */
async function fill(databaseUrl, { collectors: [hoarder, ...pagers], takers: [taker, hoarderOfDoses] }) {
  await withClient(databaseUrl, async (client) => {
    const store = (account, count) =>
      client.query(
        `INSERT INTO health_stats (account_id, id, profile_id, encrypted_data)
        SELECT $1, gen_random_uuid(), $2, '"' || (
          SELECT string_agg(md5(n::text || part::text), '') FROM generate_series(1, ${BLOB_BYTES / 32 - 1}) part) || '"'
        FROM generate_series(1, $3::integer) n`,
        [account.id, account.profileId, count],
      );
    await store(hoarder, Math.floor(LIST_BYTES / BLOB_BYTES));
    for (const pager of pagers) await store(pager, PAGED);
    for (const [account, count, interval] of [
      [taker, MANY_DOSES, '10 seconds'],
      [hoarderOfDoses, MILLION, '2 seconds'],
    ])
      await client.query(
        `INSERT INTO doses (account_id, id, medication_id, taken, logged_at)
          SELECT $1, gen_random_uuid(), $2, random() < 0.9, now() - n * $3::interval
          FROM generate_series(1, $4::integer) n`,
        [account.id, account.medicationId, interval, count],
      );
  });
}

function beside({ url }) {
  return load(url, 8, [{ method: 'GET', path: '/healthz' }]);
}

/** What each attack starts, by name. */
async function attacksOn({ url }, { collectors, takers, writers }) {
  const [hoarder, ...pagers] = collectors;
  const [taker, hoarderOfDoses] = takers;
  const [checker, ...crowd] = writers;
  const json = { 'content-type': 'application/json', 'x-forwarded-for': ATTACKER };
  const post = (path, body, token) => ({
    method: 'POST',
    path,
    headers: { ...json, ...(token && { authorization: `Bearer ${token}` }) },
    body,
  });
  const read = (path, token) => ({
    method: 'GET',
    path,
    headers: { 'x-forwarded-for': ATTACKER, ...(token && { authorization: `Bearer ${token}` }) },
  });
  const keys = `{${Array.from({ length: 105_000 }, (_, index) => `"${index}":1`).join(',')}}`;
  const medications = await slashJoinedNames(url);
  const adherence = ({ medicationId, token }) => read(`/api/medications/${medicationId}/adherence`, token);
  const page = ({ token }) => read(`/api/health-stats?limit=${PAGED}`, token);
  const misspelt = await misspeltNames(url);
  const check = (names) =>
    post('/api/interactions/check', JSON.stringify({ medications: names }), checker.token);
  return {
    pages: load(url, 16, [page(pagers[0])]),
    'pages of six': load(url, 16 * PAGERS, pagers.map(page)),
    // Few enough for the thread that serves the requests, and as many as a check takes.
    misspelt: load(url, 16, [check(misspelt.slice(0, 6))]),
    'misspelt ten': load(url, 16, [check(misspelt.slice(0, 10))]),
    'misspelt long': load(url, 16, [check(misspelt)]),
    keys: load(url, 8, [post('/api/profiles', keys)]),
    lists: (seconds) => inProcess(SELF, { role: 'lists', url, token: hoarder.token, seconds }),
    checks: load(url, 4, [post('/api/interactions/check', JSON.stringify({ medications }), checker.token)]),
    adherence: load(url, 400, [adherence(taker)]),
    million: load(url, 400, [adherence(hoarderOfDoses)]),
    logins: load(url, 400, [
      post('/api/auth/login', '{"email":"someone@example.org","password":"not the password of anybody"}'),
    ]),
    prelogin: load(
      url,
      3_000,
      strangers(post, '/api/auth/prelogin', (index) => ({ email: `someone.${index}@example.org` })),
    ),
    'passkey options': load(
      url,
      3_000,
      strangers(post, '/api/auth/passkey/options', () => ({})),
    ),
    base: load(url, 8, [read('/api/interactions/knowledge-base')]),
    // Of one account, and of several from everywhere.
    spaces: load(url, 400, intruders([checker])),
    'spaces from everywhere': load(url, 400, intruders(crowd.slice(0, CROWD))),
    // What valid accounts may ask for together: the flood before must cost no more than this one, of as many others.
    'accounts from everywhere': load(url, 400, intruders(crowd.slice(CROWD)).map(withoutSpace)),
  };
}

/**
 * The same request without a space, answered alike: a record or a profile that is none is not found, and a parameter that
 * is none is refused. Its reads are by id, which weigh less than a list: more of them run at a time.
 */
function withoutSpace({ method, path, headers: { 'health-space': space, ...headers }, body }) {
  const isRead = method === 'GET';
  const isRefused = !space.startsWith(FOREIGN_SPACE) && space.length !== 36 && space.length !== 38;
  const query = isRefused || (!isRead && !space.includes(';')) ? '?nothing=x' : '';
  return {
    method,
    path: `${path}${isRead ? `/${randomUUID()}` : ''}${query}`,
    headers,
    ...(!isRead && { body: body.replace(/[-0-9a-f]{36}/, randomUUID()) }),
  };
}

/**
 * Requests of these accounts, each of another address if there are several, that name a space of somebody else, one that
 * never was, one without the version that a write needs, and nothing at all.
 */
function intruders(accounts) {
  return Array.from({ length: 3_000 }, (_, index) => {
    const { token, profileId } = accounts[index % accounts.length];
    const named = [
      FOREIGN_SPACE,
      `${FOREIGN_SPACE};0`,
      randomUUID(),
      `${randomUUID()};7`,
      ';',
      'x'.repeat(100),
    ];
    const isWrite = index % 3 === 0;
    return {
      method: isWrite ? 'POST' : 'GET',
      path: '/api/health-stats',
      headers: {
        authorization: `Bearer ${token}`,
        'health-space': named[index % named.length],
        'x-forwarded-for': accounts.length > 1 ? addressOf(index) : ATTACKER,
        ...(isWrite && { 'content-type': 'application/json' }),
      },
      ...(isWrite && { body: JSON.stringify({ profile_id: profileId, encrypted_data: 'x' }) }),
    };
  });
}

/** A request of each of 3,000 addresses, so that no limit of an address stops them. */
function strangers(post, path, bodyOf) {
  return Array.from({ length: 3_000 }, (_, index) => {
    const request = post(path, JSON.stringify(bodyOf(index)));
    return { ...request, headers: { ...request.headers, 'x-forwarded-for': addressOf(index) } };
  });
}

function addressOf(index) {
  return `203.0.${index >> 8}.${index & 255}`;
}

/** Starts requests on so many connections, each as fast as it is answered. */
function load(url, connections, requests) {
  return (seconds) => inProcess(LOAD, { url, connections, seconds, requests });
}

/** A hundred names of ten medicines each. */
async function slashJoinedNames(url) {
  const base = await (await fetch(`${url}/api/interactions/knowledge-base`)).json();
  const inns = base.ingredients.map(({ inn }) => inn).filter((inn) => /^[a-z]{5,15}$/.test(inn));
  return Array.from({ length: 100 }, (_, index) =>
    Array.from({ length: 10 }, (_, part) => inns[(index * 10 + part) % inns.length]).join('/'),
  );
}

/** A hundred names of medicines with two letters in the wrong order. */
async function misspeltNames(url) {
  const base = await (await fetch(`${url}/api/interactions/knowledge-base`)).json();
  const inns = base.ingredients.map(({ inn }) => inn).filter((inn) => /^[a-z]{8,15}$/.test(inn));
  return inns.slice(0, 100).map((inn) => inn.slice(0, 3) + inn[4] + inn[3] + inn.slice(5));
}

/** Reads a whole list with four clients, over and over, and never reads the answers to six more requests. */
async function readLists({ url, token, seconds }) {
  const end = performance.now() + seconds * 1000;
  const { hostname, port } = new URL(url);
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': ATTACKER };
  const lines = Object.entries({ host: hostname, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const unread = Array.from({ length: UNREAD_ANSWERS }, () => {
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => undefined);
    socket.write(`GET /api/health-stats HTTP/1.1\r\n${lines.join('')}\r\n`);
    return socket;
  });
  const readOnce = () =>
    new Promise((resolve) => {
      get(`${url}/api/health-stats`, { headers }, (answer) => {
        answer.on('data', () => performance.now() > end && answer.destroy());
        answer.on('error', () => undefined);
        answer.on('close', resolve);
      }).on('error', resolve);
    });
  const client = async () => {
    while (performance.now() < end) await readOnce();
  };
  await Promise.all(Array.from({ length: 4 }, client));
  for (const socket of unread) socket.destroy();
  process.send({});
  process.disconnect();
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
