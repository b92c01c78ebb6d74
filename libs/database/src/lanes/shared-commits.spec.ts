import { randomUUID } from 'node:crypto';
import { Client, Pool } from 'pg';
import { BreakableLink } from '../../../../test/support/breakable-link';
import { createDatabase, dropDatabase, sql } from '../../../../test/support/databases';
import { until } from '../../../../test/support/until';
import type { Executor } from '../database';
import type { Statement } from '../statement';
import { Lane } from './lane';
import { Lanes } from './lanes';
import { SharedCommits } from './shared-commits';

interface Kept {
  note: string;
  commit: string;
}

const KEEP: Statement = {
  name: 'keep',
  text: 'INSERT INTO kept (account, note) VALUES ($1, $2) RETURNING note, commit::text',
};
const DIVIDE: Statement = {
  name: 'divide',
  text: 'INSERT INTO kept (account, note) VALUES ($1, (1 / $2::integer)::text) RETURNING note, commit::text',
};
const COUNT: Statement = { name: 'count', text: 'UPDATE counts SET count = count + 1 WHERE account = $1' };
const INSTANT: Statement = {
  name: 'instant',
  text: 'INSERT INTO kept (account, note) VALUES ($1, $2) RETURNING $2::timestamptz AS at',
};
const LATE: Statement = { name: 'late', text: 'INSERT INTO late (account, number) VALUES ($1, $2)' };

