import { Injectable } from '@nestjs/common';
import { type Caller, ServiceError } from '@app/common';
import { Database } from '@app/database';
import { AccountsService } from '../../auth/accounts/accounts.service';
import { ProofService } from '../../auth/accounts/proof.service';
import { KeptSpacesService } from '../begin/kept-spaces.service';
import { MembershipsRepository } from '../begin/memberships.repository';
import { CircleService } from './circle.service';
import type { RosterResponse, SpaceResponse } from './dto/space.response';
import { SpaceChangeService } from './space-change.service';
import { SpaceRepository } from './space.repository';

const ROSTERS_AT_ONCE = 100;

/** One space, for its members. */
@Injectable()
export class SpaceService {
  constructor(
    private readonly database: Database,
    private readonly spaces: SpaceRepository,
    private readonly changes: SpaceChangeService,
    private readonly circle: CircleService,
    private readonly memberships: MembershipsRepository,
    private readonly kept: KeptSpacesService,
    private readonly accounts: AccountsService,
    private readonly proofs: ProofService,
  ) {}

  get({ accountId, member }: Caller): Promise<SpaceResponse> {
    return this.changes.tell(accountId, member!.id);
  }

  /** Those after a version, in their order. */
  rosters(caller: Caller, after: number): Promise<RosterResponse[]> {
    return this.spaces.listRosters(caller, after, ROSTERS_AT_ONCE);
  }

  /** The errors are those of `CircleService.leave`. */
  async leave(caller: Caller, roster: string | undefined): Promise<void> {
    await this.circle.leave(caller, roster);
    await this.memberships.delete(caller.member!.id, caller.accountId);
  }

  /** @throws ServiceError `spaces_exceeded`, `space_changed`. */
  async keep(caller: Caller, person: Caller): Promise<void> {
    await this.kept.assertRoom(person, this.database, caller.accountId);
    await this.spaces.setKeeper(caller);
  }

  /**
   * Deletes the profile and all its records, for all members.
   *
   * @throws ServiceError `co_owned`, `space_changed`, and the errors of `ProofService.confirmPassword`.
   */
  async delete(caller: Caller, person: Caller, currentPassword: string): Promise<void> {
    await this.proofs.confirmPassword(person, currentPassword);
    await this.database.transaction(async (transaction) => {
      await this.spaces.lock(transaction, caller);
      if (!(await this.spaces.delete(transaction, caller))) throw new ServiceError('co_owned');
      await this.accounts.forget(transaction, { id: caller.accountId, email: '' });
    });
    await this.memberships.delete(person.accountId, caller.accountId);
  }
}
