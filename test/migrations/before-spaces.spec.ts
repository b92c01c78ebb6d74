import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDataSource } from '@app/database';
import { aSpace, idOfAccount } from '@app/testing';
import { Client } from 'pg';
import { composeService } from '../../apps/api/src/domains';
import { sql } from '../support/databases';
import { aHealthStat, aProfile } from '../support/factories';
import { aHousehold } from '../support/record-kinds';
import { startService, type TestService } from '../support/service';
import { until } from '../support/until';
import { BEFORE_SPACES } from './statements-before-spaces';

/**
 * A process of the release before shared profiles, as its database sees it. Like the release it repeats a statement that lost
 * a deadlock, and takes a row whose parent has gone for one that was not stored.
 */
class EarlierProcess {
  private constructor(private readonly client: Client) {}

  static async start(databaseUrl: string): Promise<EarlierProcess> {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    return new EarlierProcess(client);
  }

  async ask(name: keyof typeof BEFORE_SPACES, ...values: unknown[]): Promise<any[]> {
    for (;;) {
      try {
        const { rows } = await this.client.query({ name, text: BEFORE_SPACES[name], values });
        return rows;
      } catch (error) {
        const { code } = error as { code?: string };
        if (code === '23503') return [];
        if (code !== '40P01') throw error;
      }
    }
  }

  stop(): Promise<void> {
    return this.client.end();
  }
}

interface Household {
  token: string;
  id: string;
  profileId: string;
  medicationId: string;
  /** The readings that an earlier process has written and not deleted, with their blobs. */
  kept: Map<string, string>;
  turns: number;
}

const blob = (text: string) => JSON.stringify({ ciphertext: text, iv: 'iv' });

/** What the clients of a household ask in turn. @throws Error where an answer is not as it was before. */
async function aTurn(earlier: EarlierProcess, household: Household): Promise<void> {
  const { id, profileId, medicationId, kept } = household;
  const caller = [id, 0];
  const statId = randomUUID();
  const [made] = await earlier.ask('create', ...caller, statId, profileId, blob('new'), null, null);
  expect(made).toMatchObject({ id: statId, revision: 1, encrypted_data: blob('new') });
  const [changed] = await earlier.ask('update', ...caller, statId, ['1'], blob('changed'));
  expect(changed).toMatchObject({ revision: 2, encrypted_data: blob('changed') });
  expect(await earlier.ask('update', ...caller, statId, ['1'], blob('late'))).toEqual([]);
  expect(await earlier.ask('byId', ...caller, statId)).toEqual([changed]);
  expect((await earlier.ask('list', ...caller, 5, 1_000_000)).length).toBeGreaterThan(0);
  const [dose] = await earlier.ask('dose', ...caller, randomUUID(), medicationId, true, new Date(), null);
  expect(dose).toMatchObject({ taken: true });
  const [{ last_change: last }] = await earlier.ask('feed', ...caller, 0, 0, 1);
  const [entry] = await earlier.ask('feed', ...caller, Number(last) - 1, 0, 1);
  expect(entry).toMatchObject({ kind: 'dose', record_id: dose.id, is_deleted: false });
  expect(await earlier.ask('states', ...caller, [statId])).toEqual([changed]);
  household.turns += 1;
  if (household.turns % 2) kept.set(statId, blob('changed'));
  else expect(await earlier.ask('delete', ...caller, statId)).toEqual([{ id: statId }]);
}

/** Takes the schema back to that of the release before shared profiles. */
async function undoSpaces(databaseUrl: string): Promise<void> {
  const settings = { databasePoolSize: 2, databasePrepared: true };
  const dataSource = createDataSource(settings, databaseUrl, composeService().schema);
  await dataSource.initialize();
  do await dataSource.undoLastMigration({ transaction: 'each' });
  while ((await sql(databaseUrl, `SELECT 1 FROM migrations WHERE name LIKE 'Spaces%'`)).length > 0);
  await dataSource.destroy();
}
const hasSpaces = async (databaseUrl: string) =>
  (await sql(databaseUrl, `SELECT 1 FROM pg_tables WHERE tablename = 'space_members'`)).length > 0;

