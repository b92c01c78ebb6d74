import { PacedLoop } from './paced-loop';

const pauses: number[] = [];
const wait = (ms: number) => {
  pauses.push(ms);
  return Promise.resolve();
};
beforeEach(() => void (pauses.length = 0));

it('runs free while each round brings something, up to its bound', async () => {
  const loop = new PacedLoop({ maxRounds: 100, wait });
  for (let round = 1; round < 100; round += 1) await loop.again(true);
  await expect(loop.again(true)).rejects.toMatchObject({ code: 'protocol_violation' });
  expect(pauses).toEqual([]);
});

it('waits longer after each round that brings nothing, and ends after some', async () => {
  const loop = new PacedLoop({ maxIdleRounds: 4, wait });
  for (let round = 0; round < 4; round += 1) await loop.again(false);
  await expect(loop.again(false)).rejects.toMatchObject({ code: 'protocol_violation' });
  expect(pauses).toEqual([200, 400, 800, 1600]);
});

it('begins with the shortest pause again after a round that brings something', async () => {
  const loop = new PacedLoop({ maxIdleRounds: 2, wait });
  for (const hasProgressed of [false, false, true, false, false]) await loop.again(hasProgressed);
  expect(pauses).toEqual([200, 400, 200, 400]);
});

it('ends at once when it is aborted', async () => {
  const aborted = AbortSignal.abort(new Error('enough'));
  await expect(new PacedLoop().again(false, aborted)).rejects.toThrow('enough');
});
