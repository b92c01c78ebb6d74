import { hkdfSync, webcrypto } from 'node:crypto';
import { decryptRecord } from '@app/client';
import { readFragment } from '@app/client/spaces';
import { invitationKeys, openOffer } from '../../libs/client/src/spaces/formats/invitation';
import { aMemberOf, type Member } from '../support/members';
import { sql } from '../support/databases';
import { type SharedService, sharedService } from '../support/service';
import { json, LyingFetch } from './hostile/lying-fetch';

/** What the link of an invitation is worth in other hands, and after its end. */
let service: SharedService;
let url: string;
let network: LyingFetch;
let ada: Member;
let ben: Member;
let thief: Member;
let spaceId: string;
let medicationId: string;
beforeAll(async () => {
  service = await sharedService();
  url = service.api.url;
});
beforeEach(async () => {
  network = new LyingFetch();
  [ada, ben, thief] = await Promise.all([
    aMemberOf(url, { fetch: network.fetch }),
    aMemberOf(url),
    aMemberOf(url),
  ]);
  const medicine = { profileId: ada.profileId, route: 'oral', schedule: null, details: { name: 'Warfarin' } };
  ({ id: medicationId } = await ada.client.medications.create(medicine));
  await ada.client.sync.now();
  spaceId = await ada.share(ada.profileId);
  await ada.client.sync.now();
});

const openedBy = async (who: Member, fragment: string) => who.spaces.openInvitation(fragment);
const acceptedBy = async (who: Member, fragment: string) =>
  who.spaces.accept(await openedBy(who, fragment), 'Somebody');
const notFound = { code: 'not_found' };

/** Everything that the database has of the space, as a thief takes it away. */
const TABLES = ['profiles', 'medications', 'space_members', 'space_rosters', 'space_invitations'];
async function stolenRows(): Promise<Record<string, any[]>> {
  const rows = TABLES.map((table) =>
    sql(service.databaseUrl, `SELECT t.* FROM ${table} t WHERE account_id = $1`, [spaceId]),
  );
  return Object.fromEntries((await Promise.all(rows)).map((each, at) => [TABLES[at], each]));
}

/** Whether 32 bytes are the key under which the medicine is sealed. */
async function opensTheMedicine(raw: Uint8Array, { medications: [row] }: Record<string, any[]>) {
  const key = await webcrypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt']);
  return decryptRecord(JSON.parse(row.encrypted_data), { key, epoch: 1 }, medicinePlace()).then(
    () => true,
    () => false,
  );
}
const medicinePlace = () =>
  ({ profileId: ada.profileId, kind: 'medication', recordId: medicationId }) as const;

/** Each 32 bytes that a thief of a link has or can derive, and each that is written in these texts. */
function candidates(fragment: string, texts: readonly string[]): Uint8Array[] {
  const { id, secret } = readFragment(fragment);
  const salt = Buffer.from(id.replaceAll('-', ''), 'hex');
  const derived = ['proof', 'key'].map(
    (name) => new Uint8Array(hkdfSync('sha256', secret, salt, `health-records/v2/invite/${name}`, 32)),
  );
  const written = texts.flatMap((text) => text.match(/[A-Za-z0-9+/]{43}=/g) ?? []);
  return [secret, ...derived, ...written.map((each) => Uint8Array.from(Buffer.from(each, 'base64')))];
}

