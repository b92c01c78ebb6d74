import type { HealthRecordsClient } from '@app/client';
import { aDeviceOf, aMemberOf, type Member, type MemberDevice, sync } from '../../support/members';
import { Proxy } from '../../support/proxy';
import { sharedService } from '../../support/service';

/** Records of a shared profile lie in its space, and the devices of all members read and write them there. */
let proxy: Proxy;
let ada: Member;
let tablet: MemberDevice;
beforeAll(async () => {
  proxy = await Proxy.start((await sharedService()).api.url);
});
afterAll(() => proxy.stop());
beforeEach(async () => {
  proxy.mend();
  ada = await aMemberOf(proxy.url);
  tablet = await aDeviceOf(proxy.url, ada);
});

const inSync = { state: 'idle', pending: 0, problems: [], failure: null };
const lines = () => proxy.requests.map(({ method, path }) => `${method} ${path}`);
const medicationOf = (profileId: string, name = 'Ibuprofen') => ({
  profileId,
  route: 'oral',
  schedule: { timesPerDay: 2 },
  details: { name },
});
const namesOn = async (client: HealthRecordsClient, profileId?: string) =>
  (await client.medications.list(profileId ? { profileId } : {})).map(({ details }) => details.name);
const child = (client: HealthRecordsClient, name = 'Bea') =>
  client.profiles.create({ relationship: 'child', details: { name } });

/** Ada's second profile, with a medication and a dose, shared by her phone. */
async function aSharedChild() {
  const { id: profileId } = await child(ada.client);
  const medication = await ada.client.medications.create(medicationOf(profileId));
  await ada.client.medications.logDose(medication.id, { taken: true });
  await sync(ada.client, tablet.client);
  const spaceId = await ada.share(profileId);
  return { profileId, spaceId, medication };
}

describe('an account that shares nothing', () => {
  it('asks for its spaces once after an unlock, and then never again', async () => {
    await ada.client.medications.create(medicationOf(ada.profileId));
    await sync(ada.client, ada.client);
    proxy.requests.length = 0;
    await sync(ada.client);
    expect(lines()).toEqual(['GET /api/sync']);
    ada.client.lock();
    await ada.client.unlock(ada.password);
    proxy.requests.length = 0;
    await sync(ada.client, ada.client);
    expect(lines().filter((line) => line === 'GET /api/spaces')).toHaveLength(1);
  });
});

