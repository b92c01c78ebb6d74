import { Injectable } from '@nestjs/common';
import { invalidField, type ServiceError } from '@app/common';
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

  /**
   * @param email normalised.
   * @throws ServiceError `email_taken`, `validation_failed` for another salt than that of the email.
   */
  async create(transaction: Executor, email: string, accountId: string, kdf?: NewKdf): Promise<void> {
    const login = this.loginOf(email, accountId);
    if (kdf?.salt !== undefined && kdf.salt !== login.kdf_salt) throw refused();
    const cost = kdf ? { kdf: kdf.kdf, kdf_iterations: kdf.iterations } : {};
    await this.logins.insert(transaction, { ...login, ...cost });
  }

  /**
   * Replaces the account's email. Another account can then use the old email.
   *
   * @param kdf how the secret for the new email was derived. Absent: as a new account would do it.
   * @throws ServiceError `email_taken`, `validation_failed` for a cost below that of the old email.
   */
  async move(transaction: Executor, account: AccountEntity, email: string, kdf?: NewKdf): Promise<void> {
    await this.create(transaction, email, account.id, kdf);
    const before = await this.logins.delete(transaction, account.email, account.id);
    if ((kdf?.iterations ?? KDF_ITERATIONS) < (before?.kdf_iterations ?? 0)) throw refused();
  }

  /**
   * The salt stays: it belongs to the email.
   *
   * @throws ServiceError `validation_failed` for a cost below the stored one, or another salt than the stored one.
   */
  async setKdf(transaction: Executor, account: AccountEntity, kdf: NewKdf): Promise<void> {
    if (!(await this.logins.setKdf(transaction, account.email, account.id, kdf))) throw refused();
  }

  /** Replaces the account's email, and keeps the salt: its owner still signs in with the same password. */
  async rename(transaction: Executor, account: AccountEntity, email: string): Promise<void> {
    const kdf = await this.logins.delete(transaction, account.email, account.id);
    if (kdf) await this.logins.insert(transaction, { ...kdf, email, account_id: account.id });
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

function refused(): ServiceError {
  const message = 'new_kdf must have the salt of the email, and not be cheaper than what the account has';
  return invalidField('new_kdf', message);
}