describe('attack 15: a stolen link', () => {
  it('opens nothing after the confirmation, also together with all copies of the database', async () => {
    const made = await ada.spaces.invite(spaceId, 'editor');
    await acceptedBy(ben, made.fragment);
    const before = await stolenRows();
    await ada.spaces.confirm(spaceId, made.id, true);
    const after = await stolenRows();
    await expect(openedBy(thief, made.fragment)).rejects.toMatchObject(notFound);
    await expect(
      thief.client.request({ method: 'GET', path: '/api/space', space: spaceId }),
    ).rejects.toMatchObject(notFound);

    // The copy of before has what was sealed for the link: names and public keys, and no key of the profile.
    const [{ role, offer, acceptance, expires_at }] = before.space_invitations;
    const { key } = await invitationKeys(readFragment(made.fragment));
    const expiresAt = new Date(expires_at).toISOString();
    const place = { spaceId, invitationId: made.id, role, expiresAt };
    const opened = await openOffer(JSON.parse(offer), key, place);
    expect(Object.keys(opened)).toEqual(['profile', 'from', 'roster']);
    expect(opened.profile).toEqual({ id: ada.profileId, name: 'Ada', kind: 'human' });
    expect(after.space_invitations).toEqual([]);

    const texts = [JSON.stringify(opened), acceptance, JSON.stringify([before, after])];
    const tried = candidates(made.fragment, texts);
    expect(tried.length).toBeGreaterThan(8);
    for (const raw of tried) expect(await opensTheMedicine(raw, after)).toBe(false);
    // It is that key, and no other reason, that is missing.
    const profileKey = ada.parts.keys.profileKey(ada.profileId)!;
    const medicine = JSON.parse(after.medications[0].encrypted_data);
    expect(await decryptRecord(medicine, profileKey, medicinePlace())).toMatchObject({
      content: { details: { name: 'Warfarin' } },
    });
  });

  it('before the confirmation lets nobody in without a tap of the inviter, who sees other digits', async () => {
    const made = await ada.spaces.invite(spaceId, 'editor');
    const stolen = await acceptedBy(thief, made.fragment);
    // The invited person is told that somebody was faster.
    await expect(acceptedBy(ben, made.fragment)).rejects.toMatchObject({ code: 'invitation_taken' });
    for (const path of ['/api/space', '/api/medications', '/api/sync'])
      await expect(thief.client.request({ method: 'GET', path, space: spaceId })).rejects.toMatchObject(
        notFound,
      );
    const { medications, space_members: members } = await stolenRows();
    expect(members.map(({ member_id }) => member_id)).toEqual([ada.accountId]);
    for (const raw of candidates(made.fragment, [JSON.stringify(members)]))
      expect(await opensTheMedicine(raw, { medications })).toBe(false);

    const [pending] = await ada.spaces.invitations(spaceId);
    expect(pending.acceptance).toMatchObject({ accountId: thief.accountId, digits: stolen.digits });
    const again = await ada.spaces.invite(spaceId, 'editor');
    const { digits } = await acceptedBy(ben, again.fragment);
    expect(digits).not.toBe(stolen.digits);
    await ada.spaces.withdraw(spaceId, made.id);
    await ada.spaces.confirm(spaceId, again.id, true);
    await expect(ada.spaces.confirm(spaceId, made.id, true)).rejects.toMatchObject(notFound);
    const { members: now } = await ada.spaces.get(ada.profileId);
    expect(now.map(({ accountId }) => accountId).sort()).toEqual([ada.accountId, ben.accountId].sort());
  });
});

/** The client asks by its own clock, and the service by its own. */
async function eightDaysLater<T>(run: () => Promise<T>): Promise<T> {
  const [now, real] = [Date.now() + 8 * 86_400_000, Date.now];
  const started = real();
  Date.now = () => now + (real() - started);
  try {
    return await run();
  } finally {
    Date.now = real;
  }
}

describe('an invitation past its end', () => {
  it('is not opened: the service has none any more', async () => {
    const made = await ada.spaces.invite(spaceId, 'viewer');
    await sql(
      service.databaseUrl,
      `UPDATE space_invitations SET expires_at = now() - interval '1 second' WHERE account_id = $1`,
      [spaceId],
    );
    await expect(openedBy(ben, made.fragment)).rejects.toMatchObject(notFound);
    expect(await ada.spaces.invitations(spaceId)).toEqual([]);
  });

  it('is refused by the client where the service goes on with it, and not accepted either', async () => {
    const made = await ada.spaces.invite(spaceId, 'viewer');
    const offer = await openedBy(ben, made.fragment);
    await eightDaysLater(async () => {
      await expect(openedBy(ben, made.fragment)).rejects.toMatchObject(notFound);
      await expect(ben.spaces.accept(offer, 'Ben')).rejects.toMatchObject(notFound);
    });
    expect((await ada.spaces.invitations(spaceId))[0].acceptance).toBeNull();
  });

  it('lets nobody in whom the service still names', async () => {
    const made = await ada.spaces.invite(spaceId, 'viewer');
    await acceptedBy(ben, made.fragment);
    await eightDaysLater(async () => {
      await expect(ada.spaces.confirm(spaceId, made.id, true)).rejects.toMatchObject(notFound);
    });
    expect((await ada.spaces.get(ada.profileId)).members).toHaveLength(1);
  });
});

describe('attack 5: an invitation with another role', () => {
  it.each(['editor', 'owner'])('of which the service says %s lets nobody in', async (role) => {
    const made = await ada.spaces.invite(spaceId, 'viewer');
    await acceptedBy(ben, made.fragment);
    network.begin(async (asked, pass) => {
      const answer = await pass();
      const isChanged = ['/api/space/invitations', '/api/invitations/open'].includes(asked.path);
      if (!isChanged || answer.status !== 200) return answer;
      const body = JSON.parse(answer.text);
      return json(
        200,
        Array.isArray(body) ? body.map((each: any) => ({ ...each, role })) : { ...body, role },
      );
    });
    await expect(ada.spaces.confirm(spaceId, made.id, true)).rejects.toMatchObject({ code: 'tampered' });
    network.begin(async (asked, pass) => {
      const answer = await pass();
      if (asked.path !== '/api/space/invitations' || answer.status !== 200) return answer;
      return json(
        200,
        JSON.parse(answer.text).map((each: any) => ({ ...each, role })),
      );
    });
    await expect(ada.spaces.confirm(spaceId, made.id, true)).rejects.toMatchObject({ code: 'tampered' });
    network.begin(undefined);
    expect((await ada.spaces.get(ada.profileId)).members).toHaveLength(1);
  });
});
