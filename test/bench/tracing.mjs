/**
 * What tracing costs. Three services on one PostgreSQL, in turns: one without the places where traces would listen, one that
 * could send traces and does not (the default), one that sends them to a collector on this machine.
 *
 *   npm run build && node test/bench/tracing.mjs [rounds] [seconds]
 *
 * Prints the processor time for a request in ratio to the first. For the second it must be at most 1.03.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measure, median } from './lib/measure.mjs';
import { startPostgres } from './lib/postgres.mjs';
import { memoryOf, startService, unlimitedEnvironment } from './lib/processes.mjs';
import { setStage, SIZES } from './lib/stage.mjs';
import { ROWS } from './rows.mjs';

const MEASURED = ['by-id', 'list-20', 'create'];
const CONNECTIONS = 32;
const WANTED = 1.03;
const COLLECTOR = fileURLToPath(new URL('lib/collector.mjs', import.meta.url));

const [rounds = 9, seconds = 3] = process.argv.slice(2).map(Number);
const scratch = mkdtempSync(join(tmpdir(), 'hrs-tracing-'));
const collector = fork(COLLECTOR);
const running = [];
try {
  const [OTEL_EXPORTER_OTLP_ENDPOINT] = await once(collector, 'message');
  const postgres = started(await startPostgres());
  const environment = unlimitedEnvironment(postgres.url);
  const log = (name) => join(scratch, name);
  const main = 'test/bench/lib/untraced-service.mjs';
  const servers = [
    started(await startService('without', environment, log('without'), { main })),
    started(await startService('off', environment, log('off'))),
    started(await startService('on', { ...environment, OTEL_EXPORTER_OTLP_ENDPOINT }, log('on'))),
  ];
  const megabytes = servers.map(({ pid }) => memoryOf(pid).now.toFixed(0));
  print(`memory after the start: without ${megabytes[0]} MB, off ${megabytes[1]} MB, on ${megabytes[2]} MB`);
  Object.assign(SIZES, { collectors: 1, takers: 1, newcomers: 1, people: 1 });
  const stage = await setStage(postgres.url, servers[0].url);
  const ratios = [];
  for (const row of ROWS.filter(({ id }) => MEASURED.includes(id)))
    ratios.push(await compare(row.title, servers, row.ours(stage)));
  const off = median(ratios);
  const isMissed = off > WANTED;
  print(
    `median of the rows, off / without: ${off.toFixed(3)} (wanted <= ${WANTED}${isMissed ? ', MISSED' : ''})`,
  );
  if (isMissed) process.exitCode = 1;
} finally {
  for (const each of running.reverse()) await each.stop();
  collector.disconnect();
  rmSync(scratch, { recursive: true, force: true });
}

/** In turns, each round in another order; the first turn of each warms up and is thrown away. @returns off / without. */
async function compare(title, servers, requests) {
  const micros = new Map(servers.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    const turns = servers.map((_, index) => servers[(index + round) % servers.length]);
    for (const server of turns) {
      const { cpuMicros } = await measure(server, { connections: CONNECTIONS, seconds, requests });
      if (round > 0) micros.get(server.name).push(cpuMicros);
    }
  }
  const ratio = (name) => median(micros.get(name).map((each, round) => each / micros.get('without')[round]));
  print(
    `${title}: without ${median(micros.get('without')).toFixed(0)} µs, off / without ${ratio('off').toFixed(3)}, ` +
      `on / without ${ratio('on').toFixed(3)}`,
  );
  return ratio('off');
}

function started(server) {
  running.push(server);
  return server;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
