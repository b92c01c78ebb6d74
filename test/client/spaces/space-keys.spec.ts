import type { HealthRecordsClient } from '@app/client';
import type { JsonObject } from '../../../libs/client/src/json';
import { aDeviceOf, aMemberOf, type Member, type MemberDevice, sync } from '../../support/members';
import { Proxy } from '../../support/proxy';
import { sql } from '../../support/databases';
import { type SharedService, sharedService } from '../../support/service';

/** New keys, other roles and ended access of a shared profile, on devices that were offline meanwhile. */
let service: SharedService;
let proxy: Proxy;
let ada: Member;
let tablet: MemberDevice;
let bob: Member;
let profileId: string;
let spaceId: string;
let medicationId: string;
beforeAll(async () => {
  service = await sharedService();
  proxy = await Proxy.start(service.api.url);
});
afterAll(() => proxy.stop());
beforeEach(async () => {
  proxy.mend();
  ada = await aMemberOf(proxy.url);
  tablet = await aDeviceOf(proxy.url, ada);
  bob = await aMemberOf(proxy.url);
  ({ id: profileId } = await ada.client.profiles.create({ relationship: 'child', details: { name: 'Bea' } }));
  ({ id: medicationId } = await ada.client.medications.create(aMedication()));
  await ada.client.medications.logDose(medicationId, { taken: true });
  await sync(ada.client, tablet.client);
  spaceId = await ada.share(profileId);
  await sync(ada.client, tablet.client);
});

const aMedication = (name = 'Ibuprofen') => ({
  profileId,
  route: 'oral',
  schedule: { timesPerDay: 2 },
  details: { name },
});
const aReading = (value = 20) => ({
  profileId,
  details: { metric: 'weight', values: { value }, unit: 'kg' },
});
async function letIn(role: 'viewer' | 'carer' | 'editor' | 'owner'): Promise<void> {
  await ada.letIn(spaceId, bob, role);
  await sync(bob.client);
}
const namesOn = async (client: HealthRecordsClient) =>
  (await client.medications.list({ profileId })).map(({ details }) => details.name).sort();
const epochsOn = async (client: HealthRecordsClient) => {
  const records = [
    ...(await client.medications.list({ profileId })),
    ...(await client.healthStats.list({ profileId })),
  ];
  return records.map(({ lineage }) => lineage.epoch ?? 1);
};
const inSync = { state: 'idle', pending: 0, problems: [], failure: null };
const keyOf = ({ parts }: MemberDevice) => parts.keys.profileKey(profileId)!;

