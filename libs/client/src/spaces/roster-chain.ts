import { IntegrityError, RosterRefusedError } from '../errors';
import type { CallOptions } from '../records/record-types';
import { checkSignature, readRoster, type Roster } from './formats/roster';
import { checkRosterStep } from './formats/roster-rules';
import type { SpaceService } from './space-service';
import type { NamedSpace } from './space-wire';

/** A roster that a device of this account has checked. */
export interface RosterPin {
  version: number;
  hash: string;
}

/** From where a chain of rosters is believed. */
export interface ChainStart {
  /** Checked before, rising by one. */
  known: readonly Roster[];
  /** Of the trust book. */
  pin: RosterPin | undefined;
  /** The first version that is needed; absent: none before those that are known. */
  least?: number;
}

/**
 * Reads the rosters of a space up to that of an answer, and checks each step from what was known.
 * @returns rising by one, the newest last.
 * @throws RosterRefusedError; IntegrityError `roster_rolled_back`, `roster_withheld`; ProtocolError
 */
export async function readChain(
  service: SpaceService,
  named: NamedSpace,
  { known, pin, least = Infinity }: ChainStart,
  options: CallOptions,
): Promise<Roster[]> {
  const { id, rosterVersion: newest } = named;
  const pins = [...(pin ? [pin] : []), ...known.slice(-1).map(pinOf)];
  if (pins.length === 0) throw unknownSpace(id);
  if (pins.some(({ version }) => version > newest)) throw rolledBack(id);
  const first = Math.max(1, Math.min(known[0]?.content.version ?? pin!.version, least));
  const chain = known[0]?.content.version === first ? [...known] : [];
  for (let after = chain.at(-1)?.content.version ?? first - 1; after < newest;) {
    const texts = await service.rosters(id, after, options);
    if (texts.length === 0) throw withheld(id);
    for (const text of texts.slice(0, newest - after)) {
      const roster = await readRoster(text);
      await checkNext(chain.at(-1), roster, first, named);
      chain.push(roster);
    }
    after = chain.at(-1)!.content.version;
  }
  for (const each of pins) checkPin(each, chain, id);
  const { space, profile } = chain.at(-1)!.content;
  if (space !== id || profile !== named.profileId) throw anotherPlace(id);
  return chain;
}

export function pinOf({ content, hash }: Roster): RosterPin {
  return { version: content.version, hash };
}

/** The one at a version. */
export function rosterAt(chain: readonly Roster[], version: number): Roster | undefined {
  return chain[version - chain[0].content.version];
}

export function rolledBack(spaceId: string): IntegrityError {
  const message = 'The service shows an older list of members than this account has seen.';
  return new IntegrityError('roster_rolled_back', message, { kind: 'space', id: spaceId });
}

function withheld(spaceId: string): IntegrityError {
  const message = 'The service names a newer list of members, and does not give it.';
  return new IntegrityError('roster_withheld', message, { kind: 'space', id: spaceId });
}

/** The first one is believed by the hash of a later one that is pinned, or as the beginning of the space. */
async function checkNext(
  before: Roster | undefined,
  roster: Roster,
  first: number,
  { id, profileId }: NamedSpace,
): Promise<void> {
  if (before) return checkRosterStep(before, roster);
  const { space, profile, version } = roster.content;
  if (space !== id || profile !== profileId || version !== first) throw anotherPlace(id);
  if (first === 1) await checkSignature(roster);
}

function checkPin({ version, hash }: RosterPin, chain: readonly Roster[], spaceId: string): void {
  const roster = rosterAt(chain, version);
  if (!roster || roster.hash === hash) return;
  throw new RosterRefusedError(1, 'A list of members is another one than this account has seen.', spaceId);
}

function anotherPlace(spaceId: string): RosterRefusedError {
  return new RosterRefusedError(1, 'A list of members belongs to another place.', spaceId);
}

function unknownSpace(spaceId: string): RosterRefusedError {
  return new RosterRefusedError(0, 'No device of this account has seen who belongs to this space.', spaceId);
}
