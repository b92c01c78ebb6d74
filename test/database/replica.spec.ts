import { BreakableLink } from '../support/breakable-link';
import { createDatabase, dropDatabase } from '../support/databases';
import { Replica } from '../../libs/database/src/connection/replica';
import type { Executor, Statement } from '../../libs/database/src/connection/statement';

const READ: Statement = { name: 'read', text: "SELECT 'replica' AS source" };

/** A primary that waits for its replica. */
const primary = {
  query: ({ name }) =>
    Promise.resolve([
      name === READ.name ? { source: 'primary' } : { level: 'remote_apply', names: 'the_replica' },
    ]),
} as Executor;

let databaseUrl: string;
let link: BreakableLink;
let url: string;
const replicas: Replica[] = [];
beforeEach(async () => {
  databaseUrl = await createDatabase(false);
  ({ link, url } = await BreakableLink.to(databaseUrl));
});
afterEach(async () => {
  jest.restoreAllMocks();
  for (const replica of replicas.splice(0)) await replica.close();
  await link.close();
  await dropDatabase(databaseUrl);
});

function aReplica(of: Executor, warn = jest.fn()) {
  const replica = new Replica(of, of, { url, warn });
  replicas.push(replica);
  return async (text = READ.text) =>
    (await replica.reader.query<{ source: string }>({ ...READ, text }, []))[0].source;
}

describe('a replica', () => {
  it('that finds nothing leaves it to the primary to say so', async () => {
    const read = aReplica(primary);
    expect(await read(`${READ.text} WHERE false`)).toBe('primary');
  });

  it('that goes away with many reads is reported once, and the primary answers them', async () => {
    const warn = jest.fn();
    const read = aReplica(primary, warn);
    expect(await read()).toBe('replica');

    const reads = Array.from({ length: 50 }, () => read());
    link.cut();
    for (const source of await Promise.all(reads)) expect(source).toBe('primary');
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it.each<[string, () => Promise<never>]>([
    ['cannot be asked', () => Promise.reject(new Error('connection refused'))],
    ['says nothing', () => new Promise(() => undefined)],
  ])('is read for five seconds where the primary %s, and no longer', async (_, ask) => {
    const settings = jest.fn(primary.query.bind(primary));
    const read = aReplica({
      query: (statement, values) =>
        (statement.name === READ.name ? primary : { query: settings }).query(statement, values),
    } as Executor);
    expect(await read()).toBe('replica');
    const begin = Date.now();
    const clock = jest.spyOn(Date, 'now');
    settings.mockImplementation(ask);
    for (const [seconds, source] of [
      [1.1, 'replica'],
      [2.2, 'replica'],
      [5.1, 'primary'],
    ] as const) {
      clock.mockReturnValue(begin + seconds * 1000);
      expect(await read()).toBe(source);
    }
  });
});
