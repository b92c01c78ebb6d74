import { finite, integer, looseObject, number, object, optional, pipe, string } from 'valibot';
import type { HealthRecordsClient } from '../client';
import { clientOf, EMAIL, PASSWORD, registered } from '../testing/fake-client';
import type { FakeService } from '../testing/fake-service';
import { defineRecordKind } from './record-kind';

const ALLERGY = defineRecordKind({
  kind: 'allergy',
  plural: 'allergies',
  details: { substance: 'text', mine: 'number?', since: 'date?' },
  fields: { status: 'text', first_seen: 'date?' },
});
const CONTACT = defineRecordKind({
  kind: 'emergency-contact',
  plural: 'emergency-contacts',
  owner: 'account',
  details: { name: 'text' },
});
// With a schema in place of the members.
const READING = defineRecordKind({
  kind: 'eye-reading',
  plural: 'eye-readings',
  details: looseObject({
    side: string(),
    value: pipe(number(), integer()),
    at: optional(looseObject({ room: string() })),
  }),
});

let service: FakeService;
let client: HealthRecordsClient;
let profileId: string;
beforeAll(async () => {
  ({ service, profileId } = await registered());
  client = clientOf(service, { kinds: [ALLERGY, CONTACT] });
  await client.login(EMAIL, PASSWORD);
});

it('a module of its own has a collection: encrypted, checked, typed', async () => {
  const allergies = client.collection(ALLERGY);
  const created = await allergies.create({
    profileId,
    status: 'active',
    firstSeen: null,
    details: { substance: 'Canarine' },
  });
  const updated = await allergies.update(created, { details: { mine: 7 } });
  expect(updated.details).toEqual({ substance: 'Canarine', mine: 7 });
  expect(await allergies.list({ profileId })).toEqual([updated]);
  expect(await allergies.list({ status: 'active' })).toEqual([updated]);
  expect(await allergies.list({ status: 'gone' })).toEqual([]);
  await expect(allergies.list({ substance: 'x' } as never)).rejects.toMatchObject({
    code: 'invalid_argument',
  });
  expect(service.wire).not.toMatch(/canarine/i);
  const given = { profileId, status: 'active', firstSeen: null, details: { substance: 'Canarine' } };
  for (const wrong of [
    { details: { substance: '' } },
    { details: { mine: 7 } },
    { details: { substance: 'x', mine: '7' } },
    { details: { substance: 'x', since: '2026-02-30' } },
    { status: 7 },
    { firstSeen: 'yesterday' },
    { first_seen: '2026-01-01' },
  ])
    await expect(allergies.create({ ...given, ...wrong } as never)).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  await expect(allergies.update(updated, { details: { substance: undefined } })).rejects.toMatchObject({
    code: 'invalid_argument',
  });
  const [stored] = service.records.get('allergies')!;
  stored.status = 'gone';
  const device = clientOf(service, { kinds: [ALLERGY, CONTACT] });
  await device.login(EMAIL, PASSWORD);
  // The sealed value is authoritative.
  expect(await device.collection(ALLERGY).get(created.id)).toMatchObject({
    status: 'active',
    altered: ['status'],
  });
  stored.status = 'active';
});

it('a kind with a schema of Standard Schema is checked by it, where something is given anew', async () => {
  const other = clientOf(service, { kinds: [READING] });
  await other.login(EMAIL, PASSWORD);
  const readings = other.collection(READING);
  const given = { side: 'left', value: 7, ofAnother: { any: [1] } };
  const created = await readings.create({ profileId, details: given });
  expect(created.details).toEqual(given);
  for (const details of [{ side: 'left' }, { ...given, value: 1.5 }, { ...given, at: { room: 7 } }])
    await expect(readings.create({ profileId, details } as never)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringMatching(/"(value|at\.room)"/),
    });
  // As an older version of the application stored it.
  const odd = await readings.restore({ profileId, details: { ...given, value: 1.5 } });
  const updated = await readings.update(odd, { details: { side: 'right' } });
  expect(updated.details).toEqual({ ...given, side: 'right', value: 1.5 });
  await expect(readings.update(updated, { details: { value: 2.5 } })).rejects.toMatchObject({
    code: 'invalid_argument',
  });
  // Without a member that each must have, it is no record.
  await expect(readings.restore({ profileId, details: { side: 'left' } } as never)).rejects.toMatchObject({
    code: 'invalid_argument',
  });
  for (const { id } of [created, updated]) await readings.delete(id);
});

it('refuses a schema that takes the members for what lost a conflict', () => {
  const details = object({ history: pipe(number(), finite()) });
  expect(() => defineRecordKind({ kind: 'x', plural: 'xs', details })).toThrow(/"history" cannot be/);
});

it('tells of its own writes, also without an offline store', async () => {
  const told: object[] = [];
  const end = client.on('records-changed', (change) => told.push(change));
  const allergies = client.collection(ALLERGY);
  const created = await allergies.create({
    profileId,
    status: 'active',
    firstSeen: null,
    details: { substance: 'Latex' },
  });
  await allergies.delete(created.id);
  const medication = await client.medications.create({
    profileId,
    route: 'oral',
    schedule: null,
    details: { name: 'Canarine' },
  });
  await client.medications.logDose(medication.id, { taken: true });
  await client.medications.delete(medication.id);
  end();
  expect(told).toEqual([
    { kinds: ['allergy'] },
    { kinds: ['allergy'] },
    { kinds: ['medication'] },
    { kinds: ['dose'], dosesOf: [medication.id] },
    { kinds: ['medication'] },
  ]);
});

