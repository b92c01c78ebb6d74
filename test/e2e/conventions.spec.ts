import { randomUUID } from 'node:crypto';
import { aCiphertext, anAccount } from '../support/factories';
import { expectFailure } from '../support/failures';
import {
  aHousehold,
  aRecord,
  deleteRecord,
  itemPath,
  RECORD_KINDS,
  REVISED_KINDS,
  updateRecord,
} from '../support/record-kinds';
import { startService, type TestService } from '../support/service';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Malformed ids that reach a route as one path segment. */
const NO_IDS = ['1', 'null', '%00', '%2e%2e%2fx', "'%20OR%201=1--", '%F0%9F%90%B6', 'trends', '%5Bobject%5D'];

let service: TestService;
beforeAll(async () => (service = await startService()));
afterAll(() => service.stop());

describe.each(RECORD_KINDS)('the id of a $name', (kind) => {
  it('is made by the service, ordered by time', async () => {
    const household = await aHousehold(service.api);
    const [first, second] = [
      await aRecord(service.api, kind, household),
      await aRecord(service.api, kind, household),
    ].map((record) => record[kind.idField]);
    expect(first).toMatch(UUID_V7);
    expect(first < second).toBe(true);
  });

  it('may be made by the client, of any version and in either case', async () => {
    const household = await aHousehold(service.api);
    const id = randomUUID();
    const record = await aRecord(service.api, kind, household, { [kind.idField]: id.toUpperCase() });
    expect(record[kind.idField]).toBe(id);
  });

  it('is taken once it is used in the account, in any case', async () => {
    const household = await aHousehold(service.api);
    const record = await aRecord(service.api, kind, household);
    const id = record[kind.idField] as string;
    const before = await service.api.get(kind.collection(household), { token: household.token });
    for (const again of [id, id.toUpperCase()]) {
      const body = { ...kind.body(household), [kind.idField]: again };
      const answer = await service.api.post(kind.collection(household), body, { token: household.token });
      expectFailure(answer, 'id_taken');
    }
    const after = await service.api.get(kind.collection(household), { token: household.token });
    expect(after.body).toEqual(before.body);
  });

  it('may be used by each account for itself', async () => {
    const households = [await aHousehold(service.api), await aHousehold(service.api)];
    const id = randomUUID();
    for (const household of households) await aRecord(service.api, kind, household, { [kind.idField]: id });
    for (const household of households) {
      const list = await service.api.get(kind.collection(household), { token: household.token });
      expect(list.body.filter((record: Record<string, unknown>) => record[kind.idField] === id)).toHaveLength(
        1,
      );
    }
  });

  it.each(['', 'mine', 7, null, '{00000000-0000-4000-8000-000000000000}', '0'.repeat(32)])(
    'is refused as %p',
    async (id) => {
      const household = await aHousehold(service.api);
      const body = { ...kind.body(household), [kind.idField]: id };
      const answer = await service.api.post(kind.collection(household), body, { token: household.token });
      expectFailure(answer, 'validation_failed', kind.idField);
    },
  );
});

