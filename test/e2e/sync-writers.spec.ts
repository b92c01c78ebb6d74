import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { type Household, aHousehold } from '../support/record-kinds';
import { startService, type TestService } from '../support/service';

const ACCOUNTS = 3;
const WRITERS = 6;
const WRITES_OF_EACH = 25;
const LONGEST_PAUSE_MS = 30;

/** A record as a follower knows it: its newest revision, or `null` where it was deleted. */
type Copy = Map<string, number | null>;

let replicas: TestService[];
let households: (Household & { accountId: string })[];

beforeAll(async () => {
  const first = await startService();
  replicas = [first, await startService({ DATABASE_URL: first.databaseUrl })];
  households = await Promise.all(
    Array.from({ length: ACCOUNTS }, async () => {
      const household = await aHousehold(first.api);
      const { body } = await first.api.get('/api/users/me', { token: household.token });
      return { ...household, accountId: body.id as string };
    }),
  );
});
afterAll(async () => {
  for (const replica of [...replicas].reverse()) await replica.stop();
});

/** Creates, changes and deletes statistics in transactions that stay open for a while; some are rolled back. */
async function write(writer: number): Promise<void> {
  const client = new Client({ connectionString: replicas[0].databaseUrl });
  await client.connect();
  const own: { id: string; accountId: string }[] = [];
  for (let count = 0; count < WRITES_OF_EACH; count++) {
    const { accountId, profileId } = households[(writer + count) % ACCOUNTS];
    const earlier = randomInt(3) > 0 ? own.splice(randomInt(own.length + 1), 1)[0] : undefined;
    await client.query('BEGIN');
    if (earlier === undefined) {
      const id = randomUUID();
      await client.query(
        `INSERT INTO health_stats (account_id, id, profile_id, encrypted_data) VALUES ($1, $2, $3, '"x"')`,
        [accountId, id, profileId],
      );
      own.push({ id, accountId });
    } else {
      const isGone = randomInt(2) === 0;
      await client.query(
        isGone
          ? 'DELETE FROM health_stats WHERE account_id = $1 AND id = $2'
          : 'UPDATE health_stats SET revision = revision + 1, updated_at = now() WHERE account_id = $1 AND id = $2',
        [earlier.accountId, earlier.id],
      );
      if (!isGone) own.push(earlier);
    }
    await sleep(randomInt(LONGEST_PAUSE_MS));
    const isUndone = randomInt(5) === 0;
    await client.query(isUndone ? 'ROLLBACK' : 'COMMIT');
    // What was undone may be there or not: nobody writes it again.
    if (isUndone) own.length = 0;
  }
  await client.end();
}

/** Follows an account until `isOver`, and then to the end. */
async function follow(read: (isLast: boolean) => Promise<boolean>, isOver: () => boolean): Promise<void> {
  for (;;) {
    const isLast = isOver();
    while (await read(isLast));
    if (isLast) return;
    await sleep(randomInt(5));
  }
}

/** Follows by `GET /api/sync`, over both replicas and with pages of any size. */
function feedOf(household: Household, copy: Copy, told: string[]) {
  let cursor: string | undefined;
  return async () => {
    const query = new URLSearchParams({ limit: String(randomInt(1, 50)), ...(cursor ? { cursor } : {}) });
    const { api } = replicas[randomInt(2)];
    const answer = await api.get(`/api/sync?${query.toString()}`, { token: household.token });
    expect(answer.status).toBe(200);
    for (const { id, record } of answer.body.changes) {
      const revision = record ? (record.revision as number) : null;
      copy.set(id, revision);
      told.push(`${id} ${revision}`);
    }
    cursor = answer.body.cursor;
    return answer.body.has_more as boolean;
  };
}

/** Follows by the time of the last change, as a client must not: a later commit can carry an earlier time. */
function clockOf(accountId: string, copy: Copy, pool: Pool) {
  let since = '1970-01-01T00:00:00Z';
  return async () => {
    const { rows } = await pool.query<{ id: string; revision: number; at: string }>(
      `SELECT id, revision, updated_at::text AS at FROM health_stats
        WHERE account_id = $1 AND updated_at > $2 ORDER BY updated_at`,
      [accountId, since],
    );
    for (const { id, revision, at } of rows) {
      copy.set(id, revision);
      since = at;
    }
    return false;
  };
}

async function storedBy({ accountId }: { accountId: string }, pool: Pool): Promise<Copy> {
  const { rows } = await pool.query<{ id: string; revision: number }>(
    'SELECT id, revision FROM health_stats WHERE account_id = $1',
    [accountId],
  );
  return new Map(rows.map(({ id, revision }) => [id, revision]));
}

/** Records of which a copy has not the newest revision. */
function missedBy(copy: Copy, stored: Copy): string[] {
  return [...stored].filter(([id, revision]) => copy.get(id) !== revision).map(([id]) => id);
}

it('a follower misses no change, whatever writers do at the same time; the clock would', async () => {
  const pool = new Pool({ connectionString: replicas[0].databaseUrl });
  const copies = households.map(() => ({
    feed: new Map() as Copy,
    clock: new Map() as Copy,
    told: [] as string[],
  }));
  let isOver = false;
  const followers = households.flatMap((household, index) => [
    follow(feedOf(household, copies[index].feed, copies[index].told), () => isOver),
    follow(clockOf(household.accountId, copies[index].clock, pool), () => isOver),
  ]);
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  isOver = true;
  await Promise.all(followers);
  let missedByClock = 0;
  for (const [index, household] of households.entries()) {
    const stored = await storedBy(household, pool);
    const { feed, clock, told } = copies[index];
    expect(stored.size).toBeGreaterThan(5);
    expect(missedBy(feed, stored)).toEqual([]);
    const kept = [...feed].filter(([id, revision]) => revision !== null && stored.has(id));
    // Beside the statistics a household has a profile and a medication.
    expect([...feed].filter(([, revision]) => revision !== null).length).toBe(kept.length + 2);
    expect(new Set(told).size).toBe(told.length);
    missedByClock += missedBy(clock, stored).length;
  }
  // This test can fail: the same writers, followed by the clock, leave records behind.
  expect(missedByClock).toBeGreaterThan(0);
  await pool.end();
});
