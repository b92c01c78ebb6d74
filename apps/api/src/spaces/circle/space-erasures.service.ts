import { Injectable } from '@nestjs/common';
import { ServiceError } from '@app/common';
import type { Executor } from '@app/database';
import { AccountsService, type ErasureStep } from '../../auth/accounts/accounts.service';
import { MembershipsRepository } from '../begin/memberships.repository';
import { MembersRepository } from './members.repository';
import { SpaceRepository } from './space.repository';

/** Takes an erased account out of its spaces, and erases those that would have no owner. */
@Injectable()
export class SpaceErasuresService implements ErasureStep {
  constructor(
    private readonly spaces: SpaceRepository,
    private readonly members: MembersRepository,
    private readonly memberships: MembershipsRepository,
    private readonly accounts: AccountsService,
  ) {
    accounts.onErasure(this);
  }

  async begin(transaction: Executor, accountId: string, takesAll: boolean): Promise<() => Promise<void>> {
    const ends: (() => Promise<void>)[] = [];
    // In the order of their ids, so that two erasures do not wait for each other.
    for (const id of (await this.memberships.list(accountId, transaction)).sort()) {
      await this.spaces.lockById(transaction, id);
      const role = await this.members.roleOf(transaction, id, accountId);
      const { owners, members } = await this.members.count(transaction, id);
      const isAlone = role !== undefined && members === 1;
      const isSole = role === 'owner' && owners === 1;
      if (isSole && !isAlone && !takesAll) throw new ServiceError('sole_owner');
      ends.push(() =>
        isAlone || isSole ? this.erase(transaction, id) : this.takeOut(transaction, id, accountId),
      );
    }
    return async () => {
      for (const end of ends) await end();
    };
  }

  private async erase(transaction: Executor, id: string): Promise<void> {
    await this.spaces.erase(transaction, id);
    await this.accounts.forget(transaction, { id, email: '' });
  }

  /** An acceptance that waits goes, too. */
  private async takeOut(transaction: Executor, id: string, accountId: string): Promise<void> {
    if (!(await this.members.delete(transaction, id, accountId))) return;
    await this.spaces.handOn(transaction, id);
    await this.spaces.raiseVersion(transaction, id);
  }
}
