import { randomUUID } from 'node:crypto';
import {
  accept,
  accountKeys,
  aBeginning,
  aMember,
  aRekey,
  aRoster,
  aSharingPublic,
  aSpace,
  aSpaceWrap,
  confirm,
  invite,
  join,
  type Member,
  type SpaceUnderTest,
} from '@app/testing';
import { sql } from '../support/databases';
import { aBlob, aDose, aHealthStat, aMedication, anAppointment, aProfile } from '../support/factories';
import { type SharedService, sharedService } from '../support/service';

let service: SharedService;
let owner: Member;
beforeAll(async () => (service = await sharedService()));
beforeEach(async () => (owner = await aMember(service.api)));

const as = ({ token }: Member) => ({ token });

describe('a profile that begins to be shared', () => {
  it('moves with everything under it: ids, revisions, times and blobs stay', async () => {
    const { api } = service;
    const profileId = await aProfile(api, owner.token, { name_data: aBlob(), relationship: 'child' });
    const other = await aProfile(api, owner.token);
    const medication = await aMedication(api, owner.token, profileId, {
      dose_schedule: { times_per_day: 2 },
    });
    const dose = await aDose(api, owner.token, medication.id, { proof: 'cHJvb2Y=' });
    const stat = await aHealthStat(api, owner.token, profileId, { encrypted_data: 'raw "text" \\ \u00e9' });
    const appointment = await anAppointment(api, owner.token, profileId);
    const kept = await aHealthStat(api, owner.token, other);
    await api.post(`/api/appointments/${appointment.id}`, { encrypted_data: aBlob() }, as(owner));
    const before = async (options: object) =>
      Promise.all(
        [
          `/api/medications/${medication.id}`,
          `/api/medications/${medication.id}/log`,
          `/api/health-stats/${stat.id}`,
          `/api/appointments/${appointment.id}`,
        ].map(async (path) => (await api.get(path, options)).text),
      );
    const contents = await before(as(owner));
    const [profile] = (await api.get('/api/profiles', as(owner))).body;
    const { cursor } = (await api.get('/api/sync', as(owner))).body;

    const space = await aSpace(api, owner, profileId);
    expect(await before(space.as(owner))).toEqual(contents);
    const moved = (await api.get(`/api/profiles/${profileId}`, space.as(owner))).body;
    expect(moved).toEqual({
      ...profile,
      owner_account_id: space.id,
      wrapped_profile_dek: '',
      wrapped_profile_dek_iv: '',
    });
    // The account's own feed tells that they are gone, and that of the space that they are there.
    const gone = (await api.get(`/api/sync?cursor=${cursor}`, as(owner))).body.changes;
    const ids = [profileId, medication.id, dose.id, stat.id, appointment.id];
    expect(gone.map(({ id, deleted }: any) => [id, deleted]).sort()).toEqual(
      ids.map((id) => [id, true]).sort(),
    );
    const there = (await api.get('/api/sync', space.as(owner))).body.changes;
    expect(there.map(({ id }: any) => id).sort()).toEqual(ids.sort());
    expect((await api.get('/api/health-stats', as(owner))).body.map(({ id }: any) => id)).toEqual([kept.id]);
    const { body: usage } = await api.get('/api/users/me/usage', space.as(owner));
    expect(usage.records).toBe(5);
    expect((await api.get('/api/users/me/usage', as(owner))).body.records).toBe(2);
  });

  it('moves more rows than one statement takes', async () => {
    const { api } = service;
    const profileId = await aProfile(api, owner.token);
    const { id } = await aMedication(api, owner.token, profileId);
    await sql(
      service.databaseUrl,
      `INSERT INTO doses (account_id, id, medication_id, taken, logged_at)
        SELECT '${owner.id}', gen_random_uuid(), '${id}', true, now() FROM generate_series(1, 2500)`,
    );
    const space = await aSpace(api, owner, profileId);
    expect((await api.get(`/api/medications/${id}/log`, space.as(owner))).body).toHaveLength(2500);
    expect((await api.get('/api/users/me/usage', as(owner))).body.records).toBe(0);
    expect((await api.get('/api/users/me/usage', space.as(owner))).body.records).toBe(2502);
  });

  it('is told as a space, to its owner alone', async () => {
    const body = aBeginning(await aProfile(service.api, owner.token));
    const { status, body: space } = await service.api.post('/api/spaces', body, as(owner));
    expect([status, space]).toEqual([
      201,
      {
        space_id: body.space_id,
        profile_id: body.profile_id,
        role: 'owner',
        version: 0,
        roster_version: 1,
        keeper_id: owner.id,
        members: [
          {
            member_id: owner.id,
            role: 'owner',
            sharing_public: body.sharing_public,
            joined_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
          },
        ],
        wrap: { from: owner.id, roster_version: 1, wrap: body.wrap },
      },
    ]);
    const [told] = (await service.api.get('/api/spaces', as(owner))).body;
    expect(told).toEqual({
      space_id: body.space_id,
      state: 'member',
      role: 'owner',
      version: 0,
      last_change: 1,
      is_keeper: true,
      accepted: 0,
    });
  });

  it('is moved once, however often the request is sent', async () => {
    const body = aBeginning(await aProfile(service.api, owner.token));
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => service.api.post('/api/spaces', body, as(owner))),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0].status).toBe(201);
  });

  it.each([
    ['another profile', async () => ({ profile_id: randomUUID() }), 404, 'not_found'],
    [
      'the profile of another owner',
      async () => ({ profile_id: await aProfile(service.api, (await aMember(service.api)).token) }),
      404,
      'not_found',
    ],
    ['the id of an account', async () => ({ space_id: owner.id }), 409, 'id_taken'],
    ['no roster', async () => ({ roster: 'e30=.e30=' }), 400, 'validation_failed'],
    [
      'a roster that is too long',
      async () => ({ roster: aRoster(1, { x: 'y'.repeat(8192) }) }),
      413,
      'payload_too_large',
    ],
    ['a short wrap', async () => ({ wrap: aSpaceWrap().slice(0, -4) }), 400, 'validation_failed'],
    ['a long key', async () => ({ sharing_public: `${aSharingPublic()}AAAA` }), 400, 'validation_failed'],
  ] as const)('is refused for %s, and stays where it is', async (_, change, status, code) => {
    const profileId = await aProfile(service.api, owner.token);
    const body = aBeginning(profileId, await change());
    const answer = await service.api.post('/api/spaces', body, as(owner));
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect((await service.api.get('/api/spaces', as(owner))).body).toEqual([]);
    expect((await service.api.get(`/api/profiles/${profileId}`, as(owner))).status).toBe(200);
  });

  it('can be one of twenty that an account keeps', async () => {
    for (let count = 0; count < 20; count++) await aSpace(service.api, owner);
    const body = aBeginning(await aProfile(service.api, owner.token));
    const answer = await service.api.post('/api/spaces', body, as(owner));
    expect([answer.status, answer.body.code]).toEqual([409, 'spaces_exceeded']);
  });
});

