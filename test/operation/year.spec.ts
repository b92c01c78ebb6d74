import { join } from 'node:path';
import { createDatabase, dropDatabase } from '../support/databases';
import { ops } from '../support/ops';
import { startService } from '../support/service';
import { Year } from './year';

/** What happens to an operator in a year. `TEST_LONG` takes the whole of it, else each kind of day comes once. */
const ALL: [step: Exclude<keyof Year, 'end' | 'seen' | 'write'>, often: number][] = [
  ['upgrade', 4],
  ['rotate', 2],
  ['failOver', 1],
  ['fillDisk', 1],
  ['loseSecret', 1],
  ['stealBackup', 1],
];
const IS_LONG = process.env.TEST_LONG !== undefined;
const RESTORES = IS_LONG ? 12 : 2;

it(
  'a year of an operator loses nothing that was confirmed, and revives nobody',
  async () => {
    const days = ALL.flatMap(([step, often]) => Array<typeof step>(IS_LONG ? often : 1).fill(step));
    const year = await Year.begin();
    try {
      for (let month = 0; month < RESTORES; month++) {
        await year.restore();
        for (const step of days.filter((_, index) => index % RESTORES === month)) await year[step]();
      }
    } finally {
      await year.end();
    }
    const { looked, ...seen } = year.seen;
    if (IS_LONG) process.stderr.write(`${looked} confirmed records looked for; ${JSON.stringify(seen)}\n`);
    expect(looked).toBeGreaterThan(100);
    expect(seen).toEqual({ lost: 0, revived: 0, checks: expect.any(Number) });
    expect(seen.checks).toBeGreaterThanOrEqual(RESTORES + days.length);
  },
  IS_LONG ? 3_600_000 : 600_000,
);

it('a backup that an older release has made is restored, verified and read', async () => {
  const url = await createDatabase(false);
  const restored = await ops({ DATABASE_URL: url }, 'restore', join(__dirname, 'backup-of-db8b944'), '--yes');
  expect([restored.code, restored.errors, restored.result]).toEqual([
    0,
    expect.any(String),
    expect.objectContaining({ accounts: 2, erased_again: 0, ids: {} }),
  ]);
  const service = await startService({ DATABASE_URL: url });
  const { api } = service;
  const login = (email: string) => api.post('/api/auth/login', { email, password: `secret of ${email}` });
  const { token } = (await login('ana@example.org')).body;
  const read = async (path: string) => (await api.get(`/api/${path}`, { token })).body;
  const contentOf = ([{ encrypted_data: blob }]: { encrypted_data: { ciphertext: string } }[]) =>
    Buffer.from(blob.ciphertext, 'base64').toString();
  const [medication] = await read('medications');
  expect(contentOf([medication])).toBe('old 1');
  expect(await read(`medications/${medication.id}/log`)).toHaveLength(3);
  expect(contentOf(await read('appointments'))).toBe('old 2');
  expect(contentOf(await read('health-stats'))).toBe('old 3');
  expect((await read('sync')).changes).toHaveLength(7);
  expect((await login('ben@example.org')).status).toBe(200);
  expect((await login('gone@example.org')).status).toBe(401);
  await service.stop();
  await dropDatabase(url);
});
