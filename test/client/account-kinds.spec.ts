import {
  defineRecordKind,
  generateRecoveryPhrase,
  type HealthRecordsClient,
  type HealthRecordsClientOptions,
} from '@app/client';
import { memoryOfflineStore } from '@app/client/offline';
import { CONTACTS } from '../support/contacts/contacts.domain';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { aPerson, openClient, type Person } from '../support/people';
import { type ServiceHere, startServiceHere } from '../support/service-here';

/** Records that belong to the account itself: their key follows from the account key, also after a theft. */
const CONTACT = defineRecordKind({
  kind: 'contact',
  plural: 'contacts',
  owner: 'account',
  details: { name: 'text', phone: 'text?' },
});
const PASSWORDS = ['another long password of the family', 'a third long password of the family'];

let service: ServiceHere;
let databaseUrl: string;
let person: Person;
let phone: HealthRecordsClient;
beforeAll(async () => {
  databaseUrl = await createDatabase(false);
  service = await startServiceHere({ DATABASE_URL: databaseUrl }, undefined, CONTACTS);
});
afterAll(async () => {
  await service.stop();
  await dropDatabase(databaseUrl);
});
beforeEach(async () => {
  const options = { kinds: [CONTACT], offline: memoryOfflineStore(), retry: { attempts: 1 } };
  person = await aPerson(service.api.url, {}, options);
  phone = person.client;
  phone.sync.stop();
  await phone.sync.now();
});

async function aDevice(password = person.password, options: Partial<HealthRecordsClientOptions> = {}) {
  const device = openClient(service.api.url, { kinds: [CONTACT], ...options });
  await device.login(person.email, password);
  device.sync.stop();
  return device;
}
const sync = async (...devices: HealthRecordsClient[]) => {
  for (const device of devices) await device.sync.now();
};
const namesOf = async (device: HealthRecordsClient) =>
  (await device.collection(CONTACT).list()).map(({ details }) => details.name).sort();
const problemsOf = ({ sync: { status } }: HealthRecordsClient) => [status.failure, status.problems];
async function rotate(device: HealthRecordsClient, from: string, to: string) {
  const recoveryPhrase = await generateRecoveryPhrase();
  const secrets = { currentPassword: from, newPassword: to, recoveryPhrase, wasStolen: true };
  await device.rotateKeys(secrets);
}
const ciphertexts = () => sql<{ encrypted_data: string }>(databaseUrl, 'SELECT encrypted_data FROM contacts');
afterEach(() => sql(databaseUrl, 'DELETE FROM contacts'));

it('are sealed anew after a replacement of all keys, and read by every device before and after', async () => {
  await phone.collection(CONTACT).create({ details: { name: 'Clinic' } });
  await sync(phone);
  const before = await ciphertexts();
  await rotate(phone, person.password, PASSWORDS[0]);
  // The sync that seals it anew has not run: a device without a copy opens it with the former key of the trust book.
  expect(await ciphertexts()).toEqual(before);
  const other = await aDevice(PASSWORDS[0]);
  expect(await namesOf(other)).toEqual(['Clinic']);
  await sync(phone);
  expect(problemsOf(phone)).toEqual([null, []]);
  expect(await ciphertexts()).not.toEqual(before);
  const fresh = await aDevice(PASSWORDS[0]);
  expect(await namesOf(fresh)).toEqual(['Clinic']);
  expect(await namesOf(phone)).toEqual(['Clinic']);
  // A ciphertext under the former key, which a thief may have, is believed no more.
  await sql(databaseUrl, 'UPDATE contacts SET encrypted_data = $1', [before[0].encrypted_data]);
  await expect(namesOf(await aDevice(PASSWORDS[0]))).rejects.toMatchObject({ code: 'tampered' });
});

it('outlive two replacements without a sync between that could seal them anew', async () => {
  await phone.collection(CONTACT).create({ details: { name: 'Clinic' } });
  await sync(phone);
  await rotate(phone, person.password, PASSWORDS[0]);
  // A client that does not know the kind replaces all keys, and can seal nothing of it anew.
  const without = openClient(service.api.url, { offline: memoryOfflineStore() });
  await without.login(person.email, PASSWORDS[0]);
  without.sync.stop();
  await rotate(without, PASSWORDS[0], PASSWORDS[1]);
  await without.sync.now();
  const fresh = await aDevice(PASSWORDS[1], { offline: memoryOfflineStore() });
  expect(await namesOf(fresh)).toEqual(['Clinic']);
  await sync(fresh);
  expect(problemsOf(fresh)).toEqual([null, []]);
  expect(await namesOf(await aDevice(PASSWORDS[1]))).toEqual(['Clinic']);
});

it('that wait on another device are sent after its next sign-in', async () => {
  const tablet = await aDevice(person.password, { offline: memoryOfflineStore() });
  const { id } = await phone.collection(CONTACT).create({ details: { name: 'Clinic' } });
  await sync(phone, tablet);
  await tablet.collection(CONTACT).create({ details: { name: 'Aunt' } });
  const contacts = tablet.collection(CONTACT);
  await contacts.update(await contacts.get(id), { details: { phone: '112' } });
  await rotate(phone, person.password, PASSWORDS[0]);
  await sync(phone);
  await tablet.login(person.email, PASSWORDS[0]);
  await sync(tablet);
  expect(problemsOf(tablet)).toEqual([null, []]);
  expect(tablet.sync.status.pending).toBe(0);
  await sync(phone);
  expect(await namesOf(phone)).toEqual(['Aunt', 'Clinic']);
  expect((await phone.collection(CONTACT).get(id)).details.phone).toBe('112');
});

it('are merged where two devices have changed one, and an older state is noticed', async () => {
  const tablet = await aDevice(person.password, { offline: memoryOfflineStore() });
  const { id } = await phone.collection(CONTACT).create({ details: { name: 'Clinic' } });
  await sync(phone, tablet);
  const [old] = await ciphertexts();
  for (const [device, details] of [
    [phone, { phone: '112' }],
    [tablet, { name: 'Hospital' }],
  ] as const) {
    const contacts = device.collection(CONTACT);
    await contacts.update(await contacts.get(id), { details });
  }
  await sync(phone, tablet, phone);
  expect((await phone.collection(CONTACT).get(id)).details).toMatchObject({ name: 'Hospital', phone: '112' });
  expect(problemsOf(phone)).toEqual([null, []]);
  await sql(databaseUrl, 'UPDATE contacts SET encrypted_data = $1, revision = revision + 1', [
    old.encrypted_data,
  ]);
  await sync(phone, phone);
  expect(phone.sync.status.problems.map(({ code }) => code)).toEqual(['rolled_back']);
  expect((await phone.collection(CONTACT).get(id)).details.name).toBe('Hospital');
});

it('open in their own place only', async () => {
  const contact = await phone.collection(CONTACT).create({ details: { name: 'Clinic' } });
  expect(contact.profileId).toBe((await phone.account()).id);
  await phone.collection(CONTACT).create({ details: { name: 'Aunt' } });
  await sync(phone);
  const [one, other] = await ciphertexts();
  const swap = 'UPDATE contacts SET encrypted_data = CASE encrypted_data WHEN $1 THEN $2 ELSE $1 END';
  await sql(databaseUrl, swap, [one.encrypted_data, other.encrypted_data]);
  await expect(namesOf(await aDevice())).rejects.toMatchObject({ code: 'tampered' });
});
