import { randomUUID } from 'node:crypto';
import type { Answer } from '../api';
import { type Check, expectSame, expectTrue, type Subject } from '../check';
import { sql } from '../databases';
import { expectFailure } from '../failures';
import {
  aHousehold,
  createRecord,
  deleteRecord,
  type Household,
  idFieldOf,
  listRecords,
  type KindUnderTest,
  type Registry,
  updateRecord,
} from '../record-kind';

const ALLOWED_KEYS = ['!', '~'.repeat(255), '"a,b;c=d"', '__proto__'];
const REFUSED_KEYS = ['', 'x'.repeat(256), 'a b', 'a\tb', '\u00e9'];
const AT_ONCE = 20;

const isReplay = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true';

/** The effect of an `Idempotency-Key` on a create that is sent again. */
export function idempotencyChecks(subject: Subject, kind: KindUnderTest, registry: Registry): Check[] {
  const idField = idFieldOf(kind);
  const household = () => aHousehold(subject().api, registry);
  const create = (home: Household, key: string, body: unknown) =>
    createRecord(subject().api, kind, home, body, { headers: { 'Idempotency-Key': key } });
  const listOf = (home: Household) => listRecords(subject().api, kind, home);
  const expectCreated = (answer: Answer) => expectSame([answer.status, isReplay(answer)], [201, false]);
  return [
    {
      name: 'the Idempotency-Key makes a repeat answer with the record, and says so',
      run: async () => {
        const home = await household();
        const [key, body, before] = [randomUUID(), kind.body(home), await listOf(home)];
        const first = await create(home, key, body);
        expectCreated(first);
        for (let repeat = 0; repeat < 2; repeat++) {
          const again = await create(home, key, body);
          expectSame([again.status, isReplay(again), again.body], [201, true, first.body]);
          expectSame(again.headers.get('etag'), first.headers.get('etag'));
        }
        expectSame((await listOf(home)).length, before.length + 1);
      },
    },
    {
      name: 'the Idempotency-Key makes a repeat with an id of the client answer with the record, not that the id is taken',
      run: async () => {
        const home = await household();
        const body = { ...kind.body(home), [idField]: randomUUID() };
        const first = await create(home, 'k', body);
        const again = await create(home, 'k', body);
        expectSame([again.status, again.body], [201, first.body]);
        expectFailure(await create(home, 'another', body), 'id_taken');
      },
    },
    {
      name: 'the Idempotency-Key is refused with another body, and nothing is created',
      run: async () => {
        const home = await household();
        await create(home, 'k', kind.body(home));
        const before = await listOf(home);
        const other = { ...kind.body(home), [idField]: randomUUID() };
        expectFailure(await create(home, 'k', other), 'idempotency_conflict');
        expectSame(await listOf(home), before);
      },
    },
    {
      name: 'the Idempotency-Key is scoped to the account',
      run: async () => {
        for (const home of [await household(), await household()])
          expectCreated(await create(home, 'k', kind.body(home)));
      },
    },
    {
      name: 'the Idempotency-Key is scoped to the path',
      run: async () => {
        const home = await household();
        for (const each of registry.kinds) {
          const headers = { 'Idempotency-Key': 'one-key-for-all' };
          expectCreated(await createRecord(subject().api, each, home, each.body(home), { headers }));
        }
        expectTrue(registry.kinds.includes(kind), `The registry lacks the ${kind.name}.`);
      },
    },
    {
      name: 'the Idempotency-Key is not spent by a request that was refused',
      run: async () => {
        const home = await household();
        expectFailure(await create(home, 'k', {}), 'validation_failed');
        expectFailure(await create(home, 'k', '{'), 'malformed_json');
        expectCreated(await create(home, 'k', kind.body(home)));
      },
    },
    {
      name: 'the Idempotency-Key is erased with the record',
      run: async () => {
        const home = await household();
        const body = kind.body(home);
        const { [idField]: id } = (await create(home, 'k', body)).body as Record<string, string>;
        await deleteRecord(subject().api, kind, home, id);
        const again = await create(home, 'k', body);
        expectCreated(again);
        expectTrue(again.body[idField] !== id, 'The deleted record came back with its id.');
      },
    },
    {
      name: 'the Idempotency-Key counts for 24 hours',
      run: async () => {
        const home = await household();
        const body = kind.body(home);
        const { [idField]: id } = (await create(home, 'k', body)).body as Record<string, string>;
        const age = (interval: string) =>
          sql(
            subject().databaseUrl,
            `UPDATE ${kind.table} SET created_at = now() - interval '${interval}' WHERE id = $1`,
            [id],
          );
        await age('23 hours 59 minutes');
        expectSame((await create(home, 'k', body)).body[idField], id);
        await age('24 hours 1 second');
        const late = await create(home, 'k', body);
        expectCreated(late);
        expectTrue(late.body[idField] !== id, 'A key of yesterday was taken for one of today.');
        expectSame((await create(home, 'k', body)).body, late.body);
        const ids = (await listOf(home)).map((record) => record[idField] as string);
        expectTrue(ids.includes(id), 'The first record is gone.');
      },
    },
    {
      name: `the Idempotency-Key makes ${AT_ONCE} requests at once create one record and answer alike`,
      run: async () => {
        const home = await household();
        const [body, before] = [kind.body(home), await listOf(home)];
        const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => create(home, 'k', body)));
        expectSame(
          answers.map(({ status }) => status),
          Array(AT_ONCE).fill(201),
        );
        expectSame(new Set(answers.map(({ text }) => text)).size, 1);
        expectSame(answers.filter(isReplay).length, AT_ONCE - 1);
        expectSame((await listOf(home)).length, before.length + 1);
      },
    },
    {
      name: 'the Idempotency-Key may be any visible ASCII, of 1 to 255 characters',
      run: async () => {
        const home = await household();
        for (const key of ALLOWED_KEYS) expectCreated(await create(home, key, kind.body(home)));
      },
    },
    ...REFUSED_KEYS.map((key) => ({
      name: `the Idempotency-Key is refused as ${JSON.stringify(key)}`,
      run: async () => {
        const home = await household();
        const before = await listOf(home);
        expectFailure(await create(home, key, kind.body(home)), 'validation_failed', 'Idempotency-Key');
        expectSame(await listOf(home), before);
      },
    })),
    ...(kind.update
      ? [
          {
            name: 'the Idempotency-Key answers with the record as it is now',
            run: async () => {
              const home = await household();
              const body = kind.body(home);
              const { [idField]: id } = (await create(home, 'k', body)).body as Record<string, string>;
              const change = kind.update!.change();
              const { body: updated } = await updateRecord(subject().api, kind, home, id, change);
              const again = await create(home, 'k', body);
              expectSame([again.status, again.body, again.headers.get('etag')], [201, updated, '"2"']);
            },
          },
        ]
      : []),
  ];
}
