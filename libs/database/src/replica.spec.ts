import { BreakableLink } from '../../../test/support/breakable-link';
import { createDatabase, dropDatabase } from '../../../test/support/databases';
import type { Executor } from './database';
import { Replica } from './replica';
import type { Statement } from './statement';

const READ: Statement = { name: 'read', text: "SELECT 'replica' AS source" };

/** A primary that waits for its replica. */
const primary = {
  query: ({ name }) =>
    Promise.resolve([
      name === READ.name ? { source: 'primary' } : { level: 'remote_apply', names: 'the_replica' },
    ]),
} as Executor;

describe('a replica', () => {
  it('that goes away with many reads is reported once, and the primary answers them', async () => {
    const databaseUrl = await createDatabase(false);
    const { link, url } = await BreakableLink.to(databaseUrl);
    const warn = jest.fn();
    const replica = new Replica(primary, { url, warn });
    const read = () => replica.query<{ source: string }>(READ, []);
    expect(await read()).toEqual([{ source: 'replica' }]);

    const reads = Array.from({ length: 50 }, read);
    link.cut();
    for (const rows of await Promise.all(reads)) expect(rows).toEqual([{ source: 'primary' }]);
    expect(warn).toHaveBeenCalledTimes(1);

    await replica.close();
    await link.close();
    await dropDatabase(databaseUrl);
  });
});
