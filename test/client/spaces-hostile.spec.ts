import { randomBytes } from 'node:crypto';
import { aCircle, anotherDevice, aSharer, letIn, memberOf, rolesIn, type Sharer } from '../support/sharers';
import { type SharedService, sharedService } from '../support/service';
import { type Answer, cut, json, type Lie, LyingFetch } from './hostile/lying-fetch';
import { changing, recorded } from './hostile/space-lies';

/** Shared profiles, with a service that lies to one device. */
let service: SharedService;
let url: string;
let network: LyingFetch;
let ada: Sharer;
let ben: Sharer;

beforeAll(async () => {
  service = await sharedService();
  url = service.api.url;
});
beforeEach(async () => {
  network = new LyingFetch();
  [ada, ben] = await Promise.all([
    aSharer(url, { fetch: network.fetch, retry: { attempts: 1 } }),
    aSharer(url),
  ]);
});

/** What the client has written meanwhile. */
function watched(lie: Lie): { lie: Lie; writes: string[] } {
  const writes: string[] = [];
  return {
    writes,
    lie: (asked, pass) => {
      if (asked.method !== 'GET' && asked.path !== '/api/auth/refresh') writes.push(asked.path);
      return lie(asked, pass);
    },
  };
}
const blockedOf = async (who: Sharer) => (await who.spaces.get(ada.profileId)).blocked;

