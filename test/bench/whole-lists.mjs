/**
 * What it costs others when an account that has filled its default quota (256 MiB of blobs) asks for its whole list with four
 * clients at once: the most memory of the service, and the 99th percentile of other accounts' reads by id, quiet and
 * meanwhile, in turns.
 *
 *   npm run build && node test/bench/whole-lists.mjs [rounds] [seconds]
 *
 * The limits are off. The memory must stay under 300 MB and the ratio under 3.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillToQuota } from './lib/hoarder.mjs';
import { inProcess } from './lib/in-process.mjs';
import { median } from './lib/measure.mjs';
import { startPostgres } from './lib/postgres.mjs';
import { memoryOf, startService, unlimitedEnvironment } from './lib/processes.mjs';
import { setStage, SIZES } from './lib/stage.mjs';
import { ROWS } from './rows.mjs';

const LOAD = fileURLToPath(new URL('lib/load.mjs', import.meta.url));
const CLIENTS = 4;
const CONNECTIONS = 8;
const MEMORY_MB = 300;
const RATIO = 3;

if (process.send) process.once('message', (job) => void readLists(job));
else await run(...process.argv.slice(2).map(Number));

async function run(rounds = 5, seconds = 4) {
  const scratch = mkdtempSync(join(tmpdir(), 'hrs-whole-lists-'));
  const running = [];
  try {
    const postgres = await startPostgres();
    running.push(postgres);
    const environment = unlimitedEnvironment(postgres.url);
    const service = await startService('service', environment, join(scratch, 'log'));
    running.push(service);
    Object.assign(SIZES, { collectors: 1, takers: 1, newcomers: 1, people: 1 });
    const stage = await setStage(postgres.url, service.url);
    const [hoarder] = stage.collectors;
    await fillToQuota(postgres.url, hoarder);
    const requests = ROWS.find(({ id }) => id === 'by-id').ours(stage);
    const read = () => inProcess(LOAD, { url: service.url, connections: CONNECTIONS, seconds, requests });
    await read();
    const before = memoryOf(service.pid).most;
    const ratios = [];
    for (let round = 1; round <= rounds; round++) {
      const quiet = await read();
      const lists = inProcess(fileURLToPath(import.meta.url), {
        url: service.url,
        token: hoarder.token,
        seconds,
      });
      const meanwhile = await read();
      const { bytes } = await lists;
      ratios.push(meanwhile.p99 / quiet.p99);
      print(
        `round ${round}: p99 quiet ${quiet.p99} ms, meanwhile ${meanwhile.p99} ms; ${Math.round(bytes / 1024 ** 2)} MiB of lists read`,
      );
    }
    const { most } = memoryOf(service.pid);
    verdict(`p99 of a read by id meanwhile / quiet: ${median(ratios).toFixed(2)}`, RATIO, median(ratios));
    verdict(`most memory: ${most.toFixed(0)} MB, before the lists ${before.toFixed(0)} MB`, MEMORY_MB, most);
  } finally {
    for (const each of running.reverse()) await each.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Reads the list with all clients, over and over until the time is up; what it gets is thrown away. */
async function readLists({ url, token, seconds }) {
  const end = performance.now() + seconds * 1000;
  let bytes = 0;
  const readOnce = () =>
    new Promise((resolve, reject) => {
      const request = get(
        `${url}/api/health-stats`,
        { headers: { Authorization: `Bearer ${token}` } },
        (answer) => {
          if (answer.statusCode !== 200) reject(new Error(`A list was answered ${answer.statusCode}.`));
          answer.on('data', (chunk) => {
            bytes += chunk.length;
            if (performance.now() > end) answer.destroy();
          });
          answer.on('close', () =>
            answer.complete || performance.now() > end ? resolve() : reject(new Error('A list was cut.')),
          );
          answer.on('error', () => undefined);
        },
      );
      request.on('error', reject);
    });
  const client = async () => {
    while (performance.now() < end) await readOnce();
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  process.send({ bytes });
  process.disconnect();
}

function verdict(line, most, value) {
  print(`${line} (wanted <= ${most}${value <= most ? '' : ', MISSED'})`);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