describe('the move', () => {
  it('loses nothing, and sends nothing twice, on the device that shares and on another one that is offline', async () => {
    const { id: profileId } = await child(ada.client);
    const medication = await ada.client.medications.create(medicationOf(profileId));
    await sync(ada.client, tablet.client);
    // Both have unsent writes when the profile moves.
    await tablet.client.medications.create(medicationOf(profileId, 'From the tablet'));
    await tablet.client.medications.logDose(medication.id, { taken: true });
    const onTablet = await tablet.client.medications.get(medication.id);
    await tablet.client.medications.update(onTablet, { details: { notes: 'after meals' } });
    await ada.client.medications.create(medicationOf(profileId, 'From the phone'));
    await ada.client.medications.create(medicationOf(ada.profileId, 'Own'));
    const spaceId = await ada.share(profileId);
    await sync(ada.client, tablet.client, ada.client);
    for (const { client } of [ada, tablet]) {
      expect(client.sync.status).toMatchObject(inSync);
      expect((await namesOn(client, profileId)).sort()).toEqual([
        'From the phone',
        'From the tablet',
        'Ibuprofen',
      ]);
      expect(await namesOn(client, ada.profileId)).toEqual(['Own']);
      expect(await client.medications.get(medication.id)).toMatchObject({
        details: { notes: 'after meals' },
      });
      expect(await client.medications.doses(medication.id)).toMatchObject([{ taken: true, confirmed: true }]);
      const profiles = await client.profiles.list();
      expect(profiles.map(({ id, space }) => [id, space?.id])).toEqual([
        [ada.profileId, undefined],
        [profileId, spaceId],
      ]);
      expect(profiles[1].space).toMatchObject({ id: spaceId, role: 'owner', blocked: null, state: 'member' });
    }
    const created = proxy.calls('POST /api/medications').map(({ text }) => text);
    expect(new Set(created).size).toBe(created.length);
  });

  it('takes what was shared and changed while a device was offline', async () => {
    const { profileId, medication } = await aSharedChild();
    await sync(ada.client);
    const current = await ada.client.medications.get(medication.id);
    await ada.client.medications.update(current, { details: { strength: '400 mg' } });
    await ada.client.medications.create(medicationOf(profileId, 'New'));
    await sync(ada.client);
    await tablet.client.healthStats.create({
      profileId,
      details: { metric: 'weight', values: { value: 20 }, unit: 'kg' },
    });
    await sync(tablet.client, ada.client);
    expect(tablet.client.sync.status).toMatchObject(inSync);
    expect((await namesOn(tablet.client, profileId)).sort()).toEqual(['Ibuprofen', 'New']);
    expect(await ada.client.healthStats.list({ profileId })).toHaveLength(1);
    expect(await tablet.client.medications.adherence(medication.id)).toMatchObject({ takenDoses: 1 });
  });

  it('forgets what another device has deleted before', async () => {
    const { id: profileId } = await child(ada.client);
    const gone = await ada.client.medications.create(medicationOf(profileId, 'Gone'));
    await ada.client.medications.create(medicationOf(profileId));
    await sync(ada.client, tablet.client);
    await ada.client.medications.delete(await ada.client.medications.get(gone.id));
    await sync(ada.client);
    await ada.share(profileId);
    await sync(tablet.client, tablet.client);
    expect(await namesOn(tablet.client, profileId)).toEqual(['Ibuprofen']);
    expect(tablet.client.sync.status).toMatchObject(inSync);
  });

  it('stores what had arrived before without an answer once', async () => {
    const { id: profileId } = await child(ada.client);
    const medication = await ada.client.medications.create(medicationOf(profileId));
    await sync(ada.client, tablet.client);
    await tablet.client.medications.create(medicationOf(profileId, 'From the tablet'));
    await tablet.client.medications.logDose(medication.id, { taken: true });
    const seen = await tablet.client.medications.get(medication.id);
    await tablet.client.medications.update(seen, { details: { notes: 'after meals' } });
    // The service does what is sent, and the answers are lost.
    proxy.tamper = ({ method }, answer) => {
      if (method === 'POST') throw new Error('lost');
      return answer;
    };
    for (let at = 0; at < 4; at += 1) await sync(tablet.client);
    proxy.tamper = undefined;
    expect(tablet.client.sync.status.pending).toBeGreaterThan(0);
    await sync(ada.client);
    await ada.share(profileId);
    await sync(tablet.client, ada.client, tablet.client);
    for (const { client } of [ada, tablet]) {
      expect(client.sync.status).toMatchObject(inSync);
      expect((await namesOn(client, profileId)).sort()).toEqual(['From the tablet', 'Ibuprofen']);
      expect(await client.medications.doses(medication.id)).toHaveLength(1);
      expect((await client.medications.get(medication.id)).details.notes).toBe('after meals');
    }
  });

  it('is noticed by a device that lists all anew at that moment', async () => {
    const { profileId, spaceId } = await aSharedChild();
    let isReset = false;
    proxy.tamper = ({ path, url, headers }, answer) => {
      if (path !== '/api/sync' || headers['health-space'] || !url.includes('cursor') || isReset)
        return answer;
      isReset = true;
      const error = { error: 'The cursor is too old.', code: 'sync_reset', request_id: 'r' };
      return { status: 410, headers: { 'content-type': 'application/json' }, text: JSON.stringify(error) };
    };
    await sync(tablet.client, tablet.client);
    expect(isReset).toBe(true);
    expect(tablet.client.sync.status).toMatchObject(inSync);
    expect((await tablet.client.profiles.get(profileId)).space?.id).toBe(spaceId);
    expect(await namesOn(tablet.client, profileId)).toEqual(['Ibuprofen']);
  });

  it('survives a reload of a device that is offline', async () => {
    const { profileId, medication } = await aSharedChild();
    await sync(tablet.client);
    proxy.isCut = true;
    tablet.client.lock();
    await tablet.client.unlock(ada.password);
    expect(await namesOn(tablet.client, profileId)).toEqual(['Ibuprofen']);
    expect(await tablet.client.medications.doses(medication.id)).toHaveLength(1);
    expect((await tablet.client.profiles.get(profileId)).details.name).toBe('Bea');
    await tablet.client.medications.create(medicationOf(profileId, 'Offline'));
    proxy.isCut = false;
    await sync(tablet.client, ada.client);
    expect((await namesOn(ada.client, profileId)).sort()).toEqual(['Ibuprofen', 'Offline']);
  });
});

