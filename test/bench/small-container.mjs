/**
 * Whether the service lives in a container of 512 MB with its defaults: all rows of the bench, one after the other, while
 * an account that has filled its quota (256 MiB of blobs) is listed whole and synchronised by four clients each.
 *
 *   npm run build && node test/bench/small-container.mjs [seconds for each row] [MB] [with-postgres]
 *
 * The container is a cgroup, so this needs root, and a cgroup that may be written. As in the image, PostgreSQL runs outside of it;
 * with `with-postgres` it runs inside too. A refusal with `Retry-After` is an answer. A row without any answer is a failure.
 *
 * Each row opens its connections anew, and they are what waits here. Node accepts one connection in each turn of its event
 * loop, and the pages of the account make these turns long. While the service read four pages of 4 MiB for the account at a
 * time, it accepted 9 connections a second, also those that clients had given up, and a row could end before one of its
 * requests was read. With one page it accepted 24 to 58. (Two cores, shared with two other benches.) Now a page is 1 MiB.
 * A proxy that keeps its connections does not wait for this.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { fillToQuota } from './lib/hoarder.mjs';
import { inProcess } from './lib/in-process.mjs';
import { MemoryGroup } from './lib/memory-group.mjs';
import { startPostgres } from './lib/postgres.mjs';
import { memoryOf, startService } from './lib/processes.mjs';
import { setStage, SIZES } from './lib/stage.mjs';
import { JWT_SECRET } from './lib/tokens.mjs';
import { ROWS } from './rows.mjs';

const LOAD = fileURLToPath(new URL('lib/load.mjs', import.meta.url));
const CONNECTIONS = 256;
const CLIENTS = 4;
const PAGE = 1000;
/** Both come with `Retry-After`. */
const REFUSALS = [429, 503];

const [seconds = 8, megabytes = 512] = process.argv.slice(2).map(Number).filter(Number.isFinite);
const isPostgresInside = process.argv.includes('with-postgres');
const scratch = mkdtempSync(join(tmpdir(), 'hrs-small-'));
const group = new MemoryGroup(megabytes * 1024 ** 2);
const running = [];
try {
  const postgres = started(await startPostgres());
  if (isPostgresInside) for (const pid of processesOf(postgres)) group.add(pid);
  const environment = {
    DATABASE_URL: postgres.url,
    JWT_SECRET,
    DECOY_SECRET: randomBytes(32).toString('base64'),
    SECOND_STEP_SECRET: randomBytes(32).toString('base64'),
    // As in production: the requests of the rows come from many addresses.
    TRUST_PROXY_HOPS: '1',
    LOG_LEVEL: 'warn',
  };
  const service = started(await startService('service', environment, join(scratch, 'log'), { group }));
  Object.assign(SIZES, { takers: 2, newcomers: 2, people: 4 });
  const stage = await setStage(postgres.url, service.url);
  const [hoarder] = stage.collectors;
  await fillToQuota(postgres.url, hoarder);
  for (const row of ROWS) await survive(row, service, stage, hoarder.token);
  print(
    `${group.kills} processes killed for memory. The service held at most ${most(service)} of ${megabytes} MB, ` +
      `the group ${group.peak.toFixed(0)} MB with cached files, ${group.anonymous.toFixed(0)} MB without them at the end.`,
  );
  await (await ask(`${service.url}/api/profiles`, hoarder.token)).text();
  if (group.kills > 0) process.exitCode = 1;
} finally {
  for (const each of running.reverse()) await each.stop();
  await group.remove();
  rmSync(scratch, { recursive: true, force: true });
}

/** Puts the load of a row on the service, and that of the account at its quota. */
async function survive({ title, ours, renew, connections = [CONNECTIONS] }, service, stage, token) {
  const requests = renew ? await renew(stage) : ours(stage);
  const end = performance.now() + seconds * 1000;
  const [load, ...read] = await Promise.all([
    inProcess(LOAD, { url: service.url, seconds, connections: Math.max(...connections), requests }),
    ...Array.from({ length: CLIENTS }, () => readLists(service, token, end)),
    ...Array.from({ length: CLIENTS }, () => synchronise(service, token, end)),
  ]);
  const mebibytes = Math.round(read.reduce((sum, bytes) => sum + bytes, 0) / 1024 ** 2);
  const others = Object.entries(load.statuses).filter(([status]) => !status.startsWith('2'));
  const told = others.map(([status, count]) => `${count} answered ${status}, `).join('');
  // The client of the bench gives up after ten seconds.
  const late = load.bad - others.reduce((sum, [, count]) => sum + count, 0);
  print(
    `${title}: ${load.good} answered, ${told}${late} given up; ${mebibytes} MiB of the account read; ${most(service)} MB at most`,
  );
  if (others.some(([status]) => !REFUSALS.includes(Number(status)))) {
    print('MISSED: a wrong answer');
    process.exitCode = 1;
  }
  if (load.good + others.length === 0) {
    print('MISSED: no answer');
    process.exitCode = 1;
  }
}

/** Reads the whole list over and over. @returns how many bytes. */
async function readLists({ url }, token, end) {
  let bytes = 0;
  while (performance.now() < end) {
    const answer = await ask(`${url}/api/health-stats`, token);
    for await (const chunk of answer.body) {
      bytes += chunk.length;
      if (performance.now() > end) break;
    }
  }
  return bytes;
}

/** Reads all changes from the beginning, over and over. @returns how many bytes. */
async function synchronise({ url }, token, end) {
  let bytes = 0;
  let query = '';
  while (performance.now() < end) {
    const answer = await ask(`${url}/api/sync?limit=${PAGE}${query}`, token);
    const text = await answer.text();
    bytes += text.length;
    const { cursor, has_more: hasMore } = JSON.parse(text);
    query = hasMore ? `&cursor=${encodeURIComponent(cursor)}` : '';
  }
  return bytes;
}

/** Follows `Retry-After`. */
async function ask(url, token) {
  for (;;) {
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    if (answer.status === 200) return answer;
    const text = await answer.text();
    const wait = answer.headers.get('retry-after');
    if (!REFUSALS.includes(answer.status) || !wait)
      throw new Error(`${url} was answered ${answer.status}: ${text}`);
    await sleep(Number(wait) * 1000);
  }
}

/** The server, then its processes that run already: those that it starts later belong to its group. */
function* processesOf({ dataDir }) {
  const pid = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
  yield pid;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  yield* children.map(Number);
}

function most({ pid }) {
  return memoryOf(pid).most.toFixed(0);
}

function started(server) {
  running.push(server);
  return server;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
