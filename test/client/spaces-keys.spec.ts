import { generateRecoveryPhrase } from '@app/client';
import { memoryOfflineStore } from '@app/client/offline';
import { aCircle, anotherDevice, aSharer, letIn, memberOf, rolesIn, type Sharer } from '../support/sharers';
import { startService, type TestService } from '../support/service';
import { backupOf } from '../support/space-backup';
import { until } from '../support/until';

/** New keys of shared profiles: those that are due, those after a restore, and those after a replacement of all keys. */
let service: TestService;
let url: string;
let ada: Sharer;
let ben: Sharer;

beforeAll(async () => {
  service = await startService();
  url = service.api.url;
});
afterAll(() => service.stop());
beforeEach(async () => {
  [ada, ben] = await Promise.all([
    aSharer(url, { offline: memoryOfflineStore() }),
    aSharer(url, { offline: memoryOfflineStore() }),
  ]);
});

const serviceSpace = async (who: Sharer, space: string) =>
  (await who.client.request({ method: 'GET', path: '/api/space', space })).body as any;

describe('a key that is due', () => {
  it('is made by the next owner who syncs, once', async () => {
    const { id } = await aCircle(ada, [
      [ben, 'owner'],
      [await aSharer(url), 'viewer'],
    ]);
    const before = await ada.spaces.get(ada.profileId);
    await ben.spaces.leave(id);
    await ada.client.sync.now();
    let after = before;
    await until('the key is made', async () => {
      after = await ada.spaces.get(ada.profileId);
      return !after.isKeyDue && after.circleCode !== before.circleCode;
    });
    expect([after.isKeyDue, after.blocked, after.members.length]).toEqual([false, null, 2]);
    expect((await serviceSpace(ada, id)).roster_version).toBe(5);
    await ada.client.sync.now();
    expect((await serviceSpace(ada, id)).roster_version).toBe(5);
  });

  it('is made by the next look, where the network ended the first try', async () => {
    let isCut = true;
    let cuts = 0;
    const ada = await aSharer(url, {
      offline: memoryOfflineStore(),
      fetch: (input, init) => {
        if (!isCut || !new Request(input).url.endsWith('/rekey')) return fetch(input, init);
        cuts += 1;
        return Promise.reject(new TypeError('The network is gone.'));
      },
    });
    const { id } = await aCircle(ada, [[ben, 'owner']]);
    await ben.spaces.leave(id);
    await ada.client.sync.now();
    await until('a try is cut', () => Promise.resolve(cuts > 0));
    isCut = false;
    await until('the key is made', async () => {
      await ada.client.sync.now();
      return !(await ada.spaces.get(ada.profileId)).isKeyDue;
    });
  });
});

it('a new key seals the records anew at once, and not with the next sync', async () => {
  const { id } = await aCircle(ada, [[ben, 'viewer']]);
  const { profileId } = ada;
  await ada.client.medications.create({
    profileId,
    route: 'oral',
    schedule: { timesPerDay: 1 },
    details: { name: 'Amlodipine' },
  });
  await ada.client.sync.now();
  ada.client.sync.start();
  await ada.client.sync.now();
  await ada.spaces.remove(id, ben.id);
  // The next sync by the clock is a minute away.
  await until('all is sealed anew', async () => !(await ada.spaces.get(profileId)).resealing);
  ada.client.sync.stop();
  const [row] = (await ada.client.request({ method: 'GET', path: '/api/medications', space: id })).body as {
    revision: number;
  }[];
  expect(row.revision).toBeGreaterThan(1);
});

