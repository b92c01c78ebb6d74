import { memoryOfflineStore } from '@app/client/offline';
import { aCircle, aSharer, letIn, type Sharer } from '../support/sharers';
import { type SharedService, sharedService } from '../support/service';

/** Records of a shared profile, on devices of several accounts with a cache and an outbox. */
let service: SharedService;
let url: string;
let ada: Sharer;
let ben: Sharer;

beforeAll(async () => {
  service = await sharedService();
  url = service.api.url;
});
beforeEach(async () => {
  [ada, ben] = await Promise.all([
    aSharer(url, { offline: memoryOfflineStore() }),
    aSharer(url, { offline: memoryOfflineStore() }),
  ]);
});

const sync = async (...who: Sharer[]) => {
  for (const { client } of who) await client.sync.now();
};
const problemsOf = ({ client: { sync: state } }: Sharer) => [state.status.failure, state.status.problems];
const aMedicine = (who: Sharer, name: string) =>
  who.client.medications.create({
    profileId: ada.profileId,
    route: 'oral',
    schedule: { timesPerDay: 1 },
    details: { name },
  });
const namesOf = async ({ client }: Sharer) =>
  (await client.medications.list({ profileId: ada.profileId })).map(({ details }) => details.name).sort();
const stored = async (who: Sharer, space: string) =>
  ((await who.client.request({ method: 'GET', path: '/api/sync', space })).body as any).changes as any[];

it('what was there before moves along, and a new member reads it', async () => {
  await aMedicine(ada, 'Warfarin');
  await sync(ada);
  await aCircle(ada, [[ben, 'viewer']]);
  await ben.spaces.list();
  await sync(ada, ben);
  expect([await namesOf(ada), await namesOf(ben)]).toEqual([['Warfarin'], ['Warfarin']]);
  expect((await ben.client.profiles.list()).map(({ id }) => id)).toContain(ada.profileId);
  expect([problemsOf(ada), problemsOf(ben)]).toEqual([
    [null, []],
    [null, []],
  ]);
});

it("a carer's dose is seen by the owner within one sync, with its author", async () => {
  const medicine = await aMedicine(ada, 'Warfarin');
  await sync(ada);
  await aCircle(ada, [[ben, 'carer']]);
  await ben.spaces.list();
  await sync(ada, ben);
  await ben.client.medications.logDose(medicine.id, { taken: true });
  await sync(ben);
  await sync(ada);
  const [dose, ...more] = await ada.client.medications.doses(medicine.id);
  expect(more).toEqual([]);
  expect(dose).toMatchObject({
    confirmed: true,
    taken: true,
    author: { accountId: ben.id, isCertain: false },
  });
});

it('what a carer takes back of its own is gone for all, and of others it stays', async () => {
  const eva = await aSharer(url, { offline: memoryOfflineStore() });
  const medicine = await aMedicine(ada, 'Warfarin');
  await sync(ada);
  const { id: space } = await aCircle(ada, [
    [ben, 'carer'],
    [eva, 'editor'],
  ]);
  for (const { spaces } of [ben, eva]) await spaces.list();
  await sync(ada, ben, eva);
  const dose = await ben.client.medications.logDose(medicine.id, { taken: true });
  const reading = await ben.client.healthStats.create({
    profileId: ada.profileId,
    recordedAt: '2026-11-20T08:00:00Z',
    details: { metric: 'weight', values: { value: 70 }, unit: 'kg' },
  });
  const mine = await ada.client.medications.logDose(medicine.id, { taken: true });
  await sync(ben, ada, eva, ben, ada);
  await ben.client.medications.deleteDose(medicine.id, dose.id);
  await ben.client.healthStats.delete(await ben.client.healthStats.get(reading.id));
  await sync(ben, ada, eva);
  for (const each of [ben, ada, eva]) {
    expect((await each.client.medications.doses(medicine.id)).map(({ id }) => id)).toEqual([mine.id]);
    expect(await each.client.healthStats.list({ profileId: ada.profileId })).toEqual([]);
    await sync(each, each);
    expect(problemsOf(each)).toEqual([null, []]);
  }
  // The service alone says that of a dose that is not a carer's.
  const path = `/api/medications/${medicine.id}/log/${mine.id}`;
  const { body } = await eva.client.request({ method: 'GET', path: '/api/space', space });
  const now = `${space};${(body as { version: number }).version}`;
  await eva.client.request({ method: 'POST', path: `${path}/delete`, body: {}, space: now });
  await sync(ada, ada, ada);
  expect(problemsOf(ada)).toMatchObject([null, [{ code: 'deletion_unproven', recordId: mine.id }]]);
});

