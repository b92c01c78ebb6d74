/**
 * How fast the service is, in ratios: beside a hand-written limit and a peer, on one PostgreSQL, in turns.
 *
 * See README.md in this folder. Run it with `npm run bench`; it measures what is built.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { assertSameAnswer } from './lib/same-answer.mjs';
import { measure, median } from './lib/measure.mjs';
import { LIMITS, readOptions } from './lib/options.mjs';
import { startPostgres } from './lib/postgres.mjs';
import { memoryOf, ROOT, startLimit, startPeer, startService } from './lib/processes.mjs';
import { figure, printRow, summarise, tableOf } from './lib/report.mjs';
import { setStage, SIZES } from './lib/stage.mjs';
import { JWT_SECRET } from './lib/tokens.mjs';
import { setPeerStage } from './peer/stage.mjs';
import { ROWS } from './rows.mjs';

const MEMORY_MB = 250;
const COLD_START_SECONDS = 1.5;
const COLD_STARTS = 5;

const options = readOptions();
const scratch = mkdtempSync(join(tmpdir(), 'hrs-bench-logs-'));
const running = new Set();

try {
  const report = await run();
  const out = resolve(options.out ?? join(ROOT, 'test/bench/results.json'));
  writeFileSync(out, JSON.stringify(report, undefined, 2) + '\n');
  process.stdout.write(`\n${tableOf(report)}\nWritten to ${out}\n`);
} finally {
  for (const each of [...running].reverse()) await each.stop();
  rmSync(scratch, { recursive: true, force: true });
}

async function run() {
  const load = loadavg()[0];
  const postgres = started(await startPostgres());
  const environment = {
    DATABASE_URL: postgres.url,
    JWT_SECRET,
    DECOY_SECRET: randomBytes(32).toString('base64'),
    SECOND_STEP_SECRET: randomBytes(32).toString('base64'),
  };
  const log = (name) => join(scratch, `${name}.log`);
  const unlimited = { ...environment, RATE_LIMITS: 'off', LOG_LEVEL: 'warn' };
  const service = started(await startService('service', unlimited, log('service')));
  const chosen = ROWS.filter(({ id }) => !options.rows || options.rows.includes(id));
  if (!chosen.some(({ doses }) => doses)) Object.assign(SIZES, { takers: 1, newcomers: 1 });
  const stage = await setStage(postgres.url, service.url);
  const starts = {
    service: () => service,
    production: () =>
      startService('production', { ...environment, TRUST_PROXY_HOPS: '1' }, log('production')),
    other: () => startService('other', unlimited, log('other'), { folder: resolve(options.other) }),
    pooled: () => startLimit('pooled', environment, log('pooled')),
    pipelined: () => startLimit('pipelined', environment, log('pipelined')),
    nest: () => startLimit('nest', environment, log('nest')),
    peer: () => startPeerWithStage(postgres, log('peer')),
  };
  const servers = [];
  for (const name of options.servers) {
    servers.push(started(await starts[name]()));
  }

  const rows = [];
  for (const row of chosen) {
    const able = servers.filter(({ name }) =>
      name === 'nest'
        ? row.limit && !row.writes
        : LIMITS.includes(name)
          ? row.limit
          : name === 'peer'
            ? row.peer
            : true,
    );
    const ours = row.ours && row.ours(stage);
    const requestsOf = ({ name, stage: peerStage }) =>
      row.renew ? row.renew(stage) : name === 'peer' ? row.peer(peerStage) : ours;
    await assertSameAnswer(row, service, able, requestsOf);
    const turns = able.map((server) => ({ name: server.name, server, requests: () => requestsOf(server) }));
    if (row.beside && able.includes(service)) {
      const requests = ROWS.find(({ id }) => id === row.beside).ours(stage);
      turns.push({ name: row.beside, server: service, requests: () => requests });
    }
    for (const connections of options.connections.filter(
      (count) => row.connections?.includes(count) ?? true,
    )) {
      rows.push(await measureRow(row, turns, connections));
      printRow(rows.at(-1));
    }
  }
  const memory = memoryOf(service.pid);
  const figures = [figure('Most memory of a worker under load', memory.most, ' MB', MEMORY_MB)];
  const coldStarts = [];
  for (let count = 0; count < COLD_STARTS; count++) {
    const another = await startService('service', unlimited, log('cold'));
    await another.stop();
    coldStarts.push(another.startMs / 1000);
  }
  figures.push(
    figure('Cold start to /readyz on an existing database', median(coldStarts), ' s', COLD_START_SECONDS),
  );
  const machine = { cores: availableParallelism(), node: process.version, loadBefore: load };
  return { at: new Date().toISOString(), machine, options, rows, figures };
}

/**
 * A row in turns, A B C C B A: what disturbs the machine disturbs all, and none is always measured after the one that leaves the
 * most work to the database. The first turn of each warms up and is thrown away.
 */
async function measureRow(row, turns, connections) {
  const rounds = Object.fromEntries(turns.map(({ name }) => [name, []]));
  for (let round = 0; round <= options.rounds; round++) {
    for (const { name, server, requests } of round % 2 ? turns : turns.toReversed()) {
      const seconds = round === 0 ? Math.min(options.seconds, 2) : options.seconds;
      const result = await measure(server, { connections, seconds, requests: await requests() });
      if (round > 0) rounds[name].push(result);
    }
  }
  return { ...summarise(row, connections, rounds), rounds };
}

async function startPeerWithStage(postgres, logFile) {
  await postgres.createDatabase('peer');
  const masterKey = randomBytes(16).toString('hex');
  const databaseUrl = postgres.urlOf('peer');
  const peer = started(await startPeer({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey }, logFile));
  peer.stage = await setPeerStage(databaseUrl, peer.url, masterKey);
  return peer;
}

/** May be called again: the peer is there to be stopped while it is still being filled. */
function started(server) {
  running.add(server);
  return server;
}
