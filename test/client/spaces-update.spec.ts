import type { HealthRecordsClient } from '@app/client';
import { memoryOfflineStore } from '@app/client/offline';
import { inTurn, meetEarlier } from '../support/earlier-process';
import { aDeviceOf, aMemberOf, type Member, type MemberDevice, sync } from '../support/members';
import { openClient } from '../support/people';
import { Proxy } from '../support/proxy';
import { sharedService } from '../support/service';

/** Clients of both releases, while processes of before and of after shared profiles answer in turn. */
let proxy: Proxy;
let ada: Member;
let bob: Member;
let profileId: string;
let medicationId: string;
let spaceId: string;

beforeAll(async () => {
  proxy = await Proxy.start((await sharedService()).api.url);
});
afterAll(() => proxy.stop());
beforeEach(async () => {
  proxy.mend();
  [ada, bob] = [await aMemberOf(proxy.url), await aMemberOf(proxy.url)];
});

const inSync = { state: 'idle', pending: 0, problems: [], failure: null };
const notYet = { state: 'offline', problems: [], failure: { code: 'service_outdated' } };
/** Of a medication, each decided by itself where several have changed it. */
const FIELDS = ['notes', 'reason', 'prescriber'] as const;
const aMedication = (name: string) => ({
  profileId,
  route: 'oral',
  schedule: { timesPerDay: 1 },
  details: { name },
});
const namesOn = async ({ medications }: HealthRecordsClient) =>
  (await medications.list({ profileId })).map(({ details }) => details.name).sort();

/** The profile of a child of Ada, with a medication, that Bob may change or note in. */
async function shared(role: 'carer' | 'editor'): Promise<void> {
  ({ id: profileId } = await ada.client.profiles.create({ relationship: 'child', details: { name: 'Bea' } }));
  ({ id: medicationId } = await ada.client.medications.create(aMedication('Ibuprofen')));
  await sync(ada);
  spaceId = await ada.share(profileId);
  await ada.letIn(spaceId, bob, role);
  await sync(ada, bob, ada, bob);
}

/** Syncs so often that what fails by turns gets through, or must never. */
async function syncOften(...devices: MemberDevice[]): Promise<void> {
  for (let at = 0; at < 12; at += 1) for (const { client } of devices) await client.sync.now();
}

it.each(['carer', 'editor'] as const)(
  'a %s who meets only processes of before keeps what is shared, and goes on',
  async (role) => {
    await shared(role);
    meetEarlier(proxy, () => true);
    const own = await bob.client.medications.create({ ...aMedication('Own'), profileId: bob.profileId });
    await bob.client.medications.logDose(medicationId, { taken: true });
    await syncOften(bob);
    expect(bob.client.sync.status).toMatchObject({ ...notYet, pending: 1 });
    expect(await namesOn(bob.client)).toEqual(['Ibuprofen']);
    expect((await bob.client.profiles.get(profileId)).space).toMatchObject({
      role,
      state: 'member',
      blocked: null,
    });
    expect(await bob.spaces.list()).toMatchObject([{ id: spaceId, state: 'member' }]);
    // The records of the account itself are not held up.
    expect((await bob.client.medications.get(own.id)).revision).toBe(1);

    proxy.mend();
    await sync(bob, ada);
    for (const { client } of [bob, ada]) {
      expect(client.sync.status).toMatchObject(inSync);
      expect(await client.medications.doses(medicationId)).toHaveLength(1);
    }
  },
);