describe('an invitation', () => {
  let space: SpaceUnderTest;
  let guest: Member;
  beforeEach(async () => {
    space = await aSpace(service.api, owner);
    guest = await aMember(service.api);
  });
  const stateOf = async (member: Member) =>
    (await service.api.get('/api/spaces', as(member))).body.map(({ state }: any) => state);

  it('lets one account in, once its sender confirms', async () => {
    const link = await invite(space, owner, 'carer');
    const opened = await service.api.post(
      '/api/invitations/open',
      { space_id: space.id, ...link },
      as(guest),
    );
    expect([opened.status, opened.body.role]).toEqual([200, 'carer']);
    expect((await accept(space, guest, link)).body).toEqual({ state: 'waiting' });
    expect((await accept(space, guest, link)).body).toEqual({ state: 'waiting' });
    expect(await stateOf(guest)).toEqual(['waiting']);
    expect((await space.read(guest)).status).toBe(404);
    const [listed] = (await service.api.get('/api/space/invitations', space.as(owner))).body;
    expect([listed.id, listed.accepted_by]).toEqual([link.id, guest.id]);
    expect((await service.api.get('/api/spaces', as(owner))).body[0].accepted).toBe(1);
    expect((await confirm(space, owner, guest.id, link)).status).toBe(200);
    expect(await stateOf(guest)).toEqual(['member']);
    const { body } = await space.read(guest);
    expect([body.role, body.version, body.wrap.from, body.wrap.roster_version]).toEqual([
      'carer',
      1,
      owner.id,
      2,
    ]);
    expect((await service.api.get('/api/space/invitations', space.as(owner))).body).toEqual([]);
    expect((await accept(space, guest, link)).status).toBe(404);
  });

  it('ends by its sender, and then lets nobody in', async () => {
    const link = await invite(space, owner, 'owner');
    await accept(space, guest, link);
    const path = `/api/space/invitations/${link.id}/delete`;
    expect((await service.api.post(path, undefined, space.as(owner))).status).toBe(204);
    expect((await service.api.post(path, undefined, space.as(owner))).status).toBe(404);
    expect((await confirm(space, owner, guest.id, link)).status).toBe(404);
    expect(await stateOf(guest)).toEqual(['removed']);
    await service.api.post('/api/spaces/forget', { space_id: space.id }, as(guest));
    expect(await stateOf(guest)).toEqual([]);
  });

  it('that waits ends when its acceptance is forgotten', async () => {
    const link = await invite(space, owner, 'viewer');
    await accept(space, guest, link);
    const forget = (member: Member) =>
      service.api.post('/api/spaces/forget', { space_id: space.id }, as(member));
    expect((await forget(guest)).status).toBe(204);
    expect((await confirm(space, owner, guest.id, link)).status).toBe(404);
    const mine = await forget(owner);
    expect([mine.status, mine.body.code]).toEqual([409, 'already_member']);
  });

  it('that has expired counts as gone, and is deleted with the next one', async () => {
    const link = await invite(space, owner, 'viewer');
    await sql(
      service.databaseUrl,
      `UPDATE space_invitations SET expires_at = now() - interval '1 second' WHERE account_id = $1`,
      [space.id],
    );
    expect((await accept(space, guest, link)).status).toBe(404);
    expect((await service.api.get('/api/space/invitations', space.as(owner))).body).toEqual([]);
    await invite(space, owner, 'viewer');
    expect(
      await sql(service.databaseUrl, 'SELECT id FROM space_invitations WHERE account_id = $1', [space.id]),
    ).toHaveLength(1);
  });

  it('is one of as many as there is room for members', async () => {
    for (let count = 1; count < 16; count++) await invite(space, owner, 'viewer');
    await expect(invite(space, owner, 'viewer')).rejects.toThrow('members_exceeded');
  });

  it('takes nobody who is a member already', async () => {
    const member = await join(space, owner, 'viewer');
    const link = await invite(space, owner, 'owner');
    const answer = await accept(space, member, link);
    expect([answer.status, answer.body.code]).toEqual([409, 'already_member']);
  });
});

