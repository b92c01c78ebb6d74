import { Injectable } from '@nestjs/common';
import { type Caller, ServiceError } from '@app/common';
import { assertLiveSession, Database, type Executor } from '@app/database';
import { AccountsService } from '../../auth/accounts/accounts.service';
import { MembersRepository } from '../circle/members.repository';
import type { SpaceResponse } from '../circle/dto/space.response';
import { SpaceChangeService } from '../circle/space-change.service';
import { SpaceRepository } from '../circle/space.repository';
import { InvitationsRepository } from '../invitations/invitations.repository';
import { versionOfRoster } from '../roster.rule';
import type { BeginSpaceRequest } from './dto/begin-space.request';
import { type SpaceOverviewResponse, toSpaceOverview } from './dto/space-overview.response';
import { KeptSpacesService } from './kept-spaces.service';
import { MembershipsRepository } from './memberships.repository';
import { MoveRepository } from './move.repository';
import { SpacesRepository } from './spaces.repository';

/** The spaces of an account: where they are, and how one begins. */
@Injectable()
export class SpacesService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsService,
    private readonly memberships: MembershipsRepository,
    private readonly spaces: SpacesRepository,
    private readonly space: SpaceRepository,
    private readonly members: MembersRepository,
    private readonly changes: SpaceChangeService,
    private readonly kept: KeptSpacesService,
    private readonly moves: MoveRepository,
    private readonly invitations: InvitationsRepository,
  ) {}

  /** Asks each space of which the account has a hint. @throws ServiceError `token_revoked`. */
  async list(caller: Caller): Promise<SpaceOverviewResponse[]> {
    const reads = this.database.shortReads;
    const [ids] = await Promise.all([
      this.memberships.list(caller.accountId),
      assertLiveSession(reads, caller),
    ]);
    return Promise.all(
      ids.map(async (id) => toSpaceOverview(id, await this.spaces.summary(id, caller.accountId))),
    );
  }

  /**
   * Moves a profile into a space of its own, all or nothing. A repeat of the same request gets the same space.
   *
   * @throws ServiceError `not_found` for the profile, `id_taken`, `spaces_exceeded`, `profile_too_large`, `token_revoked`.
   */
  async begin(caller: Caller, request: BeginSpaceRequest): Promise<SpaceResponse> {
    const id = request.space_id.toLowerCase();
    return this.database.transaction(async (transaction) => {
      const { created_at: createdAt } = await this.spaces.lockPerson(transaction, caller);
      if (!(await this.isRepeat(transaction, caller, id, request.roster))) {
        await this.kept.assertRoom(caller, transaction);
        if (await this.accounts.wasErased(transaction, id)) throw new ServiceError('id_taken');
        await this.spaces.insertAccount(transaction, id, createdAt);
        await this.fill(transaction, caller, id, request);
      }
      return this.changes.tell(id, caller.accountId, transaction);
    });
  }

  /** An acceptance that waits ends, too: nobody is let in who would not know it. @throws ServiceError `already_member`, `token_revoked`. */
  async forget(caller: Caller, spaceId: string): Promise<void> {
    await assertLiveSession(this.database, caller);
    await this.invitations.withdraw(spaceId, caller.accountId);
    const summary = await this.spaces.summary(spaceId, caller.accountId, this.database);
    if (summary?.role) throw new ServiceError('already_member');
    await this.memberships.delete(caller.accountId, spaceId);
  }

  private isRepeat(transaction: Executor, caller: Caller, id: string, roster: string): Promise<boolean> {
    return this.spaces.hasRoster(transaction, id, caller.accountId, versionOfRoster(roster)!, roster);
  }

  private async fill(
    transaction: Executor,
    caller: Caller,
    id: string,
    { profile_id: profileId, roster, sharing_public, wrap }: BeginSpaceRequest,
  ): Promise<void> {
    const { accountId } = caller;
    await this.memberships.add(caller, id, transaction);
    await this.moves.move(transaction, profileId, { from: accountId, to: id });
    await this.spaces.insert(transaction, id, profileId, accountId);
    const version = versionOfRoster(roster)!;
    await this.space.addRosters(transaction, id, [version], [roster]);
    await this.members.insert(transaction, id, {
      member_id: accountId,
      role: 'owner',
      sharing_public,
      wrap,
      wrap_from: accountId,
      wrap_roster: version,
    });
  }
}
