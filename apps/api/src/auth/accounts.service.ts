import { Injectable } from '@nestjs/common';
import { type Caller, newId, type RevisionCondition } from '@app/common';
import { Database, type Executor } from '@app/database';
import { PasswordHasher } from '@app/security';
import { AccountsRepository, type NewAccount } from './accounts.repository';
import type { ChangePasswordRequest } from './dto/change-password.request';
import type { AccountEntity } from './entities/account.entity';
import { LoginsService } from './logins.service';
import { SessionsRepository } from './sessions.repository';

/** A new secret as the client sends it. */
type NewSecret = Omit<ChangePasswordRequest, 'current_password'>;

/** Under what circumstances a secret is replaced. */
export interface SecretChange {
  address: string;
  /** Who has proven the password, where it was that. */
  caller?: Caller;
  /** The stored hash of the recovery proof, where it was that. */
  proofHash?: string;
  /** Normalised; where the email changes with the secret. */
  email?: string;
  condition?: RevisionCondition;
}

/** Finds, creates, changes and erases accounts together with what leads to them. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly logins: LoginsService,
    private readonly sessions: SessionsRepository,
    private readonly hasher: PasswordHasher,
  ) {}

  /** Security: two statements, whether there is such an account or not. */
  async findByEmail(email: string): Promise<AccountEntity | undefined> {
    return this.accounts.find(await this.idByEmail(email));
  }

  /** The account's id, or a random one that no account has: whoever asks further does the same work either way. */
  async idByEmail(email: string): Promise<string> {
    return (await this.logins.find(email))?.account_id ?? newId();
  }

  /** @throws ServiceError `email_taken`. */
  async create(transaction: Executor, account: NewAccount): Promise<AccountEntity> {
    await this.logins.create(transaction, account.email, account.id);
    return this.accounts.insert(transaction, account);
  }

  /** Holds the account until the transaction ends. @returns whether its secret is still the one that was checked. */
  async lock(transaction: Executor, account: AccountEntity): Promise<boolean> {
    return this.accounts.lock(transaction, account);
  }

  /**
   * Sets a new secret (and email), raises the token version and ends every session, in one transaction.
   *
   * @param then further steps of the same transaction; `deviceLabel` is that of the caller's session.
   * @returns what `then` returns, or `undefined` where another change came first.
   * @throws ServiceError `email_taken`, `overloaded`.
   */
  async replaceSecret<T>(
    account: AccountEntity,
    secret: NewSecret,
    change: SecretChange,
    then: (transaction: Executor, account: AccountEntity, deviceLabel: string | null) => Promise<T>,
  ): Promise<T | undefined> {
    const replacement = {
      ...change,
      passwordHash: await this.hasher.hash(secret.new_password, change.address),
      wrappedDek: secret.new_wrapped_dek,
      wrappedDekIv: secret.new_wrapped_dek_iv,
    };
    return this.database.transaction(async (transaction) => {
      const changed = await this.accounts.replaceSecret(transaction, account, replacement);
      if (!changed) return undefined;
      if (changed.email !== account.email) await this.logins.move(transaction, account, changed.email);
      const deviceLabel = await this.sessions.revokeAll(transaction, account.id, change.caller);
      return then(transaction, changed, deviceLabel);
    });
  }

  /** Erases the account and all that it owns. @returns whether its secret and revision were still the ones expected. */
  async erase(account: AccountEntity, condition?: RevisionCondition): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      if (!(await this.accounts.delete(transaction, account, condition))) return false;
      await this.logins.remove(transaction, account);
      return true;
    });
  }
}