describe('attack 5: other keys and other members', () => {
  const eveKey = randomBytes(1216).toString('base64');
  const eve = '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c33';
  const row = { member_id: eve, role: 'owner', sharing_public: eveKey, joined_at: new Date().toISOString() };

  it.each<[string, (body: any) => unknown, number]>([
    ['a member that nobody let in', (body) => ({ ...body, members: [...body.members, row] }), 0],
    [
      'another public key of a member',
      (body) => ({
        ...body,
        members: body.members.map((each: any) =>
          each.role === 'viewer' ? { ...each, sharing_public: eveKey } : each,
        ),
      }),
      0,
    ],
    [
      'another role of a member',
      (body) => ({
        ...body,
        members: body.members.map((each: any) =>
          each.role === 'viewer' ? { ...each, role: 'owner' } : each,
        ),
      }),
      0,
    ],
    ['another own role', (body) => ({ ...body, role: 'viewer' }), 0],
    ['another profile', (body) => ({ ...body, profile_id: eve }), 1],
  ])('%s: nothing is sealed in the space any more', async (_what, change, rule) => {
    const { id } = await aCircle(ada, [[ben, 'viewer']]);
    const { lie, writes } = watched(changing('/api/space', change));
    network.begin(lie);
    expect(await blockedOf(ada)).toMatchObject({ code: 'roster_refused', rule });
    const refused = { code: 'roster_refused', rule };
    await expect(ada.spaces.newKey(id)).rejects.toMatchObject(refused);
    await expect(ada.spaces.invite(id, 'viewer')).rejects.toMatchObject(refused);
    await expect(ada.spaces.setRole(id, ben.id, 'carer')).rejects.toMatchObject(refused);
    expect(writes).toEqual([]);
    network.begin(undefined);
    expect(await blockedOf(ada)).toBeNull();
  });

  it('a space that this account has never joined is not believed', async () => {
    await aCircle(ben);
    const space = (await ben.client.request({ method: 'GET', path: '/api/spaces' })).body as any[];
    const named = (await ben.client.request({ method: 'GET', path: '/api/space', space: space[0].space_id }))
      .body as any;
    const rosters = (
      await ben.client.request({ method: 'GET', path: '/api/space/rosters', space: space[0].space_id })
    ).body;
    const { id } = await aCircle(ada);
    network.begin(async (asked, pass) => {
      const answer = await pass();
      if (asked.path === '/api/spaces') return json(200, [...JSON.parse(answer.text), ...space]);
      if (answer.status !== 404) return answer;
      if (asked.path === '/api/space') return json(200, named);
      return asked.path === '/api/space/rosters' ? json(200, rosters) : answer;
    });
    expect(await ada.spaces.list()).toMatchObject([
      { id, blocked: null },
      { id: space[0].space_id, blocked: { code: 'roster_refused', rule: 0 } },
    ]);
  });

  it('a roster that somebody else has signed breaks rule 2', async () => {
    const { id } = await aCircle(ada);
    await letIn(ada, ben, id, 'viewer');
    const fresh = await anotherDevice(url, ada, { fetch: network.fetch });
    network.begin(
      changing('/api/space/rosters', (rosters) =>
        rosters.map(({ version, roster }: any) => ({
          version,
          roster: `${roster.split('.')[0]}.${randomBytes(64).toString('base64')}`,
        })),
      ),
    );
    expect(await fresh.spaces.list()).toMatchObject([{ blocked: { code: 'roster_refused', rule: 2 } }]);
  });

  it('a newer roster that is named and not given: nothing is sealed any more', async () => {
    const { id } = await aCircle(ada, [[ben, 'owner']]);
    await ada.spaces.get(ada.profileId);
    await ben.spaces.newKey(id);
    for (const none of [[], [{ version: 'three' }]]) {
      const { lie, writes } = watched(changing('/api/space/rosters', () => none));
      network.begin(lie);
      expect(await blockedOf(ada)).toMatchObject({ code: 'roster_withheld' });
      await expect(ada.spaces.invite(id, 'viewer')).rejects.toMatchObject({
        code: none.length > 0 ? 'protocol_violation' : 'roster_withheld',
      });
      expect(writes).toEqual([]);
      network.begin(undefined);
      expect(await blockedOf(ada)).toBeNull();
      await ben.spaces.newKey(id);
    }
  });

  it('an offer and an acceptance that were exchanged do not open', async () => {
    const { id } = await aCircle(ben);
    const [one, two] = [await ben.spaces.invite(id, 'viewer'), await ben.spaces.invite(id, 'viewer')];
    const offers: any[] = [];
    network.begin(changing('/api/invitations/open', (body) => (offers.push(body), body)));
    await ada.spaces.openInvitation(two.fragment);
    const tampered = { code: 'tampered' };
    network.begin(changing('/api/invitations/open', (body) => ({ ...body, offer: offers[0].offer })));
    await expect(ada.spaces.openInvitation(one.fragment)).rejects.toMatchObject(tampered);
    network.begin(changing('/api/invitations/open', (body) => ({ ...body, role: 'owner' })));
    await expect(ada.spaces.openInvitation(one.fragment)).rejects.toMatchObject(tampered);
    const later = new Date(Date.now() + 1000).toISOString();
    network.begin(changing('/api/invitations/open', (body) => ({ ...body, expires_at: later })));
    await expect(ada.spaces.openInvitation(one.fragment)).rejects.toMatchObject(tampered);
  });

  it('an acceptance of another account, or one that was changed, lets nobody in', async () => {
    const { id } = await aCircle(ada);
    const made = await ada.spaces.invite(id, 'viewer');
    await ben.spaces.accept(await ben.spaces.openInvitation(made.fragment), 'Ben');
    const listed = (change: object) =>
      changing('/api/space/invitations', (list) => list.map((each: any) => ({ ...each, ...change })));
    network.begin(listed({ accepted_by: eve }));
    expect(await ada.spaces.invitations(id)).toMatchObject([{ refusal: { code: 'account_mismatch' } }]);
    await expect(ada.spaces.confirm(id, made.id, true)).rejects.toMatchObject({ code: 'account_mismatch' });
    const garbage = { ciphertext: randomBytes(2064).toString('base64'), iv: 'AAECAwQFBgcICQoL' };
    network.begin(listed({ acceptance: garbage }));
    expect(await ada.spaces.invitations(id)).toMatchObject([{ refusal: { code: 'tampered' } }]);
    await expect(ada.spaces.confirm(id, made.id, true)).rejects.toMatchObject({ code: 'tampered' });
    network.begin(undefined);
    expect(rolesIn(await ada.spaces.get(ada.profileId))).toEqual({ [ada.id]: 'owner' });
  });

  it('an invitation to a profile that this account has already is refused', async () => {
    const { id } = await aCircle(ada, [[ben, 'owner']]);
    const { fragment } = await ben.spaces.invite(id, 'viewer');
    const offer = await ben.spaces.openInvitation(fragment);
    expect(offer.profile.id).toBe(ada.profileId);
    // As if the profile were still one of the account alone.
    const carl = await aSharer(url, { fetch: network.fetch });
    network.begin((asked, pass) =>
      asked.path === `/api/profiles/${ada.profileId}` ? json(200, { profile_id: ada.profileId }) : pass(),
    );
    await expect(
      carl.spaces.accept(await carl.spaces.openInvitation(fragment), 'Carl'),
    ).rejects.toMatchObject({ code: 'tampered' });
  });

  it('a service that hides the identity of an account that shares gets no second one', async () => {
    await aCircle(ada);
    const fresh = await anotherDevice(url, ada, { fetch: network.fetch });
    const { lie, writes } = watched((asked, pass) =>
      asked.path === '/api/users/me/keys' && asked.method === 'GET'
        ? json(404, { code: 'not_found', error: 'Not found.' })
        : pass(),
    );
    network.begin(lie);
    const other = await fresh.client.profiles.create({ details: { name: 'Lena' } });
    await expect(fresh.spaces.share(other.id, 'Ada')).rejects.toMatchObject({ code: 'records_missing' });
    expect(writes).toEqual(['/api/profiles']);
  });
});

