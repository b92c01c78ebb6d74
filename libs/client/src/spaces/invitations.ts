import type { KeyRing } from '../account/key-ring';
import { openProfileKey } from '../crypto/profile-key';
import { ApiError, HealthRecordsError, ifAny, IntegrityError } from '../errors';
import { newId } from '../ids';
import { checkOptions } from '../records/encrypted-collection';
import type { CallOptions } from '../records/record-types';
import type { CircleChanges } from './circle-changes';
import type { CheckedSpace } from './checked-space';
import type { Directory } from './directory';
import {
  invitationKeys,
  invitationSecretOf,
  newInvitation,
  openAcceptance,
  openOffer,
  readFragment,
  sealAcceptance,
  sealOffer,
  type AcceptanceContent,
  type OfferContent,
} from './formats/invitation';
import { pairDigits, publicIdentityOf, type KnownIdentity, type OwnIdentity } from './formats/identity';
import { wrapSpaceKey } from './formats/space-key';
import { sharingHashOf } from './formats/x-wing';
import type { OwnIdentities } from './own-identity';
import type { Contact, Pins } from './pins';
import { pinOf } from './roster-chain';
import { SpaceError } from './space-error';
import type { SpaceProfiles } from './space-profile';
import type { SpaceService } from './space-service';
import type { Acceptance, InvitationOffer, NewInvitation, PendingInvitation, SpaceRole } from './space-types';
import { readOffer, type ListedInvitation } from './space-wire';
import { fromBase64 } from '../encoding';

/** The service takes no more. */
const VALID_MS = 7 * 24 * 60 * 60 * 1000;

/** What invitations work with. */
export interface InvitationParts {
  service: SpaceService;
  directory: Directory;
  changes: CircleChanges;
  identities: OwnIdentities;
  pins: Pins;
  profiles: SpaceProfiles;
  keys: KeyRing;
  accountId: () => string;
}

/** Invites into spaces, and accepts. First contact is a link whose secret the service never sees. */
export class Invitations {
  constructor(private readonly parts: InvitationParts) {}

  async invite(spaceId: string, role: SpaceRole, options: CallOptions): Promise<NewInvitation> {
    const { changes, keys, service } = this.parts;
    const id = newId();
    const secret = await invitationSecretOf(keys.accountKey, { spaceId, id });
    const { fragment } = newInvitation(spaceId, { id, secret });
    const link = await invitationKeys({ id, secret });
    const expiresAt = new Date(Date.now() + VALID_MS).toISOString();
    const send = async (space: CheckedSpace) => {
      const offer = await this.#offerOf(space, options);
      const sealed = await sealOffer(offer, link.key, { spaceId, invitationId: id, role, expiresAt });
      const body = { id, role, expires_at: expiresAt, proof_hash: link.proofHash, offer: sealed };
      await service.write(placeOf(space), 'invitations', body, options);
    };
    await changes.send(spaceId, send, options);
    return { id, spaceId, role, fragment, expiresAt };
  }