describe('after a restore of the service', () => {
  it('to before a removal an owner sets it right: the removed one is out again, and gets no key', async () => {
    const carl = await aSharer(url);
    const { id } = await aCircle(ada, [
      [ben, 'editor'],
      [carl, 'viewer'],
    ]);
    await ada.client.sync.now();
    const restore = await backupOf(service.databaseUrl, id, [ada.id, ben.id]);
    await ada.spaces.remove(id, carl.id);
    await ben.spaces.list();
    await ada.client.sync.now();
    await restore();
    await ada.client.sync.now();
    expect(await ada.spaces.get(ada.profileId)).toMatchObject({ blocked: { code: 'roster_rolled_back' } });
    const { code } = (await ben.spaces.setRight(id).catch((error: { code: string }) => error)) as {
      code: string;
    };
    expect(code).toBe('space_role_too_low');
    const space = await ada.spaces.setRight(id);
    expect(space.blocked).toBeNull();
    expect(rolesIn(space)).toEqual({ [ada.id]: 'owner', [ben.id]: 'editor' });
    expect((await ada.client.profiles.get(ada.profileId)).details.name).toBe('Ada');
    // What the account of the editor had noted went back, too: a member mends that alone, as this one has done.
    await ben.client.sync.now();
    expect(await ben.spaces.get(ada.profileId)).toMatchObject({ blocked: null, role: 'editor' });
    expect(await carl.spaces.list()).toMatchObject([{ id, state: 'removed' }]);
    await expect(ada.spaces.setRight(id)).rejects.toMatchObject({ code: 'not_rolled_back' });
  });

  it('there is nothing to set right in a space that has not gone back', async () => {
    const { id } = await aCircle(ada);
    await expect(ada.spaces.setRight(id)).rejects.toMatchObject({ code: 'not_rolled_back' });
  });
});