describe('processes of the release before shared profiles', () => {
  let service: TestService;
  let next: TestService | undefined;
  let households: Household[];
  const processes: EarlierProcess[] = [];
  beforeAll(async () => {
    service = await startService();
    households = [];
    for (let count = 0; count < 3; count++) {
      const { token, profileId, medicationId } = await aHousehold(service.api);
      households.push({
        token,
        id: idOfAccount({ token }),
        profileId,
        medicationId,
        kept: new Map(),
        turns: 0,
      });
    }
    await undoSpaces(service.databaseUrl);
    expect(await hasSpaces(service.databaseUrl)).toBe(false);
    for (let count = 0; count < households.length; count++)
      processes.push(await EarlierProcess.start(service.databaseUrl));
  });
  afterAll(async () => {
    for (const each of processes) await each.stop();
    await next?.stop();
    await service.stop();
  });

  it('notice nothing of the migration, and go on beside the new ones', async () => {
    let isOver = false;
    let failure: unknown;
    const busy = households.map(async (household, at) => {
      while (!isOver && failure === undefined) {
        await aTurn(processes[at], household).catch((error: unknown) => (failure = error));
      }
    });
    const aWhile = async () => {
      const before = households.map(({ turns }) => turns);
      await until('each has had some turns', async () =>
        households.every(({ turns }, at) => failure !== undefined || turns > before[at] + 3),
      );
    };
    await aWhile();
    expect(await hasSpaces(service.databaseUrl)).toBe(false);
    next = await startService({ DATABASE_URL: service.databaseUrl });
    expect(await hasSpaces(service.databaseUrl)).toBe(true);
    await aWhile();
    isOver = true;
    await Promise.all(busy);
    expect(failure).toBeUndefined();
  });

  it('and new ones read, change and count what the others write', async () => {
    const { api } = next!;
    const [household] = households;
    const { token, id, profileId } = household;
    const { body } = await api.get('/api/health-stats', { token });
    const shown = new Map(body.map((each: any) => [each.id, JSON.stringify(each.encrypted_data)]));
    expect(household.kept.size).toBeGreaterThan(3);
    for (const [statId, text] of household.kept) expect(shown.get(statId)).toBe(text);
    const stored = await sql(service.databaseUrl, 'SELECT id FROM health_stats WHERE account_id = $1', [id]);
    expect(body).toHaveLength(stored.length);
    // Nothing of sharing shows in an account that shares nothing.
    expect(JSON.stringify(body)).not.toContain('author');

    const { id: ofNew } = (await aHealthStat(api, token, profileId)) as { id: string };
    const [seen] = await processes[0].ask('byId', id, 0, ofNew);
    expect(seen).toMatchObject({ id: ofNew, revision: 1 });
    await processes[0].ask('update', id, 0, ofNew, ['1'], blob('by the earlier one'));
    const update = (ifMatch: string) =>
      api.put(
        `/api/health-stats/${ofNew}`,
        { encrypted_data: 'x' },
        { token, headers: { 'If-Match': ifMatch } },
      );
    expect((await update('"1"')).status).toBe(412);
    expect((await update('"2"')).status).toBe(200);
    const [counts] = await sql<{ told: string; stored: string }>(
      service.databaseUrl,
      `SELECT u.records AS told, (SELECT count(*) FROM changes c WHERE c.account_id = $1 AND c.deleted_at IS NULL) AS stored
        FROM account_usage u WHERE u.account_id = $1`,
      [id],
    );
    expect(counts.told).toBe(counts.stored);
  });

  it('lose nothing where a profile is shared by a new one meanwhile: they see it as deleted', async () => {
    const { api } = next!;
    const [, household] = households;
    const { token, id } = household;
    const moving = await aProfile(api, token, { name_data: { ciphertext: 'x', iv: 'y' } });
    let isOver = false;
    const accepted: string[] = [];
    const busy = (async () => {
      while (!isOver) {
        const statId = randomUUID();
        const [made] = await processes[1].ask('create', id, 0, statId, moving, blob('late'), null, null);
        if (made) accepted.push(statId);
        await sleep(1);
      }
    })();
    await until('some are stored', async () => accepted.length > 5);
    const space = await aSpace(api, { token, id } as never, moving);
    const atTheMove = accepted.length;
    await until('the earlier one has tried again', async () => {
      await sleep(50);
      return true;
    });
    isOver = true;
    await busy;
    expect(accepted).toHaveLength(atTheMove);
    const moved = await sql<{ id: string }>(
      service.databaseUrl,
      'SELECT id FROM health_stats WHERE account_id = $1',
      [space.id],
    );
    expect(moved.map((each) => each.id).sort()).toEqual([...accepted].sort());
    expect(await processes[1].ask('byId', id, 0, accepted[0])).toEqual([]);
    const feed = await processes[1].ask('feed', id, 0, 0, 0, 100_000);
    const told = new Map(feed.map(({ record_id, is_deleted }) => [record_id, is_deleted]));
    for (const each of [moving, ...accepted]) expect(told.get(each)).toBe(true);
    await aTurn(processes[1], household);
  });
});