it("an editor's change is shown under its name", async () => {
  const medicine = await aMedicine(ada, 'Warfarin');
  await sync(ada);
  await aCircle(ada, [[ben, 'editor']]);
  await ben.spaces.list();
  await sync(ada, ben);
  await ben.client.medications.update(await ben.client.medications.get(medicine.id), {
    details: { notes: 'at night' },
  });
  await sync(ben, ada);
  expect(await ada.client.medications.get(medicine.id)).toMatchObject({
    details: { notes: 'at night' },
    author: { accountId: ben.id, isCertain: true },
  });
});

it('after a removal all records are sealed anew, and the removed one has no access', async () => {
  const carl = await aSharer(url, { offline: memoryOfflineStore() });
  await aMedicine(ada, 'Warfarin');
  await sync(ada);
  const { id } = await aCircle(ada, [
    [ben, 'editor'],
    [carl, 'editor'],
  ]);
  await ben.spaces.list();
  await carl.spaces.list();
  await sync(ada, ben, carl);
  await aMedicine(carl, 'Calcium');
  await sync(carl, ada, ben);
  const before = await stored(ada, id);
  await ada.spaces.remove(id, carl.id);
  await sync(ada);
  await sync(ada, ben, carl);
  const after = await stored(ada, id);
  for (const { id: recordId, kind, record } of before) {
    const now = after.find((each) => each.id === recordId).record;
    if (kind !== 'profile') expect(now.encrypted_data).not.toEqual(record.encrypted_data);
  }
  expect([problemsOf(ada), problemsOf(ben)]).toEqual([
    [null, []],
    [null, []],
  ]);
  expect((await ada.spaces.get(ada.profileId)).resealing).toBeUndefined();
  for (const who of [ada, ben]) expect(await namesOf(who)).toEqual(['Calcium', 'Warfarin']);
  await aMedicine(ben, 'Iron');
  await sync(ben, ada);
  expect(await namesOf(ada)).toEqual(['Calcium', 'Iron', 'Warfarin']);
  await letIn(ada, carl, id, 'viewer');
});

it('what waits on a device while the key is replaced is sealed anew and sent', async () => {
  await sync(ada);
  const { id } = await aCircle(ada, [[ben, 'editor']]);
  await ben.spaces.list();
  await sync(ada, ben);
  await aMedicine(ben, 'Insulin');
  await ada.spaces.newKey(id);
  await sync(ada);
  await sync(ben);
  await sync(ada);
  expect(problemsOf(ben)).toEqual([null, []]);
  expect(ben.client.sync.status.pending).toBe(0);
  expect(await namesOf(ada)).toEqual(['Insulin']);
});

it('a device without a network opens a shared profile after a reload', async () => {
  await aMedicine(ada, 'Warfarin');
  await sync(ada);
  await aCircle(ada, [[ben, 'viewer']]);
  await ben.spaces.list();
  await sync(ada, ben);
  ben.client.lock();
  await ben.client.unlock(ben.password);
  ben.client.sync.stop();
  expect(await namesOf(ben)).toEqual(['Warfarin']);
});

it('attack 12: an owner who got garbage makes a key that opens, and keeps its records', async () => {
  const dishonest: typeof fetch = (input, init = {}) => {
    const address = input instanceof Request ? input.url : String(input);
    if (!address.endsWith('/api/space/rekey') || typeof init.body !== 'string') return fetch(input, init);
    const body = JSON.parse(init.body);
    const garbage = Buffer.alloc(1232, 7).toString('base64');
    body.wraps = body.wraps.map((each: any) =>
      each.member_id === ada.id ? { ...each, wrap: garbage } : each,
    );
    return fetch(input, { ...init, body: JSON.stringify(body) });
  };
  const eve = await aSharer(url, { fetch: dishonest, offline: memoryOfflineStore() });
  await aMedicine(ada, 'Warfarin');
  await sync(ada);
  const { id } = await aCircle(ada, [
    [eve, 'owner'],
    [ben, 'viewer'],
  ]);
  await eve.spaces.list();
  await sync(ada, eve);
  await eve.spaces.newKey(id);
  await sync(ada);
  expect(await ada.spaces.get(ada.profileId)).toMatchObject({ blocked: { code: 'tampered' } });
  const space = await ada.spaces.newKey(id);
  expect(space.blocked).toBeNull();
  await sync(ada, ada);
  expect(await namesOf(ada)).toEqual(['Warfarin']);
  expect((await ada.client.profiles.get(ada.profileId)).details.name).toBe('Ada');
});
