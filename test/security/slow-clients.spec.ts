import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeToken } from '@app/testing';
import { TIMEOUTS } from '../../apps/api/src/configure-app';
import { sql } from '../support/databases';
import { aHealthStat, anAccount, aProfile } from '../support/factories';
import { type ServiceHere, startServiceHere } from '../support/service-here';
import { until } from '../support/until';

const QUICK: typeof TIMEOUTS = {
  headersMs: 300,
  requestMs: 600,
  checkEveryMs: 50,
  // Long enough for the first byte of an answer on a busy machine.
  silenceMs: 6_000,
  keepAliveMs: 300,
};

let service: ServiceHere;
beforeAll(async () => (service = await startServiceHere({}, QUICK)));
afterAll(() => service.stop());

/** A bare connection, and what came through it. */
async function open(): Promise<{ socket: Socket; received: () => string; ended: Promise<number> }> {
  const { hostname, port } = new URL(service.api.url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  const begin = Date.now();
  const ended = new Promise<number>((resolve) => socket.once('close', () => resolve(Date.now() - begin)));
  await once(socket, 'connect');
  return { socket, received: () => received, ended };
}

/** Sends a byte now and then until the connection ends. */
async function drip({ socket }: { socket: Socket }): Promise<void> {
  while (!socket.destroyed && socket.writable) {
    socket.write('a');
    await sleep(40);
  }
}

const POST = 'POST /api/auth/prelogin HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

describe('a connection that', () => {
  it.each([
    ['says nothing', '', false, QUICK.headersMs],
    ['begins a head and stops', 'GET /healthz HTTP/1.1\r\nHost', false, QUICK.headersMs],
    ['sends its head byte by byte', 'GET /healthz HTTP/1.1\r\nX-Slow: ', true, QUICK.headersMs],
    ['begins a body and stops', `${POST}Content-Length: 1000\r\n\r\n{"email`, false, QUICK.requestMs],
    ['sends its body byte by byte', `${POST}Content-Length: 1000\r\n\r\n{"email": "`, true, QUICK.requestMs],
    ['never ends a chunk', `${POST}Transfer-Encoding: chunked\r\n\r\nffff\r\n`, true, QUICK.requestMs],
  ])('%s is ended with 408, not before its time, and holds nobody up', async (_, text, dripping, limitMs) => {
    const slow = await open();
    slow.socket.write(text);
    const dripped = dripping ? drip(slow) : undefined;
    const others = await Promise.all(Array.from({ length: 5 }, () => service.api.get('/readyz')));
    expect(others.map(({ status }) => status)).toEqual(Array(5).fill(200));
    const afterMs = await slow.ended;
    await dripped;
    expect(afterMs).toBeGreaterThanOrEqual(limitMs - 20);
    expect(slow.received()).toMatch(/^HTTP\/1\.1 408 /);
    expect(slow.received()).not.toMatch(/\bat .*\.(js|ts)|node_modules/);
  });

  it('has been answered and says no more is ended', async () => {
    const idle = await open();
    idle.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await idle.ended;
    expect(idle.received()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('does not read its answer is ended, and its answer forgotten', async () => {
    const { token } = await anAccount(service.api);
    const profileId = await aProfile(service.api, token);
    await aHealthStat(service.api, token, profileId, { encrypted_data: 'x'.repeat(200_000) });
    await sql(
      service.databaseUrl,
      `INSERT INTO health_stats (account_id, id, profile_id, encrypted_data, recorded_at)
        SELECT account_id, gen_random_uuid(), profile_id, encrypted_data, recorded_at
        FROM health_stats, generate_series(1, 150) WHERE account_id = $1`,
      [decodeToken(token).payload.sub],
    );
    const deaf = await open();
    const request = `GET /api/health-stats HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    deaf.socket.write(request);
    // It hears the beginning, so that what is ended is the answer.
    await once(deaf.socket, 'data');
    deaf.socket.pause();
    const server = service.app.getHttpServer();
    const connections = () =>
      new Promise<number>((resolve) => server.getConnections((_: unknown, count: number) => resolve(count)));
    await until('the connection is ended', async () => (await connections()) === 0);
    deaf.socket.resume();
    await deaf.ended;
    expect(deaf.received()).toMatch(/^HTTP\/1\.1 200 /);
    expect(deaf.received().length).toBeLessThan(30_000_000);
  });

  it('reads its large answer slowly, but does, gets all of it', async () => {
    const { token } = await anAccount(service.api);
    const profileId = await aProfile(service.api, token);
    for (let count = 0; count < 8; count++)
      await aHealthStat(service.api, token, profileId, { encrypted_data: 'x'.repeat(250_000) });
    const slow = await open();
    const request = `GET /api/health-stats HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    slow.socket.write(request);
    slow.socket.on('data', () => {
      slow.socket.pause();
      setTimeout(() => slow.socket.resume(), 20);
    });
    await slow.ended;
    expect(slow.received().length).toBeGreaterThan(2_000_000);
  });
});

it('is patient enough for a phone, and not for more', () => {
  expect(TIMEOUTS.headersMs).toBeLessThanOrEqual(TIMEOUTS.requestMs);
  expect(TIMEOUTS.requestMs).toBeLessThanOrEqual(60_000);
  expect(TIMEOUTS.silenceMs).toBeGreaterThan(TIMEOUTS.requestMs);
});
