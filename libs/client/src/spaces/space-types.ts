import type { CallOptions } from '../records/record-types';
import type { SpaceBlock, SpaceRole } from './space-role';

export type { RecordAuthor, SpaceBlock, SpaceRole } from './space-role';

/**
 * How this account knows the keys of a member. `paired`: by an invitation, or the digits were compared. `introduced`: from a
 * signed roster. `new_keys`: they differ from those that were known; nothing is sealed to them until the digits are compared.
 */
export type SpaceAcquaintance = 'self' | 'paired' | 'introduced' | 'new_keys';

/** Somebody who takes part in a shared profile. */
export interface SpaceMember {
  accountId: string;
  role: SpaceRole;
  /** The name of this account's own contact, else the one that the profile gives; `null` for none. */
  name: string | null;
  acquaintance: SpaceAcquaintance;
  /** RFC 3339. By the word of the service. */
  joinedAt: string;
  /** `true`: the roster names it and the service has no such account any more. */
  isGone?: true;
}

/** A shared profile. */
export interface Space {
  id: string;
  profileId: string;
  /** The role of this account. */
  role: SpaceRole;
  /** Whether it counts among the spaces of this account. */
  isKeeper: boolean;
  members: SpaceMember[];
  /** Six groups of five digits over the newest roster, equal on the devices of all members. */
  circleCode: string;
  /** A member has left: an owner owes the others a new key. */
  isKeyDue: boolean;
  /** After a new key: the records that still have to be sealed anew by an owner. Absent for none. */
  resealing?: number;
  blocked: SpaceBlock | null;
}

/** Where a profile is shared, or an invitation waits. */
export interface SpaceState {
  id: string;
  /** `waiting`: accepted, and not yet let in. `removed`, `deleted`: access has ended. */
  state: 'member' | 'waiting' | 'removed' | 'deleted';
  /** Once this device has read the space. */
  profileId?: string;
  role?: SpaceRole;
  /** Of an owner: how many who have accepted wait to be let in. */
  accepted: number;
  blocked: SpaceBlock | null;
}

/** An invitation as its maker gives it away. It is shown once: this device keeps no secret of it. */
export interface NewInvitation {
  id: string;
  spaceId: string;
  role: SpaceRole;
  /** What follows the `#` of the link. */
  fragment: string;
  /** RFC 3339. */
  expiresAt: string;
}

/** An invitation that is open. */
export interface PendingInvitation {
  id: string;
  role: SpaceRole;
  expiresAt: string;
  /** Who has accepted it; `null` while nobody has. */
  acceptance: {
    accountId: string;
    /** As the person called itself. */
    name: string;
    acceptedAt: string;
    /** Six groups of five digits, which the accepting device shows, too. */
    digits: string;
  } | null;
  /** Why what was accepted cannot be confirmed: it does not open, or the service names another account. */
  refusal?: { code: string; message: string };
}

/** What an invitation offers, checked on this device. */
export interface InvitationOffer {
  fragment: string;
  spaceId: string;
  role: SpaceRole;
  expiresAt: string;
  profile: { id: string; name: string; kind: string };
  from: { accountId: string; name: string };
}

/** What is said after an acceptance. */
export interface Acceptance {
  spaceId: string;
  /** Six groups of five digits, which the inviting device shows, too. */
  digits: string;
}

/**
 * Profiles that several accounts share. Every method but `list` and `openInvitation` needs the client unlocked and the network.
 * All may throw ApiError, TransportError and IntegrityError `roster_refused`, `roster_rolled_back`, `roster_withheld`, `tampered`, `key_mismatch`;
 * SpaceError `space_unknown`, `space_waits`, `keys_not_compared`, `change_obsolete`. Nothing is sealed then.
 */