describe('shared commits', () => {
  let databaseUrl: string;
  let pool: Pool;
  let goesAlone: jest.Mock<Promise<never[]>, Parameters<Executor['query']>>;
  let commits: SharedCommits;

  const commitsOver = (url: string, count = 1) =>
    new SharedCommits(
      Array.from({ length: count }, () => new Lanes({ connectionString: url, lock_timeout: 100 }, 1)),
      { query: goesAlone },
    );
  const accounts = (count: number) => Array.from({ length: count }, (_, number) => `account ${100 + number}`);
  const keep = async (account: string, note = 'a note') =>
    (await commits.query<Kept>(KEEP, [account, note]))[0];
  const kept = () =>
    sql<{ account: string; note: string }>(
      databaseUrl,
      'SELECT account, note FROM kept ORDER BY account, note',
    );

  beforeAll(async () => {
    databaseUrl = await createDatabase(false);
    pool = new Pool({ connectionString: databaseUrl });
    await sql(
      databaseUrl,
      `CREATE TABLE kept (account text, note text, commit xid8 DEFAULT pg_current_xact_id(), UNIQUE (account, note));
       CREATE TABLE counts (account text PRIMARY KEY, count integer);
       CREATE TABLE late (account text, number integer UNIQUE DEFERRABLE INITIALLY DEFERRED);`,
    );
  });
  afterAll(async () => {
    await pool.end();
    await dropDatabase(databaseUrl);
  });
  beforeEach(async () => {
    await sql(databaseUrl, 'TRUNCATE kept, counts, late');
    goesAlone = jest.fn(async ({ text }, values) => (await pool.query<never>(text, values)).rows);
    commits = commitsOver(databaseUrl);
  });
  afterEach(() => commits.close());

  it('are those of the writes of several accounts that come at once', async () => {
    const rows = await Promise.all(accounts(12).map((account) => keep(account)));
    expect(rows.map(({ note }) => note)).toEqual(accounts(12).map(() => 'a note'));
    expect(new Set(rows.map(({ commit }) => commit)).size).toBe(1);
    expect(await kept()).toHaveLength(12);
    expect(goesAlone).not.toHaveBeenCalled();
  });

  it('have of each account one write, in the order in which they came', async () => {
    const notes = ['1', '2', '3', '4', '5'];
    const own = notes.map((note) => keep('busy', note));
    const other = await keep('other');
    const rows = await Promise.all(own);
    const numbers = rows.map(({ commit }) => Number(commit));
    expect(numbers).toEqual([...new Set(numbers)].sort((one, two) => one - two));
    expect(other.commit).toBe(rows[0].commit);
  });

  it('are of sixteen writes at most', async () => {
    const rows = await Promise.all(accounts(40).map((account) => keep(account)));
    const sizes = new Map<string, number>();
    for (const { commit } of rows) sizes.set(commit, (sizes.get(commit) ?? 0) + 1);
    expect([...sizes.values()]).toEqual([16, 16, 8]);
  });

  it('let a write that fails spoil no other', async () => {
    const outcomes = await Promise.allSettled([
      keep('a'),
      commits.query(DIVIDE, ['b', 0]),
      keep('c'),
      commits.query(DIVIDE, ['d', 1]),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { code: '22012' } });
    expect((await kept()).map(({ account }) => account)).toEqual(['a', 'c', 'd']);
    expect(goesAlone).toHaveBeenCalledTimes(4);
  });

  it('go on without an account that has spoilt one: it writes alone for a while', async () => {
    const spoiling = commits.query(DIVIDE, ['b', 0]).catch(() => undefined);
    const waiting = keep('b', 'waiting');
    await Promise.all([keep('a', '1'), keep('c', '1'), spoiling, waiting]);
    expect(goesAlone).toHaveBeenCalledTimes(4);
    const [a, b, c] = await Promise.all([keep('a', '2'), keep('b', '2'), keep('c', '2')]);
    expect(goesAlone).toHaveBeenCalledTimes(5);
    expect(a.commit).toBe(c.commit);
    expect(b.commit).not.toBe(a.commit);
  });

  it('let an account that writes alone have two connections at a time, and refuse what waits too long for one', async () => {
    await Promise.all([keep('a'), commits.query(DIVIDE, ['b', 0]).catch(() => undefined)]);
    const held: (() => void)[] = [];
    goesAlone.mockClear();
    goesAlone.mockImplementation(() => new Promise((resolve) => held.push(() => resolve([]))));
    const writes = Array.from({ length: 5 }, (_, number) => commits.query(KEEP, ['b', `${number}`]));
    expect([goesAlone.mock.calls.length, commits.load]).toEqual([2, 3]);
    held[0]();
    await writes[0];
    await until('the next has begun', async () => goesAlone.mock.calls.length === 3);
    expect(commits.load).toBe(2);
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 5_500);
    held[1]();
    const outcomes = await Promise.allSettled(writes.slice(3));
    clock.mockRestore();
    expect(outcomes).toMatchObject(Array(2).fill({ status: 'rejected', reason: { code: 'overloaded' } }));
    held[2]();
    await Promise.all(writes.slice(0, 3));
    expect(goesAlone).toHaveBeenCalledTimes(3);
  });

  it('take it in again after ten seconds', async () => {
    await Promise.all([keep('a'), commits.query(DIVIDE, ['b', 0]).catch(() => undefined)]);
    goesAlone.mockClear();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_500);
    await until('the account is not apart any more', async () => {
      const before = goesAlone.mock.calls.length;
      await keep('b', randomUUID());
      return goesAlone.mock.calls.length === before;
    });
    clock.mockRestore();
  });

  it('refuse a value that cannot be written to its sender alone', async () => {
    const endless: Record<string, unknown> = {};
    endless.itself = endless;
    const outcomes = await Promise.allSettled([keep('a'), commits.query(KEEP, ['b', endless]), keep('c')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(goesAlone).not.toHaveBeenCalled();
  });

  it('tell nobody of a commit that fails at its end', async () => {
    const insert = (account: string, number: number) => commits.query(LATE, [account, number]);
    const outcomes = await Promise.allSettled([insert('a', 1), insert('b', 2), insert('c', 2)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    const stored = await sql<{ number: number }>(databaseUrl, 'SELECT number FROM late ORDER BY number');
    expect(stored.map(({ number }) => number)).toEqual([1, 2]);
  });

  it('run nothing twice where a row cannot be read', async () => {
    const outcomes = await Promise.allSettled(
      ['infinity', '2026-11-20'].map((text, number) => commits.query(INSTANT, [`account ${number}`, text])),
    );
    // Known of the statement from now on, so that the server writes instants in binary as well.
    const again = await Promise.allSettled([
      commits.query(INSTANT, ['c', 'infinity']),
      commits.query(INSTANT, ['d', '-infinity']),
      commits.query(INSTANT, ['e', '0001-01-01 00:00:00.9996+00']),
    ]);
    const statuses = [...outcomes, ...again].map(({ status }) => status);
    expect(statuses).toEqual(['rejected', 'fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(again[2]).toMatchObject({ value: [{ at: '0001-01-01T00:00:00.999Z' }] });
    expect(await kept()).toHaveLength(5);
  });

  it('wait for no account that another session holds', async () => {
    const holder = new Client({ connectionString: databaseUrl });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query("INSERT INTO kept VALUES ('b', 'a note')");
    const held = keep('b', 'a note').catch((error: { code: string }) => error.code);
    await Promise.all([keep('a'), keep('c')]);
    await holder.query('COMMIT');
    await holder.end();
    expect(await held).toBe('23505');
    expect(await kept()).toHaveLength(3);
  });

  it('never lock each other out, whatever comes in which order', async () => {
    const many = accounts(20);
    await sql(databaseUrl, 'INSERT INTO counts SELECT unnest($1::text[]), 0', [many]);
    const processes = [commitsOver(databaseUrl, 2), commitsOver(databaseUrl, 2)];
    const writes = Array.from({ length: 600 }, (_, number) =>
      processes[number % 2].query(COUNT, [many[Math.floor(Math.random() * many.length)]]),
    );
    await Promise.all(writes);
    for (const each of processes) await each.close();
    const [{ total }] = await sql<{ total: string }>(databaseUrl, 'SELECT sum(count) AS total FROM counts');
    const deadlocked = goesAlone.mock.calls.length;
    expect([Number(total), deadlocked]).toEqual([600, 0]);
  });

  it('of a connection that broke have an unknown end, which is said to those who were on it alone', async () => {
    const { link, url } = await BreakableLink.to(databaseUrl);
    const impatient = commitsOver(`${url}?query_timeout=300`);
    await impatient.query(KEEP, ['a', 'before']);
    link.stall();
    const lost = Promise.allSettled(accounts(3).map((account) => impatient.query(KEEP, [account, 'lost'])));
    // When these come the others are on their way.
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    const after = impatient.query(KEEP, ['a', 'after']);
    for (const outcome of await lost)
      expect(outcome).toMatchObject({ reason: { message: 'Query read timeout' } });
    expect(await after).toMatchObject([{ note: 'after' }]);
    expect(goesAlone).not.toHaveBeenCalled();
    await impatient.close();
    await link.close();
  });

  it('are not waited for longer than five seconds: then a write goes alone', async () => {
    const { link, url } = await BreakableLink.to(databaseUrl);
    const stuck = commitsOver(url);
    await stuck.query(KEEP, ['a', 'before']);
    link.stall();
    const lost = stuck.query(KEEP, ['a', 'lost']).catch((error: Error) => error.message);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    const waiting = [stuck.query(KEEP, ['a', 'next']), stuck.query(KEEP, ['b', 'next'])];
    expect(stuck.load).toBe(2);
    await Promise.all(waiting);
    expect(goesAlone).toHaveBeenCalledTimes(2);
    expect(stuck.load).toBe(0);
    await stuck.close();
    expect(await lost).toMatch(/^Connection terminated/);
    await link.close();
  }, 20_000);

  it('need a connection of their own; without one each write goes alone', async () => {
    const opening = jest.spyOn(Lane, 'open').mockRejectedValue(new Error('too many connections'));
    await Promise.all(accounts(3).map((account) => keep(account)));
    opening.mockRestore();
    expect(goesAlone).toHaveBeenCalledTimes(3);
    expect(await kept()).toHaveLength(3);
  });
});
