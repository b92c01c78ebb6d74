import { randomUUID } from 'node:crypto';
import { type Check, expectSame, expectTrue, type Subject } from '../check';
import { expectFailure } from '../failures';
import {
  aHousehold,
  aRecord,
  deleteRecord,
  type Household,
  idFieldOf,
  itemPath,
  readRecord,
  type KindUnderTest,
  type Registry,
  updateRecord,
} from '../record-kind';

/** Malformed ids that reach a route as one path segment. */
const NO_IDS = ['1', 'null', '%00', '%2e%2e%2fx', "'%20OR%201=1--", '%F0%9F%90%B6', 'trends', '%5Bobject%5D'];
const UNKNOWN = [
  ...['constructor', '__proto__', 'prototype', 'toString', 'iv', 'account_id', 'idempotency_key'],
  // This name is not ASCII. An error must not repeat arbitrary text of a client.
  'é',
];
const NO_CHANGES = ['{}', '', '{"revision":1,"id":"x"}'];
/** Pairs of a body and a Content-Type that the service treats as no body. */
const EMPTY: [body: string | undefined, type: string | undefined][] = [
  [undefined, undefined],
  ['', 'application/json'],
  ['', 'text/plain'],
  ['', 'nonsense'],
  ['', 'application/json; charset=latin1'],
  ['{}', 'application/json'],
  [' { } ', 'application/json; charset=utf-8'],
];
const NOT_EMPTY: [what: string, body: unknown, field: string][] = [
  ['a field', { reason: 'x' }, 'reason'],
  ['a list', [], 'body'],
  ['null', null, 'body'],
];

/**
 * Reading, updating and deleting one record. Empty for a kind that never changes,
 * because such a kind has no item.
 */
export function itemChecks(subject: Subject, kind: KindUnderTest, registry: Registry): Check[] {
  const { update } = kind;
  if (!update) return [];
  const idField = idFieldOf(kind);
  const household = () => aHousehold(subject().api, registry);
  const set = async () => {
    const home = await household();
    const record = await aRecord(subject().api, kind, home);
    return { home, record, id: record[idField] as string };
  };
  const read = (home: Household, id: string) => readRecord(subject().api, kind, home, id);
  const change = (home: Household, id: string, body: unknown = update.change(), headers = {}) =>
    updateRecord(subject().api, kind, home, id, body, { headers });
  const remove = (home: Household, id: string, body?: unknown, headers = {}) =>
    deleteRecord(subject().api, kind, home, id, body, { headers });
  return [
    {
      name: 'the item is found by its id in either case',
      run: async () => {
        const { home, record, id } = await set();
        expectSame((await read(home, id.toUpperCase())).body, record);
      },
    },
    {
      name: 'the item is the same 404 where its id is malformed, unknown, deleted, or of another account',
      run: async () => {
        const { home, id: deleted } = await set();
        await remove(home, deleted);
        const { id: foreign } = await set();
        for (const id of [...NO_IDS, randomUUID(), deleted, foreign]) {
          const answers = [
            await read(home, id),
            await change(home, id),
            await change(home, id, update.change(), { 'If-Match': '"1"' }),
            await remove(home, id),
            await remove(home, id, undefined, { 'If-Match': '*' }),
          ];
          for (const answer of answers) {
            expectFailure(answer, 'not_found');
            expectSame(
              { ...answer.body, request_id: '' },
              { error: 'There is nothing here under this address.', code: 'not_found', request_id: '' },
            );
          }
        }
      },
    },
    {
      name: 'the item carries its revision as ETag on every answer',
      run: async () => {
        const { home, id } = await set();
        for (const revision of [2, 3]) {
          const { headers, body } = await change(home, id);
          expectSame([body.revision, headers.get('etag')], [revision, `"${revision}"`]);
          const again = await read(home, id);
          expectSame([again.body, again.headers.get('etag')], [body, `"${revision}"`]);
        }
      },
    },
    {
      name: 'the item takes back read-only fields and ignores them, whatever they hold',
      run: async () => {
        const { home, record, id } = await set();
        const echoed = {
          id: randomUUID(),
          created_at: '1999-01-01T00:00:00Z',
          updated_at: null,
          revision: 99,
          owner_account_id: { any: ['thing'] },
        };
        const changed = update.change();
        const { status, body } = await change(home, id, { ...echoed, ...changed });
        expectSame(status, 200);
        expectSame(body, { ...record, ...changed, revision: 2, updated_at: body.updated_at });
      },
    },
    {
      name: 'the item moves updated_at with an update, and created_at never',
      run: async () => {
        const { home, record, id } = await set();
        const { body } = await change(home, id);
        expectSame(body.created_at, record.created_at);
        const isLater = Date.parse(body.updated_at) >= Date.parse(record.updated_at);
        expectTrue(isLater, `updated_at went from ${record.updated_at} to ${body.updated_at}.`);
      },
    },
    ...UNKNOWN.map((field) => ({
      name: `the item refuses the unknown field ${field} by its name and changes nothing`,
      run: async () => {
        const { home, record, id } = await set();
        const body = `${JSON.stringify(update.change()).slice(0, -1)},"${field}":{"x":1}}`;
        expectFailure(await change(home, id, body), 'validation_failed', field === 'é' ? '?' : field);
        expectSame((await read(home, id)).body, record);
      },
    })),
    {
      name: 'the item is deleted with no body or {}, of whatever type',
      run: async () => {
        const home = await household();
        for (const [body, type] of EMPTY) {
          const id = (await aRecord(subject().api, kind, home))[idField] as string;
          const answer = await remove(home, id, body, type ? { 'Content-Type': type } : {});
          expectSame([answer.status, answer.text], [204, '']);
          expectSame((await read(home, id)).status, 404);
        }
      },
    },
    ...NOT_EMPTY.map(([what, body, field]) => ({
      name: `the item is not deleted with a body that is ${what}`,
      run: async () => {
        const { home, id } = await set();
        expectFailure(await remove(home, id, body), 'validation_failed', field);
        expectSame((await read(home, id)).status, 200);
      },
    })),
    ...NO_CHANGES.filter(() => !update.mayBeEmpty).map((body) => ({
      name: `an update is refused where it changes nothing: ${JSON.stringify(body)}`,
      run: async () => {
        const { home, id } = await set();
        expectFailure(await change(home, id, body), 'validation_failed', 'body');
      },
    })),
    {
      name: 'a parameter of the item is refused by its name',
      run: async () => {
        const { home, id } = await set();
        const path = `${itemPath(kind, home, id)}?fields=id&expand=1`;
        const answer = await subject().api.get(path, { token: home.token });
        expectFailure(answer, 'validation_failed', 'fields', 'expand');
      },
    },
  ];
}