export interface Spaces {
  /** All that this account shares, or waits for. */
  list(options?: CallOptions): Promise<SpaceState[]>;
  /** @throws InvalidArgumentError for a profile that is not shared. */
  get(profileId: string, options?: CallOptions): Promise<Space>;
  /**
   * Makes a shared profile of one that is this account's own. It moves with all its records, and does not come back.
   * @param name what the others read under the records of this person.
   * @throws ApiError `spaces_exceeded`, `profile_too_large`; SpaceError `already_shared`
   */
  share(profileId: string, name: string, options?: CallOptions): Promise<Space>;
  /** Valid for 7 days, for one person. @throws ApiError `members_exceeded` */
  invite(spaceId: string, role: SpaceRole, options?: CallOptions): Promise<NewInvitation>;
  /** The open invitations, and who has accepted. */
  invitations(spaceId: string, options?: CallOptions): Promise<PendingInvitation[]>;
  /** Ends an invitation that nobody was let in by. */
  withdraw(spaceId: string, invitationId: string, options?: CallOptions): Promise<void>;
  /**
   * Reads what a link offers. It needs a session; no key.
   * @throws InvalidArgumentError for a link that is none; ApiError `not_found` for one that has expired, was used or never was.
   */
  openInvitation(fragment: string, options?: CallOptions): Promise<InvitationOffer>;
  /** @param name what the others read under the records of this person. @throws ApiError `invitation_taken`, `already_member` */
  accept(offer: InvitationOffer, name: string, options?: CallOptions): Promise<Acceptance>;
  /**
   * Lets in who has accepted.
   * @param areDigitsEqual whether the person has compared them. An owner is not let in without.
   * @throws SpaceError `digits_not_compared`, `nobody_accepted`, `other_inviter`
   */
  confirm(
    spaceId: string,
    invitationId: string,
    areDigitsEqual: boolean,
    options?: CallOptions,
  ): Promise<Space>;
  /**
   * Raises or lowers a member, or lowers this account itself. Lowering another makes a new key.
   * @throws SpaceError `sole_owner`, `owner_protected`
   */
  setRole(spaceId: string, accountId: string, role: SpaceRole, options?: CallOptions): Promise<Space>;
  /** Puts out a member that is not an owner, and makes a new key. @throws SpaceError `owner_protected` */
  remove(spaceId: string, accountId: string, options?: CallOptions): Promise<Space>;
  /** Makes a new key by choice. The records are then sealed anew by `sync`. */
  newKey(spaceId: string, options?: CallOptions): Promise<Space>;
  /** Six groups of five digits, equal for both of two members. */
  digitsWith(spaceId: string, accountId: string, options?: CallOptions): Promise<string>;
  /** The persons have compared the digits: the member's newest keys are taken as theirs. */
  agree(spaceId: string, accountId: string, options?: CallOptions): Promise<Space>;
  /**
   * Says what the profile is to this person, for all devices of the account: see `ProfileSpace.relationship`. The other
   * members do not see it.
   * @param relationship 1 to 64 characters.
   */
  relate(spaceId: string, relationship: string, options?: CallOptions): Promise<void>;
  /** @throws SpaceError `sole_owner` */
  leave(spaceId: string, options?: CallOptions): Promise<void>;
  /** This account answers for the space from now on. @throws ApiError `spaces_exceeded` */
  becomeKeeper(spaceId: string, options?: CallOptions): Promise<void>;
  /**
   * After `roster_rolled_back` by a restore of the service: gives it back what it has lost. An owner does so for all; then each
   * other member for what their own account had noted.
   * @throws SpaceError `not_rolled_back`, `owner_protected`; ApiError `space_role_too_low` before an owner has done it
   */
  setRight(spaceId: string, options?: CallOptions): Promise<Space>;
  /** Removes what this device keeps of a space whose access has ended. */
  forget(spaceId: string, options?: CallOptions): Promise<void>;
  /** Deletes the profile and all its records for all. @throws WrongPasswordError; ApiError `co_owned` */
  delete(spaceId: string, currentPassword: string, options?: CallOptions): Promise<void>;
}
