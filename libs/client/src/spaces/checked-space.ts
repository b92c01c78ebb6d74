import type { AccountKey } from '../crypto/account-key';
import { openProfileKey, wrapProfileKey, type OpenProfileKey } from '../crypto/profile-key';
import { IntegrityError, ProtocolError, RosterRefusedError } from '../errors';
import type { CallOptions } from '../records/record-types';
import { checkMembers, takenOf, uncomparedBy, type CheckedMember } from './checked-members';
import { readRoster, signerOf, type Roster } from './formats/roster';
import { openSpaceKey } from './formats/space-key';
import type { Signer } from './own-identity';
import type { KnownOthers } from './pins';
import { readChain, rosterAt } from './roster-chain';
import type { SpaceNotes } from './space-notes';
import type { SpaceService } from './space-service';
import type { SpaceBlock } from './space-types';
import type { NamedSpace } from './space-wire';

const FOREIGN_KEY = 'The key of a shared profile is not from who has signed the list of members.';

/** A space as this device has checked it. */
export interface CheckedSpace {
  named: NamedSpace;
  /** The rosters that are taken, rising by one. The last one is the newest. */
  chain: readonly Roster[];
  /** All that the service shows and whose steps are right. */
  seen: readonly Roster[];
  /** The newest that the service shows, whose steps are right. It is not taken while keys in it are not compared. */
  tip: Roster;
  /** As whom this account is in the tip. */
  signer: Signer;
  /** Of the tip. */
  members: readonly CheckedMember[];
  /** The newest key under the account key. Of an older epoch than the roster's while this account has no newer one. */
  key: SpaceNotes['key'];
  opened: OpenProfileKey | undefined;
  blocked: SpaceBlock | null;
}

/** What a check begins from. */
export interface CheckParts {
  service: SpaceService;
  account: AccountKey;
  /** The newest first. */
  signers: readonly Signer[];
  others: KnownOthers;
  notes: SpaceNotes | undefined;
  /** Whether this device has a key of the profile from elsewhere: then only this account itself can have begun the space. */
  isOwnProfile: boolean;
}

/**
 * Checks what the service says of a space, before anything of it is believed.
 * @throws IntegrityError, ProtocolError for a list of members that is not taken at all: see {@link blockOf}.
 */
export async function checkSpace(
  named: NamedSpace,
  { service, account, signers, others, notes, isOwnProfile }: CheckParts,
  options: CallOptions,
): Promise<CheckedSpace> {
  const known = await Promise.all((notes?.rosters ?? []).map(readRoster));
  const pin = others.spaces[named.id]?.roster;
  const read = (start: { known: readonly Roster[]; least?: number }) =>
    readChain(service, named, { pin, ...start }, options);
  // Who signed the wrap shows in the roster before its own one.
  const needed = named.wrap ? Math.max(1, named.wrap.rosterVersion - 1) : undefined;
  const least = isOwnProfile ? 1 : needed;
  let chain = await read({ known, ...(known.length === 0 && { least }) });
  const tip = chain.at(-1)!;
  const hasKey = notes?.key?.epoch === tip.content.epoch;
  if (!hasKey && least !== undefined && least < chain[0].content.version)
    chain = await read({ known, least });
  if (isOwnProfile && chain[0].content.by !== signers[0].own.account)
    throw new RosterRefusedError(1, 'Somebody else has begun to share a profile of this account.', named.id);
  const { members, signer } = await checkMembers(named, tip, signers, others.contacts);
  const isUncompared = uncomparedBy(chain, members, others.contacts);
  const from = (known.at(-1)?.content.version ?? pin.version) + 1;
  const { taken, stoppedBy } = takenOf(chain, from, isUncompared);
  const key = notes?.key ?? null;
  const checked = { named, chain: taken, seen: chain, tip, members, signer, key, opened: undefined };
  if (stoppedBy !== undefined) return { ...checked, blocked: newKeys(stoppedBy) };
  if (hasKey) {
    const opened = await openProfileKey(notes.key!, account, named.profileId);
    return { ...checked, opened, blocked: null };
  }
  return { ...checked, ...(await openKey(checked, isUncompared, account)) };
}

/** How a failed check is told. What was checked before stays. @throws anything else */
export function blockOf(error: unknown): SpaceBlock {
  if (error instanceof RosterRefusedError)
    return { code: 'roster_refused', rule: error.rule, message: error.message };
  // What has not the form of a list of members is none.
  if (error instanceof ProtocolError || (error instanceof IntegrityError && error.code === 'roster_withheld'))
    return { code: 'roster_withheld', message: error.message };
  // The trust book goes back together with the rosters.
  if (error instanceof IntegrityError && ['roster_rolled_back', 'rolled_back'].includes(error.code))
    return { code: 'roster_rolled_back', message: error.message };
  if (error instanceof IntegrityError && error.code === 'records_missing')
    return { code: 'key_missing', message: error.message };
  if (error instanceof IntegrityError && error.code === 'tampered')
    return { code: 'tampered', message: error.message };
  throw error;
}

/** The list of members is right whatever comes of the key: an owner may make another one. */
async function openKey(
  { named, chain, tip, key, signer: self }: Pick<CheckedSpace, 'named' | 'chain' | 'tip' | 'key' | 'signer'>,
  isUncompared: (account: string, signing: string) => boolean,
  account: AccountKey,
): Promise<Pick<CheckedSpace, 'key' | 'opened' | 'blocked'>> {
  const none = { key, opened: undefined };
  const { wrap } = named;
  if (!wrap) return { ...none, blocked: keyMissing() };
  const roster = rosterAt(chain, wrap.rosterVersion);
  const signer = roster && signerOf(roster, rosterAt(chain, wrap.rosterVersion - 1));
  const isOfNewest = roster?.content.epoch === tip.content.epoch;
  if (signer === undefined || roster?.content.by !== wrap.from || !isOfNewest)
    return { ...none, blocked: { code: 'tampered', message: FOREIGN_KEY } };
  if (isUncompared(wrap.from, signer)) return { ...none, blocked: newKeys(wrap.from) };
  try {
    return { ...(await openWrap(named, tip, signer, self, account)), blocked: null };
  } catch (error) {
    return { ...none, blocked: blockOf(error) };
  }
}

async function openWrap(
  { id, profileId, wrap }: NamedSpace,
  { content: { epoch, key } }: Roster,
  signing: string,
  { own, under }: Signer,
  account: AccountKey,
): Promise<Required<Pick<CheckedSpace, 'key' | 'opened'>>> {
  const { from: senderId, rosterVersion, wrap: text } = wrap!;
  const place = { spaceId: id, profileId, rosterVersion, senderId, recipientId: own.account };
  // Extractable, and only in here: it is wrapped by the account key, for this device.
  const opened = await openSpaceKey(text, place, { epoch, key, signing }, own, under, true);
  const kept = await wrapProfileKey(opened, account, profileId);
  return { key: { ...kept, epoch }, opened: await openProfileKey(kept, account, profileId) };
}

function newKeys(accountId: string): SpaceBlock {
  const message = 'A member has new keys. Compare the numbers to go on.';
  return { code: 'new_keys', accountId, message };
}

function keyMissing(): SpaceBlock {
  return { code: 'key_missing', message: 'No owner has given this account the newest key yet.' };
}
