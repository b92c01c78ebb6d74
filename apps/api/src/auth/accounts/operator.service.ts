import { Injectable } from '@nestjs/common';
import { normalizeEmail } from '@app/common';
import { Database } from '@app/database';
import { RateLimits } from '@app/security';
import { AccountsService } from './accounts.service';
import { DeviceTokensRepository } from '../devices/device-tokens.repository';
import { type AccountSummary, OperatorRepository } from './operator.repository';
import { SessionsRepository } from '../sessions/sessions.repository';

/** What an operator may do with accounts, without the secrets of their owners. No route uses it. */
@Injectable()
export class OperatorService {
  constructor(
    private readonly database: Database,
    private readonly operator: OperatorRepository,
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsRepository,
    private readonly devices: DeviceTokensRepository,
    private readonly limits: RateLimits,
  ) {}

  /** Accounts with what they store, from old to new. */
  list(limit: number, after?: string): Promise<AccountSummary[]> {
    return this.operator.list(limit, after);
  }

  async find(email: string): Promise<AccountSummary | undefined> {
    const normal = normalizeEmail(email);
    return normal === undefined ? undefined : this.operator.findByEmail(normal);
  }

  /** Erases the account and everything that it owns. @returns `false` if there is none. */
  async erase(email: string): Promise<boolean> {
    const account = await this.find(email);
    if (!account) return false;
    return this.database.transaction(async (transaction) => {
      const deleted = await this.operator.delete(transaction, account.id);
      if (deleted) await this.accounts.forget(transaction, deleted);
      return deleted !== undefined;
    });
  }

  /** Ends every session and token of the account, device tokens too. @returns `false` if there is none. */
  async endSessions(email: string): Promise<boolean> {
    const account = await this.find(email);
    if (!account) return false;
    return this.database.transaction(async (transaction) => {
      if (!(await this.operator.raiseTokenVersion(transaction, account.id))) return false;
      await this.sessions.revokeAll(transaction, account.id);
      await this.devices.deleteAll(transaction, account.id);
      return true;
    });
  }

  /**
   * Forgets the wrong tries of an email, of an address, or of both together. Tries of an address for one
   * email need both.
   *
   * @returns the number of counters.
   */
  unlock(who: { email?: string; address?: string }): Promise<number> {
    const email = who.email === undefined ? undefined : normalizeEmail(who.email);
    return this.limits.forget({ email, address: who.address });
  }
}
