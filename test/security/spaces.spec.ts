import { randomBytes, randomUUID } from 'node:crypto';
import {
  aBeginning,
  accept,
  aMember,
  anInvitation,
  type Answer,
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
import { ServiceError } from '@app/common';
import { Database, type Executor, type Statement } from '@app/database';
import { sql } from '../support/databases';
import { aBlob, aDose, aHealthStat, aMedication, aProfile } from '../support/factories';
import { startService, type TestService } from '../support/service';
import { startServiceHere } from '../support/service-here';

let service: TestService;
let second: TestService;
let owner: Member;
let space: SpaceUnderTest;
beforeAll(async () => {
  service = await startService();
  second = await startService({ DATABASE_URL: service.databaseUrl });
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});
beforeEach(async () => {
  owner = await aMember(service.api);
  space = await aSpace(service.api, owner);
});

const told = ({ status, body }: Answer) => [status, body?.code];
const as = ({ token }: Member) => ({ token });
const stat = () => ({ profile_id: space.profileId, encrypted_data: aBlob() });
const storedBy = async (author: Member) =>
  (await sql(service.databaseUrl, 'SELECT id FROM health_stats WHERE author_id = $1', [author.id])).length;

describe('attack 1: a header that names no space of the caller', () => {
  const read = (header: string, { token }: Member) =>
    service.api.get('/api/health-stats', { token, headers: { 'Health-Space': header } });
  const bodyOf = ({ body: { request_id: _, ...body } }: Answer) => body;

  it('gets one answer, for a foreign space, the own account, another account and an unknown id', async () => {
    const stranger = await aMember(service.api);
    const answers = [
      await read(space.id, stranger),
      await read(`${space.id};${space.version}`, stranger),
      await read(`${space.id.toUpperCase()};7`, stranger),
      await read(stranger.id, stranger),
      await read(owner.id, stranger),
      await read(randomUUID(), stranger),
    ];
    for (const answer of answers) {
      expect(told(answer)).toEqual([404, 'not_found']);
      expect(bodyOf(answer)).toEqual(bodyOf(answers[0]));
    }
  });

  it.each(['', 'x', ';1', ';', '1;1', 'not-a-uuid;1'])('is malformed: %j', async (header) =>
    expect(told(await read(header, owner))).toEqual([400, 'validation_failed']),
  );

  it('needs the version for a write', async () => {
    const write = await service.api.post('/api/health-stats', stat(), space.as(owner, 'none'));
    expect(told(write)).toEqual([400, 'validation_failed']);
  });

  it('opens nothing without a token', async () => {
    const { headers } = space.as(owner);
    expect(told(await service.api.get('/api/health-stats', { headers }))).toEqual([401, 'token_missing']);
  });
});

describe('attack 3: somebody who was put out', () => {
  it('stores nothing once that is answered, on any process', async () => {
    const editor = await join(space, owner, 'editor');
    const { version } = space;
    const send = (index: number) =>
      (index % 2 ? service : second).api.post('/api/health-stats', stat(), space.as(editor, version));
    let isOut = false;
    const late: Answer[] = [];
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let count = 0; count < 25; count++) {
        const wasOut = isOut;
        const answer = await send(writer + count);
        if (wasOut) late.push(answer);
      }
    });
    const body = await aRekey(space, owner, { remove: [editor.id] });
    expect((await space.change(owner, 'rekey', body)).status).toBe(200);
    isOut = true;
    const stored = await storedBy(editor);
    late.push(await send(0), await send(1));
    await Promise.all(writers);
    for (const answer of late) expect(told(answer)).toEqual([404, 'not_found']);
    // What was under way when it was answered may still end.
    expect((await storedBy(editor)) - stored).toBeLessThanOrEqual(4);
  });

  it('reads nothing after the end of all sessions of the account: 401, not 404', async () => {
    const viewer = await join(space, owner, 'viewer');
    await service.api.post('/api/auth/logout-all', undefined, as(viewer));
    for (const { api } of [service, second])
      expect(told(await api.get('/api/health-stats', space.as(viewer)))).toEqual([401, 'token_revoked']);
  });
});

