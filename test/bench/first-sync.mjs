/**
 * A device with many records, in Chromium: how long its first sync takes, what a later sync with nothing new costs, and
 * how soon a list is there after an unlock. The built service, its PostgreSQL and the browser share this machine.
 *
 *   npm run build && node test/bench/first-sync.mjs [records] [rounds]
 *
 * By default 10,000 records of one account: 1 profile, 40 medications, the rest readings, all sealed. Medians of 3 rounds,
 * each in a browser profile of its own. It ends with 1 unless the first sync takes less than 3 s, a sync with nothing new
 * is one request of less than 2 kB (headers and bodies, both ways), and the medications are listed less than 300 ms after
 * an unlock from the cache. The time of a list of all readings is shown and not judged.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium as driver } from 'playwright-core';
import { HealthRecordsClient } from '../../libs/client/dist/index.js';
import chromiumPlace from '../support/chromium.js';
import { median } from './lib/measure.mjs';
import { startPostgres } from './lib/postgres.mjs';
import { ROOT, startUnlimitedService } from './lib/processes.mjs';

const LIMITS = { firstSyncMs: 3000, emptySyncBytes: 2000, emptySyncRequests: 1, firstListMs: 300 };
const MEDICATIONS = 40;
const AT_ONCE = 24;
const EMAIL = 'ada@example.org';
const PASSWORD = 'correct horse battery staple';
const FILES = {
  '/bench/': ['text/html', 'test/browser/page/index.html'],
  '/page.js': ['text/javascript', 'test/browser/page/page.js'],
  '/client.js': ['text/javascript', 'libs/client/dist/health-records-client.min.js'],
  '/interactions.js': ['text/javascript', 'libs/client/dist/interactions.js'],
  '/offline.js': ['text/javascript', 'libs/client/dist/offline.min.js'],
};

const [records = 10_000, rounds = 3] = process.argv.slice(2).map(Number);
const scratch = mkdtempSync(join(tmpdir(), 'hrs-first-sync-'));
const running = [];
try {
  const postgres = started(await startPostgres());
  const service = started(await startUnlimitedService(postgres.url, '2000', join(scratch, 'log')));
  await fill(service.url);
  const relay = started(await Relay(new URL(service.url).port));
  const { executablePath, env } = chromiumPlace.chromium();
  const browser = await driver.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    env: { ...process.env, ...env },
  });
  started({ stop: () => browser.close() });
  const results = [];
  for (let round = 0; round < rounds; round++) results.push(await measure(browser, relay));
  report(results);
} finally {
  for (const each of running.reverse()) await each.stop();
  rmSync(scratch, { recursive: true, force: true });
}

/** One account with all records, written by the client. */
async function fill(baseUrl) {
  const client = new HealthRecordsClient({ baseUrl });
  await client.register({
    email: EMAIL,
    password: PASSWORD,
    recoveryPhrase: null,
    profile: { details: { name: 'Ada' } },
  });
  const [{ id: profileId }] = await client.profiles.list();
  const begin = Date.now();
  const writes = Array.from({ length: records - 1 }, (_, number) =>
    number < MEDICATIONS
      ? () =>
          client.medications.create({
            profileId,
            route: 'oral',
            schedule: { timesPerDay: 2 },
            details: { name: `Medicine ${number}`, strength: '400 mg' },
          })
      : () =>
          client.healthStats.create({
            profileId,
            recordedAt: new Date(begin - number * 3_600_000),
            details: { metric: 'weight', values: { value: 70 + (number % 10) }, unit: 'kg' },
          }),
  );
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let write = writes.pop(); write; write = writes.pop()) await write();
    }),
  );
  client.close();
}