  async list(spaceId: string, options: CallOptions): Promise<PendingInvitation[]> {
    const { service, identities } = this.parts;
    const listed = await service.invitations(spaceId, options);
    const own = await identities.require(options);
    return Promise.all(listed.map((each) => this.#pending(spaceId, each, own)));
  }

  async withdraw(spaceId: string, invitationId: string, options: CallOptions): Promise<void> {
    const path = `invitations/${invitationId}/delete`;
    const send = async (space: CheckedSpace) =>
      void (await this.parts.service.write(placeOf(space), path, {}, options));
    await this.parts.changes.send(spaceId, send, options);
  }

  async open(fragment: string, options: CallOptions): Promise<InvitationOffer> {
    return (await this.#open(fragment, options)).offer;
  }

  async accept(offer: InvitationOffer, name: string, options: CallOptions): Promise<Acceptance> {
    const { service, pins, identities, keys } = this.parts;
    const opened = await this.#open(offer.fragment, options);
    assertSameOffer(offer, opened.offer);
    const { spaceId, profile } = opened.offer;
    const others = await pins.read(options);
    await this.#assertForeign(spaceId, profile.id, options);
    const own = await identities.ensure(Object.keys(others.spaces).length > 0, options);
    const { identity } = opened.from;
    // Before anything is sealed to anybody.
    await this.#pinContact(identity, opened.from.name, false, options);
    await pins.note({}, spaceId, opened.roster);
    const { id, secret } = readFragment(offer.fragment);
    const link = await invitationKeys({ id, secret });
    const content = { identity: await publicIdentityOf(own, keys.accountKey), name };
    const acceptance = await sealAcceptance(content, link.key, { spaceId, invitationId: id });
    const body = { space_id: spaceId, id, proof: link.proof, acceptance };
    const request = { method: 'POST', path: '/api/invitations/accept', body, replayable: true } as const;
    await service.send(request, options);
    return { spaceId, digits: await pairDigits(own.id, identity.id) };
  }

  async confirm(
    spaceId: string,
    invitationId: string,
    areDigitsEqual: boolean,
    options: CallOptions,
  ): Promise<void> {
    const { changes, profiles, identities } = this.parts;
    const own = await identities.require(options);
    const accepted = await this.#accepted(spaceId, invitationId, own, options);
    const { role, identity, name } = accepted;
    if (role === 'owner' && !areDigitsEqual)
      throw new SpaceError('digits_not_compared', 'An owner is let in only after the digits were compared.');
    await this.#pinContact(identity, name, areDigitsEqual, options);
    await changes.change(spaceId, (space) => this.#letIn(space, { invitationId, role, identity }), options);
    const space = await changes.current(spaceId, options);
    // The member is in. What fails here is done when an owner next looks at the members.
    await profiles.name(placeOf(space), identity.account, name, options).catch(() => undefined);
  }

  /** Who invites, and for whom. Names are as the profile has them now. */
  async #offerOf(space: CheckedSpace, options: CallOptions): Promise<OfferContent> {
    const { identities, profiles, keys } = this.parts;
    const own = await identities.require(options);
    const place = placeOf(space);
    const { details, meta, people } = await profiles.describe(place, options);
    const name = typeof details.name === 'string' ? details.name : '';
    const kind = typeof meta.kind === 'string' ? meta.kind : '';
    return {
      profile: { id: place.profileId, name, kind },
      from: { identity: await publicIdentityOf(own, keys.accountKey), name: people[own.account] ?? '' },
      roster: pinOf(space.tip),
    };
  }

  async #letIn(
    space: CheckedSpace,
    { invitationId, role, identity }: { invitationId: string; role: SpaceRole; identity: KnownIdentity },
  ) {
    const { changes, keys } = this.parts;
    const { named, tip, key, signer } = space;
    const { account, sharing, signing } = identity;
    if (named.role !== 'owner')
      throw new SpaceError('change_obsolete', 'Only an owner lets somebody in.', [named.id]);
    // The other device of this account may have let it in.
    if (space.members.some((each) => each.account === account && each.present)) return undefined;
    const entry = { account, role, sharing: await sharingHashOf(fromBase64(sharing)!), signing };
    const others = tip.content.members.filter((each) => each.account !== account);
    const roster = await changes.sign(space, { members: [...others, entry] });
    const { space: spaceId, profile: profileId, version: rosterVersion } = roster.content;
    const place = { spaceId, profileId, rosterVersion, senderId: signer.own.account, recipientId: account };
    // Extractable, and only in here: it is sealed to the new member.
    const dek = await openProfileKey(key!, keys.accountKey, profileId, true);
    const wrap = await wrapSpaceKey(dek.key, place, signer.own, signer.under, sharing);
    const body = {
      roster: roster.text,
      member_id: account,
      wrap,
      invitation_id: invitationId,
      sharing_public: sharing,
    };
    return { path: 'members', body, roster };
  }

  /**
   * What somebody has accepted. Security: the role is what the own offer was sealed with, and not what the service says.
   * @throws SpaceError `nobody_accepted`; IntegrityError; ApiError `not_found`, also after the end of the invitation
   */
  async #accepted(spaceId: string, invitationId: string, own: OwnIdentity, options: CallOptions) {
    const listed = await this.parts.service.invitations(spaceId, options);
    const found = listed.find(({ id }) => id === invitationId);
    if (!found)
      throw new ApiError({ status: 404, code: 'not_found', message: 'There is no such invitation.' });
    if (found.acceptedBy === null || !found.acceptance)
      throw new SpaceError('nobody_accepted', 'Nobody has accepted the invitation yet.', [spaceId]);
    const accepted = await this.#openAcceptance(spaceId, found, own);
    const secret = await invitationSecretOf(this.parts.keys.accountKey, { spaceId, id: invitationId });
    const { fragment } = newInvitation(spaceId, { id: invitationId, secret });
    const { role } = (await this.#open(fragment, options)).offer;
    if (role === found.role) return { role, ...accepted };
    const message = 'The service shows another role than the invitation was made for.';
    throw new IntegrityError('tampered', message, { kind: 'invitation', id: invitationId });
  }

  async #pending(spaceId: string, listed: ListedInvitation, own: OwnIdentity): Promise<PendingInvitation> {
    const { id, role, expiresAt, acceptedBy, acceptedAt } = listed;
    const pending = { id, role, expiresAt, acceptance: null };
    if (acceptedBy === null || acceptedAt === null) return pending;
    try {
      const { identity, name } = await this.#openAcceptance(spaceId, listed, own);
      const digits = await pairDigits(own.id, identity.id);
      return { ...pending, acceptance: { accountId: identity.account, name, acceptedAt, digits } };
    } catch (error) {
      if (!(error instanceof HealthRecordsError)) throw error;
      return { ...pending, refusal: { code: error.code, message: error.message } };
    }
  }

  /** @throws IntegrityError; SpaceError `other_inviter` for an invitation that another owner has made. */
  async #openAcceptance(
    spaceId: string,
    { id, createdBy, acceptedBy, acceptance }: ListedInvitation,
    own: OwnIdentity,
  ): Promise<AcceptanceContent<KnownIdentity>> {
    if (createdBy !== own.account)
      throw new SpaceError('other_inviter', 'Another owner has made the invitation, and lets in.', [spaceId]);
    const secret = await invitationSecretOf(this.parts.keys.accountKey, { spaceId, id });
    const { key } = await invitationKeys({ id, secret });
    const opened = await openAcceptance(acceptance, key, { spaceId, invitationId: id });
    if (opened.identity.account === acceptedBy) return opened;
    const message = 'The service names another account than the one that has accepted.';
    throw new IntegrityError('account_mismatch', message, { kind: 'invitation', id });
  }

