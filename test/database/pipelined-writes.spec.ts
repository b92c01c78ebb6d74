import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { BreakableLink } from '../support/breakable-link';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { until } from '../support/until';
import type { Executor, Statement } from '../../libs/database/src/statement';
import { PipelinedConnection } from '../../libs/database/src/pipeline/pipelined-connection';
import { PipelinedConnections } from '../../libs/database/src/pipeline/pipelined-connections';
import { PipelinedWrites } from '../../libs/database/src/pipeline/pipelined-writes';

const KEEP: Statement = {
  name: 'keep',
  text: 'INSERT INTO kept (account, note) VALUES ($1, $2) RETURNING note, commit::text',
};
const SLOW: Statement = {
  name: 'slow',
  text: 'INSERT INTO kept (account, note) SELECT $1, $2 FROM pg_sleep(1) RETURNING note',
};
const LATE: Statement = { name: 'late', text: 'INSERT INTO late (account, number) VALUES ($1, $2)' };

const MAX_ROUNDS = 2_000;

describe('pipelined writes', () => {
  let databaseUrl: string;
  let pool: Pool;
  let overPool: jest.Mock<Promise<never[]>, Parameters<Executor['query']>>;
  let connections: PipelinedConnections;
  let writes: PipelinedWrites;

  const accounts = (count: number) => Array.from({ length: count }, (_, n) => `account ${100 + n}`);
  const keep = (account: string, note = 'a note') =>
    writes.query<{ note: string; commit: string }>(KEEP, [account, note]);
  const notes = async () =>
    (await sql<{ account: string; note: string }>(databaseUrl, 'SELECT account, note FROM kept')).map(
      ({ account, note }) => `${account}: ${note}`,
    );

  function over(url: string, statement_timeout = 5_000, query_timeout = 35_000) {
    connections = new PipelinedConnections(
      { connectionString: url, lock_timeout: 25, statement_timeout, query_timeout },
      1,
    );
    return new PipelinedWrites(connections, { query: overPool });
  }

  /** Keeps a row from being written by others until the result is called. */
  async function hold(account: string): Promise<() => Promise<void>> {
    const holder = new Client({ connectionString: databaseUrl });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query("INSERT INTO kept VALUES ($1, 'a note')", [account]);
    return async () => {
      await holder.query('ROLLBACK');
      await holder.end();
    };
  }

  beforeAll(async () => {
    databaseUrl = await createDatabase(false);
    pool = new Pool({ connectionString: databaseUrl });
    await sql(
      databaseUrl,
      `CREATE TABLE kept (account text, note text, commit xid8 DEFAULT pg_current_xact_id(), UNIQUE (account, note));
       CREATE TABLE late (account text, number integer UNIQUE DEFERRABLE INITIALLY DEFERRED);`,
    );
  });
  afterAll(async () => {
    await pool.end();
    await dropDatabase(databaseUrl);
  });
  beforeEach(async () => {
    await sql(databaseUrl, 'TRUNCATE kept, late');
    overPool = jest.fn(async ({ text }, values) => (await pool.query<never>(text, values)).rows);
    writes = over(databaseUrl);
    await keep('first');
  });
  afterEach(() => connections.close());

  it('are each a transaction of its own', async () => {
    const rows = await Promise.all(accounts(8).map((account) => keep(account)));
    expect(new Set(rows.map(([{ commit }]) => commit)).size).toBe(8);
    expect(overPool).not.toHaveBeenCalled();
  });

  it('are at most eight on a connection and four over the pool; more wait', async () => {
    let [running, most] = [0, 0];
    overPool.mockImplementation(async ({ text }, values) => {
      most = Math.max(most, ++running);
      const { rows } = await pool.query<never>(text, values);
      running--;
      return rows;
    });
    const all = Promise.all(accounts(20).map((account) => keep(account)));
    expect(writes.waiting).toBe(8);
    await all;
    expect(most).toBe(4);
    expect(writes.waiting).toBe(0);
    expect(await notes()).toHaveLength(21);
  });

  it('have no place while they wait for a lock over the pool', async () => {
    const releases = await Promise.all(accounts(12).map(hold));
    const held = accounts(12).map((account) => keep(account));
    await until('they wait over the pool', async () => overPool.mock.calls.length === 12);
    await Promise.all(
      accounts(30)
        .slice(12)
        .map((account) => keep(account)),
    );
    for (const release of releases) await release();
    expect(await Promise.all(held)).toHaveLength(12);
  });

  it('are at most one of an account; its others go over the pool', async () => {
    await Promise.all([keep('a', '1'), keep('a', '2'), keep('b', '1')]);
    expect(overPool.mock.calls.map(([, values]) => values)).toEqual([['a', '2']]);
  });

  it('fail alone', async () => {
    await keep('b');
    const outcomes = await Promise.allSettled([
      keep('a'),
      keep('b'),
      writes.query(LATE, ['c', 1]),
      writes.query(LATE, ['d', 1]),
      keep('e'),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(overPool).not.toHaveBeenCalled();
  });

  it('delay others for the time of a lock once: then the account goes over the pool for a while', async () => {
    const release = await hold('b');
    const [held, others] = [keep('b'), Promise.all([keep('a'), keep('c')])];
    await others;
    await until('it waits over the pool', async () => overPool.mock.calls.length === 1);
    await release();
    expect(await held).toMatchObject([{ note: 'a note' }]);
    await keep('b', 'apart');
    expect(overPool).toHaveBeenCalledTimes(2);
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_500);
    await keep('b', 'back');
    clock.mockRestore();
    expect(overPool).toHaveBeenCalledTimes(2);
  });

  it('that take too long run again over the pool', async () => {
    await connections.close();
    writes = over(databaseUrl, 100);
    expect(await writes.query(SLOW, ['a', 'slow'])).toEqual([{ note: 'slow' }]);
    expect(overPool).toHaveBeenCalledTimes(1);
    expect((await notes()).filter((each) => each === 'a: slow')).toHaveLength(1);
  });

  it('of a session that the server ends: the outcome of one is unknown, the others run over the pool, each once', async () => {
    const outcomes = Promise.allSettled([
      writes.query(SLOW, ['a', 'slow']),
      ...accounts(7).map((account) => keep(account)),
    ]);
    const process =
      "FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(1)%' AND pid <> pg_backend_pid()";
    await until('it runs', async () => {
      return (await sql(databaseUrl, `SELECT pg_terminate_backend(pid) ${process}`)).length > 0;
    });
    const [slow, ...others] = await outcomes;
    expect(slow).toMatchObject({ reason: { code: '57P01' } });
    for (const other of others) expect(other).toMatchObject({ value: [{ note: 'a note' }] });
    expect(overPool).toHaveBeenCalledTimes(7);
    expect((await notes()).sort()).toEqual([...accounts(7), 'first'].map((account) => `${account}: a note`));
  });

  it('of a connection that is lost without an answer are told so, and not run again', async () => {
    const { link, url } = await BreakableLink.to(databaseUrl);
    await connections.close();
    writes = over(url, 5_000, 300);
    await keep('a', 'before');
    link.stall();
    for (const outcome of await Promise.allSettled(accounts(3).map((account) => keep(account))))
      expect(outcome).toMatchObject({ reason: { message: 'Query read timeout' } });
    expect(overPool).not.toHaveBeenCalled();
    await keep('a', 'after');
    await link.close();
  });

  it('go over the pool where there is no connection', async () => {
    await connections.close();
    writes = over(databaseUrl);
    const opening = jest
      .spyOn(PipelinedConnection, 'open')
      .mockRejectedValue(new Error('too many connections'));
    await Promise.all(accounts(3).map((account) => keep(account)));
    opening.mockRestore();
    expect(overPool).toHaveBeenCalledTimes(3);
  });

  it('are never stored twice, and never lost once confirmed, while the server ends sessions', async () => {
    const confirmed: string[] = [];
    const refused: string[] = [];
    let isDone = false;
    const killer = (async () => {
      while (!isDone) {
        await sql(
          databaseUrl,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE query LIKE '%INTO kept%' AND application_name = 'pipelined' AND datname = current_database()`,
        );
        await sleep(10);
      }
    })();
    await connections.close();
    writes = over(`${databaseUrl}?application_name=pipelined`);
    // A busy machine can leave the first rounds alone.
    for (let round = 0; round < 40 || (refused.length === 0 && round < MAX_ROUNDS); round++) {
      await Promise.all(
        accounts(8).map(async (account) => {
          const note = `${round}`;
          await keep(account, note).then(
            () => confirmed.push(`${account}: ${note}`),
            () => refused.push(`${account}: ${note}`),
          );
        }),
      );
    }
    isDone = true;
    await killer;
    const stored = new Set(await notes());
    expect(confirmed.filter((each) => !stored.has(each))).toEqual([]);
    // A repeat of what was stored already would have been refused for its key.
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(confirmed.length);
  });
});