describe('a new key', () => {
  it('seals all records anew, once, and the former key opens nothing then', async () => {
    await letIn('editor');
    await bob.client.healthStats.create(aReading());
    await sync(bob.client);
    const author = (await bob.client.healthStats.list({ profileId }))[0].author;
    await ada.spaces.newKey(spaceId);
    const left: number[] = [];
    ada.client.on('sync', ({ resealing }) => resealing && left.push(resealing));
    await sync(ada.client);
    // Two records and a dose.
    expect(Math.max(...left)).toBe(3);
    await sync(tablet.client, bob.client);
    for (const device of [ada, tablet, bob]) {
      expect(device.client.sync.status).toMatchObject(inSync);
      expect(await epochsOn(device.client)).toEqual([2, 2]);
      expect(keyOf(device)).toMatchObject({ epoch: 2 });
      expect(keyOf(device).older).toBeUndefined();
      expect(await device.client.medications.doses(medicationId)).toMatchObject([{ confirmed: true }]);
    }
    // Who wrote a record is not who sealed it anew.
    expect((await ada.client.healthStats.list({ profileId }))[0].author).toEqual(author);
    proxy.requests.length = 0;
    await sync(ada.client, tablet.client, bob.client, ada.client);
    expect(proxy.calls('POST /api/reseal')).toHaveLength(0);
  });

  it('is met by unsent writes of a device: they are sealed under it, and arrive once', async () => {
    await letIn('editor');
    await bob.client.medications.create(aMedication('From Bob'));
    const own = await bob.client.medications.get(medicationId);
    await bob.client.medications.update(own, { details: { notes: 'by Bob' } });
    await bob.client.medications.logDose(medicationId, { taken: false });
    await ada.spaces.newKey(spaceId);
    await sync(ada.client, bob.client, ada.client, bob.client);
    for (const { client } of [ada, bob]) {
      expect(client.sync.status).toMatchObject(inSync);
      expect(await namesOn(client)).toEqual(['From Bob', 'Ibuprofen']);
      expect(await client.medications.doses(medicationId)).toHaveLength(2);
      expect((await client.medications.get(medicationId)).details.notes).toBe('by Bob');
      expect(new Set(await epochsOn(client))).toEqual(new Set([2]));
    }
  });

  it('comes between a write and its answer: space_changed is read, sealed anew and sent', async () => {
    await letIn('editor');
    await bob.client.medications.create(aMedication('From Bob'));
    let isRekeyed = false;
    proxy.hold = ({ method, path }) => {
      if (method !== 'POST' || path !== '/api/medications' || isRekeyed) return undefined;
      isRekeyed = true;
      return ada.spaces.newKey(spaceId).then(() => undefined);
    };
    await sync(bob.client);
    expect(isRekeyed).toBe(true);
    expect(bob.client.sync.status).toMatchObject(inSync);
    const [refused, sent] = proxy.calls('POST /api/medications').slice(-2);
    expect(refused.headers['idempotency-key']).not.toBe(sent.headers['idempotency-key']);
    expect(refused.text).not.toBe(sent.text);
    await sync(ada.client);
    expect(await namesOn(ada.client)).toEqual(['From Bob', 'Ibuprofen']);
  });

  it('comes between the question for the spaces and the feed: the space is read anew once', async () => {
    await letIn('viewer');
    await ada.client.healthStats.create(aReading());
    await sync(ada.client);
    let isRekeyed = false;
    proxy.hold = ({ path, headers }) => {
      if (path !== '/api/sync' || !headers['health-space'] || isRekeyed) return undefined;
      isRekeyed = true;
      return (async () => {
        await ada.spaces.newKey(spaceId);
        await ada.client.medications.create(aMedication('Under the new key'));
        await sync(ada.client);
      })();
    };
    await sync(bob.client);
    expect(isRekeyed).toBe(true);
    expect(await namesOn(bob.client)).toEqual(['Ibuprofen', 'Under the new key']);
    expect(bob.client.sync.status).toMatchObject(inSync);
  });

  it('another version with the same key keeps nobody from writing', async () => {
    await letIn('editor');
    await bob.client.medications.create(aMedication('From Bob'));
    const eva = await aMemberOf(proxy.url);
    let isChanged = false;
    proxy.hold = ({ method, path }) => {
      if (method !== 'POST' || path !== '/api/medications' || isChanged) return undefined;
      isChanged = true;
      return ada.letIn(spaceId, eva, 'viewer');
    };
    await sync(bob.client);
    expect(isChanged).toBe(true);
    const [refused, sent] = proxy.calls('POST /api/medications').slice(-2);
    expect(refused.text).toBe(sent.text);
    expect(bob.client.sync.status).toMatchObject(inSync);
  });

  it('ends once, killed five times, by two devices of two owners at once (attack 17)', async () => {
    await letIn('owner');
    for (let at = 0; at < 12; at += 1) await ada.client.medications.create(aMedication(`M${at}`));
    await sync(ada.client, tablet.client, bob.client);
    await ada.spaces.newKey(spaceId);
    let killed = 0;
    const isOfReseal = ({ path, method }: { path: string; method: string }) =>
      path === '/api/reseal' || (method === 'PUT' && path.startsWith('/api/profiles'));
    // Before the service has done it, and after.
    proxy.hold = (request) =>
      isOfReseal(request) && killed < 3 ? Promise.reject(new Error(`killed ${(killed += 1)}`)) : undefined;
    proxy.tamper = (request, answer) => {
      if (isOfReseal(request) && killed < 5) throw new Error(`killed ${(killed += 1)}`);
      return answer;
    };
    const devices = [ada.client, tablet.client, bob.client];
    for (let at = 0; at < 8; at += 1) await Promise.all(devices.map((each) => each.sync.now()));
    expect(killed).toBeGreaterThanOrEqual(5);
    await sync(...devices, ...devices);
    for (const client of devices) {
      expect(client.sync.status).toMatchObject(inSync);
      expect(new Set(await epochsOn(client))).toEqual(new Set([2]));
      expect(await namesOn(client)).toHaveLength(13);
    }
    for (const each of [ada, tablet, bob]) expect(keyOf(each).older).toBeUndefined();
    proxy.requests.length = 0;
    await sync(...devices);
    expect(proxy.calls('POST /api/reseal')).toHaveLength(0);
  });

  it('does not end with a damaged row, until an owner goes on without it', async () => {
    const damaged = await ada.client.healthStats.create(aReading());
    await sync(ada.client);
    const { encrypted_data: sealed } = (
      await sql(service.databaseUrl, 'SELECT encrypted_data FROM health_stats WHERE id = $1', [damaged.id])
    )[0] as { encrypted_data: string };
    const text = typeof sealed === 'string' ? sealed : JSON.stringify(sealed);
    const at = text.length - 60;
    const other = text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
    await sql(service.databaseUrl, 'UPDATE health_stats SET encrypted_data = $2 WHERE id = $1', [
      damaged.id,
      other,
    ]);
    // The tablet has never seen the whole row.
    await sync(tablet.client, tablet.client);
    await tablet.spaces.newKey(spaceId);
    await sync(tablet.client, tablet.client);
    expect(keyOf(tablet).older).toHaveLength(1);
    const [problem] = tablet.client.sync.status.problems;
    expect(problem).toMatchObject({ code: 'tampered', recordId: damaged.id, kind: 'health_stat' });
    expect(problem.resolutions).toContain('discard');
    await tablet.client.sync.resolve(problem.id, 'discard');
    await sync(tablet.client, tablet.client);
    expect(tablet.client.sync.status).toMatchObject(inSync);
    expect(keyOf(tablet).older).toBeUndefined();

    // This one has seen it whole. It keeps it, and writes it again for all.
    const values = async ({ client }: MemberDevice) =>
      (await client.healthStats.list({ profileId })).map(({ details }) => details.values);
    await sync(ada.client, ada.client);
    expect(keyOf(ada).older).toBeUndefined();
    expect(await values(ada)).toEqual([{ value: 20 }]);
    await sync(tablet.client);
    for (const device of [ada, tablet]) {
      expect(device.client.sync.status).toMatchObject(inSync);
      expect(await values(device)).toEqual([{ value: 20 }]);
      expect(await epochsOn(device.client)).toEqual([2, 2]);
    }
    const newest = await aDeviceOf(proxy.url, ada);
    expect(await values(newest)).toEqual([{ value: 20 }]);
  });

  it('is continued by an owner alone', async () => {
    await letIn('editor');
    await ada.spaces.newKey(spaceId);
    proxy.requests.length = 0;
    await sync(bob.client, bob.client);
    expect(proxy.calls('POST /api/reseal')).toHaveLength(0);
    expect(bob.client.sync.status).toMatchObject(inSync);
    expect(await epochsOn(bob.client)).toEqual([1]);
    expect(keyOf(bob).older).toHaveLength(1);
    await sync(ada.client, bob.client);
    expect(keyOf(bob).older).toBeUndefined();
  });

  it('does not come back (attack 7)', async () => {
    await ada.spaces.newKey(spaceId);
    const path = `/api/profiles/${profileId}`;
    const { body } = await ada.client.request({ method: 'GET', path, space: spaceId });
    const old = body as JsonObject;
    await sync(ada.client, tablet.client);
    const profile = await ada.client.profiles.get(profileId);
    await ada.client.profiles.update(profile, { details: { notes: 'new' } });
    await sync(ada.client);
    proxy.tamper = (_request, answer) => {
      const [name, iv] = [old.name_data, old.name_iv] as string[];
      const text = answer.text
        .replace(/"name_data":"[^"]{40,}"/, `"name_data":"${name}"`)
        .replace(/"name_iv":"[^"]+"/, `"name_iv":"${iv}"`);
      return { ...answer, text };
    };
    await sync(tablet.client, tablet.client);
    expect(tablet.client.sync.status.problems).toMatchObject([{ code: 'rolled_back', recordId: profileId }]);
    expect(keyOf(tablet).older).toBeUndefined();
  });
});

