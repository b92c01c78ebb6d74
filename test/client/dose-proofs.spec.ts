import type { HealthRecordsClient } from '@app/client';
import { memoryOfflineStore } from '@app/client/offline';
import { newId } from '../../libs/client/src/ids';
import { aPhoneAndATablet } from '../support/devices';
import { aPerson, openClient, type Person } from '../support/people';
import { anEmail } from '../support/factories';
import { type SharedService, sharedService } from '../support/service';

/** Doses are plaintext: only their proofs tell which of them a device has written. */
let service: SharedService;
beforeAll(async () => (service = await sharedService()));

const MORNING = new Date(Date.now() - 3_600_000).toISOString();

async function aMedicine(client: HealthRecordsClient, profileId: string): Promise<string> {
  const details = { name: 'Warfarin' };
  return (await client.medications.create({ profileId, route: 'oral', schedule: null, details })).id;
}

/** What the service can do of itself: a dose that no device of this library has written. */
async function invent({ client }: Pick<Person, 'client'>, medicationId: string, dose: object) {
  await client.request({
    method: 'POST',
    path: `/api/medications/${medicationId}/log`,
    body: { taken: true, loggedAt: MORNING, ...dose },
  });
}

async function remove({ client }: Pick<Person, 'client'>, medicationId: string, id: string) {
  await client.request({ method: 'POST', path: `/api/medications/${medicationId}/log/${id}/delete` });
}

const seen = async (client: HealthRecordsClient, medicationId: string) =>
  (await client.medications.doses(medicationId)).map(({ id, taken, confirmed, doubt }) => {
    return { id, taken, confirmed, ...(doubt && { doubt: doubt.code }) };
  });

/** A device with a cache, one without, and a new one of each. */
async function aFamily() {
  const { person, phone, tablet } = await aPhoneAndATablet(service.api.url);
  const id = await aMedicine(phone, person.profileId);
  await phone.sync.now();
  const web = openClient(service.api.url);
  await web.login(person.email, person.password);
  const [profile] = await web.profiles.list();
  await web.medications.list();
  return { person, phone, tablet, web, id, profileId: profile.id };
}

it('proves each dose, and confirms it on every device', async () => {
  const { phone, tablet, web, id } = await aFamily();
  const one = await phone.medications.logDose(id, { taken: true, loggedAt: MORNING });
  await phone.sync.now();
  const two = await web.medications.logDose(id, { taken: false });
  expect([one, two]).toMatchObject([
    { confirmed: true, pending: true },
    { confirmed: true, proof: expect.stringMatching(/^.{76}$/) },
  ]);
  const expected = [two, one].map((dose) => ({ id: dose.id, taken: dose.taken, confirmed: true }));
  for (const device of [phone, tablet]) {
    await device.sync.now();
    expect(await seen(device, id)).toEqual(expected);
    expect(device.sync.status.problems).toEqual([]);
  }
  expect(await seen(web, id)).toEqual(expected);
});

it('does not confirm or count a dose that the service has invented', async () => {
  const { person, phone, web, id } = await aFamily();
  const own = await web.medications.logDose(id, { taken: true });
  const invented = newId();
  await invent(person, id, { id: invented });
  await invent(person, id, { id: newId(), proof: own.proof });
  for (let time = 0; time < 2; time += 1) await phone.sync.now();
  const unproven = { taken: true, confirmed: false, doubt: 'unproven' };
  for (const device of [phone, web]) {
    expect(await seen(device, id)).toEqual([
      { id: own.id, taken: true, confirmed: true },
      { ...unproven, id: expect.any(String) },
      { ...unproven, id: expect.any(String) },
    ]);
  }
  expect(await phone.medications.adherence(id)).toMatchObject({ takenDoses: 1, totalLogged: 1 });
  expect(phone.sync.status.problems).toMatchObject([
    { code: 'unproven', kind: 'dose', resolutions: ['retry', 'keep', 'discard'] },
    { code: 'unproven' },
  ]);
});