describe('in a space', () => {
  let space: SpaceUnderTest;
  let carer: Member;
  beforeEach(async () => {
    space = await aSpace(service.api, owner);
    carer = await join(space, owner, 'carer');
  });
  const stat = () => ({ profile_id: space.profileId, encrypted_data: aBlob() });

  it('each record names who wrote its newest state, in lists and in the feed', async () => {
    const { body: made } = await service.api.post('/api/health-stats', stat(), space.as(carer));
    expect(made.author_id).toBe(carer.id);
    const path = `/api/health-stats/${made.id}`;
    const { body: changed } = await service.api.put(path, { encrypted_data: aBlob() }, space.as(owner));
    expect(changed.author_id).toBe(owner.id);
    const [listed] = (await service.api.get('/api/health-stats', space.as(carer))).body;
    expect(listed).toEqual(changed);
    const { changes } = (await service.api.get('/api/sync', space.as(carer))).body;
    expect(changes.find(({ kind }: any) => kind === 'health_stat').record).toEqual(changed);
    const refused = await service.api.put(path, { encrypted_data: aBlob() }, space.as(carer));
    expect([refused.status, refused.body.code]).toEqual([403, 'space_role_too_low']);
  });

  it('each member has idempotency keys of their own', async () => {
    const body = stat();
    const send = (member: Member) => {
      const options = space.as(member);
      return service.api.post('/api/health-stats', body, {
        ...options,
        headers: { ...options.headers, 'Idempotency-Key': 'the-same' },
      });
    };
    const [first, again, other] = [await send(carer), await send(carer), await send(owner)];
    expect(again.body.id).toBe(first.body.id);
    expect(other.status).toBe(201);
    expect(other.body.id).not.toBe(first.body.id);
  });

  it('a new key puts members out, lowers others, and leaves only its own wraps', async () => {
    const editor = await join(space, owner, 'editor');
    const viewer = await join(space, owner, 'viewer');
    const body = await aRekey(space, owner, {
      remove: [carer.id],
      roles: [{ member_id: editor.id, role: 'viewer' }],
    });
    const former = { ...space };
    const answer = await space.change(owner, 'rekey', body);
    expect(answer.status).toBe(200);
    expect(answer.body.members.map(({ member_id, role }: any) => [member_id, role])).toEqual([
      [owner.id, 'owner'],
      [editor.id, 'viewer'],
      [viewer.id, 'viewer'],
    ]);
    expect(answer.body.wrap).toEqual({
      from: owner.id,
      roster_version: former.rosterVersion + 1,
      wrap: body.wraps[0].wrap,
    });
    expect((await space.read(carer)).status).toBe(404);
    expect((await space.read(viewer)).body.wrap).toBeNull();
    const { body: profile } = await service.api.get(`/api/profiles/${space.profileId}`, space.as(viewer));
    expect([profile.revision, profile.name_data, profile.author_id]).toEqual([
      body.profile.revision + 1,
      body.profile.name_data,
      owner.id,
    ]);
    const late = await service.api.post('/api/health-stats', stat(), space.as(owner, former.version));
    expect([late.status, late.body.code]).toEqual([409, 'space_changed']);
    const given = { roster: space.nextRoster(), member_id: viewer.id, wrap: aSpaceWrap() };
    expect((await space.change(owner, 'members', given)).status).toBe(200);
    expect((await space.read(viewer)).body.wrap.wrap).toBe(given.wrap);
  });

  it('a new key upon another state of the profile changes nothing', async () => {
    const body = await aRekey(space, owner, { remove: [carer.id] });
    body.profile.revision++;
    const answer = await space.change(owner, 'rekey', body);
    expect([answer.status, answer.body.code]).toEqual([412, 'revision_mismatch']);
    expect((await space.read(carer)).body.version).toBe(1);
  });

  it('records are sealed anew, and keep their author', async () => {
    const { body: made } = await service.api.post('/api/health-stats', stat(), space.as(carer));
    const records = [{ id: made.id, revision: 1, encrypted_data: aBlob() }];
    const answer = await service.api.post('/api/reseal', { kind: 'health_stat', records }, space.as(owner));
    expect(answer.body).toEqual({ resealed: [made.id] });
    const { body: sealed } = await service.api.get(`/api/health-stats/${made.id}`, space.as(carer));
    expect([sealed.revision, sealed.author_id, sealed.encrypted_data]).toEqual([
      2,
      carer.id,
      records[0].encrypted_data,
    ]);
  });

  it('rosters are told in their order', async () => {
    const read = async (query: string) =>
      (await service.api.get(`/api/space/rosters${query}`, space.as(carer, 'none'))).body.map(
        ({ version }: any) => version,
      );
    expect(await read('')).toEqual([1, 2]);
    expect(await read('?after=1')).toEqual([2]);
    expect(await read('?after=2')).toEqual([]);
  });

  it('a child of sixteen takes over: raised, then both parents go', async () => {
    const parent = await join(space, owner, 'owner');
    const child = await join(space, owner, 'editor');
    const raise = { roster: space.nextRoster(), member_id: child.id, role: 'owner' };
    expect((await space.change(owner, 'roles', raise)).status).toBe(200);
    const lower = { roster: space.nextRoster(), member_id: owner.id, role: 'viewer' };
    expect((await space.change(owner, 'roles', lower)).body.role).toBe('viewer');
    // The owner who came first keeps it.
    expect((await space.read(child)).body.keeper_id).toBe(parent.id);
    const leave = { roster: space.nextRoster() };
    expect((await space.change(parent, 'leave', leave)).status).toBe(204);
    expect((await space.read(child)).body.keeper_id).toBe(child.id);
    expect((await service.api.get('/api/spaces', as(parent))).body).toEqual([]);
    const alone = await space.change(child, 'leave', { roster: space.nextRoster() });
    expect([alone.status, alone.body.code]).toEqual([409, 'sole_owner']);
    expect((await space.change(owner, 'leave', {})).status).toBe(204);
  });

  it('new keys of a member come with a roster', async () => {
    const body = { roster: space.nextRoster(), sharing_public: aSharingPublic(), wrap: aSpaceWrap() };
    const { status, body: told } = await space.change(carer, 'keys', body);
    expect([status, told.wrap]).toEqual([
      200,
      { from: carer.id, roster_version: space.rosterVersion, wrap: body.wrap },
    ]);
    expect(told.members[1].sharing_public).toBe(body.sharing_public);
  });

  it('another owner becomes the keeper', async () => {
    const other = await join(space, owner, 'owner');
    expect((await space.change(other, 'keeper', {})).status).toBe(204);
    expect((await space.read(owner)).body.keeper_id).toBe(other.id);
  });

  it('the last owner deletes all of it, with the password', async () => {
    const other = await join(space, owner, 'owner');
    const remove = (password: string) => space.change(owner, 'delete', { current_password: password });
    expect((await remove('wrong')).body.code).toBe('current_password_wrong');
    expect((await remove(owner.password)).body.code).toBe('co_owned');
    await space.change(other, 'leave', { roster: space.nextRoster() });
    await space.read(owner);
    expect((await remove(owner.password)).status).toBe(204);
    expect((await service.api.get('/api/spaces', as(carer))).body).toEqual([
      { space_id: space.id, state: 'deleted', is_keeper: false },
    ]);
    expect((await space.read(carer)).status).toBe(404);
    const again = aBeginning(await aProfile(service.api, owner.token), { space_id: space.id });
    expect((await service.api.post('/api/spaces', again, as(owner))).body.code).toBe('id_taken');
  });
});

describe('the keys by which others know an account', () => {
  it('are stored once, and read back', async () => {
    expect((await service.api.get('/api/users/me/keys', as(owner))).status).toBe(404);
    const body = accountKeys();
    const made = await service.api.put('/api/users/me/keys', body, as(owner));
    expect([made.status, made.body]).toEqual([201, body]);
    const other = await service.api.put('/api/users/me/keys', accountKeys(), as(owner));
    expect([other.status, other.body.code]).toEqual([409, 'keys_changed']);
    expect((await service.api.get('/api/users/me/keys', as(owner))).body).toEqual(body);
  });
});
