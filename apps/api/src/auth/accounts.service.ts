import { Injectable } from '@nestjs/common';
import { type Caller, newId, normalizeEmail, ServiceError } from '@app/common';
import { Database, type Executor } from '@app/database';
import { Decoys, PasswordHasher } from '@app/security';
import { AccountsRepository, type NewSecret } from './accounts.repository';
import type { AccountEntity } from './entities/account.entity';
import type { LoginEntity } from './entities/login.entity';
import { SessionsRepository } from './sessions.repository';

/** What the reference client derives its secret with. Source: OWASP Password Storage. */
export const KDF = 'pbkdf2-sha256';
export const KDF_ITERATIONS = 600_000;

/** Finds accounts, proves secrets, changes them: what signing in and recovery have in common. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly sessions: SessionsRepository,
    private readonly hasher: PasswordHasher,
    private readonly decoys: Decoys,
  ) {}

  /** Security: two statements, whether there is such an account or not. */
  async findByEmail(email: string): Promise<AccountEntity | undefined> {
    return this.accounts.find(await this.idByEmail(email));
  }

  /** The account's id, or a random one that no account has: whoever asks further does the same work either way. */
  async idByEmail(email: string): Promise<string> {
    const login = await this.accounts.findLogin(normalizeEmail(email)!);
    return login?.account_id ?? newId();
  }

  /**
   * The caller's account, after a step-up with the current password.
   *
   * @throws ServiceError `current_password_wrong` (403: a 401 would make clients refresh and try again), `token_revoked`.
   */
  async confirmPassword(caller: Caller, currentPassword: string): Promise<AccountEntity> {
    const account = await this.accounts.findCaller(caller);
    if (!(await this.hasher.verify(currentPassword, account.password_hash))) {
      throw new ServiceError('current_password_wrong');
    }
    return account;
  }

  /** How a client derives its secret for this email, kept with the account from its first day. */
  loginOf(email: string, accountId: string): LoginEntity {
    return {
      email,
      account_id: accountId,
      kdf: KDF,
      kdf_iterations: KDF_ITERATIONS,
      kdf_salt: this.decoys.salt(email),
    };
  }

  /**
   * Sets a new secret (and email), raises the token version and ends every session, in one transaction.
   *
   * @param verifiedHash the stored hash against which the old secret or the recovery proof has been checked.
   * @param then further steps of the same transaction.
   * @returns the account as it is now, or `undefined` where another change came first.
   * @throws ServiceError `email_taken`.
   */
  async replaceSecret<T>(
    account: AccountEntity,
    verifiedHash: string,
    secret: NewSecret,
    then: (transaction: Executor, account: AccountEntity) => Promise<T>,
  ): Promise<T | undefined> {
    return this.database.transaction(async (transaction) => {
      const changed = await this.accounts.replaceSecret(transaction, account, verifiedHash, secret);
      if (!changed) return undefined;
      if (changed.email !== account.email) {
        await this.accounts.insertLogin(transaction, this.loginOf(changed.email, changed.id));
        await this.accounts.deleteLogin(transaction, account.email, account.id);
      }
      await this.sessions.revokeAll(transaction, account.id);
      return then(transaction, changed);
    });
  }
}