describe('the end of an access', () => {
  it('takes records and key from a carer at once; unsent writes stay as problems, with their text', async () => {
    await letIn('carer');
    const { id } = await bob.client.healthStats.create(aReading(33));
    await ada.spaces.remove(spaceId, bob.accountId);
    await sync(bob.client);
    expect(bob.client.sync.status).toMatchObject({ state: 'idle', pending: 1 });
    const [problem] = bob.client.sync.status.problems;
    expect(problem).toMatchObject({ code: 'access_ended', recordId: id, resolutions: ['discard'] });
    expect((await bob.client.healthStats.get(id)).details.values).toEqual({ value: 33 });
    expect(await bob.client.medications.list()).toEqual([]);
    expect((await bob.client.profiles.list()).map((each) => each.id)).toEqual([bob.profileId]);
    proxy.requests.length = 0;
    await sync(bob.client);
    expect(proxy.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    await bob.client.sync.resolve(problem.id, 'discard');
    await sync(bob.client);
    expect(bob.client.sync.status).toMatchObject(inSync);
    expect(bob.parts.keys.profileKey(profileId)).toBeUndefined();
    expect(await bob.parts.memory.list()).toEqual([]);
  });

  it('leaves to an editor what it may export, marked, until it is removed from the device', async () => {
    await letIn('editor');
    await bob.client.medications.create(aMedication('Never sent'));
    await ada.spaces.remove(spaceId, bob.accountId);
    await ada.client.medications.create(aMedication('After the end'));
    await sync(ada.client, bob.client);
    const shared = (await bob.client.profiles.list()).find(({ id }) => id === profileId)!;
    expect(shared.space).toMatchObject({ id: spaceId, role: 'editor', blocked: null, state: 'removed' });
    expect(await namesOn(bob.client)).toEqual(['Ibuprofen', 'Never sent']);
    expect(bob.client.sync.status.problems).toMatchObject([
      { code: 'access_ended', resolutions: ['discard'] },
    ]);
    await expect(bob.client.medications.create(aMedication())).rejects.toMatchObject({
      code: 'access_ended',
    });
    const document = await bob.client.transfer.exportAll({ onLeftOut: () => undefined });
    expect(JSON.stringify(document)).toContain('Ibuprofen');
    await bob.spaces.forget(spaceId);
    expect(await bob.client.medications.list()).toEqual([]);
    expect(bob.client.sync.status).toMatchObject({ pending: 0, problems: [] });
    expect(await namesOn(ada.client)).toEqual(['After the end', 'Ibuprofen']);
  });

  it('comes while writes are sent: nothing counts as deleted', async () => {
    await letIn('editor');
    const current = await bob.client.medications.get(medicationId);
    await bob.client.medications.update(current, { details: { notes: 'late' } });
    let isOut = false;
    proxy.hold = ({ method, path }) => {
      if (method !== 'POST' || path !== `/api/medications/${medicationId}` || isOut) return undefined;
      isOut = true;
      return ada.spaces.remove(spaceId, bob.accountId).then(() => undefined);
    };
    await sync(bob.client);
    expect(isOut).toBe(true);
    expect(bob.client.sync.status.problems).toMatchObject([{ code: 'access_ended' }]);
    expect((await bob.client.medications.get(medicationId)).details).toMatchObject({
      name: 'Ibuprofen',
      notes: 'late',
    });
  });

  it('comes with the end of the space', async () => {
    await letIn('viewer');
    await ada.spaces.delete(spaceId, ada.password);
    await sync(bob.client, tablet.client);
    expect((await bob.client.profiles.list()).map(({ id }) => id)).toEqual([bob.profileId]);
    expect((await tablet.client.profiles.get(profileId)).space).toMatchObject({ state: 'removed' });
    expect(await namesOn(tablet.client)).toEqual(['Ibuprofen']);
  });

  it('is kept from a sign-out that would lose writes', async () => {
    await letIn('carer');
    await bob.client.healthStats.create(aReading());
    await expect(bob.client.logout()).rejects.toMatchObject({ code: 'outbox_not_empty', pending: 1 });
    bob.client.lock();
    await expect(bob.client.logout()).rejects.toMatchObject({ code: 'outbox_not_empty' });
    await bob.client.logout({ force: true });
    await bob.client.login(bob.email, bob.password);
    expect(await bob.client.sync.now()).toMatchObject(inSync);
    expect(await bob.client.healthStats.list({ profileId })).toEqual([]);
  });
});

it('a role that was lowered meanwhile makes problems of what it does not allow any more', async () => {
  await letIn('editor');
  await bob.client.medications.create(aMedication('Too late'));
  await bob.client.healthStats.create(aReading());
  await ada.spaces.setRole(spaceId, bob.accountId, 'carer');
  await sync(bob.client);
  const { problems, pending } = bob.client.sync.status;
  expect(problems).toMatchObject([
    { code: 'space_role_too_low', kind: 'medication', resolutions: ['discard'] },
  ]);
  expect(pending).toBe(1);
  await bob.client.sync.resolve(problems[0].id, 'retry');
  expect(bob.client.sync.status.problems).toHaveLength(1);
  await bob.client.sync.resolve(problems[0].id, 'discard');
  await sync(bob.client, ada.client);
  expect(bob.client.sync.status).toMatchObject(inSync);
  expect(await namesOn(ada.client)).toEqual(['Ibuprofen']);
  expect(await ada.client.healthStats.list({ profileId })).toHaveLength(1);
});

it('what the members of a space have sealed says nothing of the account', async () => {
  await letIn('editor');
  const own = await bob.client.medications.create({ ...aMedication('Own'), profileId: bob.profileId });
  const dose = await bob.client.medications.logDose(own.id, { taken: true });
  await sync(bob.client);
  // Ada's head says of both that they were deleted, and of Bob's profile.
  const { heads } = ada.parts.connection;
  for (const id of [own.id, dose.id, bob.profileId]) heads.noteDeletion(profileId, id, undefined);
  await ada.client.medications.create(aMedication('Publishes'));
  await sync(ada.client, bob.client, bob.client);
  expect(await bob.client.medications.doses(own.id)).toMatchObject([{ confirmed: true }]);
  expect((await bob.client.profiles.list()).map(({ id }) => id)).toContain(bob.profileId);
  expect(bob.parts.connection.heads.isProfileDeleted(bob.profileId)).toBe(false);
});