describe('a profile of several accounts', () => {
  let bob: Member;
  let profileId: string;
  let spaceId: string;
  let medicationId: string;
  beforeEach(async () => {
    const shared = await aSharedChild();
    ({ profileId, spaceId } = shared);
    medicationId = shared.medication.id;
    bob = await aMemberOf(proxy.url);
    await sync(ada.client);
    await ada.letIn(spaceId, bob, 'carer');
    await sync(bob.client);
  });

  it('is read by all, beside their own', async () => {
    expect(bob.client.sync.status).toMatchObject(inSync);
    expect((await bob.client.profiles.list()).map(({ id, space }) => [id, space?.role])).toEqual(
      expect.arrayContaining([
        [bob.profileId, undefined],
        [profileId, 'carer'],
      ]),
    );
    expect(await namesOn(bob.client)).toEqual(['Ibuprofen']);
    expect(await bob.client.medications.doses(medicationId)).toMatchObject([{ confirmed: true }]);
    const reading = { metric: 'weight', values: { value: 20 }, unit: 'kg' };
    await bob.client.healthStats.create({ profileId: bob.profileId, details: reading });
    await bob.client.healthStats.create({ profileId, details: reading });
    await sync(bob.client, ada.client);
    expect(await bob.client.healthStats.list()).toHaveLength(2);
    expect(await ada.client.healthStats.list()).toHaveLength(1);
  });

  it('takes two requests in a sync in which nothing has happened', async () => {
    await sync(bob.client, bob.client);
    proxy.requests.length = 0;
    await sync(bob.client);
    expect(lines().sort()).toEqual(['GET /api/spaces', 'GET /api/sync']);
  });

  it('names who wrote what', async () => {
    const reading = { metric: 'weight', values: { value: 20 }, unit: 'kg' };
    const { id } = await bob.client.healthStats.create({ profileId, details: reading });
    const pending = await bob.client.healthStats.get(id);
    expect(pending.author).toEqual({ accountId: bob.accountId, isCertain: true });
    await bob.client.medications.logDose(medicationId, { taken: true });
    await sync(bob.client, ada.client);
    expect((await ada.client.healthStats.get(id)).author).toEqual({
      accountId: bob.accountId,
      isCertain: true,
    });
    const [newest, first] = await ada.client.medications.doses(medicationId);
    expect(newest.author).toEqual({ accountId: bob.accountId, isCertain: false });
    expect(first).not.toHaveProperty('author');
    expect(await ada.client.medications.get(medicationId)).not.toHaveProperty('author');
    const own = await ada.client.medications.create(medicationOf(ada.profileId, 'Own'));
    await sync(ada.client);
    expect(await ada.client.medications.get(own.id)).not.toHaveProperty('author');
  });

  it('does not name a writer whom the service or the writer alone claims (attack 8)', async () => {
    const reading = { metric: 'weight', values: { value: 20 }, unit: 'kg' };
    const { id } = await bob.client.healthStats.create({ profileId, details: reading });
    await sync(bob.client);
    const [bobId, adaId] = [bob.accountId, ada.accountId];
    proxy.tamper = (_request, answer) => ({
      ...answer,
      text: answer.text.replaceAll(`"author_id":"${bobId}"`, `"author_id":"${adaId}"`),
    });
    await sync(ada.client);
    expect((await ada.client.healthStats.get(id)).author).toEqual({ accountId: null, isCertain: false });
  });

  it('refuses at once what the role does not allow', async () => {
    const refused = { code: 'space_role_too_low' };
    await expect(bob.client.medications.create(medicationOf(profileId))).rejects.toMatchObject(refused);
    const medication = await bob.client.medications.get(medicationId);
    await expect(bob.client.medications.delete(medication)).rejects.toMatchObject(refused);
    const profile = await bob.client.profiles.get(profileId);
    await expect(bob.client.profiles.update(profile, { details: { name: 'X' } })).rejects.toMatchObject(
      refused,
    );
    await expect(ada.client.profiles.delete(profileId)).rejects.toMatchObject({ code: 'space_profile' });
    const move = ada.client.medications.update(await ada.client.medications.get(medicationId), {
      profileId: ada.profileId,
    });
    await expect(move).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(bob.client.sync.status.pending).toBe(0);
  });

  it('is written by editors and owners alone, heads too', async () => {
    await bob.client.medications.logDose(medicationId, { taken: false });
    const [stat] = await Promise.all([
      bob.client.healthStats.create({
        profileId,
        details: { metric: 'weight', values: { value: 21 }, unit: 'kg' },
      }),
    ]);
    await sync(bob.client);
    await bob.client.healthStats.update(await bob.client.healthStats.get(stat.id), {
      details: { note: 'x' },
    });
    proxy.requests.length = 0;
    await sync(bob.client);
    expect(lines().filter((line) => line.startsWith('PUT /api/profiles'))).toEqual([]);
    proxy.requests.length = 0;
    await sync(ada.client, tablet.client);
    expect(lines().filter((line) => line.startsWith('PUT /api/profiles'))).toHaveLength(1);
    await sync(bob.client);
    for (const { client } of [ada, tablet, bob]) expect(client.sync.status).toMatchObject(inSync);
  });

  it('merges what two members change, and says whose value lost', async () => {
    const eva = await aMemberOf(proxy.url);
    await ada.letIn(spaceId, eva, 'editor');
    await sync(eva.client);
    const edit = async ({ client }: MemberDevice, notes: string) =>
      client.medications.update(await client.medications.get(medicationId), { details: { notes } });
    await edit(eva, 'by Eva');
    await edit(ada, 'by Ada');
    await sync(eva.client, ada.client, eva.client);
    const { historyOf } = await import('@app/client');
    const merged = await eva.client.medications.get(medicationId);
    expect(merged.details.notes).toBe('by Ada');
    expect(historyOf(merged)).toMatchObject([{ value: 'by Eva', by: eva.accountId }]);
  });

  it('changes nothing where the device does not believe the space, and shows what it has', async () => {
    await bob.client.healthStats.create({
      profileId,
      details: { metric: 'weight', values: { value: 22 }, unit: 'kg' },
    });
    await ada.spaces.newKey(spaceId);
    // The service shows the member another key than the one that was sealed.
    proxy.tamper = ({ path }, answer) =>
      path === '/api/space'
        ? { ...answer, text: answer.text.replace(/"wrap":"[^"]{4}/, '"wrap":"AAAA') }
        : answer;
    proxy.requests.length = 0;
    await sync(bob.client, bob.client);
    const isWrite = (line: string) => !line.startsWith('GET ') && line !== 'PUT /api/trust-book';
    expect(lines().filter(isWrite)).toEqual([]);
    expect(bob.client.sync.status).toMatchObject({ state: 'idle', pending: 1, problems: [] });
    expect(await namesOn(bob.client, profileId)).toEqual(['Ibuprofen']);
    expect((await bob.client.profiles.get(profileId)).space).toMatchObject({ blocked: { code: 'tampered' } });
    await expect(bob.client.medications.logDose(medicationId, { taken: true })).rejects.toMatchObject({
      code: 'tampered',
    });
    proxy.tamper = undefined;
    await sync(bob.client, ada.client);
    expect(await ada.client.healthStats.list({ profileId })).toHaveLength(1);
  });
});