describe('attack 6: an older roster, and two of one version', () => {
  it('a device that has seen a newer one takes no older one, with a memory and by the trust book alone', async () => {
    const { id } = await aCircle(ada, [[ben, 'viewer']]);
    const older = await recorded(ada.client, id);
    await ada.spaces.remove(id, ben.id);
    network.begin(older);
    expect(await blockedOf(ada)).toMatchObject({ code: 'roster_rolled_back' });
    await expect(ada.spaces.newKey(id)).rejects.toMatchObject({ code: 'roster_rolled_back' });
    const fresh = await anotherDevice(url, ada, { fetch: network.fetch });
    expect(await fresh.spaces.list()).toMatchObject([{ id, blocked: { code: 'roster_rolled_back' } }]);
  });

  it('of two rosters of one version, who took one refuses what follows on the other; the codes differ', async () => {
    const { id } = await aCircle(ada, [[ben, 'viewer']]);
    const forked: string[] = [];
    network.begin((asked, pass) => {
      if (asked.path !== '/api/space/roles') return pass();
      forked.push(asked.sent.roster);
      return cut();
    });
    await expect(ada.spaces.setRole(id, ben.id, 'carer')).rejects.toMatchObject({ code: 'network_failed' });
    network.begin(undefined);
    const truth = await ada.spaces.setRole(id, ben.id, 'editor');
    const toBen = new LyingFetch();
    const liedTo = await anotherDevice(url, ben, { fetch: toBen.fetch });
    toBen.begin(async (asked, pass) => {
      const answer: Answer = await pass();
      const body = answer.status === 200 ? JSON.parse(answer.text) : undefined;
      if (asked.path === '/api/space/rosters')
        return json(
          200,
          body.map((each: any) => (each.version === 3 ? { version: 3, roster: forked[0] } : each)),
        );
      if (asked.path !== '/api/space') return answer;
      const members = body.members.map((each: any) =>
        each.member_id === ben.id ? { ...each, role: 'carer' } : each,
      );
      return json(200, { ...body, role: 'carer', members });
    });
    const seen = await liedTo.spaces.get(ada.profileId);
    expect([seen.role, seen.blocked]).toEqual(['carer', null]);
    expect(seen.circleCode).not.toBe(truth.circleCode);
    await ada.spaces.setRole(id, ben.id, 'owner');
    toBen.begin(undefined);
    expect((await liedTo.spaces.get(ada.profileId)).blocked).toMatchObject({
      code: 'roster_refused',
      rule: 1,
    });
    // By the trust book the other devices of Ben know of it, too.
    expect((await ben.spaces.get(ada.profileId)).blocked).toMatchObject({ code: 'roster_refused', rule: 1 });
  });
});

