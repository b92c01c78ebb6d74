import { Injectable } from '@nestjs/common';
import { normalizeEmail } from '@app/common';
import { copyAccount, Database, type Executor } from '@app/database';
import { RateLimits } from '@app/security';
import { AccountsService } from './accounts.service';
import { DeviceTokensRepository } from '../devices/device-tokens.repository';
import { type AccountSummary, type Hold, OperatorRepository } from './operator.repository';
import type { SecurityEventKind } from '../events/entities/security-event.entity';
import { SecurityEventsService } from '../events/security-events.service';
import { SessionsRepository } from '../sessions/sessions.repository';

/**
 * What an operator may do with accounts, without the secrets of their owners. No route uses it. Whatever it does with an
 * account leaves an event that the owner sees.
 */
@Injectable()
export class OperatorService {
  constructor(
    private readonly database: Database,
    private readonly operator: OperatorRepository,
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsRepository,
    private readonly devices: DeviceTokensRepository,
    private readonly limits: RateLimits,
    private readonly events: SecurityEventsService,
  ) {}

  /** Accounts with what they store, from old to new. */
  list(limit: number, after?: string): Promise<AccountSummary[]> {
    return this.operator.list(limit, after);
  }

  async find(email: string): Promise<AccountSummary | undefined> {
    const normal = normalizeEmail(email);
    return normal === undefined ? undefined : this.operator.findByEmail(normal);
  }

  /**
   * Erases the account and everything that it owns.
   *
   * @param takesAll whether shared profiles that would have no owner are erased, too.
   * @returns `false` if it is gone, or held. @throws ServiceError `sole_owner`.
   */
  async erase({ id }: Pick<AccountSummary, 'id'>, takesAll: boolean): Promise<boolean> {
    return this.database.transaction((transaction) => this.eraseIn(transaction, id, takesAll));
  }

  /** Ends every session and token of the account, device tokens too. */
  async endSessions({ id }: AccountSummary): Promise<void> {
    await this.change(id, 'operator_ended_sessions', async (transaction) => {
      await this.operator.raiseTokenVersion(transaction, id);
      await this.endIn(transaction, id);
      return true;
    });
  }

  /** Ends every session, and refuses every sign-in until {@link resume}. @returns `false` if it is suspended already. */
  suspend({ id }: AccountSummary): Promise<boolean> {
    return this.change(id, 'operator_suspended', async (transaction) => {
      if (!(await this.operator.suspend(transaction, id))) return false;
      await this.endIn(transaction, id);
      return true;
    });
  }

  /** @returns `false` if the account is not suspended. */
  resume({ id }: AccountSummary): Promise<boolean> {
    return this.change(id, 'operator_resumed', (transaction) => this.operator.resume(transaction, id));
  }

  /** Lets every erasure of the account wait until {@link release}. */
  async hold({ id }: Pick<AccountSummary, 'id'>, hold: Hold): Promise<void> {
    await this.change(id, 'operator_held', async (transaction) => {
      await this.operator.hold(transaction, id, hold);
      return true;
    });
  }

  /**
   * Ends a hold, and erases the account if its owner has asked for it.
   *
   * @returns `not_held`, or whether the account was erased.
   */
  release({ id }: AccountSummary): Promise<'not_held' | 'released' | 'erased'> {
    return this.database.transaction(async (transaction) => {
      const isAsked = await this.operator.release(transaction, id);
      if (isAsked === undefined) return 'not_held';
      if (isAsked && (await this.eraseIn(transaction, id, true))) return 'erased';
      await this.events.record(transaction, id, 'operator_released', null);
      return 'released';
    });
  }

  /** Writes what the service holds about an account as JSON; see {@link copyAccount}. The copy holds its own event. */
  async export({ id }: AccountSummary, write: (text: string) => Promise<void>): Promise<void> {
    await this.change(id, 'operator_exported', () => Promise.resolve(true));
    await copyAccount(this.database.dataSource, id, write);
  }

  /**
   * Forgets the wrong tries of an email, of an address, or of both together. Tries of an address for one
   * email need both.
   *
   * @returns the number of counters.
   */
  async unlock(who: { email?: string; address?: string }): Promise<number> {
    const email = who.email === undefined ? undefined : normalizeEmail(who.email);
    const account = email === undefined ? undefined : await this.operator.findByEmail(email);
    return this.limits.forget({ email, address: who.address, accountId: account?.id });
  }

  private async eraseIn(transaction: Executor, id: string, takesAll: boolean): Promise<boolean> {
    const remove = () => this.operator.delete(transaction, id);
    return (await this.accounts.eraseBy(transaction, id, takesAll, remove)) !== undefined;
  }

  private async endIn(transaction: Executor, id: string): Promise<void> {
    await this.sessions.revokeAll(transaction, id);
    await this.devices.deleteAll(transaction, id);
  }

  /** Makes a change and its event in one transaction. @returns what `make` returns: whether something has changed. */
  private change(
    id: string,
    kind: SecurityEventKind,
    make: (transaction: Executor) => Promise<boolean>,
  ): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      if (!(await make(transaction))) return false;
      await this.events.record(transaction, id, kind, null);
      return true;
    });
  }
}
