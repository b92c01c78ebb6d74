import { BreakableLink } from '../support/breakable-link';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { until } from '../support/until';
import type { Statement } from '../../libs/database/src/connection/statement';
import { PipelinedConnection } from '../../libs/database/src/connection/pipeline/pipelined-connection';
import { PipelinedConnections } from '../../libs/database/src/connection/pipeline/pipelined-connections';

const ECHO: Statement = { name: 'echo', text: 'SELECT $1::text AS value, $2::integer AS number' };
const ROWS: Statement = {
  name: 'rows',
  text: "SELECT n, repeat($2, n % 700) AS pad, timestamptz '2026-11-20 12:45:00.5+00' AS at FROM generate_series(1, $1::integer) n",
};
const DIVIDE: Statement = { name: 'divide', text: 'SELECT 1 / $1::integer AS quotient' };
const SLEEP: Statement = { name: 'sleep', text: 'SELECT $1::text AS value, pg_sleep($2::float8)' };
const INSTANT: Statement = { name: 'instant', text: 'SELECT $1::timestamptz AS at' };
const LATER: Statement = { name: 'later', text: 'SELECT made FROM made_later' };

describe('pipelined connections', () => {
  let databaseUrl: string;
  let link: BreakableLink;
  let linkUrl: string;
  let connections: PipelinedConnections;

  const over = (count: number, query_timeout?: number) =>
    new PipelinedConnections(
      { connectionString: linkUrl, application_name: 'pipelined', options: '-c TimeZone=UTC', query_timeout },
      count,
    );
  const echoes = (count: number) =>
    Array.from({ length: count }, (_, n) => connections.query(ECHO, [`text ${n}`, n]));

  beforeAll(async () => (databaseUrl = await createDatabase(false)));
  afterAll(() => dropDatabase(databaseUrl));
  beforeEach(async () => {
    ({ link, url: linkUrl } = await BreakableLink.to(databaseUrl));
    connections = over(2);
  });
  afterEach(async () => {
    await connections.close();
    await link.close();
  });

  it('answer each of many reads at once with its own rows', async () => {
    await until('both are open', async () => {
      expect(await Promise.all(echoes(500))).toEqual(
        Array.from({ length: 500 }, (_, n) => [{ value: `text ${n}`, number: n }]),
      );
      return connections.open === 2;
    });
  });

  it('send what is asked in one turn of the event loop in one piece', async () => {
    const connection = await over(1).openAnother();
    await connection.query(ECHO, ['a', 1]);
    const socket = (connection as unknown as { socket: { bytesWritten: number; writableLength: number } })
      .socket;
    const before = socket.bytesWritten - socket.writableLength;
    const reads = Array.from({ length: 10 }, (_, n) => connection.query(ECHO, ['a', n]));
    expect(socket.bytesWritten - socket.writableLength).toBe(before);
    await Promise.all(reads);
    await connection.close();
  });

  it.each([
    ['ASCII', 'x'],
    ['other letters', 'ß'],
  ])('read an answer that comes in many pieces, in %s', async (_, letter) => {
    const rows = await connections.query<{ n: number; pad: string; at: string }>(ROWS, [3000, letter]);
    expect(rows).toHaveLength(3000);
    for (const { n, pad, at } of rows)
      expect([pad, at]).toEqual([letter.repeat(n % 700), '2026-11-20T12:45:00.500Z']);
  });

  it('let a read that fails spoil no other', async () => {
    const reads = [1, 0, 2, 0, 4].map((divisor) => connections.query(DIVIDE, [divisor]));
    const outcomes = await Promise.allSettled(reads);
    expect(outcomes).toMatchObject([
      { value: [{ quotient: 1 }] },
      { reason: { code: '22012' } },
      { value: [{ quotient: 0 }] },
      { reason: { code: '22012' } },
      { value: [{ quotient: 0 }] },
    ]);
  });

  it('fail alone where a value cannot be read', async () => {
    const reads = ['infinity', '2026-11-20'].map((text) => connections.query(INSTANT, [text]));
    const [first, second] = await Promise.allSettled(reads);
    expect(first.status).toBe('rejected');
    expect(second).toMatchObject({ value: [{ at: '2026-11-20T00:00:00.000Z' }] });
  });

  it('refuse a value that cannot be written, and go on', async () => {
    const endless: Record<string, unknown> = {};
    endless.itself = endless;
    const one = over(1);
    const outcomes = await Promise.allSettled([
      one.query(ECHO, ['a', 1]),
      one.query(ECHO, [endless, 2]),
      one.query(ECHO, ['c', 3]),
    ]);
    expect(outcomes[0]).toMatchObject({ value: [{ value: 'a', number: 1 }] });
    expect(outcomes[1]).toMatchObject({ status: 'rejected' });
    await until('the statement is known again', () =>
      one.query(ECHO, ['d', 4]).then(
        () => true,
        () => false,
      ),
    );
    await one.close();
  });

  it('run a statement that could not be prepared at first, as soon as it can be', async () => {
    const one = over(1);
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 3 }, () => one.query(LATER, [])),
      one.query(ECHO, ['a', 1]),
    ]);
    expect(outcomes[0]).toMatchObject({ reason: { code: '42P01' } });
    // What counted on the preparation was not run either.
    for (const outcome of outcomes.slice(1, 3)) expect(outcome).toMatchObject({ reason: { code: '26000' } });
    expect(outcomes[3]).toMatchObject({ value: [{ value: 'a', number: 1 }] });
    await sql(databaseUrl, "CREATE TABLE made_later AS SELECT 'yes' AS made");
    expect(await one.query(LATER, [])).toEqual([{ made: 'yes' }]);
    await one.close();
  });

  it('fail once where a migration has changed what a statement gives, and then read it as it is', async () => {
    const one = over(1);
    await sql(databaseUrl, 'CREATE TABLE changing AS SELECT 1::integer AS number');
    const read: Statement = { name: 'changing', text: 'SELECT * FROM changing' };
    expect([await one.query(read, []), await one.query(read, [])]).toEqual([
      [{ number: 1 }],
      [{ number: 1 }],
    ]);
    await sql(databaseUrl, "ALTER TABLE changing ALTER number TYPE text USING 'many'");
    await expect(one.query(read, [])).rejects.toMatchObject({ code: '0A000' });
    for (let count = 0; count < 2; count++) expect(await one.query(read, [])).toEqual([{ number: 'many' }]);
    await one.close();
  });

  it('prepare again what the server has forgotten', async () => {
    const one = over(1);
    await one.query(ECHO, ['a', 1]);
    await one.query({ name: 'forget', text: 'DEALLOCATE ALL' }, []);
    await expect(one.query(ECHO, ['a', 1])).rejects.toMatchObject({ code: '26000' });
    expect(await one.query(ECHO, ['a', 1])).toEqual([{ value: 'a', number: 1 }]);
    await one.close();
  });

  describe('whose server process is disturbed while many reads are on the way', () => {
    const process = "FROM pg_stat_activity WHERE query LIKE '%pg_sleep($2%' AND pid <> pg_backend_pid()";

    /** A slow read, and quick ones behind it on the same connection. */
    async function disturb(how: 'pg_terminate_backend' | 'pg_cancel_backend') {
      const one = over(1);
      await one.query(ECHO, ['a', 1]);
      const reads = Promise.allSettled([
        one.query(SLEEP, ['slow', 5]),
        ...Array.from({ length: 20 }, (_, n) => one.query(ECHO, [`text ${n}`, n])),
      ]);
      await until(
        'it sleeps',
        async () => (await sql(databaseUrl, `SELECT ${how}(pid) ${process}`)).length > 0,
      );
      const outcomes = await reads;
      expect(await one.query(ECHO, ['b', 2])).toEqual([{ value: 'b', number: 2 }]);
      await one.close();
      return outcomes;
    }

    it('ended: the one that ran fails, and the others are known not to have run', async () => {
      const [slow, ...others] = await disturb('pg_terminate_backend');
      expect(slow).toMatchObject({ reason: { code: '57P01' } });
      for (const other of others) expect(other).toMatchObject({ reason: { name: 'NotRunError' } });
    });

    it('cancelled: the others get their own rows', async () => {
      const [slow, ...others] = await disturb('pg_cancel_backend');
      expect(slow).toMatchObject({ reason: { code: '57014' } });
      others.forEach((other, n) =>
        expect(other).toMatchObject({ value: [{ value: `text ${n}`, number: n }] }),
      );
    });
  });

  it('give nobody the rows of another while connections end under load', async () => {
    let ending: Promise<unknown> = Promise.resolve();
    const ends = setInterval(
      () =>
        void (ending = sql(
          databaseUrl,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pipelined' AND datname = current_database() ORDER BY random() LIMIT 1",
        ).catch(() => undefined)),
      20,
    );
    let answered = 0;
    let failed = 0;
    for (let round = 0; round < 60; round++) {
      const outcomes = await Promise.allSettled(echoes(40));
      outcomes.forEach((outcome, n) => {
        if (outcome.status === 'fulfilled') {
          expect(outcome.value).toEqual([{ value: `text ${n}`, number: n }]);
          answered++;
        } else failed++;
      });
    }
    clearInterval(ends);
    await ending;
    expect(answered).toBeGreaterThan(100);
    expect(failed).toBeGreaterThan(0);
  });

  it('fail what waits when the connection breaks, and connect again for the next read', async () => {
    await connections.query(ECHO, ['a', 1]);
    const outcomes = Promise.allSettled(Array.from({ length: 10 }, () => connections.query(SLEEP, ['a', 5])));
    await until('the reads have begun', async () => {
      const sleeping = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
      return (await sql(databaseUrl, sleeping)).length > 0;
    });
    link.cut();
    for (const { status } of await outcomes) expect(status).toBe('rejected');
    await expect(connections.query(ECHO, ['a', 1])).rejects.toThrow();
    link.mend();
    expect(await connections.query(ECHO, ['a', 1])).toEqual([{ value: 'a', number: 1 }]);
  });

  it('end a connection whose server does not answer in time', async () => {
    const impatient = over(1, 300);
    await impatient.query(ECHO, ['a', 1]);
    link.stall();
    const reads = [impatient.query(ECHO, ['a', 1]), impatient.query(ECHO, ['b', 2])];
    for (const outcome of await Promise.allSettled(reads))
      expect(outcome).toMatchObject({ reason: { message: 'Query read timeout' } });
    expect(await impatient.query(ECHO, ['a', 1])).toEqual([{ value: 'a', number: 1 }]);
    await impatient.close();
  });

  it('let a read take as long as the time for an answer, and none wait longer behind slow ones', async () => {
    const patient = over(1, 1000);
    await patient.query(SLEEP, ['a', 0.8]);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => patient.query(SLEEP, ['a', 0.4])),
    );
    expect(outcomes[0].status).toBe('fulfilled');
    expect(outcomes[4]).toMatchObject({ reason: { message: 'Query read timeout' } });
    await patient.close();
  });

  it('answer what was asked before they are closed, and nothing after', async () => {
    const one = over(1);
    await one.query(ECHO, ['a', 1]);
    const last = one.query(ECHO, ['b', 2]);
    await Promise.resolve();
    await one.close();
    expect(await last).toEqual([{ value: 'b', number: 2 }]);
    await expect(one.query(ECHO, ['c', 3])).rejects.toThrow('Client was closed');
  });

  it('close although the server does not answer', async () => {
    const one = over(1);
    await one.query(ECHO, ['a', 1]);
    link.stall();
    const outcome = one.query(ECHO, ['a', 1]).catch((error: Error) => error.message);
    await one.close();
    expect(await outcome).toMatch(/^Connection terminated/);
  });

  it('ask a database that refuses a further connection for one no more than once a second', async () => {
    await connections.query(ECHO, ['a', 1]);
    const opening = jest
      .spyOn(PipelinedConnection, 'open')
      .mockRejectedValue(new Error('too many connections'));
    for (let count = 0; count < 20; count++) await Promise.all(echoes(2));
    expect(opening.mock.calls.length).toBeLessThan(5);
    opening.mockRestore();
  });

  it('refuse reads when too many wait', async () => {
    const one = over(1);
    await one.query(ECHO, ['a', 1]);
    const outcomes = await Promise.allSettled(Array.from({ length: 1_200 }, () => one.query(ECHO, ['a', 1])));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(200);
    expect(refused[0]).toMatchObject({ reason: { code: 'overloaded' } });
    await one.close();
  });
});
