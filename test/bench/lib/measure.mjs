import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { cpuMilliseconds } from './processes.mjs';

const LOAD = fileURLToPath(new URL('load.mjs', import.meta.url));

/**
 * One measurement of one row on one server.
 *
 * @returns what `load.mjs` answers, and `cpuMicros`: processor time of the server's process for one request, which
 *   the neighbours on the machine disturb less than they disturb the rate.
 * @throws Error where an answer was not a success.
 */
export async function measure(server, job) {
  const before = cpuMilliseconds(server.pid);
  const result = await inProcess({ url: server.url, ...job });
  const cpuMicros = ((cpuMilliseconds(server.pid) - before) * 1000) / result.good;
  if (result.bad > 0 || result.good === 0) {
    throw new Error(`${server.name} did not answer every request with success: ${JSON.stringify(result)}`);
  }
  return { ...result, cpuMicros };
}

function inProcess(job) {
  return new Promise((resolve, reject) => {
    const child = fork(LOAD, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    let result;
    child.once('message', (message) => (result = message));
    child.once('error', reject);
    child.once('exit', (code) =>
      result ? resolve(result) : reject(new Error(`The load ended with ${code}.`)),
    );
    child.send(job);
  });
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
