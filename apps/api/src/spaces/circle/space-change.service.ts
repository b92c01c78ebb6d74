import { Injectable } from '@nestjs/common';
import { type Caller, invalidField } from '@app/common';
import { Database, type Executor } from '@app/database';
import { RateLimits, SPACE_POLICIES } from '@app/security';
import { areNewer, versionOfRoster } from '../roster.rule';
import { type SpaceResponse, toSpaceResponse } from './dto/space.response';
import { type LockedSpace, someRows, SpaceRepository } from './space.repository';

/** One transaction in which a space becomes another one. */
export interface SpaceChange {
  transaction: Executor;
  space: LockedSpace;
  /** What a wrap says of itself: who sealed it, and the roster that came with it. */
  sealed: { by: string; roster: number };
}

/** Changes who may do what in a space, or its key: each change raises the version, so that older writes are refused. */
@Injectable()
export class SpaceChangeService {
  constructor(
    private readonly database: Database,
    private readonly spaces: SpaceRepository,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Makes a change and stores its rosters, all or nothing.
   *
   * @param rosters the newest last. @returns what `then` makes of the changed space.
   * @throws ServiceError `space_changed` if another change came first, `validation_failed` for a roster that is not newer,
   *   `rate_limited`; the errors of `work`.
   */
  async change<T>(
    caller: Caller,
    rosters: string[],
    work: (change: SpaceChange) => Promise<void>,
    then: (transaction: Executor) => Promise<T>,
  ): Promise<T> {
    const { accountId, member } = caller;
    if (rosters.length > 0) await this.limits.takeFrom(SPACE_POLICIES.roster, accountId, member!.id);
    const versions = rosters.map((roster) => versionOfRoster(roster)!);
    return this.database.transaction(async (transaction) => {
      const space = await this.spaces.lock(transaction, caller);
      if (!areNewer(space.roster_version, versions)) throw notNewer();
      await work({ transaction, space, sealed: { by: member!.id, roster: versions.at(-1)! } });
      if (rosters.length > 0) await this.spaces.addRosters(transaction, accountId, versions, rosters);
      await this.spaces.raiseVersion(transaction, accountId);
      return then(transaction);
    });
  }

  /** {@link change}, with the space as it is then. */
  changeAndTell(
    caller: Caller,
    rosters: string[],
    work: (change: SpaceChange) => Promise<void>,
  ): Promise<SpaceResponse> {
    return this.change(caller, rosters, work, (transaction) =>
      this.tell(caller.accountId, caller.member!.id, transaction),
    );
  }

  /** The space as a member sees it. @throws ServiceError `not_found` if it is none. */
  async tell(spaceId: string, memberId: string, executor?: Executor): Promise<SpaceResponse> {
    const rows = someRows(await this.spaces.find(spaceId, memberId, executor));
    return toSpaceResponse(spaceId, rows, memberId);
  }
}

function notNewer() {
  return invalidField('roster', 'roster must have a later version than the stored one');
}