it('members who meet both in turn lose nothing, are told of no end, and write once', async () => {
  await shared('editor');
  const tablet = await aDeviceOf(proxy.url, ada);
  const devices = [ada, bob, tablet];
  const told = new Set<string>();
  for (const { client } of devices)
    client.on('sync', ({ problems }) => problems.forEach(({ code }) => told.add(code)));
  meetEarlier(proxy, inTurn());
  for (const [at, { client }] of devices.entries()) {
    await client.medications.create(aMedication(`New ${at}`));
    await client.medications.logDose(medicationId, { taken: true });
    const current = await client.medications.get(medicationId);
    await client.medications.update(current, { details: { ...current.details, [FIELDS[at]]: `by ${at}` } });
  }
  await syncOften(...devices);
  for (const { client } of devices) {
    expect((await client.profiles.get(profileId)).space).toMatchObject({ state: 'member' });
    expect(await namesOn(client)).toContain('Ibuprofen');
  }
  proxy.mend();
  await sync(...devices, ...devices, ...devices);
  for (const { client } of devices) {
    expect(client.sync.status).toMatchObject(inSync);
    expect(await namesOn(client)).toEqual(['Ibuprofen', 'New 0', 'New 1', 'New 2']);
    expect(await client.medications.doses(medicationId)).toHaveLength(3);
    const { details } = await client.medications.get(medicationId);
    expect(FIELDS.map((field) => details[field])).toEqual(['by 0', 'by 1', 'by 2']);
    expect((await client.profiles.get(profileId)).space).toMatchObject({ blocked: null });
  }
  expect([...told]).toEqual([]);
});

it('sharing begins once a process knows it; until then nothing has changed', async () => {
  meetEarlier(proxy, () => true);
  const outdated = { code: 'service_outdated' };
  await expect(ada.spaces.share(ada.profileId, 'Ada')).rejects.toMatchObject(outdated);
  await sync(ada);
  expect(ada.client.sync.status).toMatchObject(inSync);
  expect(await ada.spaces.list()).toEqual([]);
  proxy.mend();
  await ada.spaces.share(ada.profileId, 'Ada');
  await sync(ada);
  expect(ada.client.sync.status).toMatchObject(inSync);
});

it('another device of the account finds what was shared meanwhile, with what it has not sent', async () => {
  ({ id: profileId } = await ada.client.profiles.create({ relationship: 'child', details: { name: 'Bea' } }));
  ({ id: medicationId } = await ada.client.medications.create(aMedication('Ibuprofen')));
  await sync(ada);
  const tablet = await aDeviceOf(proxy.url, ada);
  await ada.share(profileId);
  await sync(ada);
  meetEarlier(proxy, () => true);
  await tablet.client.medications.create(aMedication('Unsent'));
  await syncOften(tablet);
  // Nothing proves that it was deleted: it is still shown.
  expect(await namesOn(tablet.client)).toEqual(['Ibuprofen', 'Unsent']);
  proxy.mend();
  await sync(tablet, tablet, ada);
  expect(tablet.client.sync.status).toMatchObject(inSync);
  for (const { client } of [tablet, ada]) expect(await namesOn(client)).toEqual(['Ibuprofen', 'Unsent']);
});

it('a client of before meets both: its own goes on, what was shared looks deleted, and what it wrote there stays a problem', async () => {
  ({ id: profileId } = await ada.client.profiles.create({ relationship: 'child', details: { name: 'Bea' } }));
  await sync(ada);
  const earlier = openClient(proxy.url, { offline: memoryOfflineStore(), retry: { attempts: 1 } });
  await earlier.login(ada.email, ada.password);
  earlier.sync.stop();
  await earlier.sync.now();
  await ada.share(profileId);
  meetEarlier(proxy, inTurn());
  const own = await earlier.medications.create({ ...aMedication('Own'), profileId: ada.profileId });
  const lost = await earlier.medications.create(aMedication('Into the shared one'));
  for (let at = 0; at < 6; at += 1) await earlier.sync.now();
  expect(earlier.sync.status.problems.map(({ recordId }) => recordId)).toContain(lost.id);
  expect((await earlier.medications.get(lost.id)).details).toMatchObject({ name: 'Into the shared one' });
  proxy.mend();
  await sync(ada);
  expect((await ada.client.medications.get(own.id)).details).toMatchObject({ name: 'Own' });
  expect(ada.client.sync.status).toMatchObject(inSync);
});