it('asks the person about a dose without a proof', async () => {
  const { person, phone, tablet, web, id } = await aFamily();
  const [right, wrong] = [newId(), newId()];
  await invent(person, id, { id: right, taken: false });
  await invent(person, id, { id: wrong });
  for (let time = 0; time < 2; time += 1) await phone.sync.now();
  const { problems } = phone.sync.status;
  await phone.sync.resolve(problems.find(({ recordId }) => recordId === right)!.id, 'keep');
  await phone.sync.resolve(problems.find(({ recordId }) => recordId === wrong)!.id, 'discard');
  for (let time = 0; time < 2; time += 1) await phone.sync.now();
  await tablet.sync.now();
  for (const device of [phone, tablet, web]) {
    expect(await seen(device, id)).toEqual([{ id: expect.any(String), taken: false, confirmed: true }]);
  }
  for (const device of [phone, tablet])
    expect(device.sync.status).toMatchObject({ pending: 0, problems: [] });
});

it('keeps what it knows of a dose that the service has changed', async () => {
  const { person, phone, tablet, web, id } = await aFamily();
  const dose = await phone.medications.logDose(id, { taken: false, loggedAt: MORNING });
  await phone.sync.now();
  const [{ proof }] = await web.medications.doses(id);
  await remove(person, id, dose.id);
  await invent(person, id, { id: dose.id, taken: true, proof });
  for (let time = 0; time < 2; time += 1) await phone.sync.now();
  expect(await seen(phone, id)).toEqual([{ id: dose.id, taken: false, confirmed: true, doubt: 'unproven' }]);
  expect(await phone.medications.adherence(id)).toMatchObject({ takenDoses: 0, skippedDoses: 1 });
  await tablet.sync.now();
  const flipped = { id: dose.id, taken: true, confirmed: false, doubt: 'unproven' };
  expect(await seen(tablet, id)).toEqual([flipped]);
  expect(await seen(web, id)).toEqual([flipped]);
  // The person says that the phone is right, and every device hears it.
  const [problem] = phone.sync.status.problems;
  expect(problem.resolutions).toEqual(['retry', 'keep']);
  await phone.sync.resolve(problem.id, 'keep');
  for (let time = 0; time < 2; time += 1) await phone.sync.now();
  for (let time = 0; time < 2; time += 1) await tablet.sync.now();
  for (const device of [phone, tablet, web]) {
    expect(await seen(device, id)).toEqual([{ id: expect.any(String), taken: false, confirmed: true }]);
  }
});

it('believes a deletion that a device has sealed, and no other', async () => {
  const { person, phone, tablet, web, id } = await aFamily();
  const made: string[] = [];
  for (const device of [phone, web, phone]) {
    made.push((await device.medications.logDose(id, { taken: true, loggedAt: MORNING })).id);
  }
  await phone.sync.now();
  await tablet.sync.now();
  await phone.medications.deleteDose(id, made[0]);
  await web.medications.deleteDose(id, made[1]);
  await phone.sync.now();
  await remove(person, id, made[2]);
  for (let time = 0; time < 2; time += 1) await tablet.sync.now();
  expect(await seen(tablet, id)).toEqual([
    { id: made[2], taken: true, confirmed: true, doubt: 'deletion_unproven' },
  ]);
  const [problem] = tablet.sync.status.problems;
  expect(problem).toMatchObject({ code: 'deletion_unproven', recordId: made[2] });
  await tablet.sync.resolve(problem.id, 'keep');
  for (const device of [tablet, phone, phone]) await device.sync.now();
  for (const device of [tablet, phone, web]) {
    expect(await seen(device, id)).toEqual([{ id: made[2], taken: true, confirmed: true }]);
    if (device !== web) expect(device.sync.status.problems).toEqual([]);
  }
});

it('takes a deletion that the person accepts as made on every device', async () => {
  const { person, phone, tablet, id } = await aFamily();
  const dose = await phone.medications.logDose(id, { taken: true, loggedAt: MORNING });
  await phone.sync.now();
  await tablet.sync.now();
  await remove(person, id, dose.id);
  for (let time = 0; time < 2; time += 1) await phone.sync.now();
  await phone.sync.resolve(phone.sync.status.problems[0].id, 'discard');
  await phone.sync.now();
  for (let time = 0; time < 2; time += 1) await tablet.sync.now();
  for (const device of [phone, tablet]) {
    expect(await seen(device, id)).toEqual([]);
    expect(device.sync.status.problems).toEqual([]);
  }
});

