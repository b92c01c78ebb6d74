import { BreakableLink } from '../../../../test/support/breakable-link';
import { createDatabase, dropDatabase, sql } from '../../../../test/support/databases';
import { until } from '../../../../test/support/until';
import type { Statement } from '../statement';
import { Lane } from './lane';
import { Lanes } from './lanes';

const ECHO: Statement = { name: 'echo', text: 'SELECT $1::text AS value, $2::integer AS number' };
const ROWS: Statement = {
  name: 'rows',
  text: "SELECT n, repeat($2, n % 700) AS pad, timestamptz '2026-11-20 12:45:00.5+00' AS at FROM generate_series(1, $1::integer) n",
};
const DIVIDE: Statement = { name: 'divide', text: 'SELECT 1 / $1::integer AS quotient' };
const SLEEP: Statement = { name: 'sleep', text: 'SELECT pg_sleep($1::float8)' };
const MEMBERS: Statement = { name: 'members', text: 'SELECT unnest($1::text[]) AS member' };
const INSTANT: Statement = { name: 'instant', text: 'SELECT $1::timestamptz AS at' };
const TWICE: Statement = { name: 'twice', text: "SELECT 1 AS one, 2 AS one, 'three' AS three" };
const LATER: Statement = { name: 'later', text: 'SELECT made FROM made_later' };