describe('attack 4: a write with an old version', () => {
  it('is refused by the guard, and stores nothing', async () => {
    const { version } = space;
    await join(space, owner, 'viewer');
    const answer = await service.api.post('/api/health-stats', stat(), space.as(owner, version));
    expect(told(answer)).toEqual([409, 'space_changed']);
    expect(await storedBy(owner)).toBe(0);
  });

  it('is refused by the statement where the version rises behind the guard: never a 401', async () => {
    const here = await startServiceHere({ DATABASE_URL: service.databaseUrl });
    const carer = await join(space, owner, 'carer');
    const { body: made } = await service.api.post('/api/health-stats', stat(), space.as(carer));
    const path = `/api/health-stats/${made.id}`;
    const raise = () =>
      sql(service.databaseUrl, 'UPDATE accounts SET token_version = token_version + 1 WHERE id = $1', [
        space.id,
      ]);
    const database = here.app.get(Database, { strict: false });
    for (const executor of [database, database.shortReads] as Executor[]) {
      const query = executor.query.bind(executor);
      executor.query = async <R>(statement: Statement, values: unknown[]) => {
        const rows = await query<R>(statement, values);
        if (statement.name === 'space access') await raise();
        return rows;
      };
    }
    const attempts: [string, () => Promise<Answer>][] = [
      ['create', () => here.api.post('/api/health-stats', stat(), space.as(carer))],
      ['change', () => here.api.put(path, { encrypted_data: aBlob() }, space.as(carer))],
      ['delete', () => here.api.delete(path, undefined, space.as(carer))],
      ['read', () => here.api.get(path, space.as(carer, 'none'))],
      ['list', () => here.api.get('/api/health-stats', space.as(carer, 'none'))],
      ['feed', () => here.api.get('/api/sync', space.as(carer, 'none'))],
      ['usage', () => here.api.get('/api/users/me/usage', space.as(carer, 'none'))],
      [
        'reseal',
        () =>
          here.api.post(
            '/api/reseal',
            { kind: 'health_stat', records: [{ id: made.id, revision: 1, encrypted_data: aBlob() }] },
            space.as(owner),
          ),
      ],
      ['invite', () => here.api.post('/api/space/invitations', anInvitation('viewer').body, space.as(owner))],
      ['keeper', () => here.api.post('/api/space/keeper', {}, space.as(owner))],
      ['leave', () => here.api.post('/api/space/leave', {}, space.as(carer))],
    ];
    for (const [what, attempt] of attempts) {
      await space.read(owner);
      expect([what, ...told(await attempt())]).toEqual([what, 409, 'space_changed']);
    }
    await here.stop();
    await space.read(owner);
    const { text } = await service.api.get(path, space.as(carer));
    expect(JSON.parse(text)).toEqual(made);
  });
});

describe('attack 11: an owner against the other one', () => {
  let other: Member;
  beforeEach(async () => (other = await join(space, owner, 'owner')));

  it.each([
    ['rekey', async () => aRekey(space, owner, { remove: [other.id] })],
    ['rekey', async () => aRekey(space, owner, { roles: [{ member_id: other.id, role: 'viewer' }] })],
    ['roles', async () => ({ roster: space.nextRoster(), member_id: other.id, role: 'viewer' })],
    ['roles', async () => ({ roster: space.nextRoster(), member_id: other.id, role: 'owner' })],
  ])('gets nowhere by %s', async (path, body) => {
    expect(told(await space.change(owner, path, await body()))).toEqual([403, 'space_role_too_low']);
    const { body: told_ } = await space.read(other);
    expect([told_.role, told_.version, told_.roster_version]).toEqual(['owner', 1, 2]);
  });

  it('nor does anybody raise oneself', async () => {
    const carer = await join(space, owner, 'carer');
    const body = { roster: space.nextRoster(), member_id: carer.id, role: 'owner' };
    expect(told(await space.change(carer, 'roles', body))).toEqual([403, 'space_role_too_low']);
    expect(told(await space.change(carer, 'roles', { ...body, member_id: other.id }))).toEqual([
      403,
      'space_role_too_low',
    ]);
  });
});

