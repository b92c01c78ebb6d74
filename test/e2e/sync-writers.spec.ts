import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Api } from '@app/testing';
import { type BuiltService, startBuiltService } from '../support/built-service';
import {
  breakablePool,
  endConnections,
  type Events,
  FeedWriter,
  meetDeadlocks,
  meetLateCommit,
  type WrittenAccount,
} from '../support/feed-writers';
import { holderOf } from '../support/in-space';
import { aHousehold } from '../support/record-kinds';
import { startService, type TestService } from '../support/service';

/** `node test/bench/feed.mjs` lets them write for a minute each. */
const WRITING_MS = 1000 * Number(process.env.FEED_SECONDS ?? 2);
/** A minute of it has the crowd that it needs. */
const [WRITERS_OF_A_REPLICA, ACCOUNTS, FURTHER_FOLLOWERS] = process.env.FEED_SECONDS
  ? [12, 10, 7]
  : [3, 4, 2];
const LARGEST_PAGE = 500;
const DEADLINE_MS = 60_000 + 4 * WRITING_MS;

/** Records as a follower knows them: their text in its newest state, or `null` where it was deleted. */
type Copy = Map<string, string | null>;

let inProcess: TestService;
let ownProcess: BuiltService;
let pool: Pool;

beforeAll(async () => {
  inProcess = await startService();
  ownProcess = await startBuiltService({ DATABASE_URL: inProcess.databaseUrl });
  pool = breakablePool(inProcess.databaseUrl, 24);
});
afterAll(async () => {
  await pool?.end();
  await ownProcess?.end();
  await inProcess?.stop();
});

const replicas = (): Api[] => [inProcess.api, ownProcess.api];

/** Asks again where a replica or its connection has just been ended. */
async function persist<T>(ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const answer = await ask().catch((error: unknown) => {
      if (Date.now() > deadline) throw error;
      return undefined;
    });
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error('There was no answer in time.');
    await sleep(5);
  }
}

/** Follows an account until `isOver`, and then to the end. */
async function follow(read: () => Promise<boolean>, isOver: () => boolean): Promise<void> {
  for (;;) {
    const isLast = isOver();
    while (await read());
    if (isLast) return;
    await sleep(randomInt(20));
  }
}

/** Follows by `GET /api/sync`, over both replicas and with pages of any size. */
function feedOf(account: WrittenAccount, copy: Copy, told: string[]) {
  let cursor: string | undefined;
  return async () => {
    const limit = String(randomInt(4) === 0 ? randomInt(1, LARGEST_PAGE + 1) : randomInt(1, 40));
    const query = new URLSearchParams({ limit, ...(cursor ? { cursor } : {}) });
    const { body } = await persist(async () => {
      const answer = await replicas()[randomInt(2)].get(`/api/sync?${query.toString()}`, account);
      return answer.status === 200 ? answer : undefined;
    });
    for (const { id, record } of body.changes) {
      copy.set(id, record ? JSON.stringify(record) : null);
      told.push(`${id} ${record ? record.revision : 'deleted'}`);
    }
    cursor = body.cursor;
    return body.has_more as boolean;
  };
}

/** Follows by the time of the last change, as a client must not: a later commit can carry an earlier time. */
function clockOf({ accountId }: WrittenAccount, copy: Map<string, number>) {
  let since = '1970-01-01T00:00:00Z';
  return async () => {
    const { rows } = await persist(() =>
      pool.query<{ id: string; revision: number; at: string }>(
        `SELECT id, revision, updated_at::text AS at FROM health_stats
          WHERE account_id = $1 AND updated_at > $2 ORDER BY updated_at`,
        [accountId, since],
      ),
    );
    for (const { id, revision, at } of rows) {
      copy.set(id, revision);
      since = at;
    }
    return false;
  };
}

/** The statistics of an account as the service lists them. */
async function stored(account: WrittenAccount): Promise<Map<string, { text: string; revision: number }>> {
  const { body } = await persist(async () => {
    const answer = await inProcess.api.get('/api/health-stats', account);
    return answer.status === 200 ? answer : undefined;
  });
  return new Map(
    (body as { id: string; revision: number }[]).map((record) => [
      record.id,
      { text: JSON.stringify(record), revision: record.revision },
    ]),
  );
}

it(
  'followers miss no change and get none twice, whatever is done and ended meanwhile; by the clock they would',
  async () => {
    const accounts = await Promise.all(
      Array.from({ length: ACCOUNTS }, async () => {
        const household = await aHousehold(inProcess.api);
        return { ...household, accountId: holderOf(household.token) };
      }),
    );
    // Half of all is written to one account, which has several followers, as it has several devices.
    const written = [...accounts, ...accounts.map(() => accounts[0])];
    const followed = [...accounts, ...Array.from({ length: FURTHER_FOLLOWERS }, () => accounts[0])];
    const events: Events = { commits: 0, undone: 0, deletes: 0, deadlocks: 0, broken: 0, ended: 0 };
    const deadline = Date.now() + WRITING_MS;
    let isKilled = false;
    // On a slow machine, what must happen takes longer.
    const hasHappened = () => isKilled && Object.values(events).every((times) => times > 0);
    const isWritten = () => hasHappened() && Date.now() > deadline;
    let isOver = false;
    const copies = followed.map((account) => ({
      account,
      feed: new Map() as Copy,
      clock: new Map<string, number>(),
      told: [] as string[],
    }));
    const followers = copies.flatMap(({ account, feed, clock, told }) => [
      follow(feedOf(account, feed, told), () => isOver),
      follow(clockOf(account, clock), () => isOver),
    ]);
    const run = { accounts: written, pool, events };
    const writers = [0, 1].flatMap((replica) =>
      Array.from({ length: WRITERS_OF_A_REPLICA }, () =>
        new FeedWriter(run, () => replicas()[replica]).write(isWritten),
      ),
    );
    const deadlocks = meetDeadlocks(run, isWritten);
    const lateCommit = meetLateCommit(run, (id) => copies[0].clock.has(id));
    const ending = endConnections(inProcess.databaseUrl, events, isWritten);
    await sleep(WRITING_MS / 3);
    await ownProcess.end('SIGKILL');
    ownProcess = await startBuiltService({ DATABASE_URL: inProcess.databaseUrl });
    isKilled = true;
    await Promise.all([...writers, deadlocks, lateCommit]);
    await ending;
    isOver = true;
    await Promise.all(followers);

    let missedByClock = 0;
    for (const { account, feed, clock, told } of copies) {
      const now = await stored(account);
      const kept = [...feed].filter(([, text]) => text !== null);
      const { profileId, medicationId } = account;
      const statistics = kept.filter(([id]) => id !== profileId && id !== medicationId);
      expect(kept.length).toBe(statistics.length + 2);
      expect(new Map(statistics)).toEqual(new Map([...now].map(([id, { text }]) => [id, text])));
      expect(new Set(told).size).toBe(told.length);
      missedByClock += [...now].filter(([id, { revision }]) => clock.get(id) !== revision).length;
    }
    if (process.env.FEED_SECONDS) console.log({ ...events, missedByClock });
    expect(copies.some(({ feed }) => [...feed.values()].includes(null))).toBe(true);
    // This test can fail: the same writers, followed by the clock, leave records behind.
    expect(missedByClock).toBeGreaterThan(0);
  },
  DEADLINE_MS,
);
