import { Injectable } from '@nestjs/common';
import { normalizeEmail } from '@app/common';
import type { Executor } from '@app/database';
import { Decoys } from '@app/security';
import type { PreloginResponse } from './dto/prelogin.response';
import type { AccountEntity } from './entities/account.entity';
import type { LoginEntity } from './entities/login.entity';
import { LoginsRepository } from './logins.repository';

/** What the reference client derives its secret with. Source: OWASP Password Storage. */
const KDF = 'pbkdf2-sha256';
const KDF_ITERATIONS = 600_000;

/** Emails: which account one leads to, and how a client derives its secret for it. */
@Injectable()
export class LoginsService {
  constructor(
    private readonly logins: LoginsRepository,
    private readonly decoys: Decoys,
  ) {}

  async find(email: string): Promise<LoginEntity | undefined> {
    return this.logins.find(normalizeEmail(email)!);
  }

  /** Security: an unknown email gets the salt that it would have; the work is the same. */
  async prelogin(email: string): Promise<PreloginResponse> {
    const fresh = this.loginOf(normalizeEmail(email)!, '');
    const { kdf, kdf_iterations: iterations, kdf_salt: salt } = (await this.find(email)) ?? fresh;
    return { kdf, iterations, salt };
  }

  /** @param email normalised. @throws ServiceError `email_taken`. */
  async create(transaction: Executor, email: string, accountId: string): Promise<void> {
    await this.logins.insert(transaction, this.loginOf(email, accountId));
  }

  /** Gives the account another email, and frees its old one. @throws ServiceError `email_taken`. */
  async move(transaction: Executor, account: AccountEntity, email: string): Promise<void> {
    await this.create(transaction, email, account.id);
    await this.remove(transaction, account);
  }

  async remove(transaction: Executor, account: AccountEntity): Promise<void> {
    await this.logins.delete(transaction, account.email, account.id);
  }

  /** The salt is kept with the email from the first day, so that it outlives the installation's secret. */
  private loginOf(email: string, accountId: string): LoginEntity {
    const salt = this.decoys.salt(email);
    return { email, account_id: accountId, kdf: KDF, kdf_iterations: KDF_ITERATIONS, kdf_salt: salt };
  }
}