describe.each(REVISED_KINDS)('the item of a $name', (kind) => {
  it('is found by its id in either case', async () => {
    const household = await aHousehold(service.api);
    const record = await aRecord(service.api, kind, household);
    const path = itemPath(kind, household, (record[kind.idField] as string).toUpperCase());
    expect((await service.api.get(path, { token: household.token })).body).toEqual(record);
  });

  it('is the same 404 where its id is malformed, unknown, deleted, or of another account', async () => {
    const household = await aHousehold(service.api);
    const deleted = (await aRecord(service.api, kind, household))[kind.idField] as string;
    await deleteRecord(service.api, kind, household, deleted);
    const foreign = (await aRecord(service.api, kind, await aHousehold(service.api)))[kind.idField] as string;
    for (const id of [...NO_IDS, randomUUID(), deleted, foreign]) {
      const path = itemPath(kind, household, id);
      const answers = [
        await service.api.get(path, { token: household.token }),
        await updateRecord(service.api, kind, household, id, kind.update!.change()),
        await updateRecord(service.api, kind, household, id, kind.update!.change(), {
          headers: { 'If-Match': '"1"' },
        }),
        await deleteRecord(service.api, kind, household, id),
        await deleteRecord(service.api, kind, household, id, undefined, { headers: { 'If-Match': '*' } }),
      ];
      for (const answer of answers) {
        expectFailure(answer, 'not_found');
        expect({ ...answer.body, request_id: '' }).toEqual({
          error: 'There is nothing here under this address.',
          code: 'not_found',
          request_id: '',
        });
      }
    }
  });

  it('carries its revision as ETag on every answer', async () => {
    const household = await aHousehold(service.api);
    const id = (await aRecord(service.api, kind, household))[kind.idField] as string;
    for (const revision of [2, 3]) {
      const { headers, body } = await updateRecord(service.api, kind, household, id, kind.update!.change());
      expect([body.revision, headers.get('etag')]).toEqual([revision, `"${revision}"`]);
      const read = await service.api.get(itemPath(kind, household, id), { token: household.token });
      expect([read.body, read.headers.get('etag')]).toEqual([body, `"${revision}"`]);
    }
  });

  it('takes back read-only fields and ignores them, whatever they hold', async () => {
    const household = await aHousehold(service.api);
    const record = await aRecord(service.api, kind, household);
    const id = record[kind.idField] as string;
    const echoed = {
      id: randomUUID(),
      created_at: '1999-01-01T00:00:00Z',
      updated_at: null,
      revision: 99,
      owner_account_id: { any: ['thing'] },
    };
    const change = kind.update!.change();
    const { status, body } = await updateRecord(service.api, kind, household, id, { ...echoed, ...change });
    expect(status).toBe(200);
    expect(body).toEqual({ ...record, ...change, revision: 2, updated_at: body.updated_at });
  });

  it('moves updated_at with an update, and created_at never', async () => {
    const household = await aHousehold(service.api);
    const record = await aRecord(service.api, kind, household);
    const { body } = await updateRecord(
      service.api,
      kind,
      household,
      record[kind.idField],
      kind.update!.change(),
    );
    expect(body.created_at).toBe(record.created_at);
    expect(Date.parse(body.updated_at)).toBeGreaterThanOrEqual(Date.parse(record.updated_at));
  });

  it.each(['constructor', '__proto__', 'prototype', 'toString', 'iv', 'account_id', 'idempotency_key', 'é'])(
    'refuses the unknown field %s by its name and changes nothing',
    async (name) => {
      const household = await aHousehold(service.api);
      const record = await aRecord(service.api, kind, household);
      const id = record[kind.idField] as string;
      const change = JSON.stringify(kind.update!.change());
      const body = `${change.slice(0, -1)},"${name}":{"x":1}}`;
      const field = name === 'é' ? '?' : name;
      expectFailure(await updateRecord(service.api, kind, household, id, body), 'validation_failed', field);
      const read = await service.api.get(itemPath(kind, household, id), { token: household.token });
      expect(read.body).toEqual(record);
    },
  );

  it('is deleted with no body or {}, of whatever type', async () => {
    const household = await aHousehold(service.api);
    for (const [body, type] of [
      [undefined, undefined],
      ['', 'application/json'],
      ['', 'text/plain'],
      ['', 'nonsense'],
      ['', 'application/json; charset=latin1'],
      ['{}', 'application/json'],
      [' { } ', 'application/json; charset=utf-8'],
    ]) {
      const id = (await aRecord(service.api, kind, household))[kind.idField] as string;
      const headers: Record<string, string> = type ? { 'Content-Type': type } : {};
      const answer = await deleteRecord(service.api, kind, household, id, body, { headers });
      expect([answer.status, answer.text]).toEqual([204, '']);
      const read = await service.api.get(itemPath(kind, household, id), { token: household.token });
      expect(read.status).toBe(404);
    }
  });

  it.each([
    ['a field', { reason: 'x' }],
    ['a list', []],
    ['null', null],
  ])('is not deleted with a body that is %s', async (_, body) => {
    const household = await aHousehold(service.api);
    const id = (await aRecord(service.api, kind, household))[kind.idField] as string;
    const field = body && 'reason' in body ? 'reason' : 'body';
    expectFailure(await deleteRecord(service.api, kind, household, id, body), 'validation_failed', field);
    const read = await service.api.get(itemPath(kind, household, id), { token: household.token });
    expect(read.status).toBe(200);
  });
});

describe.each(REVISED_KINDS.filter(({ name }) => name !== 'profile'))('an update of a $name', (kind) => {
  it.each(['{}', '', '{"revision":1,"id":"x"}'])('is refused where it changes nothing: %p', async (body) => {
    const household = await aHousehold(service.api);
    const record = await aRecord(service.api, kind, household);
    expectFailure(
      await updateRecord(service.api, kind, household, record[kind.idField], body),
      'validation_failed',
      'body',
    );
  });
});

describe('public routes', () => {
  it('ignore an Authorization header', async () => {
    const { email, password } = await anAccount(service.api);
    for (const Authorization of ['Bearer x.y.z', 'Basic abc', 'Bearer', '']) {
      const headers = { Authorization };
      const login = await service.api.post('/api/auth/login', { email, password }, { headers });
      expect(login.status).toBe(200);
      expect((await service.api.get('/healthz', { headers })).status).toBe(200);
    }
  });

  it('refuse an unknown field by its name too', async () => {
    const { email, password } = await anAccount(service.api);
    const body = { email, password, otp: aCiphertext(4) };
    expectFailure(await service.api.post('/api/auth/login', body), 'validation_failed', 'otp');
  });
});
