/**
 * How much more two workers answer than one: `WEB_CONCURRENCY` 2 and 1 on one PostgreSQL, in turns.
 *
 *   npm run build && node test/bench/workers.mjs [rounds] [seconds]
 *
 * The load and PostgreSQL share the processors with the workers: on two cores a second worker can gain little, and what
 * this prints is the least that more cores give.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { measure, median } from './lib/measure.mjs';
import { startPostgres } from './lib/postgres.mjs';
import { startService, unlimitedEnvironment } from './lib/processes.mjs';
import { setStage } from './lib/stage.mjs';
import { ROWS } from './rows.mjs';

const MEASURED = ['by-id', 'list-20', 'create', 'interactions'];
const CONNECTIONS = 32;
const [rounds = 5, seconds = 4] = process.argv.slice(2).map(Number);

const scratch = mkdtempSync(join(tmpdir(), 'hrs-workers-'));
const running = [];
try {
  const postgres = started(await startPostgres());
  const environment = unlimitedEnvironment(postgres.url);
  const servers = [];
  for (const workers of ['1', '2']) {
    const settings = { ...environment, WEB_CONCURRENCY: workers };
    servers.push(started(await startService(`${workers}`, settings, join(scratch, workers))));
  }
  const stage = await setStage(postgres.url, servers[0].url);
  print(`${availableParallelism()} cores, load ${loadavg()[0].toFixed(2)} before`);
  for (const row of ROWS.filter(({ id }) => MEASURED.includes(id)))
    await compare(row, servers, row.ours(stage));
  print(`load ${loadavg()[0].toFixed(2)} after, of which this was a part`);
} finally {
  for (const each of running.reverse()) await each.stop();
  rmSync(scratch, { recursive: true, force: true });
}

/** In turns; the first turn of each warms up and is thrown away. */
async function compare(row, servers, requests) {
  const perSecond = servers.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, server] of servers.entries()) {
      const result = await measure(server, { connections: CONNECTIONS, seconds, requests });
      if (round > 0) perSecond[index].push(result.perSecond);
    }
  }
  const [one, two] = perSecond.map(median);
  const ratio = median(perSecond[1].map((rate, round) => rate / perSecond[0][round]));
  print(`${row.title}: one ${one.toFixed(0)}/s, two ${two.toFixed(0)}/s, ratio ${ratio.toFixed(2)}`);
}

function started(server) {
  running.push(server);
  return server;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