describe('after a replacement of all keys', () => {
  const NEW_PASSWORD = 'another long password of the family';
  const rotate = async (who: Sharer, wasStolen: boolean) => {
    await who.client.rotateKeys({
      currentPassword: who.password,
      newPassword: NEW_PASSWORD,
      recoveryPhrase: await generateRecoveryPhrase(),
      wasStolen,
    });
    await who.client.sync.now();
  };
  const rosterOf = async (space: string, who: Sharer) => (await serviceSpace(who, space)).roster_version;

  it('the members of a space of an owner keep the same identity and get a new key', async () => {
    const { id } = await aCircle(ada, [[ben, 'editor']]);
    const digits = await ben.spaces.digitsWith(id, ada.id);
    await rotate(ada, false);
    await until('roster 3 is there', async () => (await rosterOf(id, ada)) === 3);
    expect(await ada.spaces.get(ada.profileId)).toMatchObject({ blocked: null, role: 'owner' });
    const seen = await ben.spaces.get(ada.profileId);
    expect([seen.blocked, memberOf(seen, ada)?.acquaintance]).toEqual([null, 'paired']);
    expect(await ben.spaces.digitsWith(id, ada.id)).toBe(digits);
    const fresh = await anotherDevice(url, { ...ada, password: NEW_PASSWORD });
    expect(await fresh.spaces.get(ada.profileId)).toMatchObject({ blocked: null });
  });

  it('a member who is no owner says that a key is due', async () => {
    const { id } = await aCircle(ada, [[ben, 'carer']]);
    await rotate(ben, false);
    await until('roster 3 is there', async () => (await rosterOf(id, ada)) === 3);
    await ada.client.sync.now();
    await until('roster 4 is there', async () => (await rosterOf(id, ada)) === 4);
    expect(await ada.spaces.get(ada.profileId)).toMatchObject({ blocked: null, isKeyDue: false });
    expect(await ben.spaces.get(ada.profileId)).toMatchObject({ blocked: null, role: 'carer' });
  });

  it('attack 19: new keys after a theft are compared before anything is sealed to them or taken from them', async () => {
    const carl = await aSharer(url);
    const { id } = await aCircle(ada, [
      [ben, 'owner'],
      [carl, 'viewer'],
    ]);
    await ben.spaces.get(ada.profileId);
    const digits = await ben.spaces.digitsWith(id, ada.id);
    await rotate(ada, true);
    await until('roster 4 is there', async () => (await rosterOf(id, ada)) === 4);
    expect(await ada.spaces.get(ada.profileId)).toMatchObject({ blocked: null });
    // The step to them was signed by the keys of before, and is taken.
    const seen = await ben.spaces.get(ada.profileId);
    expect([seen.blocked, memberOf(seen, ada)?.acquaintance]).toEqual([null, 'new_keys']);
    expect(await ben.spaces.digitsWith(id, ada.id)).not.toBe(digits);
    // Nothing is sealed to them,
    await ben.spaces.newKey(id);
    expect((await serviceSpace(ada, id)).wrap).toBeNull();
    expect(await ada.spaces.get(ada.profileId)).toMatchObject({ blocked: { code: 'key_missing' } });
    await expect(ben.spaces.setRole(id, ada.id, 'owner')).resolves.toBeDefined();
    // and nothing that they have signed is taken.
    await ada.spaces.setRole(id, carl.id, 'carer').catch(() => undefined);
    await ben.spaces.agree(id, ada.id);
    await ben.spaces.newKey(id);
    const agreed = await ben.spaces.get(ada.profileId);
    expect([agreed.blocked, memberOf(agreed, ada)?.acquaintance]).toEqual([null, 'paired']);
    expect(await ben.spaces.digitsWith(id, ada.id)).toBe(await ada.spaces.digitsWith(id, ben.id));
    expect(await ada.spaces.get(ada.profileId)).toMatchObject({ blocked: null });
  });

  it('attack 19: a roster that they have signed blocks the space until the persons have compared the digits', async () => {
    const carl = await aSharer(url);
    const { id } = await aCircle(ada, [
      [ben, 'owner'],
      [carl, 'viewer'],
    ]);
    await ben.spaces.get(ada.profileId);
    await rotate(ada, true);
    await until('roster 4 is there', async () => (await rosterOf(id, ada)) === 4);
    await ada.spaces.setRole(id, carl.id, 'carer');
    expect(await ben.spaces.get(ada.profileId)).toMatchObject({
      blocked: { code: 'new_keys', accountId: ada.id },
    });
    const notCompared = { code: 'keys_not_compared' };
    await expect(ben.spaces.newKey(id)).rejects.toMatchObject(notCompared);
    await expect(ben.spaces.invite(id, 'viewer')).rejects.toMatchObject(notCompared);
    const fresh = await anotherDevice(url, ben);
    expect(await fresh.spaces.get(ada.profileId)).toMatchObject({ blocked: { code: 'new_keys' } });
    const space = await ben.spaces.agree(id, ada.id);
    expect([space.blocked, rolesIn(space)[carl.id]]).toEqual([null, 'carer']);
    expect(await fresh.spaces.get(ada.profileId)).toMatchObject({ blocked: null });
  });

  it('a device that was off opens what it has kept after a sign-in', async () => {
    const tablet = await anotherDevice(url, ada, { offline: memoryOfflineStore() });
    const { id } = await aCircle(ada, [[ben, 'editor']]);
    await tablet.client.sync.now();
    expect(await tablet.spaces.get(ada.profileId)).toMatchObject({ blocked: null });
    await rotate(ada, false);
    await until('roster 3 is there', async () => (await rosterOf(id, ada)) === 3);
    await tablet.client.login(ada.email, NEW_PASSWORD);
    await tablet.client.sync.now();
    expect(await tablet.client.spaces!.get(ada.profileId)).toMatchObject({ blocked: null });
  });

  it('invitations of before are of no use to their maker, and of none to others', async () => {
    const { id } = await aCircle(ada);
    const made = await ada.spaces.invite(id, 'viewer');
    await ben.spaces.accept(await ben.spaces.openInvitation(made.fragment), 'Ben');
    await rotate(ada, false);
    expect(await ada.spaces.invitations(id)).toMatchObject([{ refusal: { code: 'tampered' } }]);
    await letIn(ada, await aSharer(url), id, 'viewer');
  });
});
