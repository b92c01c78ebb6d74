import { generateRecoveryPhrase, type HealthRecordsClient } from '@app/client';
import { forEachTest } from '../support/devices';
import { openClient, type Person } from '../support/people';
import type { Proxy } from '../support/proxy';

/** After a theft: another account key, other profile keys, another password and other words, and all records sealed anew. */
let proxy: Proxy;
let person: Person;
let phone: HealthRecordsClient;
let tablet: HealthRecordsClient;

forEachTest((devices) => ({ proxy, person, phone, tablet } = devices));

const NEW_PASSWORD = 'another long password of the family';
const sync = async (...devices: HealthRecordsClient[]) => {
  for (const device of devices) await device.sync.now();
};
const aMedicine = (device: HealthRecordsClient, name: string) =>
  device.medications.create({ profileId: person.profileId, route: 'oral', schedule: null, details: { name } });
const namesOf = async (device: HealthRecordsClient) =>
  (await device.medications.list()).map(({ details }) => details.name).sort();
const problemsOf = ({ sync: { status } }: HealthRecordsClient) => [status.failure, status.problems];

async function rotate(device = phone, wasStolen = false): Promise<string> {
  const recoveryPhrase = await generateRecoveryPhrase();
  const currentPassword = person.password;
  await device.rotateKeys({ currentPassword, newPassword: NEW_PASSWORD, recoveryPhrase, wasStolen });
  return recoveryPhrase;
}

/** What the service stores of the account, as it gives it to a device. */
async function stored(device: HealthRecordsClient): Promise<any[]> {
  const { body } = await device.request({ method: 'GET', path: '/api/sync' });
  return (body as any).changes;
}

it('seals all records anew, on the device that replaced the keys, and every device reads them', async () => {
  const medicine = await aMedicine(phone, 'Warfarin');
  await phone.healthStats.create({
    profileId: person.profileId,
    recordedAt: new Date().toISOString(),
    details: { metric: "weight", values: { value: 70 }, unit: "kg" },
  });
  await phone.medications.logDose(medicine.id, { taken: true });
  await sync(phone, tablet);
  const before = await stored(phone);
  await rotate();
  await sync(phone);
  expect(problemsOf(phone)).toEqual([null, []]);
  const after = await stored(phone);
  for (const { id, record } of before) {
    const now = after.find((each) => each.id === id).record;
    const [was, is] = [record, now].map((each) => each.encrypted_data ?? each.proof ?? each.name_data);
    expect(is).not.toEqual(was);
  }
  expect(await namesOf(phone)).toEqual(['Warfarin']);
  expect((await phone.medications.doses(medicine.id)).map(({ confirmed }) => confirmed)).toEqual([true]);

  const fresh = openClient(proxy.url);
  await fresh.login(person.email, NEW_PASSWORD);
  expect(await namesOf(fresh)).toEqual(['Warfarin']);
  expect((await fresh.medications.doses(medicine.id)).map(({ confirmed }) => confirmed)).toEqual([true]);
});

it('ends the other sessions; the other device goes on after a sign-in, and sends what it had not sent', async () => {
  const medicine = await aMedicine(phone, 'Warfarin');
  const other = await aMedicine(phone, 'Calcium');
  const third = await aMedicine(phone, 'Iron');
  await sync(phone, tablet);
  await aMedicine(tablet, 'Insulin');
  await tablet.medications.update(await tablet.medications.get(medicine.id), { details: { notes: 'at night' } });
  await tablet.medications.delete(await tablet.medications.get(other.id));
  await tablet.medications.logDose(third.id, { taken: true });
  const child = await tablet.profiles.create({ details: { name: 'Lena' } });
  await tablet.medications.create({
    profileId: child.id,
    route: 'oral',
    schedule: null,
    details: { name: 'Calpol' },
  });
  await rotate();
  await sync(phone);
  await expect(tablet.account()).rejects.toMatchObject({ code: 'session_ended' });
  await tablet.login(person.email, NEW_PASSWORD);
  await sync(tablet);
  expect(problemsOf(tablet)).toEqual([null, []]);
  expect(tablet.sync.status.pending).toBe(0);
  await sync(phone);
  expect(await namesOf(phone)).toEqual(['Calpol', 'Insulin', 'Iron', 'Warfarin']);
  expect((await phone.medications.get(medicine.id)).details.notes).toBe('at night');
  expect((await phone.medications.doses(third.id)).map(({ confirmed }) => confirmed)).toEqual([true]);
  expect((await phone.profiles.list()).map(({ details }) => details.name)).toContain('Lena');
  expect(problemsOf(phone)).toEqual([null, []]);
});