describe('attack 12: an owner who seals garbage for the other one', () => {
  it('is found out; the other one makes a key that opens, from what it has', async () => {
    const dishonest: typeof fetch = (input, init = {}) => {
      const address = input instanceof Request ? input.url : String(input);
      if (!address.endsWith('/api/space/rekey') || typeof init.body !== 'string') return fetch(input, init);
      const body = JSON.parse(init.body);
      body.wraps = body.wraps.map((each: any) =>
        each.member_id === ada.id ? { ...each, wrap: randomBytes(1232).toString('base64') } : each,
      );
      return fetch(input, { ...init, body: JSON.stringify(body) });
    };
    const eve = await aSharer(url, { fetch: dishonest });
    const { id } = await aCircle(ada, [[eve, 'owner']]);
    await ada.client.profiles.list();
    await eve.spaces.newKey(id);
    expect(await blockedOf(ada)).toMatchObject({ code: 'tampered' });
    await expect(ada.spaces.invite(id, 'viewer')).rejects.toMatchObject({ code: 'tampered' });
  });
});

describe('a wrap of another key, place or sender', () => {
  it('is not opened: the device keeps what it has', async () => {
    const carl = await aSharer(url);
    const { id } = await aCircle(ada, [
      [ben, 'editor'],
      [carl, 'editor'],
    ]);
    await ben.spaces.get(ada.profileId);
    const wrapOf = async (who: Sharer) =>
      ((await who.client.request({ method: 'GET', path: '/api/space', space: id })).body as any).wrap;
    const older = await wrapOf(ben);
    await ada.spaces.newKey(id);
    const foreign = await wrapOf(carl);
    const honest = await wrapOf(ben);
    const toBen = new LyingFetch();
    for (const wrap of [older, foreign, { ...honest, from: carl.id }, { ...honest, roster_version: 3 }]) {
      const fresh = await anotherDevice(url, ben, { fetch: toBen.fetch });
      toBen.begin(changing('/api/space', (body) => ({ ...body, wrap })));
      expect((await fresh.spaces.get(ada.profileId)).blocked).toMatchObject({ code: 'tampered' });
      toBen.begin(changing('/api/space', (body) => ({ ...body, wrap: null })));
      expect((await fresh.spaces.get(ada.profileId)).blocked).toMatchObject({ code: 'key_missing' });
      toBen.begin(undefined);
      expect((await fresh.spaces.get(ada.profileId)).blocked).toBeNull();
      await fresh.client.logout();
    }
  });
});

describe('a lost answer', () => {
  it.each(['members', 'rekey', 'roles', 'leave'])('to %s: the change is done once', async (path) => {
    const carl = await aSharer(url);
    const { id } = await aCircle(ada, [
      [ben, 'owner'],
      [carl, 'carer'],
    ]);
    const made = await ada.spaces.invite(id, 'viewer');
    const dora = await aSharer(url);
    await dora.spaces.accept(await dora.spaces.openInvitation(made.fragment), 'Dora');
    let lost = 0;
    network.begin(async (asked, pass) => {
      const answer = await pass();
      if (asked.path !== `/api/space/${path}` || lost > 0) return answer;
      lost += 1;
      return cut();
    });
    const calls: Record<string, () => Promise<unknown>> = {
      members: () => ada.spaces.confirm(id, made.id, true),
      rekey: () => ada.spaces.remove(id, carl.id),
      roles: () => ada.spaces.setRole(id, carl.id, 'editor'),
      leave: () => ada.spaces.leave(id),
    };
    await calls[path]();
    expect(lost).toBe(1);
    const { body } = await ben.client.request({ method: 'GET', path: '/api/space', space: id });
    expect((body as any).roster_version).toBe(4);
    const { blocked } = await ben.spaces.get(ada.profileId);
    expect(blocked).toBeNull();
    if (path === 'members')
      expect(memberOf(await ben.spaces.get(ada.profileId), dora)).toMatchObject({ role: 'viewer' });
  });
});
