import { openClient } from '../support/people';
import { aCircle, anotherDevice, aSharer, letIn, memberOf, rolesIn, type Sharer } from '../support/sharers';
import { type SharedService, sharedService } from '../support/service';

/** Profiles that several accounts share, with an honest service. */
let service: SharedService;
let url: string;
let ada: Sharer;
let ben: Sharer;

beforeAll(async () => {
  service = await sharedService();
  url = service.api.url;
});
beforeEach(async () => {
  [ada, ben] = await Promise.all([aSharer(url), aSharer(url)]);
});

const inSpace = (who: Sharer, space: string, path: string) =>
  who.client.request({ method: 'GET', path, space });

describe('the beginning', () => {
  it('makes a space of a profile, with its maker as the owner', async () => {
    const space = await ada.spaces.share(ada.profileId, 'Ada');
    expect(space).toMatchObject({ profileId: ada.profileId, role: 'owner', isKeeper: true, blocked: null });
    expect(space.members).toMatchObject([
      { accountId: ada.id, role: 'owner', name: 'Ada', acquaintance: 'self' },
    ]);
    expect(space.circleCode).toMatch(/^(\d{5} ){5}\d{5}$/);
    expect(await ada.spaces.list()).toEqual([
      { id: space.id, state: 'member', accepted: 0, profileId: ada.profileId, role: 'owner', blocked: null },
    ]);
  });

  it('is done once', async () => {
    await ada.spaces.share(ada.profileId, 'Ada');
    await expect(ada.spaces.share(ada.profileId, 'Ada')).rejects.toMatchObject({ code: 'already_shared' });
  });

  it('is not needed by an account that shares nothing: one request, and nothing else', async () => {
    expect(await ada.spaces.list()).toEqual([]);
    await expect(ada.spaces.get(ada.profileId)).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

describe('an invitation', () => {
  it('shows who invites, for whom and as what; both see the same digits; the new member reads the profile', async () => {
    const { id: spaceId } = await ada.spaces.share(ada.profileId, 'Ada');
    const made = await ada.spaces.invite(spaceId, 'editor');
    expect(made.fragment).toHaveLength(87);
    const offer = await ben.spaces.openInvitation(made.fragment);
    expect(offer).toMatchObject({
      spaceId,
      role: 'editor',
      profile: { id: ada.profileId, name: 'Ada', kind: 'human' },
      from: { accountId: ada.id, name: 'Ada' },
    });
    expect(await ada.spaces.invitations(spaceId)).toMatchObject([{ id: made.id, acceptance: null }]);
    const { digits } = await ben.spaces.accept(offer, 'Ben');
    expect(await ben.spaces.list()).toMatchObject([{ id: spaceId, state: 'waiting' }]);
    expect(await ada.spaces.list()).toMatchObject([{ id: spaceId, accepted: 1 }]);
    const [pending] = await ada.spaces.invitations(spaceId);
    expect(pending.acceptance).toMatchObject({ accountId: ben.id, name: 'Ben', digits });
    const space = await ada.spaces.confirm(spaceId, made.id, false);
    expect(memberOf(space, ben)).toMatchObject({ role: 'editor', name: 'Ben', acquaintance: 'paired' });
    const seen = await ben.spaces.get(ada.profileId);
    expect(seen).toMatchObject({ id: spaceId, role: 'editor', isKeeper: false, blocked: null });
    expect(memberOf(seen, ada)).toMatchObject({ role: 'owner', name: 'Ada', acquaintance: 'paired' });
    expect(memberOf(seen, ben)).toMatchObject({ name: 'Ben', acquaintance: 'self' });
    expect(seen.circleCode).toBe(space.circleCode);
    expect(await ben.spaces.digitsWith(spaceId, ada.id)).toBe(digits);
    expect(await ada.spaces.digitsWith(spaceId, ben.id)).toBe(digits);
    const { body } = await inSpace(ben, spaceId, '/api/profiles');
    expect(body).toMatchObject([{ profile_id: ada.profileId, wrapped_profile_dek: '' }]);
  });

  it('lets an owner in only after the digits were compared', async () => {
    const { id: spaceId } = await ada.spaces.share(ada.profileId, 'Ada');
    const { id, fragment } = await ada.spaces.invite(spaceId, 'owner');
    await ben.spaces.accept(await ben.spaces.openInvitation(fragment), 'Ben');
    await expect(ada.spaces.confirm(spaceId, id, false)).rejects.toMatchObject({
      code: 'digits_not_compared',
    });
    expect(rolesIn(await ada.spaces.confirm(spaceId, id, true))).toMatchObject({ [ben.id]: 'owner' });
  });

  it('is confirmed on another device of the inviter, too', async () => {
    const { id: spaceId } = await ada.spaces.share(ada.profileId, 'Ada');
    const { id, fragment } = await ada.spaces.invite(spaceId, 'viewer');
    await ben.spaces.accept(await ben.spaces.openInvitation(fragment), 'Ben');
    const tablet = await anotherDevice(url, ada);
    expect(rolesIn(await tablet.spaces.confirm(spaceId, id, false))).toMatchObject({ [ben.id]: 'viewer' });
  });

  it('needs a session and no key to be read', async () => {
    const { id: spaceId } = await ada.spaces.share(ada.profileId, 'Ada');
    const { fragment } = await ada.spaces.invite(spaceId, 'viewer');
    ben.client.lock();
    expect(await ben.spaces.openInvitation(fragment)).toMatchObject({ spaceId, role: 'viewer' });
    await expect(ben.spaces.accept(await ben.spaces.openInvitation(fragment), 'Ben')).rejects.toMatchObject({
      code: 'locked',
    });
  });

  it('is not confirmed before somebody has accepted', async () => {
    const { id: spaceId } = await ada.spaces.share(ada.profileId, 'Ada');
    const { id } = await ada.spaces.invite(spaceId, 'viewer');
    await expect(ada.spaces.confirm(spaceId, id, true)).rejects.toMatchObject({ code: 'nobody_accepted' });
  });

  it('attack 14: is of no use when it is guessed, withdrawn or used', async () => {
    const { id: spaceId } = await ada.spaces.share(ada.profileId, 'Ada');
    const { id, fragment } = await ada.spaces.invite(spaceId, 'viewer');
    const guessed = `${fragment.slice(0, -4)}AAAA`;
    await expect(ben.spaces.openInvitation(guessed)).rejects.toMatchObject({ code: 'not_found' });
    await expect(ben.spaces.openInvitation('nonsense')).rejects.toMatchObject({ code: 'invalid_argument' });
    const offer = await ben.spaces.openInvitation(fragment);
    await ben.spaces.accept(offer, 'Ben');
    const eve = await aSharer(url);
    await expect(eve.spaces.accept(offer, 'Eve')).rejects.toMatchObject({ code: 'invitation_taken' });
    await ada.spaces.confirm(spaceId, id, true);
    await expect(eve.spaces.openInvitation(fragment)).rejects.toMatchObject({ code: 'not_found' });
    await expect(eve.spaces.accept(offer, 'Eve')).rejects.toMatchObject({ code: 'not_found' });
    const other = await ada.spaces.invite(spaceId, 'viewer');
    await ada.spaces.withdraw(spaceId, other.id);
    await expect(eve.spaces.openInvitation(other.fragment)).rejects.toMatchObject({ code: 'not_found' });
    expect(await ada.spaces.invitations(spaceId)).toEqual([]);
  });
});

describe('another device', () => {
  it('without any memory believes the space by its trust book', async () => {
    const { id } = await aCircle(ada, [[ben, 'carer']]);
    for (const who of [ada, ben]) {
      const fresh = await anotherDevice(url, who);
      const space = await fresh.spaces.get(ada.profileId);
      expect(space).toMatchObject({ id, blocked: null });
      expect(rolesIn(space)).toEqual({ [ada.id]: 'owner', [ben.id]: 'carer' });
    }
  });

  it('without the option knows nothing of it', async () => {
    await aCircle(ada);
    const old = openClient(url);
    await old.login(ada.email, ada.password);
    expect(old.spaces).toBeUndefined();
    expect(await old.profiles.list()).toEqual([]);
  });
});

describe('the circle', () => {
  it('raises, lowers and removes members; a lower role and a removal make a new key', async () => {
    const carl = await aSharer(url);
    const { id } = await aCircle(ada, [
      [ben, 'viewer'],
      [carl, 'carer'],
    ]);
    expect(rolesIn(await ada.spaces.setRole(id, ben.id, 'editor'))).toMatchObject({ [ben.id]: 'editor' });
    expect(rolesIn(await ada.spaces.setRole(id, ben.id, 'carer'))).toMatchObject({ [ben.id]: 'carer' });
    const space = await ada.spaces.remove(id, carl.id);
    expect(rolesIn(space)).toEqual({ [ada.id]: 'owner', [ben.id]: 'carer' });
    expect(await ben.spaces.get(ada.profileId)).toMatchObject({
      role: 'carer',
      blocked: null,
      circleCode: space.circleCode,
    });
    expect(await carl.spaces.list()).toMatchObject([{ id, state: 'removed' }]);
    await carl.spaces.forget(id);
    expect(await carl.spaces.list()).toEqual([]);
  });

  it('gets a new key by choice, which all members open', async () => {
    const { id } = await aCircle(ada, [[ben, 'editor']]);
    const space = await ada.spaces.newKey(id);
    expect(space).toMatchObject({ blocked: null, isKeyDue: false });
    expect(await ben.spaces.get(ada.profileId)).toMatchObject({
      blocked: null,
      circleCode: space.circleCode,
    });
    expect(await (await anotherDevice(url, ben)).spaces.get(ada.profileId)).toMatchObject({ blocked: null });
  });

  it('knows who is met first in a roster as introduced, and as paired once the digits were compared', async () => {
    const carl = await aSharer(url);
    const { id } = await aCircle(ada, [
      [ben, 'viewer'],
      [carl, 'viewer'],
    ]);
    expect(memberOf(await ben.spaces.get(ada.profileId), carl)).toMatchObject({ acquaintance: 'introduced' });
    expect(await ben.spaces.digitsWith(id, carl.id)).toBe(await carl.spaces.digitsWith(id, ben.id));
    expect(memberOf(await ben.spaces.agree(id, carl.id), carl)).toMatchObject({ acquaintance: 'paired' });
  });

  it('lets nobody but an owner change it', async () => {
    const { id } = await aCircle(ada, [[ben, 'editor']]);
    const tooLow = { code: 'space_role_too_low' };
    await expect(ben.spaces.newKey(id)).rejects.toMatchObject(tooLow);
    await expect(ben.spaces.remove(id, ada.id)).rejects.toMatchObject(tooLow);
    await expect(ben.spaces.invite(id, 'viewer')).rejects.toMatchObject(tooLow);
    await expect(ben.spaces.setRole(id, ben.id, 'owner')).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(rolesIn(await ada.spaces.get(ada.profileId))).toEqual({ [ada.id]: 'owner', [ben.id]: 'editor' });
  });

  it('attack 11: protects each owner from the other one', async () => {
    const { id } = await aCircle(ada, [[ben, 'owner']]);
    const isProtected = { code: 'owner_protected' };
    await expect(ada.spaces.remove(id, ben.id)).rejects.toMatchObject(isProtected);
    await expect(ben.spaces.setRole(id, ada.id, 'viewer')).rejects.toMatchObject(isProtected);
    await expect(ada.spaces.delete(id, ada.password)).rejects.toMatchObject({ code: 'co_owned' });
  });

  it('attack 13: two owners who remove and invite at once both get what they want', async () => {
    const [carl, dora] = await Promise.all([aSharer(url), aSharer(url)]);
    const { id } = await aCircle(ada, [
      [ben, 'owner'],
      [carl, 'viewer'],
    ]);
    const made = await ben.spaces.invite(id, 'carer');
    await dora.spaces.accept(await dora.spaces.openInvitation(made.fragment), 'Dora');
    await Promise.all([ada.spaces.remove(id, carl.id), ben.spaces.confirm(id, made.id, true)]);
    const expected = { [ada.id]: 'owner', [ben.id]: 'owner', [dora.id]: 'carer' };
    for (const who of [ada, ben, dora]) {
      const space = await who.spaces.get(ada.profileId);
      expect([rolesIn(space), space.blocked]).toEqual([expected, null]);
    }
  });

  it('attack 13: two owners who remove the same member: one does it, the other is told', async () => {
    const carl = await aSharer(url);
    const { id } = await aCircle(ada, [
      [ben, 'owner'],
      [carl, 'viewer'],
    ]);
    const done = await Promise.allSettled([ada.spaces.remove(id, carl.id), ben.spaces.remove(id, carl.id)]);
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { reason } = done.find((each): each is PromiseRejectedResult => each.status === 'rejected')!;
    expect(reason).toMatchObject({ code: 'change_obsolete' });
  });
});

describe('what a profile is to a person', () => {
  const relationOf = async ({ client }: Sharer) =>
    (await client.profiles.get(ada.profileId)).space?.relationship;

  it('is what the maker had said, and for the others nothing, until each says it for all own devices', async () => {
    await ada.client.profiles.update(await ada.client.profiles.get(ada.profileId), {
      relationship: 'parent',
    });
    const { id } = await aCircle(ada, [[ben, 'viewer']]);
    await ben.spaces.list();
    expect([await relationOf(ada), await relationOf(ben)]).toEqual(['parent', '']);
    await ben.spaces.relate(id, 'partner');
    const tablet = await anotherDevice(url, ben);
    await tablet.spaces.list();
    expect([await relationOf(ben), await relationOf(tablet)]).toEqual(['partner', 'partner']);
    // The others see nothing of it, and a later list of members takes nothing away.
    await ada.spaces.newKey(id);
    await ben.spaces.get(ada.profileId);
    expect([await relationOf(ada), await relationOf(ben)]).toEqual(['parent', 'partner']);
    expect(await ben.client.profiles.get(ada.profileId)).toMatchObject({ relationship: 'parent' });
    await expect(ben.spaces.relate(id, '')).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

describe('leaving', () => {
  it('signs a member out, and the next owner makes the key that is due', async () => {
    const { id } = await aCircle(ada, [[ben, 'editor']]);
    const before = await ada.spaces.get(ada.profileId);
    await ben.spaces.leave(id);
    expect(await ben.spaces.list()).toEqual([]);
    await expect(ben.spaces.get(ada.profileId)).rejects.toMatchObject({ code: 'invalid_argument' });
    const after = await ada.spaces.newKey(id);
    expect(rolesIn(after)).toEqual({ [ada.id]: 'owner' });
    expect(after.isKeyDue).toBe(false);
    expect(after.circleCode).not.toBe(before.circleCode);
  });

  it('is refused to the only owner, and a hand-over is possible', async () => {
    const { id } = await aCircle(ada, [[ben, 'owner']]);
    await ben.spaces.becomeKeeper(id);
    expect(await ben.spaces.get(ada.profileId)).toMatchObject({ isKeeper: true });
    await ada.spaces.setRole(id, ada.id, 'viewer');
    await expect(ben.spaces.leave(id)).rejects.toMatchObject({ code: 'sole_owner', spaceIds: [id] });
    await expect(ben.spaces.setRole(id, ben.id, 'carer')).rejects.toMatchObject({ code: 'sole_owner' });
    await ada.spaces.leave(id);
    expect(rolesIn(await ben.spaces.get(ada.profileId))).toEqual({ [ben.id]: 'owner' });
  });

  it('and coming back works by another invitation', async () => {
    const { id } = await aCircle(ada, [[ben, 'editor']]);
    await ben.spaces.leave(id);
    await ada.spaces.newKey(id);
    await letIn(ada, ben, id, 'viewer');
    expect(await ben.spaces.get(ada.profileId)).toMatchObject({ role: 'viewer', blocked: null });
  });
});

describe('the end', () => {
  it('deletes the profile for all', async () => {
    const { id } = await aCircle(ada, [[ben, 'editor']]);
    await ben.spaces.list();
    await expect(ada.spaces.delete(id, 'another password')).rejects.toMatchObject({ code: 'password_wrong' });
    await ada.spaces.delete(id, ada.password);
    expect(await ada.spaces.list()).toEqual([]);
    expect(await ben.spaces.list()).toMatchObject([{ id, state: 'deleted', profileId: ada.profileId }]);
    await ben.spaces.forget(id);
    expect(await ben.spaces.list()).toEqual([]);
  });

  it('of an account leaves the spaces, and tells which would have no owner', async () => {
    const { id } = await aCircle(ada, [[ben, 'editor']]);
    await expect(ada.client.deleteAccount(ada.password)).rejects.toMatchObject({
      code: 'sole_owner',
      spaceIds: [id],
    });
    await ada.spaces.setRole(id, ben.id, 'owner');
    await expect(ada.client.deleteAccount('another password')).rejects.toMatchObject({
      code: 'password_wrong',
    });
    expect(rolesIn(await ben.spaces.get(ada.profileId))).toMatchObject({ [ada.id]: 'owner' });
    await ada.client.deleteAccount(ada.password);
    expect(rolesIn(await ben.spaces.get(ada.profileId))).toEqual({ [ben.id]: 'owner' });
  });

  it('of an account takes the spaces along, where the person wants that', async () => {
    const { id } = await aCircle(ada, [[ben, 'editor']]);
    await ada.client.deleteAccount(ada.password, { soleSpaces: 'delete' });
    expect(await ben.spaces.list()).toMatchObject([{ id, state: 'deleted' }]);
  });
});
