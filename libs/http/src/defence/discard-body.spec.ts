import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { discardBody } from './discard-body';

const CHUNK = Buffer.alloc(64 * 1024);
const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

/** A body in chunks of 64 KiB. Nothing of it has been read yet. */
function aBody(chunks: number, address: string): PassThrough {
  const body = Object.assign(new PassThrough({ highWaterMark: CHUNK.length }), {
    headers: { 'content-length': String(chunks * CHUNK.length) },
  });
  for (let count = 0; count < chunks; count++) body.write(CHUNK);
  body.end();
  discardBody(body as never, address);
  return body;
}

beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => jest.useRealTimers());

async function msUntilEnd(body: PassThrough): Promise<number> {
  for (let ms = 0; ; ms++) {
    await turnOfLoop();
    if (body.readableEnded) return ms;
    jest.advanceTimersByTime(1);
  }
}

it('receives the bodies of one address at one speed together', async () => {
  const alone = await msUntilEnd(aBody(16, 'alone'));
  expect(alone).toBeGreaterThanOrEqual(75);
  const [first] = Array.from({ length: 4 }, () => aBody(16, 'four'));
  expect(await msUntilEnd(first)).toBeGreaterThanOrEqual(3 * alone);
});

it('slows down no other address', async () => {
  Array.from({ length: 10 }, () => aBody(16, 'flood'));
  expect(await msUntilEnd(aBody(16, 'other'))).toBeLessThanOrEqual(80);
});

it('receives no more than 2 MiB of a body, so that one that is slightly too long ends no connection', async () => {
  const body = aBody(34, 'long');
  await msUntilEnd(aBody(34 - 2, 'in the same time'));
  jest.advanceTimersByTime(10);
  await turnOfLoop();
  expect([body.destroyed, body.readableEnded]).toEqual([true, false]);
});

it('receives no more than 64 large bodies of an address at a time', async () => {
  const bodies = Array.from({ length: 65 }, () => aBody(2, 'many'));
  await turnOfLoop();
  expect(bodies.filter(({ destroyed }) => destroyed)).toHaveLength(1);
  expect(await msUntilEnd(bodies[0])).toBeGreaterThan(0);
});

it('does not count a body whose client left before the refusal', async () => {
  const gone = Array.from({ length: 64 }, () =>
    Object.assign(new PassThrough(), { headers: { 'transfer-encoding': 'chunked' } }),
  );
  await Promise.all(gone.map((body) => once(body.destroy(), 'close')));
  for (const body of gone) discardBody(body as never, 'left');
  const body = aBody(2, 'left');
  await turnOfLoop();
  expect(body.destroyed).toBe(false);
});

it('receives a small body at once', async () => {
  const body = Object.assign(new PassThrough(), { headers: { 'content-length': '3' } });
  body.end('abc');
  discardBody(body as never, 'small');
  expect(await msUntilEnd(body)).toBe(0);
});
