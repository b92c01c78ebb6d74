import { Injectable } from '@nestjs/common';
import type { Executor } from '@app/database';
import { Decoys, KDF, KDF_ITERATIONS, type NewKdf } from '@app/security';
import type { PreloginResponse } from './dto/prelogin.response';
import type { AccountEntity } from './entities/account.entity';
import type { LoginEntity } from './entities/login.entity';
import { LoginsRepository } from './logins.repository';

/**
 * Finds the account of an email, and the parameters with which a client derives its secret for that email.
 */
@Injectable()
export class LoginsService {
  constructor(
    private readonly logins: LoginsRepository,
    private readonly decoys: Decoys,
  ) {}

  async find(email: string): Promise<LoginEntity | undefined> {
    return this.logins.find(email);
  }

  /** Security: an unknown email gets the salt that its account would have. The same work is done for it. */
  async prelogin(email: string): Promise<PreloginResponse> {
    const fresh = this.loginOf(email, '');
    const { kdf, kdf_iterations: iterations, kdf_salt: salt } = (await this.find(email)) ?? fresh;
    return { kdf, iterations, salt };
  }

  /** @param email normalised. @throws ServiceError `email_taken`. */
  async create(transaction: Executor, email: string, accountId: string): Promise<void> {
    await this.logins.insert(transaction, this.loginOf(email, accountId));
  }

  /**
   * Replaces the account's email. Another account can then use the old email. @throws ServiceError
   * `email_taken`.
   */
  async move(transaction: Executor, account: AccountEntity, email: string): Promise<void> {
    await this.create(transaction, email, account.id);
    await this.remove(transaction, account);
  }

  /** The salt stays: it belongs to the email. */
  async setKdf(transaction: Executor, account: AccountEntity, kdf: NewKdf): Promise<void> {
    await this.logins.setKdf(transaction, account.email, account.id, kdf);
  }

  async remove(transaction: Executor, account: Pick<AccountEntity, 'id' | 'email'>): Promise<void> {
    await this.logins.delete(transaction, account.email, account.id);
  }

  /** The salt is stored, so that it does not change when the installation's secret is replaced. */
  private loginOf(email: string, accountId: string): LoginEntity {
    const salt = this.decoys.salt(email);
    return { email, account_id: accountId, kdf: KDF, kdf_iterations: KDF_ITERATIONS, kdf_salt: salt };
  }
}
