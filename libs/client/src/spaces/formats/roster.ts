import type { AccountKey } from '../../crypto/account-key';
import { LABELS, labelled } from '../../crypto/labels';
import { fromBase64, fromUtf8, toBase64, utf8, type Bytes } from '../../encoding';
import { RosterRefusedError } from '../../errors';
import { isId } from '../../ids';
import { isJsonObject, parseJson, type JsonObject } from '../../json';
import type { SpaceRole } from '../space-types';
import { sign, SIGNATURE_BYTES, SIGNING_PUBLIC_BYTES, verify } from './ed25519';
import { bytesOf, digitsOf, sha256, withSeeds, type OwnIdentity } from './identity';

/** One entry of a roster. */
export interface RosterMember {
  /** The id of the account. */
  account: string;
  role: SpaceRole;
  /** Base64 of the SHA-256 of the public key to which others seal. */
  sharing: string;
  /** Base64 of the public key with which others check signatures. */
  signing: string;
}

/** Who belongs to a shared profile, and which key it has. Plain for the service; it holds no names. */
export interface RosterContent {
  v: 1;
  /** Ids. */
  space: string;
  profile: string;
  /** 1 for the first one. */
  version: number;
  /** The hash of the roster before; `""` in version 1. */
  previous: string;
  /** Of the profile's key. */
  epoch: number;
  /** The id of the profile's key, base64 of 16 bytes. */
  key: string;
  /** Whether an owner owes the others a new key. */
  due: boolean;
  /** In the order of their ids. */
  members: readonly RosterMember[];
  /** The account that has signed. */
  by: string;
}

/** A roster as it was read. Nothing is checked yet but its form. */
export interface Roster {
  content: RosterContent;
  /** As it is sent. */
  text: string;
  /** Base64 of the SHA-256 of its JSON. */
  hash: string;
}

export const MAX_MEMBERS = 16;
/** Of a whole roster. */
const MAX_TEXT = 8192;
const HASH_BYTES = 32;
const KEY_ID_BYTES = 16;
/** From the least to the most. */
const ROLES: readonly SpaceRole[] = ['viewer', 'carer', 'editor', 'owner'];

/** Which of two roles may do more: positive for the first one. */
export function compareRoles(one: SpaceRole, other: SpaceRole): number {
  return ROLES.indexOf(one) - ROLES.indexOf(other);
}

/** @throws RosterRefusedError with rule 1 for what is no roster. */
export async function readRoster(text: string): Promise<Roster> {
  const parts = partsOf(text);
  const content = parts && contentOf(parts.json);
  if (!content) throw new RosterRefusedError(1, 'A list of members has the wrong form.', 'unknown');
  return { content, text, hash: toBase64(await sha256(parts.json)) };
}

/**
 * Signs the next roster of a space.
 * @throws RosterRefusedError with rule 1 for content that nobody would take; IntegrityError `tampered`
 */
export async function signRoster(
  content: RosterContent,
  own: OwnIdentity,
  account: AccountKey,
): Promise<Roster> {
  const json = utf8(jsonOf(content));
  const signature = await withSeeds(own, account, (seeds) => sign(seeds.signing, signedText(json)));
  return readRoster(`${toBase64(json)}.${toBase64(signature)}`);
}

/** The signing key (base64) of the account that has signed. @param before the roster before; absent for a first one. */
export function signerOf(roster: Roster, before?: Roster): string | undefined {
  const { by } = roster.content;
  return (before ?? roster).content.members.find(({ account }) => account === by)?.signing;
}

/**
 * Whether a roster is signed by the account that it names.
 * @param before the roster before. Without it, the roster says itself with which key: enough for a first one, of version 1.
 * @throws RosterRefusedError with rule 2; with rule 1 for a later one without the one before.
 */
export async function checkSignature(roster: Roster, before?: Roster): Promise<void> {
  const { space, version } = roster.content;
  if (!before && version !== 1)
    throw new RosterRefusedError(1, 'A list of members lacks the one before.', space);
  const parts = partsOf(roster.text);
  const key = bytesOf(signerOf(roster, before), SIGNING_PUBLIC_BYTES);
  if (!parts || !key || !(await verify(key, signedText(parts.json), parts.signature)))
    throw new RosterRefusedError(2, 'A list of members is not signed by who changed it.', space);
}

/** Six groups of five digits over a roster: equal on the devices of all members who see the same one. */
export function circleCodeOf({ hash }: Roster): string {
  return digitsOf(fromBase64(hash)!);
}

function signedText(json: Bytes): Bytes {
  return labelled(LABELS.roster(), json);
}

/** The members in the order of the format: the order of those that are given does not matter. */
function jsonOf({
  v,
  space,
  profile,
  version,
  previous,
  epoch,
  key,
  due,
  members,
  by,
}: RosterContent): string {
  const entries = members
    .map(({ account, role, sharing, signing }) => ({ account, role, sharing, signing }))
    .sort((one, other) => (one.account < other.account ? -1 : 1));
  return JSON.stringify({ v, space, profile, version, previous, epoch, key, due, members: entries, by });
}

function partsOf(text: string): { json: Bytes; signature: Bytes } | undefined {
  if (typeof text !== 'string' || text.length > MAX_TEXT) return undefined;
  const [first, second, ...more] = text.split('.');
  const [json, signature] = [fromBase64(first), bytesOf(second, SIGNATURE_BYTES)];
  return json && signature && more.length === 0 ? { json, signature } : undefined;
}

function contentOf(json: Bytes): RosterContent | undefined {
  try {
    const value = parseJson(fromUtf8(json));
    return isJsonObject(value) && isContent(value) ? (value as unknown as RosterContent) : undefined;
  } catch {
    return undefined;
  }
}

function isContent(value: JsonObject): boolean {
  const { v, space, profile, version, previous, epoch, key, due, members, by } = value;
  const isFollowing = version === 1 ? previous === '' : !!bytesOf(previous, HASH_BYTES);
  return (
    v === 1 &&
    [space, profile, by].every(isId) &&
    [version, epoch].every((each) => Number.isSafeInteger(each) && (each as number) >= 1) &&
    isFollowing &&
    !!bytesOf(key, KEY_ID_BYTES) &&
    typeof due === 'boolean' &&
    areMembers(members)
  );
}

function areMembers(value: unknown): boolean {
  if (!Array.isArray(value) || value.length > MAX_MEMBERS || !value.every(isMember)) return false;
  const isRising = value.every(({ account }, at) => at === 0 || value[at - 1].account < account);
  return isRising && value.some(({ role }) => role === 'owner');
}

function isMember(value: unknown): value is RosterMember {
  if (!isJsonObject(value)) return false;
  const { account, role, sharing, signing } = value;
  const isKnown = isId(account) && ROLES.includes(role as SpaceRole);
  return isKnown && !!bytesOf(sharing, HASH_BYTES) && !!bytesOf(signing, SIGNING_PUBLIC_BYTES);
}
