import { ApiError, IntegrityError, RosterRefusedError, TransportError } from '../errors';
import type { KeyRing } from '../account/key-ring';
import type { CallOptions } from '../records/record-types';
import type { CheckedSpace } from './checked-space';
import type { CheckedMember } from './checked-members';
import type { Directory } from './directory';
import { signRoster, type Roster, type RosterContent } from './formats/roster';
import { checkRosterStep } from './formats/roster-rules';
import type { OwnIdentity } from './formats/identity';
import type { OwnIdentities } from './own-identity';
import { rosterAt } from './roster-chain';
import { SpaceError } from './space-error';
import type { SpaceService } from './space-service';
import type { SpaceBlock } from './space-types';

/** How often a change is made anew because another device was faster. */
const ATTEMPTS = 5;
/** Another change came first. What it leaves is read, and the change is made on top of it. */
const OVERTAKEN = ['space_changed', 'revision_mismatch'];

/** A change of a space, ready to send. */
export interface CircleChange {
  /** After `/api/space/`. */
  path: string;
  body: object;
  /** Which of the rosters in the body is the newest one. */
  roster: Roster;
}

/** Makes a change from the newest state; `undefined` where there is nothing to do. What it throws ends the change. */
export type ChangeMaker = (space: CheckedSpace, own: OwnIdentity) => Promise<CircleChange | undefined>;

/** Changes who belongs to a space, as what, and with which keys. Each change is a roster that this account signs. */
export class CircleChanges {
  constructor(
    private readonly directory: Directory,
    private readonly service: SpaceService,
    private readonly identities: OwnIdentities,
    private readonly keys: KeyRing,
  ) {}

  /**
   * The space as it is now, for a change.
   * @param mayLack what a block may say all the same.
   * @throws SpaceError `space_unknown`, `space_waits`, `keys_not_compared`; IntegrityError
   */
  async current(
    spaceId: string,
    options: CallOptions,
    mayLack: readonly SpaceBlock['code'][] = [],
  ): Promise<CheckedSpace> {
    const space = await this.directory.check(spaceId, options);
    if (!space) throw new SpaceError('space_unknown', 'This account has no part in the space.');
    const { blocked } = space;
    if (blocked && !mayLack.includes(blocked.code)) throw errorOf(blocked, spaceId);
    return space;
  }

  /** Makes a change, and reads what came of it. @throws ApiError; what `make` and {@link current} throw. */
  async change(
    spaceId: string,
    make: ChangeMaker,
    options: CallOptions,
    mayLack: readonly SpaceBlock['code'][] = [],
  ): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const space = await this.current(spaceId, options, mayLack);
      const change = await make(space, await this.identities.require(options));
      if (!change) return;
      try {
        const at = { id: spaceId, version: space.named.version };
        await this.service.write(at, change.path, change.body, options);
      } catch (error) {
        const isOvertaken = error instanceof ApiError && OVERTAKEN.includes(error.code);
        const isLost = error instanceof TransportError || (error instanceof ApiError && error.afterLostAttempt);
        if (!isOvertaken && !isLost) throw error;
        // After a lost answer the change may be done: then its roster is stored.
        if (await this.#isStored(spaceId, change.roster, options)) return;
        if (!isOvertaken || attempt === ATTEMPTS) throw error;
        continue;
      }
      await this.directory.reread(spaceId, options);
      return;
    }
  }

  /** The next roster of a space, signed by this account. It must keep the rules here, too. */
  async sign(
    { chain }: CheckedSpace,
    own: OwnIdentity,
    changes: Partial<Pick<RosterContent, 'epoch' | 'key' | 'due' | 'members'>>,
  ): Promise<Roster> {
    const before = chain.at(-1)!;
    const { content, hash } = before;
    const next = { ...content, version: content.version + 1, previous: hash, by: own.account, ...changes };
    const roster = await signRoster(next, own, this.keys.accountKey);
    await checkRosterStep(before, roster);
    return roster;
  }

  async #isStored(spaceId: string, { content, hash }: Roster, options: CallOptions): Promise<boolean> {
    const now = await this.directory.check(spaceId, options);
    return now !== undefined && rosterAt(now.chain, content.version)?.hash === hash;
  }
}

/** @throws SpaceError `change_obsolete` for somebody who is not in the circle any more. */
export function memberOf({ members, named }: CheckedSpace, accountId: string): CheckedMember {
  const member = members.find(({ account }) => account === accountId);
  if (member) return member;
  throw new SpaceError('change_obsolete', 'This account is not a member any more.', [named.id]);
}

/** What a block means for somebody who wants to change something. */
export function errorOf(
  { code, message, rule }: SpaceBlock,
  spaceId: string,
): SpaceError | IntegrityError {
  if (code === 'roster_refused') return new RosterRefusedError((rule ?? 0) as 0, message, spaceId);
  if (code === 'key_missing') return new SpaceError('space_waits', message, [spaceId]);
  if (code === 'new_keys') return new SpaceError('keys_not_compared', message, [spaceId]);
  return new IntegrityError(code, message, { kind: 'space', id: spaceId });
}
