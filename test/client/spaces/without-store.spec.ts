import type { HealthRecordsClient, HealthRecordsClientOptions } from '@app/client';
import { accountOf, sync } from '../../support/circle';
import { type MemberDevice, Members } from '../../support/members';
import type { Person } from '../../support/people';
import { Proxy } from '../../support/proxy';
import { sharedService } from '../../support/service';

/** A client without an offline store: each read and write goes to where the profile lies. */
let proxy: Proxy;
let members: Members;
let ada: Person & MemberDevice;
let bob: Person & MemberDevice;
let online: HealthRecordsClient;
let profileId: string;
let spaceId: string;
let medicationId: string;
const noStore: Partial<HealthRecordsClientOptions> = { offline: undefined };
beforeAll(async () => {
  proxy = await Proxy.start((await sharedService()).api.url);
});
afterAll(() => proxy.stop());
beforeEach(async () => {
  proxy.mend();
  members = new Members(proxy.url);
  ada = await members.person();
  bob = await members.person(noStore);
  online = bob.client;
  ({ id: profileId } = await ada.client.profiles.create({ relationship: 'child', details: { name: 'Bea' } }));
  ({ id: medicationId } = await ada.client.medications.create(aMedication()));
  await ada.client.medications.logDose(medicationId, { taken: true });
  await sync(ada.client);
  spaceId = await ada.circle.share(profileId);
  await sync(ada.client);
  await ada.circle.letIn(spaceId, bob.circle, 'editor');
  await bob.circle.refresh();
});

const aMedication = (name = 'Ibuprofen') => ({
  profileId,
  route: 'oral',
  schedule: { timesPerDay: 2 },
  details: { name },
});
const headersOf = (line: string) => proxy.calls(line).map(({ headers }) => headers['health-space']);

it('lists its own records and those of the space in one order, over pages', async () => {
  const names: string[] = ['Ibuprofen'];
  for (let at = 0; at < 6; at += 1) {
    const owner = at % 2 === 0 ? bob.profileId : profileId;
    names.unshift(`M${at}`);
    await online.medications.create({ ...aMedication(`M${at}`), profileId: owner });
  }
  for (const pageSize of [1, 2, 100]) {
    const listed = await online.medications.list({}, { pageSize });
    expect(listed.map(({ details }) => details.name)).toEqual(names);
  }
  expect((await online.medications.list({ profileId })).map(({ details }) => details.name)).toEqual([
    'M5',
    'M3',
    'M1',
    'Ibuprofen',
  ]);
  expect((await online.profiles.list()).map(({ id, space }) => [id, space?.role])).toEqual([
    [bob.profileId, undefined],
    [profileId, 'editor'],
  ]);
});

it('finds a record that it has not listed, and its doses', async () => {
  const medication = await online.medications.get(medicationId);
  expect(medication.details.name).toBe('Ibuprofen');
  await online.medications.update(medication, { details: { notes: 'by Bob' } });
  const dose = await online.medications.logDose(medicationId, { taken: false });
  expect(dose.author).toEqual({ accountId: accountOf(bob.circle), isCertain: false });
  expect(await online.medications.doses(medicationId)).toHaveLength(2);
  expect(await online.medications.adherence(medicationId)).toMatchObject({ takenDoses: 1, skippedDoses: 1 });
  await sync(ada.client);
  expect(await ada.client.medications.get(medicationId)).toMatchObject({
    details: { notes: 'by Bob' },
    author: { accountId: accountOf(bob.circle), isCertain: true },
  });
  await expect(online.medications.get(bob.profileId)).rejects.toMatchObject({ code: 'not_found' });
});

it('sends its own records without the header, and a write with the version', async () => {
  proxy.requests.length = 0;
  await online.medications.create({ ...aMedication(), profileId: bob.profileId });
  await online.medications.create(aMedication('Shared'));
  const [own, shared] = headersOf('POST /api/medications');
  expect(own).toBeUndefined();
  expect(shared).toMatch(new RegExp(`^${spaceId};\\d+$`));
});

it('seals a write anew where the key was replaced meanwhile', async () => {
  const medication = await online.medications.get(medicationId);
  await ada.circle.rekey(spaceId);
  const updated = await online.medications.update(medication, { details: { notes: 'after' } });
  expect(updated.lineage.epoch).toBe(2);
  await ada.circle.rekey(spaceId);
  const made = await online.medications.create(aMedication('New'));
  expect(made.lineage.epoch).toBe(3);
  await ada.circle.rekey(spaceId);
  await online.medications.logDose(medicationId, { taken: true });
  await ada.circle.rekey(spaceId);
  const profile = await online.profiles.get(profileId);
  await online.profiles.update(profile, { details: { notes: 'by Bob' } });
  await sync(ada.client, ada.client);
  expect(ada.client.sync.status).toMatchObject({ state: 'idle', pending: 0, problems: [] });
  expect(await ada.client.medications.doses(medicationId)).toHaveLength(2);
  expect((await ada.client.profiles.get(profileId)).details.notes).toBe('by Bob');
});

it('asks once after an unlock, and then only while there is a space', async () => {
  const eva = await members.person(noStore);
  proxy.requests.length = 0;
  for (let at = 0; at < 3; at += 1) await eva.client.profiles.list();
  expect(proxy.calls('GET /api/spaces')).toHaveLength(0);
  eva.client.lock();
  await eva.client.unlock(eva.password);
  for (let at = 0; at < 3; at += 1) await eva.client.profiles.list();
  expect(proxy.calls('GET /api/spaces')).toHaveLength(1);
});

it('exports both, and says of none that it was left out', async () => {
  const left: unknown[] = [];
  const document = await online.transfer.exportAll({ onLeftOut: (each) => left.push(each) });
  expect(document.profiles.map(({ id }) => id)).toEqual([bob.profileId, profileId]);
  expect(left).toEqual([]);
});

it('reads nothing more after the end of the access', async () => {
  await online.medications.list();
  await ada.circle.remove(spaceId, accountOf(bob.circle));
  expect((await online.profiles.list()).map(({ id }) => id)).toEqual([bob.profileId]);
  expect(await online.medications.list()).toEqual([]);
  await expect(online.medications.create(aMedication())).rejects.toMatchObject({ code: 'access_ended' });
});