  async #open(fragment: string, options: CallOptions) {
    checkOptions(options);
    const { spaceId, id, secret } = readFragment(fragment);
    const { proof, key } = await invitationKeys({ id, secret });
    const body = { space_id: spaceId, id, proof };
    const request = { method: 'POST', path: '/api/invitations/open', body, replayable: true } as const;
    const { role, expiresAt, offer } = readOffer((await this.parts.service.send(request, options)).body);
    const { profile, from, roster } = await openOffer(offer, key, {
      spaceId,
      invitationId: id,
      role,
      expiresAt,
    });
    if (Date.parse(expiresAt) <= Date.now())
      throw new ApiError({ status: 404, code: 'not_found', message: 'The invitation has expired.' });
    const shown = { accountId: from.identity.account, name: from.name };
    return { offer: { fragment, spaceId, role, expiresAt, profile, from: shown }, from, roster };
  }

  /** A person who was met again by a link, with other keys: only the digits tell which ones are right. */
  async #pinContact(
    { account, id: identity, signing }: KnownIdentity,
    name: string,
    areDigitsEqual: boolean,
    options: CallOptions,
  ): Promise<void> {
    const contact: Contact = { name, identity, signing, paired: true };
    const { pins, directory } = this.parts;
    const known = (await pins.read(options)).contacts[account];
    const isMet = known !== undefined && (await directory.isMember(account));
    if (known && known.identity !== identity && isMet && !areDigitsEqual)
      throw new IntegrityError(
        'key_mismatch',
        'A member has other keys than are known. Compare the digits.',
        {
          kind: 'key:identity',
          id: account,
        },
      );
    await pins.replace(account, contact);
  }

  /** Security: the key of a foreign space must not stand for a profile that this account has already. */
  async #assertForeign(spaceId: string, profileId: string, options: CallOptions): Promise<void> {
    const { keys, directory, service } = this.parts;
    await directory.open();
    const isOfSpace = directory.places.some(
      (each) => each.spaceId === spaceId && each.profileId === profileId,
    );
    if (isOfSpace) return;
    const isElsewhere = directory.places.some((each) => each.profileId === profileId);
    const path = `/api/profiles/${profileId}`;
    const isOwn =
      keys.profileKey(profileId) !== undefined ||
      (await ifAny(service.send({ method: 'GET', path }, options))) !== undefined;
    if (!isElsewhere && !isOwn) return;
    throw new IntegrityError('tampered', 'The invitation names a profile that this account has already.', {
      kind: 'invitation',
      id: spaceId,
    });
  }
}

/** Where a checked space is written. */
export function placeOf({ named: { id, profileId, version } }: CheckedSpace) {
  return { id, profileId, version };
}

/** What the person has agreed to is what is accepted. */
function assertSameOffer(shown: InvitationOffer, now: InvitationOffer): void {
  const isSame =
    shown.role === now.role &&
    shown.profile.id === now.profile.id &&
    shown.from.accountId === now.from.accountId &&
    shown.spaceId === now.spaceId;
  if (isSame) return;
  throw new IntegrityError('tampered', 'The invitation is another one than was shown.', {
    kind: 'invitation',
    id: now.spaceId,
  });
}
