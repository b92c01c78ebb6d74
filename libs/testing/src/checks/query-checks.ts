import { type Check, expectSame, type Subject } from '../check';
import { expectFailure } from '../failures';
import {
  aHousehold,
  aRecord,
  collectionPath,
  listRecords,
  type KindUnderTest,
  type Registry,
} from '../record-kind';

const UNKNOWN = ['limi', 'profile', 'constructor', '__proto__', 'toString', 'hasOwnProperty', 'profile_id[]'];
const WRONG = [
  ...['limit=0', 'limit=1001', 'limit=-1', 'limit=1.5', 'limit=ten', 'limit=', 'limit=1&limit=2'],
  ...['limit=%2B5', 'cursor=', 'cursor=nothing', 'cursor=MjAyNi0xMS0yMFQwODowMDowMFogeA'],
  ...['updated_since=yesterday', 'updated_since=2026-02-30T00:00:00Z', 'updated_since=2026-01-01'],
  'updated_since=0',
];
const NO_ONES_ID = '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c11';

/** The query parameters that a list accepts, and those that it refuses by name. */
export function queryChecks(subject: Subject, kind: KindUnderTest, registry: Registry): Check[] {
  const household = () => aHousehold(subject().api, registry);
  const refused = async (query: string, ...fields: string[]) => {
    const home = await household();
    const path = `${collectionPath(kind, home)}?${query}`;
    expectFailure(await subject().api.get(path, { token: home.token }), 'validation_failed', ...fields);
  };
  const common: Check[] = [
    ...UNKNOWN.map((name) => ({
      name: `the list refuses the unknown parameter ${name} by its name`,
      run: () => refused(`${encodeURIComponent(name)}=1`, name),
    })),
    {
      name: 'the list names every parameter that is wrong',
      run: () => refused('limit=0&cursor=x&updated_since=y&z=1', 'limit', 'cursor', 'updated_since', 'z'),
    },
    ...WRONG.map((query) => ({
      name: `the list refuses ?${query}`,
      run: () => refused(query, query.split('=')[0]),
    })),
    {
      name: 'a create refuses a parameter by its name, and creates nothing',
      run: async () => {
        const home = await household();
        const before = await listRecords(subject().api, kind, home);
        const path = `${collectionPath(kind, home)}?dry_run=true`;
        const answer = await subject().api.post(path, kind.body(home), { token: home.token });
        expectFailure(answer, 'validation_failed', 'dry_run');
        expectSame(await listRecords(subject().api, kind, home), before);
      },
    },
  ];
  if (kind.under !== 'profile') return common;
  return [
    ...common,
    {
      name: 'the list finds nothing for a profile that is not the caller’s',
      run: async () => {
        const [home, other] = [await household(), await household()];
        await aRecord(subject().api, kind, home);
        await aRecord(subject().api, kind, other);
        for (const profile of [other.profileId, NO_ONES_ID]) {
          const path = `${collectionPath(kind, home)}?profile_id=${profile}`;
          const answer = await subject().api.get(path, { token: home.token });
          expectSame([answer.status, answer.body], [200, []]);
        }
      },
    },
    ...['', 'mine', `${NO_ONES_ID}%20`].map((profile) => ({
      name: `the list refuses a profile that is no UUID: ${JSON.stringify(profile)}`,
      run: () => refused(`profile_id=${profile}`, 'profile_id'),
    })),
  ];
}