/** A browser profile that syncs for the first time, syncs again, is closed, and opened again from its cache. */
async function measure(browser, relay) {
  const context = await browser.newContext();
  try {
    const first = await openPage(context, relay.url);
    const firstSync = await first.evaluate(
      async ({ url, email, password }) => {
        const { inPage } = globalThis;
        inPage.client = inPage.openClient(url, { offline: inPage.offline.indexedDbStore('bench') });
        const { client } = inPage;
        await client.login(email, password);
        const begin = performance.now();
        await client.sync.now();
        const ms = performance.now() - begin;
        client.sync.stop();
        await client.sync.now();
        return { ms, status: client.sync.status };
      },
      { url: relay.url, email: EMAIL, password: PASSWORD },
    );
    if (firstSync.status.state !== 'idle' || firstSync.status.lastSuccess === null)
      throw new Error(`The first sync did not end: ${JSON.stringify(firstSync.status)}`);
    const requests = [];
    first.on('request', (request) => requests.push(`${request.method()} ${request.url()}`));
    relay.forget();
    await first.evaluate(() => globalThis.inPage.client.sync.now());
    const empty = { requests: requests.length, bytes: relay.bytes };
    await first.close();

    const again = await openPage(context, relay.url);
    const cold = await again.evaluate(
      async ({ url, password }) => {
        const { inPage } = globalThis;
        const client = inPage.openClient(url, { offline: inPage.offline.indexedDbStore('bench') });
        await client.resume();
        await client.unlock(password);
        const begin = performance.now();
        const timed = async (list) => {
          const start = performance.now();
          return { count: (await list()).length, ms: performance.now() - start };
        };
        const medications = await timed(() => client.medications.list());
        const firstListMs = performance.now() - begin;
        const readings = await timed(() => client.healthStats.list());
        const again = await timed(() => client.healthStats.list());
        return { firstListMs, medications, readings, again };
      },
      { url: relay.url, password: PASSWORD },
    );
    if (cold.medications.count + cold.readings.count !== records - 1)
      throw new Error(`The cache has other records: ${JSON.stringify(cold)}`);
    return {
      firstSyncMs: firstSync.ms,
      emptySyncRequests: empty.requests,
      emptySyncBytes: empty.bytes,
      firstListMs: cold.firstListMs,
      allReadingsMs: cold.readings.ms,
      allReadingsAgainMs: cold.again.ms,
    };
  } finally {
    await context.close();
  }
}

/** The page with the bundle, on the origin of the service, as the service would serve it. */
async function openPage(context, origin) {
  const page = await context.newPage();
  const serve = (route) => {
    const { pathname } = new URL(route.request().url());
    const [type, path] = FILES[pathname] ?? ['text/javascript', `libs/client/dist${pathname}`];
    return route.fulfill({ contentType: type, body: readFileSync(join(ROOT, path), 'utf8') });
  };
  await page.route(() => true, serve);
  await page.goto(`${origin}/bench/`);
  await page.waitForFunction(() => 'inPage' in globalThis);
  await page.unrouteAll();
  return page;
}

/** Passes every byte on, and counts them. */
async function Relay(port) {
  const sockets = new Set();
  const relay = { bytes: 0, forget: () => (relay.bytes = 0) };
  const server = createServer((client) => {
    const service = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [client, service],
      [service, client],
    ]) {
      sockets.add(from);
      from.on('data', (chunk) => (relay.bytes += chunk.length));
      from.on('error', () => to.destroy());
      from.on('close', () => sockets.delete(from));
      from.pipe(to);
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  relay.url = `http://127.0.0.1:${server.address().port}`;
  relay.stop = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  return relay;
}

function report(results) {
  for (const name of Object.keys(results[0])) {
    const value = median(results.map((result) => result[name]));
    const limit = LIMITS[name];
    const isMissed = limit !== undefined && (name === 'emptySyncRequests' ? value !== limit : value >= limit);
    if (isMissed) process.exitCode = 1;
    const judged =
      limit === undefined ? '' : `   ${name === 'emptySyncRequests' ? 'must be' : 'must be under'} ${limit}`;
    process.stdout.write(
      `${name.padEnd(20)} ${value.toFixed(0).padStart(8)}${judged}${isMissed ? '   MISSED' : ''}\n`,
    );
  }
}

function started(server) {
  running.push(server);
  return server;
}