it('its records are in an export, and nothing of a file is lost in silence', async () => {
  const document = await client.transfer.exportAll();
  const [{ records }] = document.profiles;
  expect(records).toEqual({
    allergy: [
      {
        id: expect.any(String),
        fields: { status: 'active', first_seen: null },
        details: { substance: 'Canarine', mine: 7 },
      },
    ],
  });
  const file = new TextEncoder().encode(await client.transfer.exportReadable());
  const other = clientOf(service, { kinds: [ALLERGY, CONTACT] });
  await other.register({ email: 'eve@example.org', password: PASSWORD, recoveryPhrase: null });
  const read = await other.transfer.readFile(file);
  expect(read.profiles).toEqual(document.profiles);
  expect(await other.transfer.importAll(read)).toEqual({ created: 2, skipped: 0 });
  expect((await other.collection(ALLERGY).list())[0].details).toEqual({ substance: 'Canarine', mine: 7 });
  const without = clientOf(service);
  await without.login(EMAIL, PASSWORD);
  await expect(without.transfer.exportAll()).rejects.toMatchObject({ code: 'export_incomplete', records: 1 });
  const told: object[] = [];
  const rest = await without.transfer.exportAll({ onLeftOut: (leftOut) => told.push(leftOut) });
  expect([told, rest.profiles.length]).toEqual([[{ records: 1 }], 1]);
  const before = service.requests.length;
  await expect(without.transfer.importAll(read)).rejects.toMatchObject({ code: 'import_kind_unknown' });
  expect(service.requests).toHaveLength(before);
  expect(() => without.collection(ALLERGY)).toThrow(/allergy/);
});

it('a kind of the account needs no profile, and opens in no other account', async () => {
  const contacts = client.collection(CONTACT);
  const created = await contacts.create({ details: { name: 'Canary Clinic' } });
  const updated = await contacts.update(created, { details: { phone: '112' } });
  expect(updated.details).toEqual({ name: 'Canary Clinic', phone: '112' });
  const device = clientOf(service, { kinds: [ALLERGY, CONTACT] });
  await device.login(EMAIL, PASSWORD);
  expect(await device.collection(CONTACT).list()).toEqual([updated]);
  expect(service.wire).not.toMatch(/canary clinic/i);
  for (const odd of [{ profileId, details: { name: 'x' } }, { details: {} }])
    await expect(contacts.create(odd as never)).rejects.toMatchObject({ code: 'invalid_argument' });
  await expect(contacts.list({ profileId })).rejects.toMatchObject({ code: 'invalid_argument' });
  const [stored] = service.records.get('emergency-contacts')!;
  const document = await client.transfer.exportAll();
  expect(document.records).toEqual({
    'emergency-contact': [{ id: created.id, fields: {}, details: updated.details }],
  });
  const other = clientOf(service, { kinds: [ALLERGY, CONTACT] });
  await other.register({ email: 'ida@example.org', password: PASSWORD, recoveryPhrase: null });
  await expect(
    other.transfer.importAll({ ...document, profiles: [], records: { allergy: [] } }),
  ).rejects.toMatchObject({
    code: 'import_kind_unknown',
  });
  expect(await other.transfer.importAll({ ...document, profiles: [] })).toEqual({ created: 1, skipped: 0 });
  const [own] = await other.collection(CONTACT).list();
  expect(own.details).toEqual(updated.details);
  const ofOther = service.records.get('emergency-contacts')!.find((each) => each !== stored)!;
  ofOther.encrypted_data = stored.encrypted_data;
  await expect(other.collection(CONTACT).get(own.id)).rejects.toMatchObject({ code: 'tampered' });
  await contacts.delete(updated);
  expect(await contacts.list()).toEqual([]);
});

it.each(['details', 'profile_id', 'created_at', 'pending', 'doubt', 'aB'])(
  'refuses %p as the name of a field',
  (name) => {
    const kind = { kind: 'allergy', plural: 'allergies', details: {}, fields: { [name]: 'text' } } as const;
    expect(() => defineRecordKind(kind)).toThrow(/cannot be the name/);
  },
);

it.each(['profile', 'dose', 'Allergy', 'a\nb', ''])('refuses %p as the name of a kind', (kind) => {
  expect(() => defineRecordKind({ kind, plural: 'allergies', details: {} })).toThrow(/cannot be the name/);
});

it('sends requests of its own with the session, to plain paths of the service only', async () => {
  const { status, body } = await client.request({ method: 'GET', path: '/api/users/me' });
  expect([status, (body as { email: string }).email]).toEqual([200, EMAIL]);
  service.expireAccessTokens();
  expect((await client.request({ method: 'GET', path: '/api/users/me' })).status).toBe(200);
  const before = service.requests.length;
  for (const path of [
    '//evil.example/api/',
    '/api/../x',
    '/api/a%2Fb',
    '/x',
    '/api/a?b=c',
    '/api/.',
    'api/x',
  ]) {
    await expect(client.request({ method: 'GET', path })).rejects.toMatchObject({ code: 'invalid_argument' });
  }
  const odd = { method: 'GET', path: '/api/users/me', accessToken: 'x' } as never;
  await expect(client.request(odd)).rejects.toMatchObject({ code: 'invalid_argument' });
  expect(service.requests).toHaveLength(before);
});