it('does not count a deleted dose that the service brings back, and can make it anew', async () => {
  const { person, phone, tablet, web, id } = await aFamily();
  const { id: doseId, proof } = await web.medications.logDose(id, { taken: true, loggedAt: MORNING });
  await web.medications.deleteDose(id, doseId);
  await invent(person, id, { id: doseId, proof });
  expect(await seen(web, id)).toEqual([{ id: doseId, taken: true, confirmed: false, doubt: 'rolled_back' }]);
  for (const device of [phone, tablet]) {
    for (let time = 0; time < 2; time += 1) await device.sync.now();
    expect(await seen(device, id)).toEqual([]);
    expect(device.sync.status.problems).toMatchObject([{ code: 'rolled_back', recordId: doseId }]);
  }
  await remove(person, id, doseId);
  await web.medications.logDose(id, { taken: true, loggedAt: MORNING, id: doseId });
  for (const device of [phone, tablet]) {
    await device.sync.now();
    expect(await seen(device, id)).toEqual([{ id: doseId, taken: true, confirmed: true }]);
  }
});

it('keeps a proof when the medicine moves to another profile', async () => {
  const { phone, tablet, web, id } = await aFamily();
  await web.medications.logDose(id, { taken: true, loggedAt: MORNING });
  const other = await web.profiles.create({ details: { name: 'Ben' } });
  await web.medications.update(await web.medications.get(id), { profileId: other.id });
  await web.medications.logDose(id, { taken: false });
  for (const device of [phone, tablet]) await device.sync.now();
  for (const device of [phone, tablet, web]) {
    expect((await seen(device, id)).map(({ confirmed }) => confirmed)).toEqual([true, true]);
  }
});

it('counts a dose without a proof from before the first proof of the account, and none from after it', async () => {
  const secrets = { email: anEmail(), password: 'correct horse battery staple' };
  // A registration with a profile says that each dose has a proof. Older clients have not said so, as here.
  const client = openClient(service.api.url);
  await client.register({ ...secrets, recoveryPhrase: null });
  const { id: profileId } = await client.profiles.create({ details: { name: 'Ada' } });
  const id = await aMedicine(client, profileId);
  const [old, late] = [newId(), newId()];
  await invent({ client }, id, { id: old });
  const phone = openClient(service.api.url, { offline: memoryOfflineStore() });
  await phone.login(secrets.email, secrets.password);
  phone.sync.stop();
  await phone.sync.now();
  const before = { id: old, taken: true, confirmed: true };
  for (const device of [client, phone]) expect(await seen(device, id)).toEqual([before]);
  const proven = await client.medications.logDose(id, { taken: false });
  await invent({ client }, id, { id: late, loggedAt: new Date(Date.now() + 60_000).toISOString() });
  await phone.sync.now();
  const tablet = openClient(service.api.url);
  await tablet.login(secrets.email, secrets.password);
  for (const device of [client, phone, tablet]) {
    expect(await seen(device, id)).toEqual([
      { id: late, taken: true, confirmed: false, doubt: 'unproven' },
      { id: proven.id, taken: false, confirmed: true },
      before,
    ]);
  }
  // What this device has seen of an old dose stays.
  await remove({ client }, id, old);
  await invent({ client }, id, { id: old, taken: false });
  await phone.sync.now();
  expect((await seen(phone, id)).at(-1)).toEqual({ ...before, doubt: 'stale_revision' });
});

it('exports what is not confirmed as such, and imports it nowhere', async () => {
  const { person, web, id } = await aFamily();
  const own = await web.medications.logDose(id, { taken: true, loggedAt: MORNING });
  await invent(person, id, { id: newId() });
  const document = await web.transfer.exportAll();
  const doses = document.profiles.flatMap(({ medications }) => medications).flatMap((each) => each.doses);
  expect(doses.map(({ confirmed }) => confirmed).sort()).toEqual([false, undefined]);
  const { client } = await aPerson(service.api.url);
  const file = await web.transfer.readFile(new TextEncoder().encode(JSON.stringify(document)));
  for (const profile of file.profiles) {
    profile.id = newId();
    for (const each of profile.medications) {
      each.id = newId();
      for (const dose of each.doses) dose.id = newId();
    }
  }
  expect(await client.transfer.importAll(file)).toEqual({ created: 3, skipped: 1 });
  const [medication] = await client.medications.list({ profileId: file.profiles[0].id });
  expect(await client.medications.doses(medication.id)).toMatchObject([
    { taken: own.taken, confirmed: true },
  ]);
});
