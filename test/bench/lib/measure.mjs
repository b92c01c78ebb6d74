import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inProcess } from './in-process.mjs';
import { processorMilliseconds } from './processor-time.mjs';

const LOAD = fileURLToPath(new URL('load.mjs', import.meta.url));
const REST_MS = 200;
/** Of `REST_MS`: a server that works on nothing has timers still. */
const IDLE_MS = 20;
const MAX_RESTS = 100;
/** A turn that was too short is measured again with twice the seconds, up to this many. */
const MAX_SECONDS = 32;

/**
 * One measurement of one row on one server. Ends when the server rests: what it still does for requests that the end of the
 * load cut off, seconds of work for long lists, is not to slow down whoever is measured next.
 *
 * @returns what `load.mjs` answers, and `cpuMicros`: processor time of the server's processes for one request, which
 *   the neighbours on the machine disturb less than they disturb the rate.
 * @throws Error where an answer was not a success.
 */
export async function measure(server, job) {
  const before = processorMilliseconds(server.pid);
  const result = await inProcess(LOAD, { url: server.url, ...job });
  const cpuMicros = ((processorMilliseconds(server.pid) - before) * 1000) / result.good;
  await rest(server);
  // On a slow disk 256 writes take seconds: a turn in which not every connection got an answer shows the fast ones only.
  if (result.bad === 0 && result.good < job.connections && job.seconds < MAX_SECONDS)
    return measure(server, { ...job, seconds: job.seconds * 2 });
  if (result.bad > 0 || result.good === 0) {
    throw new Error(`${server.name} did not answer every request with success: ${JSON.stringify(result)}`);
  }
  return { ...result, cpuMicros };
}

async function rest(server) {
  for (let count = 0; count < MAX_RESTS; count++) {
    const before = processorMilliseconds(server.pid);
    await sleep(REST_MS);
    if (processorMilliseconds(server.pid) - before <= IDLE_MS) return;
  }
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