describe('attack 13: two owners at once', () => {
  it('remove different members: one is told that the space has changed, and then does it', async () => {
    const other = await join(space, owner, 'owner');
    const [one, two] = [await join(space, owner, 'carer'), await join(space, owner, 'viewer')];
    const bodies = [
      await aRekey(space, owner, { remove: [one.id] }),
      await aRekey(space, other, { remove: [two.id] }),
    ];
    const answers = await Promise.all([
      service.api.post('/api/space/rekey', bodies[0], space.as(owner)),
      second.api.post('/api/space/rekey', bodies[1], space.as(other)),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [slower, who] = answers[0].status === 409 ? [owner, one] : [other, two];
    await space.read(slower);
    const again = await aRekey(space, slower, { remove: [who.id] });
    expect((await space.change(slower, 'rekey', again)).status).toBe(200);
    const { body } = await space.read(owner);
    expect(body.members.map(({ member_id }: any) => member_id)).toEqual([owner.id, other.id]);
    const wraps = await sql(
      service.databaseUrl,
      'SELECT member_id FROM space_members WHERE account_id = $1 AND wrap IS NOT NULL',
      [space.id],
    );
    expect(wraps).toEqual([{ member_id: slower.id }]);
  });
});

describe('attack 14: an invitation', () => {
  it('is not opened by a guess: every wrong one gets the answer of an unknown one', async () => {
    const guest = await aMember(service.api);
    const link = await invite(space, owner, 'owner');
    const right = { space_id: space.id, ...link };
    const wrong = [
      { ...right, proof: randomBytes(32).toString('base64') },
      { ...right, id: randomUUID() },
      { ...right, space_id: randomUUID() },
      { ...right, space_id: owner.id },
    ];
    for (const body of wrong) {
      expect(told(await service.api.post('/api/invitations/open', body, as(guest)))).toEqual([
        404,
        'not_found',
      ]);
      const acceptance = { ...body, acceptance: aBlob() };
      expect(told(await service.api.post('/api/invitations/accept', acceptance, as(guest)))).toEqual([
        404,
        'not_found',
      ]);
    }
    expect((await service.api.get('/api/spaces', as(guest))).body).toEqual([]);
    expect((await service.api.post('/api/invitations/open', right, as(guest))).status).toBe(200);
  });

  it('that fifty accounts accept at once lets in exactly one', async () => {
    const guests: Member[] = [];
    for (let count = 0; count < 50; count++) guests.push(await aMember(service.api));
    const link = await invite(space, owner, 'viewer');
    const answers = await Promise.all(guests.map((guest) => accept(space, guest, link)));
    const accepted = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200).map(told);
    expect(accepted).toHaveLength(1);
    expect(refused).toEqual(Array.from({ length: 49 }, () => [409, 'invitation_taken']));
    const winner = guests[answers.indexOf(accepted[0])];
    for (const guest of guests.slice(0, 5).filter((each) => each !== winner))
      expect((await confirm(space, owner, guest.id, link)).status).toBe(404);
    expect((await confirm(space, owner, winner.id, link)).status).toBe(200);
  }, 60_000);

  it('lets nobody in whom its sender has not confirmed', async () => {
    const guest = await aMember(service.api);
    const link = await invite(space, owner, 'owner');
    await accept(space, guest, link);
    expect((await space.read(guest)).status).toBe(404);
    expect(told(await confirm(space, guest, guest.id, link))).toEqual([404, 'not_found']);
  });
});

describe('attack 18: one more, or one byte more, than there may be', () => {
  it('of members', async () => {
    for (let count = 1; count < 16; count++) await join(space, owner, 'viewer');
    const { body } = anInvitation('viewer');
    expect(told(await service.api.post('/api/space/invitations', body, space.as(owner)))).toEqual([
      409,
      'members_exceeded',
    ]);
  });

  it('of spaces in which an account takes part', async () => {
    const guest = await aMember(service.api);
    await sql(
      service.databaseUrl,
      `INSERT INTO memberships (account_id, space_id) SELECT $1, gen_random_uuid() FROM generate_series(1, 50)`,
      [guest.id],
    );
    const link = await invite(space, owner, 'viewer');
    expect(told(await accept(space, guest, link))).toEqual([409, 'spaces_exceeded']);
    await expect(aSpace(service.api, guest)).rejects.toThrow('spaces_exceeded');
  });

  it('of records of a profile that moves', async () => {
    const guest = await aMember(service.api);
    const profileId = (await service.api.post('/api/profiles', { wrapped_profile_dek: 'k' }, as(guest))).body
      .profile_id as string;
    // In parts: a cluster collects what a statement selects before it inserts it.
    for (const count of [...Array<number>(10).fill(10_000), 1])
      await sql(
        service.databaseUrl,
        `INSERT INTO health_stats (account_id, id, profile_id, encrypted_data)
          SELECT $1, gen_random_uuid(), $2, '""' FROM generate_series(1, $3::int)`,
        [guest.id, profileId, count],
      );
    await expect(aSpace(service.api, guest, profileId)).rejects.toThrow('profile_too_large');
    await sql(
      service.databaseUrl,
      'DELETE FROM health_stats WHERE account_id = $1 AND id = (SELECT id FROM health_stats WHERE account_id = $1 LIMIT 1)',
      [guest.id],
    );
    const moved = await aSpace(service.api, guest, profileId);
    const { body } = await service.api.get('/api/users/me/usage', moved.as(guest));
    expect(body.records).toBe(100_001);
  }, 120_000);

  it.each([
    [
      'an invitation that is open for too long',
      { expires_at: new Date(Date.now() + 8 * 86_400_000).toISOString() },
      400,
    ],
    ['one that has ended', { expires_at: new Date(Date.now() - 1000).toISOString() }, 400],
    ['an offer that is too long', { offer: 'x'.repeat(8191) }, 413],
    ['a hash that is too short', { proof_hash: randomBytes(31).toString('base64') }, 400],
    ['another role', { role: 'god' }, 400],
  ])('%s', async (_, change, status) => {
    const { body } = anInvitation('viewer', change);
    expect((await service.api.post('/api/space/invitations', body, space.as(owner))).status).toBe(status);
  });

  it('an offer and a roster of exactly as many bytes are taken', async () => {
    const { body } = anInvitation('viewer', { offer: 'x'.repeat(8190) });
    expect((await service.api.post('/api/space/invitations', body, space.as(owner))).status).toBe(201);
    const [json] = aRoster(2).split('.');
    const longest = `${json}.${'A'.repeat(8191 - json.length)}`;
    const send = (text: string) => space.change(owner, 'keys', { roster: text });
    expect(told(await send(`${longest}A`))).toEqual([413, 'payload_too_large']);
    expect((await send(longest)).status).toBe(200);
  });

  it.each([
    ['a roster of the same version', () => ({ roster: aRoster(space.rosterVersion) })],
    ['a key without its wrap', () => ({ roster: space.nextRoster(), sharing_public: aSharingPublic() })],
    [
      'a wrap that is too long',
      () => ({
        roster: space.nextRoster(),
        sharing_public: aSharingPublic(),
        wrap: `${aSpaceWrap()}AAAA`,
      }),
    ],
  ])('%s', async (_, body) =>
    expect(told(await space.change(owner, 'keys', body()))).toEqual([400, 'validation_failed']),
  );
});

describe('attack 18: counters', () => {
  let limited: TestService;
  beforeAll(async () => (limited = await startService({ RATE_LIMITS: 'on' })));
  afterAll(() => limited.stop());

  it('of changes of the circle, by member, and of tries to open an invitation, by account', async () => {
    const member = await aMember(limited.api);
    const circle = await aSpace(limited.api, member);
    for (let count = 0; count < 50; count++)
      expect((await circle.change(member, 'keys', { roster: circle.nextRoster() })).status).toBe(200);
    expect(told(await circle.change(member, 'keys', { roster: circle.nextRoster() }))).toEqual([
      429,
      'rate_limited',
    ]);
    const link = { space_id: circle.id, id: randomUUID(), proof: randomBytes(32).toString('base64') };
    const statuses = new Set<number>();
    for (let count = 0; count < 60; count++)
      statuses.add((await limited.api.post('/api/invitations/open', link, as(member))).status);
    expect([...statuses]).toEqual([404]);
    expect(told(await limited.api.post('/api/invitations/open', link, as(member)))).toEqual([
      429,
      'rate_limited',
    ]);
  });
});

describe('attack 20: erasure', () => {
  const erase = (who: Member, more: object = {}) =>
    service.api.post('/api/users/me/delete', { current_password: who.password, ...more }, as(who));
  const orphans = () =>
    sql(
      service.databaseUrl,
      `SELECT account_id FROM spaces s WHERE s.account_id = $1
        AND NOT EXISTS (SELECT FROM space_members m WHERE m.account_id = s.account_id)`,
      [space.id],
    );

  it.each(['viewer', 'carer', 'editor', 'owner'] as const)(
    'of a %s leaves the space to the others',
    async (role) => {
      const member = await join(space, owner, role);
      const { body: made } = await service.api.post('/api/health-stats', stat(), space.as(owner));
      const { version } = space;
      expect((await erase(member)).status).toBe(204);
      const { body } = await space.read(owner);
      expect(body.members.map(({ member_id }: any) => member_id)).toEqual([owner.id]);
      expect(body.version).toBe(version + 1);
      expect((await service.api.get(`/api/health-stats/${made.id}`, space.as(owner))).body).toEqual(made);
    },
  );

  it('of the only owner is refused while others are there, unless it takes the space along', async () => {
    const editor = await join(space, owner, 'editor');
    expect(told(await erase(owner))).toEqual([409, 'sole_owner']);
    expect((await space.read(editor)).status).toBe(200);
    expect((await erase(owner, { sole_spaces: 'delete' })).status).toBe(204);
    expect((await service.api.get('/api/spaces', as(editor))).body[0].state).toBe('deleted');
    const erasures = await sql(
      service.databaseUrl,
      'SELECT account_id FROM erasures WHERE account_id = ANY ($1)',
      [[space.id, owner.id]],
    );
    expect(erasures).toHaveLength(2);
    expect(
      await sql(service.databaseUrl, 'SELECT id FROM health_stats WHERE account_id = $1', [space.id]),
    ).toEqual([]);
  });

  it('of an owner who is alone takes the space along', async () => {
    expect((await erase(owner)).status).toBe(204);
    expect(await sql(service.databaseUrl, 'SELECT id FROM accounts WHERE id = $1', [space.id])).toEqual([]);
  });

  it('of the keeper hands the space on', async () => {
    const other = await join(space, owner, 'owner');
    expect((await erase(owner)).status).toBe(204);
    const { body } = await space.read(other);
    expect([body.keeper_id, body.members.length]).toEqual([other.id, 1]);
  });

  it('of somebody who waits takes the acceptance along', async () => {
    const guest = await aMember(service.api);
    const link = await invite(space, owner, 'viewer');
    await accept(space, guest, link);
    expect((await erase(guest)).status).toBe(204);
    expect((await confirm(space, owner, guest.id, link)).status).toBe(404);
  });

  it('that races a new key leaves no orphan, and no member who is erased', async () => {
    const other = await join(space, owner, 'owner');
    const carer = await join(space, owner, 'carer');
    const body = await aRekey(space, other, { remove: [carer.id] });
    const [erased, rekeyed] = await Promise.all([
      erase(owner),
      second.api.post('/api/space/rekey', body, space.as(other)),
      erase(carer),
    ]);
    expect(erased.status).toBe(204);
    expect([200, 404, 409]).toContain(rekeyed.status);
    const { body: left } = await space.read(other);
    expect(left.members.map(({ member_id }: any) => member_id)).toEqual([other.id]);
    expect(left.keeper_id).toBe(other.id);
    expect(await orphans()).toEqual([]);
  });
});

describe('attack 16: the beginning of a space', () => {
  it('while others write under the profile loses and doubles nothing', async () => {
    const member = await aMember(service.api);
    const profileId = (await service.api.post('/api/profiles', { wrapped_profile_dek: 'k' }, as(member))).body
      .profile_id as string;
    const kept: string[] = [];
    let isMoved = false;
    const writers = Array.from({ length: 4 }, async (_, index) => {
      const { api } = index % 2 ? service : second;
      while (!isMoved) {
        const made = await aHealthStat(api, member.token, profileId).catch(() => undefined);
        if (made) kept.push(made.id);
      }
    });
    while (kept.length < 20) await new Promise((done) => setImmediate(done));
    const moved = await aSpace(service.api, member, profileId);
    isMoved = true;
    await Promise.all(writers);
    const { body } = await service.api.get('/api/health-stats', moved.as(member));
    expect(body.map(({ id }: any) => id).sort()).toEqual(kept.sort());
    const { changes } = (await service.api.get('/api/sync', moved.as(member))).body;
    expect(changes).toHaveLength(kept.length + 1);
    expect((await service.api.get('/api/health-stats', as(member))).body).toEqual([]);
  });
});

describe('attack 16: killed', () => {
  it.each(['begin', 'rekey'])(
    'at any of its statements: %s happens as a whole or not at all',
    async (what) => {
      const here = await startServiceHere({ DATABASE_URL: service.databaseUrl });
      const database = here.app.get(Database, { strict: false });
      const transaction = database.transaction.bind(database);
      let left = Infinity;
      database.transaction = (work) =>
        transaction((inner) =>
          work({
            query: (statement, values) =>
              left-- > 0
                ? inner.query(statement, values)
                : Promise.reject(new ServiceError('database_unavailable')),
          }),
        );
      const member = await aMember(here.api);
      const profileId = await aProfile(here.api, member.token);
      const medication = await aMedication(here.api, member.token, profileId);
      await aDose(here.api, member.token, medication.id);
      let circle: SpaceUnderTest | undefined;
      if (what === 'rekey') {
        circle = await aSpace(here.api, member, profileId);
        await join(circle, member, 'editor');
      }
      const rows = async () => {
        const ids = [member.id, ...(circle ? [circle.id] : [])];
        const tables = [
          'accounts',
          'profiles',
          'medications',
          'doses',
          'changes',
          'memberships',
          'account_usage',
        ];
        const ofSpaces = ['spaces', 'space_members', 'space_rosters'];
        const all = await Promise.all(
          [...tables, ...ofSpaces].map((table) => {
            const column = table === 'accounts' ? 'id' : 'account_id';
            return sql(
              service.databaseUrl,
              `SELECT * FROM ${table} WHERE ${column} = ANY ($1) ORDER BY 1, 2`,
              [ids],
            );
          }),
        );
        return JSON.stringify(all);
      };
      const beginning = aBeginning(profileId);
      const rekey = circle && (await aRekey(circle, member));
      const send = () =>
        circle ? circle.change(member, 'rekey', rekey!) : here.api.post('/api/spaces', beginning, as(member));
      const before = await rows();
      let statements = 0;
      for (let status = 503; status === 503; statements++) {
        left = statements;
        const answer = await send();
        status = answer.status;
        if (status === 503) expect([statements, await rows()]).toEqual([statements, before]);
        else expect(status).toBeLessThan(300);
      }
      expect(statements).toBeGreaterThan(8);
      expect(await rows()).not.toBe(before);
      left = Infinity;
      if (!circle) expect((await send()).status).toBe(201);
      await here.stop();
    },
  );
});
