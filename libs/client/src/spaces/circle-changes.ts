import {
  ApiError,
  IntegrityError,
  InvalidArgumentError,
  RosterRefusedError,
  TransportError,
} from '../errors';
import type { CallOptions } from '../records/record-types';
import type { CheckedSpace } from './checked-space';
import type { CheckedMember } from './checked-members';
import type { Directory } from './directory';
import {
  compareRoles,
  signRoster,
  type Roster,
  type RosterContent,
  type RosterMember,
} from './formats/roster';
import { checkRosterStep } from './formats/roster-rules';
import { rosterAt } from './roster-chain';
import { SpaceError } from './space-error';
import type { SpaceService } from './space-service';
import type { SpaceBlock, SpaceRole } from './space-types';

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
export type ChangeMaker = (space: CheckedSpace) => Promise<CircleChange | undefined>;

/** Changes who belongs to a space, as what, and with which keys. Each change is a roster that this account signs. */
export class CircleChanges {
  constructor(
    private readonly directory: Directory,
    private readonly service: SpaceService,
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
      const change = await this.#made(make, space, options, attempt < ATTEMPTS);
      if (change === 'overtaken') continue;
      if (!change) return;
      try {
        const at = { id: spaceId, version: space.named.version };
        await this.service.write(at, change.path, change.body, options);
      } catch (error) {
        const isOvertaken = error instanceof ApiError && OVERTAKEN.includes(error.code);
        const isLost =
          error instanceof TransportError || (error instanceof ApiError && error.afterLostAttempt);
        if (!isOvertaken && !isLost) throw error;
        // After a lost answer the change may be done: then its roster is stored.
        if (await this.#isStored(spaceId, change, options)) return;
        if (!isOvertaken || attempt === ATTEMPTS) throw error;
        continue;
      }
      await this.directory.reread(spaceId, options);
      return;
    }
  }

  /**
   * Raises another member, or lowers this account itself.
   * @throws SpaceError `sole_owner`, `keys_not_compared`, `change_obsolete`
   */
  async setRole(spaceId: string, accountId: string, role: SpaceRole, options: CallOptions): Promise<void> {
    const make = async (space: CheckedSpace) => {
      const { role: now, acquaintance } = memberOf(space, accountId);
      const isOwn = acquaintance === 'self';
      const isHigher = compareRoles(role, now) > 0;
      if (role === now) return undefined;
      if (isOwn && isHigher) throw new InvalidArgumentError('Nobody raises oneself.');
      if (!isOwn && !isHigher)
        throw new SpaceError('change_obsolete', 'The member may do less meanwhile.', [spaceId]);
      if (!isOwn) requireOwner(space);
      if (acquaintance === 'new_keys') throw notCompared(spaceId);
      const members = space.tip.content.members.map((entry) =>
        entry.account === accountId ? { ...entry, role } : entry,
      );
      requireAnOwner(members, spaceId);
      // Who may do less still has the key: the others need another one.
      const roster = await this.sign(space, { members, ...(isOwn && { due: true }) });
      return { path: 'roles', body: { roster: roster.text, member_id: accountId, role }, roster };
    };
    await this.change(spaceId, make, options);
  }

  /**
   * This account has no part in the space any more. It signs itself out, so that the others get another key.
   * @throws SpaceError `sole_owner`
   */
  async leave(spaceId: string, options: CallOptions): Promise<void> {
    const make = async (space: CheckedSpace) => {
      const { own } = space.signer;
      const members = space.tip.content.members.filter(({ account }) => account !== own.account);
      requireAnOwner(members, spaceId);
      const roster = await this.sign(space, { members, due: true });
      return { path: 'leave', body: { roster: roster.text }, roster };
    };
    const isOwner = this.directory.notesOf(spaceId)?.role === 'owner';
    try {
      await this.change(spaceId, make, options, ['key_missing', 'tampered']);
    } catch (error) {
      // Where nothing can be signed, somebody who is no owner goes all the same.
      const isRefused =
        error instanceof IntegrityError || (error instanceof SpaceError && error.code !== 'sole_owner');
      if (!isRefused || isOwner) throw error;
      const { version } = await this.service.read(spaceId, options);
      await this.service.write({ id: spaceId, version }, 'leave', {}, options);
    }
  }

  /** The next roster of a space, signed by this account. It must keep the rules here, too. */
  async sign(
    { chain, signer: { own, under } }: CheckedSpace,
    changes: Partial<Pick<RosterContent, 'epoch' | 'key' | 'due' | 'members'>>,
  ): Promise<Roster> {
    const before = chain.at(-1)!;
    const { content, hash } = before;
    const next = { ...content, version: content.version + 1, previous: hash, by: own.account, ...changes };
    const roster = await signRoster(next, own, under);
    await checkRosterStep(before, roster);
    return roster;
  }

  /** What does not open may have been sealed under a newer key, after the space was read. */
  async #made(
    make: ChangeMaker,
    space: CheckedSpace,
    options: CallOptions,
    mayTryAgain: boolean,
  ): Promise<CircleChange | 'overtaken' | undefined> {
    try {
      return await make(space);
    } catch (error) {
      if (!(error instanceof IntegrityError) || !mayTryAgain) throw error;
      const now = await this.directory.check(space.named.id, options);
      if (now && now.named.version !== space.named.version) return 'overtaken';
      throw error;
    }
  }

  async #isStored(spaceId: string, { path, roster }: CircleChange, options: CallOptions): Promise<boolean> {
    const now = await this.directory.check(spaceId, options);
    if (!now) return path === 'leave';
    return rosterAt(now.chain, roster.content.version)?.hash === roster.hash;
  }
}

/** @throws SpaceError `change_obsolete` for somebody who is not in the circle any more. */
export function memberOf({ members, named }: CheckedSpace, accountId: string): CheckedMember {
  const member = members.find(({ account }) => account === accountId);
  if (member) return member;
  throw new SpaceError('change_obsolete', 'This account is not a member any more.', [named.id]);
}

/** @throws ApiError `space_role_too_low`, as the service would answer. */
export function requireOwner({ named }: CheckedSpace): void {
  if (named.role === 'owner') return;
  const message = 'Only an owner may do this.';
  throw new ApiError({ status: 403, code: 'space_role_too_low', message });
}

/** @throws SpaceError `owner_protected` */
export function assertNoOwner({ role }: CheckedMember, spaceId: string): void {
  if (role !== 'owner') return;
  throw new SpaceError('owner_protected', 'No owner is put out or lowered by another one.', [spaceId]);
}

function requireAnOwner(members: readonly RosterMember[], spaceId: string): void {
  if (members.some(({ role }) => role === 'owner')) return;
  throw new SpaceError('sole_owner', 'The shared profile would have no owner.', [spaceId]);
}

function notCompared(spaceId: string): SpaceError {
  const message = 'The member has new keys. Compare the numbers first.';
  return new SpaceError('keys_not_compared', message, [spaceId]);
}

/** What a block means for somebody who wants to change something. */
export function errorOf({ code, message, rule }: SpaceBlock, spaceId: string): SpaceError | IntegrityError {
  if (code === 'roster_refused') return new RosterRefusedError((rule ?? 0) as 0, message, spaceId);
  if (code === 'key_missing') return new SpaceError('space_waits', message, [spaceId]);
  if (code === 'new_keys') return new SpaceError('keys_not_compared', message, [spaceId]);
  return new IntegrityError(code, message, { kind: 'space', id: spaceId });
}
