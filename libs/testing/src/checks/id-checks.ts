import { randomUUID } from 'node:crypto';
import { type Check, expectSame, expectTrue, type Subject } from '../check';
import { expectFailure } from '../failures';
import {
  aHousehold,
  aRecord,
  createRecord,
  idFieldOf,
  listRecords,
  type KindUnderTest,
  type Registry,
} from '../record-kind';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NO_UUIDS = ['', 'mine', 7, null, '{00000000-0000-4000-8000-000000000000}', '0'.repeat(32)];

/** The client or the service makes the id of a record, and only valid ids are accepted. */
export function idChecks(subject: Subject, kind: KindUnderTest, registry: Registry): Check[] {
  const idField = idFieldOf(kind);
  const household = () => aHousehold(subject().api, registry);
  return [
    {
      name: 'the id is made by the service, ordered by time',
      run: async () => {
        const home = await household();
        const first = (await aRecord(subject().api, kind, home))[idField] as string;
        const second = (await aRecord(subject().api, kind, home))[idField] as string;
        expectTrue(UUID_V7.test(first), `${first} is no UUIDv7.`);
        expectTrue(first < second, `${first} is not before ${second}.`);
      },
    },
    {
      name: 'the id may be made by the client, of any version and in either case',
      run: async () => {
        const id = randomUUID();
        const sent = { [idField]: id.toUpperCase() };
        expectSame((await aRecord(subject().api, kind, await household(), sent))[idField], id);
      },
    },
    {
      name: 'the id is taken once it is used in the account, in any case',
      run: async () => {
        const [{ api }, home] = [subject(), await household()];
        const id = (await aRecord(api, kind, home))[idField] as string;
        const before = await listRecords(api, kind, home);
        for (const again of [id, id.toUpperCase()]) {
          const body = { ...kind.body(home), [idField]: again };
          expectFailure(await createRecord(api, kind, home, body), 'id_taken');
        }
        expectSame(await listRecords(api, kind, home), before);
      },
    },
    {
      name: 'the id may be used by each account for itself',
      run: async () => {
        const homes = [await household(), await household()];
        const id = randomUUID();
        for (const home of homes) await aRecord(subject().api, kind, home, { [idField]: id });
        for (const home of homes) {
          const list = await listRecords(subject().api, kind, home);
          expectSame(list.filter((record) => record[idField] === id).length, 1);
        }
      },
    },
    ...NO_UUIDS.map((id) => ({
      name: `the id is refused as ${JSON.stringify(id)}`,
      run: async () => {
        const home = await household();
        const answer = await createRecord(subject().api, kind, home, { ...kind.body(home), [idField]: id });
        expectFailure(answer, 'validation_failed', idField);
      },
    })),
  ];
}