describe('lanes', () => {
  let databaseUrl: string;
  let link: BreakableLink;
  let linkUrl: string;
  let lanes: Lanes;

  function lanesOf(count: number, settings = '') {
    return new Lanes({ connectionString: linkUrl + settings, options: '-c TimeZone=UTC' }, count);
  }

  beforeAll(async () => {
    databaseUrl = await createDatabase(false);
  });
  afterAll(() => dropDatabase(databaseUrl));
  beforeEach(async () => {
    ({ link, url: linkUrl } = await BreakableLink.to(databaseUrl));
    lanes = lanesOf(2);
  });
  afterEach(async () => {
    await lanes.close();
    await link.close();
  });

  it('answers each of many reads at once with its own rows', async () => {
    await until('both lanes are open', async () => {
      const reads = Array.from({ length: 500 }, (_, n) => lanes.query(ECHO, [`text ${n}`, n]));
      const rows = await Promise.all(reads);
      expect(rows).toEqual(Array.from({ length: 500 }, (_, n) => [{ value: `text ${n}`, number: n }]));
      return lanes.open === 2;
    });
  });

  it.each([
    ['a text that is not ASCII', 'ä€😀"\\'],
    ['an empty text', ''],
    ['a null', null],
  ])('gives back %s', async (_, value) => {
    expect(await lanes.query(ECHO, [value, null])).toEqual([{ value, number: null }]);
  });

  it('reads a list member by member, whatever stands in it', async () => {
    const members = ['a,b', '{"c"}', '\\', '', 'NULL'];
    const rows = await lanes.query<{ member: string }>(MEMBERS, [members]);
    expect(rows.map(({ member }) => member)).toEqual(members);
  });

  it.each([
    ['ASCII', 'x'],
    ['other letters', 'ß'],
  ])('reads an answer that comes in many pieces, in %s', async (_, letter) => {
    const rows = await lanes.query<{ n: number; pad: string; at: string }>(ROWS, [3000, letter]);
    expect(rows).toHaveLength(3000);
    for (const { n, pad, at } of rows)
      expect([pad, at]).toEqual([letter.repeat(n % 700), '2026-11-20T12:45:00.500Z']);
  });

  it('lets a read that fails spoil no other', async () => {
    const reads = [1, 0, 2, 0, 4].map((divisor) => lanes.query<{ quotient: number }>(DIVIDE, [divisor]));
    const outcomes = await Promise.allSettled(reads);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(outcomes[1]).toMatchObject({ reason: { code: '22012', severity: 'ERROR' } });
    expect(await lanes.query(DIVIDE, [1])).toEqual([{ quotient: 1 }]);
  });

  it('fails alone where a value cannot be read', async () => {
    const reads = ['infinity', '2026-11-20'].map((text) => lanes.query(INSTANT, [text]));
    const [first, second] = await Promise.allSettled(reads);
    expect(first.status).toBe('rejected');
    expect(second).toMatchObject({ value: [{ at: '2026-11-20T00:00:00.000Z' }] });
  });

  it('has of two columns of one name the later, and the others as they are', async () => {
    expect(await lanes.query(TWICE, [])).toEqual([{ one: 2, three: 'three' }]);
  });

  it('runs a statement that could not be prepared at first, for which all that counted on it fail alike', async () => {
    const one = lanesOf(1);
    const reads = Array.from({ length: 3 }, () => one.query(LATER, []));
    for (const outcome of await Promise.allSettled(reads))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: '42P01' } });
    await one.close();
    await expect(lanes.query(LATER, [])).rejects.toMatchObject({ code: '42P01' });
    await sql(databaseUrl, "CREATE TABLE made_later AS SELECT 'yes' AS made");
    expect(await lanes.query(LATER, [])).toEqual([{ made: 'yes' }]);
  });

  it.each([
    ['an instant', new Date('2026-11-20T12:45:00.5Z'), '2026-11-20T12:45:00.500+00:00'],
    ['bytes', Buffer.from([0, 1, 255]), '\\x0001ff'],
    ['a large number', 2n ** 62n, '4611686018427387904'],
    ['an object, which is JSON', { a: 'b' }, '{"a":"b"}'],
    ['a truth', true, 'true'],
    ['nothing', undefined, null],
  ])('sends %s as the pool does', async (_, value, text) => {
    expect(await lanes.query(ECHO, [value, null])).toEqual([{ value: text, number: null }]);
  });

  it('fails once where a migration has changed what a statement gives, and then reads it as it is', async () => {
    const one = lanesOf(1);
    await sql(
      databaseUrl,
      "CREATE TABLE changing AS SELECT timestamptz '2026-11-20 12:45:00+00' AS at, 1::integer AS number",
    );
    const read: Statement = { name: 'changing', text: 'SELECT * FROM changing' };
    const before = { at: '2026-11-20T12:45:00.000Z', number: 1 };
    expect([await one.query(read, []), await one.query(read, [])]).toEqual([[before], [before]]);
    await sql(
      databaseUrl,
      "ALTER TABLE changing ALTER at TYPE text USING 'then', ALTER number TYPE text USING 'many'",
    );
    await expect(one.query(read, [])).rejects.toMatchObject({ code: '0A000' });
    for (let count = 0; count < 2; count++)
      expect(await one.query(read, [])).toEqual([{ at: 'then', number: 'many' }]);
    await one.close();
  });

  it('prepares again what the server has forgotten', async () => {
    const one = lanesOf(1);
    await one.query(ECHO, ['a', 1]);
    await one.query({ name: 'forget', text: 'DEALLOCATE ALL' }, []);
    await expect(one.query(ECHO, ['a', 1])).rejects.toMatchObject({ code: '26000' });
    expect(await one.query(ECHO, ['a', 1])).toEqual([{ value: 'a', number: 1 }]);
    await one.close();
  });

  it('refuses a value that it cannot write, and goes on', async () => {
    const endless: Record<string, unknown> = {};
    endless.itself = endless;
    await expect(lanes.query(ECHO, ['a', endless])).rejects.toThrow(TypeError);
    expect(await lanes.query(ECHO, ['a', 1])).toEqual([{ value: 'a', number: 1 }]);
  });

  it('fails what waits when the connection breaks, and connects again for the next read', async () => {
    const reads = Array.from({ length: 10 }, () => lanes.query(SLEEP, [5]));
    const outcomes = Promise.allSettled(reads);
    await until('the reads have begun', async () => {
      const sleeping = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
      return (await sql(databaseUrl, sleeping)).length > 0;
    });
    link.cut();
    for (const { status } of await outcomes) expect(status).toBe('rejected');
    await expect(lanes.query(ECHO, ['a', 1])).rejects.toThrow();
    link.mend();
    expect(await lanes.query(ECHO, ['a', 1])).toEqual([{ value: 'a', number: 1 }]);
  });

  it('gives a silent server up after the time for an answer', async () => {
    const impatient = lanesOf(1, '?query_timeout=300');
    await impatient.query(ECHO, ['a', 1]);
    link.stall();
    await expect(impatient.query(ECHO, ['a', 1])).rejects.toThrow('Query read timeout');
    expect(await impatient.query(ECHO, ['a', 1])).toEqual([{ value: 'a', number: 1 }]);
    await impatient.close();
  });

  it('lets a read take as long as the time for an answer', async () => {
    const patient = lanesOf(1, '?query_timeout=1000');
    await patient.query(SLEEP, [0.4]);
    expect(await patient.query(SLEEP, [0.8])).toHaveLength(1);
    await patient.close();
  });

  it('lets no read wait longer than that behind slow ones', async () => {
    const impatient = lanesOf(1, '?query_timeout=1000');
    await impatient.query(ECHO, ['a', 1]);
    const reads = Array.from({ length: 5 }, () => impatient.query(SLEEP, [0.4]));
    const outcomes = await Promise.allSettled(reads);
    expect(outcomes[0].status).toBe('fulfilled');
    expect(outcomes[4]).toMatchObject({ status: 'rejected', reason: { message: 'Query read timeout' } });
    await impatient.close();
  });

  it('answers what was asked before it is closed, and nothing after', async () => {
    const one = new Lanes({ connectionString: databaseUrl }, 1);
    await one.query(ECHO, ['a', 1]);
    const last = one.query(ECHO, ['b', 2]);
    // One turn of promises later it has been asked, and not been sent yet.
    await Promise.resolve();
    await one.close();
    expect(await last).toEqual([{ value: 'b', number: 2 }]);
    await expect(one.query(ECHO, ['c', 3])).rejects.toThrow('Client was closed');
  });

  it('closes although the server has vanished', async () => {
    const one = lanesOf(1);
    await one.query(ECHO, ['a', 1]);
    link.stall();
    const outcome = one.query(ECHO, ['a', 1]).catch((error: Error) => error.message);
    await one.close();
    expect(await outcome).toMatch(/^Connection terminated/);
  });

  it('asks a database that refuses another connection for one no more than once a second', async () => {
    await lanes.query(ECHO, ['a', 1]);
    const opening = jest.spyOn(Lane, 'open').mockRejectedValue(new Error('too many connections'));
    for (let count = 0; count < 20; count++)
      await Promise.all([lanes.query(ECHO, ['a', 1]), lanes.query(ECHO, ['b', 2])]);
    expect(opening.mock.calls.length).toBeLessThan(5);
    opening.mockRestore();
  });

  it('turns reads away when too many wait', async () => {
    const one = lanesOf(1);
    await one.query(ECHO, ['a', 1]);
    const reads = Array.from({ length: 1_200 }, () => one.query(ECHO, ['a', 1]));
    const outcomes = await Promise.allSettled(reads);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(200);
    expect(refused[0]).toMatchObject({ reason: { code: 'overloaded' } });
    await one.close();
  });
});
