import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Answer, Api, CallOptions } from './api';
import { aBlob, type Account, aCiphertext, anAccount, aProfile } from './factories';
import { decodeToken } from './tokens';

/** A role of a member of a space. */
export type SpaceRoleUnderTest = 'viewer' | 'carer' | 'editor' | 'owner';

/** The public key to which the key of a profile is sealed, as the service sees it. */
export const aSharingPublic = () => aCiphertext(1216);
/** The key of a profile, sealed to a member. */
export const aSpaceWrap = () => aCiphertext(1232);
/** Signed by nobody: the service reads its version alone. */
export const aRoster = (version: number, more: object = {}) =>
  `${Buffer.from(JSON.stringify({ v: 1, version, ...more })).toString('base64')}.${aCiphertext(64)}`;

/** A body of `PUT /api/users/me/keys`. */
export const accountKeys = () => ({
  sharing_public: aSharingPublic(),
  signing_public: aCiphertext(32),
  wrapped: aCiphertext(80),
  wrapped_iv: aCiphertext(12),
});

/** An account in a space. */
export interface Member extends Account {
  id: string;
}

/** The id of an account, from its token. */
export const idOfAccount = ({ token }: Pick<Account, 'token'>) => String(decodeToken(token).payload.sub);

/** A space, with what a client has to know of it. */
export class SpaceUnderTest {
  version = 0;
  rosterVersion = 1;

  constructor(
    readonly api: Api,
    readonly id: string,
    readonly profileId: string,
  ) {}

  /** The headers of a member's write. */
  as({ token }: Pick<Account, 'token'>, version: number | 'none' = this.version): Required<CallOptions> {
    const value = version === 'none' ? this.id : `${this.id};${version}`;
    return { token, headers: { 'Health-Space': value } };
  }

  /** A roster of the next version. */
  nextRoster(more: object = {}): string {
    return aRoster(this.rosterVersion + 1, more);
  }

  /** Sends a change of the circle, and remembers the new version. */
  async change(by: Member, path: string, body: object, options?: CallOptions): Promise<Answer> {
    const answer = await this.api.post(`/api/space/${path}`, body, options ?? this.as(by));
    if (answer.body?.space_id === this.id) this.remember(answer.body);
    return answer;
  }

  /** Reads the space anew. */
  async read(by: Member): Promise<Answer> {
    const answer = await this.api.get('/api/space', this.as(by, 'none'));
    if (answer.status === 200) this.remember(answer.body);
    return answer;
  }

  private remember({ version, roster_version }: { version: number; roster_version: number }): void {
    this.version = version;
    this.rosterVersion = roster_version;
  }
}

/** An account that may take part in a space. @param overrides of its registration */
export async function aMember(api: Api, overrides: Record<string, unknown> = {}): Promise<Member> {
  const account = await anAccount(api, overrides);
  return { ...account, id: idOfAccount(account) };
}

/** A body of `POST /api/spaces`. */
export const aBeginning = (profileId: string, changes: object = {}) => ({
  space_id: randomUUID(),
  profile_id: profileId,
  roster: aRoster(1),
  sharing_public: aSharingPublic(),
  wrap: aSpaceWrap(),
  ...changes,
});

/** Moves a profile, a new one by default, into a space. @throws Error if the service refuses. */
export async function aSpace(api: Api, owner: Member, profileId?: string): Promise<SpaceUnderTest> {
  const body = aBeginning(profileId ?? (await aProfile(api, owner.token, { name_data: aBlob() })));
  const answer = await api.post('/api/spaces', body, { token: owner.token });
  if (answer.status !== 201) throw new Error(`/api/spaces answered ${answer.status}: ${answer.text}`);
  return new SpaceUnderTest(api, body.space_id, body.profile_id);
}

/** An invitation, with the proof that is in its link. */
export interface InvitationUnderTest {
  id: string;
  proof: string;
}

/** A body of `POST /api/space/invitations`, with the proof of its link. */
export function anInvitation(role: SpaceRoleUnderTest, changes: object = {}) {
  const proof = randomBytes(32);
  const body = {
    id: randomUUID(),
    role,
    expires_at: new Date(Date.now() + 60 * 60 * 1000).toISOString(),
    proof_hash: createHash('sha256').update(proof).digest('base64'),
    offer: aBlob(),
    ...changes,
  };
  return { body, link: { id: body.id, proof: proof.toString('base64') } };
}

/** @throws Error if the service refuses. */
export async function invite(
  space: SpaceUnderTest,
  by: Member,
  role: SpaceRoleUnderTest,
): Promise<InvitationUnderTest> {
  const { body, link } = anInvitation(role);
  const answer = await space.api.post('/api/space/invitations', body, space.as(by));
  if (answer.status !== 201) throw new Error(`An invitation was answered ${answer.status}: ${answer.text}`);
  return link;
}

/** Accepts an invitation. The account then waits to be let in. */
export function accept(space: SpaceUnderTest, by: Member, link: InvitationUnderTest): Promise<Answer> {
  const body = { space_id: space.id, ...link, acceptance: aBlob() };
  return space.api.post('/api/invitations/accept', body, { token: by.token });
}

/** Lets in who has accepted. */
export function confirm(
  space: SpaceUnderTest,
  by: Member,
  memberId: string,
  link: InvitationUnderTest,
): Promise<Answer> {
  return space.change(by, 'members', {
    roster: space.nextRoster(),
    member_id: memberId,
    wrap: aSpaceWrap(),
    invitation_id: link.id,
    sharing_public: aSharingPublic(),
  });
}

/** A new member who has come by a link. @throws Error if the service refuses. */
export async function join(
  space: SpaceUnderTest,
  by: Member,
  role: SpaceRoleUnderTest,
  who?: Member,
): Promise<Member> {
  const member = who ?? (await aMember(space.api));
  const link = await invite(space, by, role);
  await accept(space, member, link);
  const answer = await confirm(space, by, member.id, link);
  if (answer.status !== 200) throw new Error(`A member was answered ${answer.status}: ${answer.text}`);
  return member;
}

/** The body of a new key, which only the caller gets unless `changes` say otherwise. */
export async function aRekey(space: SpaceUnderTest, by: Member, changes: object = {}) {
  const { body: profile } = await space.api.get(`/api/profiles/${space.profileId}`, space.as(by, 'none'));
  return {
    rosters: [space.nextRoster()],
    wraps: [{ member_id: by.id, wrap: aSpaceWrap() }],
    remove: [],
    roles: [],
    profile: { revision: profile.revision, name_data: aBlob(), name_iv: aCiphertext(9) },
    ...changes,
  };
}
