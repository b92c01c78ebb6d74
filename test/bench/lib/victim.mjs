import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const READS_PER_SECOND = 40;
const CONNECTIONS = 8;
const PROBES_PER_SECOND = 5;
/** Until the victim has its connections, and from then until the attack is at full force. Reads before are not counted. */
export const CONNECT_MS = 500;
export const WARM_UP_MS = 2_000;
const ADDRESS = '198.51.100.1';

/**
 * Reads at a fixed rate, however long the answers take, and probes `/healthz` meanwhile. Its connections are open before the
 * attack, as those of a proxy are. Answers the parent process.
 */
export async function readAtRate({ url, seconds, reader }) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = { authorization: `Bearer ${reader.token}`, 'x-forwarded-for': ADDRESS };
  const times = [];
  const probes = [];
  let refused = 0;
  const countFrom = performance.now() + CONNECT_MS + WARM_UP_MS;
  const ask = (path, list) =>
    new Promise((resolve) => {
      const begin = performance.now();
      const end = (isGood) => {
        if (!isGood) refused++;
        else if (begin >= countFrom) list.push(performance.now() - begin);
        resolve();
      };
      get(url + path, { agent, headers }, (answer) => {
        answer.resume();
        answer.once('end', () => end(answer.statusCode === 200));
        answer.once('error', () => end(false));
      }).once('error', () => end(false));
    });
  const asked = Array.from({ length: CONNECTIONS }, () => ask('/healthz', []));
  const every = (perSecond, work) => setInterval(() => asked.push(work()), 1000 / perSecond);
  const timers = [
    every(READS_PER_SECOND, () =>
      ask(
        asked.length % 2
          ? '/api/users/me'
          : `/api/health-stats/${reader.statIds[asked.length % reader.statIds.length]}`,
        times,
      ),
    ),
    every(PROBES_PER_SECOND, () => ask('/healthz', probes)),
  ];
  await sleep(CONNECT_MS + WARM_UP_MS + seconds * 1000);
  timers.forEach(clearInterval);
  await Promise.all(asked);
  agent.destroy();
  times.sort((a, b) => a - b);
  process.send({ p99: times[Math.floor(times.length * 0.99)], healthzMs: Math.max(...probes), refused });
  process.disconnect();
}
