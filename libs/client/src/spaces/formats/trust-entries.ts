import { IntegrityError, RosterRefusedError } from '../../errors';
import { isId } from '../../ids';
import { isJsonObject } from '../../json';
import { bytesOf } from './identity';

/** Somebody whose keys this account knows. */
export interface TrustContact {
  /** What this person calls the other one. */
  name: string;
  /** The id of the identity, base64 of 32 bytes. */
  identity: string;
  /** Met by an invitation, or the digits were compared. Else: met in a signed roster. */
  paired: boolean;
}

/** By account id. */
export type TrustContacts = Readonly<Record<string, TrustContact>>;

/** A shared profile as this account knows it. */
export interface TrustSpace {
  /** What the profile is to this person. */
  relationship: string;
  /** The newest roster that a device of the account has checked. */
  roster: { version: number; hash: string };
}

/** By the id of the space. */
export type TrustSpaces = Readonly<Record<string, TrustSpace>>;

const HASH_BYTES = 32;

/** The member `contacts` of a trust book. What this client does not know is kept. @throws IntegrityError `format_unsupported` */
export function readContacts(value: unknown): TrustContacts {
  return readEntries(value, ({ name, identity, paired }) => {
    return typeof name === 'string' && !!bytesOf(identity, HASH_BYTES) && typeof paired === 'boolean';
  }) as TrustContacts;
}

/** The member `spaces` of a trust book. What this client does not know is kept. @throws IntegrityError `format_unsupported` */
export function readSpaces(value: unknown): TrustSpaces {
  return readEntries(value, ({ relationship, roster }) => {
    if (typeof relationship !== 'string' || !isJsonObject(roster)) return false;
    const { version, hash } = roster;
    return Number.isSafeInteger(version) && (version as number) >= 1 && !!bytesOf(hash, HASH_BYTES);
  }) as TrustSpaces;
}

/**
 * The contacts that two devices know. Of two names, that of `mine` stands.
 * @throws IntegrityError `key_mismatch` for two identities of one contact: only the person can decide.
 */
export function mergeContacts(theirs: TrustContacts, mine: TrustContacts): TrustContacts {
  const merged = Object.entries(mine).map(([account, contact]) => {
    const other = own(theirs, account);
    if (other && other.identity !== contact.identity)
      throw new IntegrityError('key_mismatch', 'A contact has two identities.', {
        kind: 'contact',
        id: account,
      });
    return [account, { ...other, ...contact, paired: contact.paired || (other?.paired ?? false) }] as const;
  });
  return { ...theirs, ...Object.fromEntries(merged) };
}

/**
 * The spaces that two devices know: the higher version of a roster counts. Of two relationships, that of `mine` stands.
 * @throws RosterRefusedError for two rosters of one version.
 */
export function mergeSpaces(theirs: TrustSpaces, mine: TrustSpaces): TrustSpaces {
  const merged = Object.entries(mine).map(([id, space]) => {
    const other = own(theirs, id);
    return [id, { ...other, ...space, roster: other ? newerOf(other, space, id) : space.roster }] as const;
  });
  return { ...theirs, ...Object.fromEntries(merged) };
}

function newerOf({ roster: one }: TrustSpace, { roster: other }: TrustSpace, id: string) {
  if (one.version === other.version && one.hash !== other.hash)
    throw new RosterRefusedError(1, 'Two devices of this account know two lists of members.', id);
  return one.version > other.version ? one : other;
}

function own<T>(entries: Readonly<Record<string, T>>, id: string): T | undefined {
  return Object.hasOwn(entries, id) ? entries[id] : undefined;
}

/** Absent is none. */
function readEntries(value: unknown, isEntry: (entry: Record<string, unknown>) => boolean): unknown {
  if (value === undefined) return {};
  const isRight =
    isJsonObject(value) &&
    Object.entries(value).every(([id, entry]) => isId(id) && isJsonObject(entry) && isEntry(entry));
  if (isRight) return value;
  throw new IntegrityError('format_unsupported', 'The trust book has another format.', {
    kind: 'trust-book',
    id: 'account',
  });
}
