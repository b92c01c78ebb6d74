import { Injectable } from '@nestjs/common';
import { type Caller, newId, type RevisionCondition } from '@app/common';
import { Database, type Executor } from '@app/database';
import { type NewKdf, PasswordHasher } from '@app/security';
import { AccountsRepository, type FoundAccount, type NewAccount, type Sender } from './accounts.repository';
import type { ChangePasswordRequest } from './dto/account.requests';
import { type MeResponse, toMeResponse } from './dto/me.response';
import { toUsageResponse, type UsageResponse } from './dto/usage.response';
import type { AccountEntity } from './entities/account.entity';
import { LoginsService } from './logins.service';
import { SessionsRepository } from '../sessions/sessions.repository';

/** A new secret, as the client sends it. */
type SentSecret = Omit<ChangePasswordRequest, 'current_password'>;

/** The conditions for a change of the secret, and the other values that change with it. */
export interface SecretChange {
  address: string;
  /** The caller, if the current password was checked. */
  caller?: Caller;
  /** The stored hash of the recovery proof, if a proof was checked. */
  proofHash?: string;
  /** The new email, normalised, if the email changes too. */
  email?: string;
  condition?: RevisionCondition;
  /** The first steps of the transaction. */
  before?: (transaction: Executor) => Promise<void>;
}

/** How an owner wants the account erased. */
export interface ErasureWish {
  condition?: RevisionCondition;
  /** Whether that which would have no owner is erased, too. */
  takesAll: boolean;
  /** Further steps of the transaction that notes the wish for an account that an operator holds. */
  whenHeld: (transaction: Executor) => Promise<void>;
}

/** Part of every erasure: what others share with the account has to go on, or to end. */
export interface ErasureStep {
  /**
   * Locks what has to stay as it is until the transaction ends.
   *
   * @param takesAll whether that which would have no owner is erased, too.
   * @returns what to do once the account is deleted. @throws ServiceError `sole_owner`.
   */
  begin(transaction: Executor, accountId: string, takesAll: boolean): Promise<() => Promise<void>>;
}

/** Finds, creates, changes and erases accounts, with their emails and sessions. */
@Injectable()
export class AccountsService {
  private erasureStep: ErasureStep | undefined;

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly logins: LoginsService,
    private readonly sessions: SessionsRepository,
    private readonly hasher: PasswordHasher,
  ) {}

  /** A domain that knows this one calls it when it is created. */
  onErasure(step: ErasureStep): void {
    this.erasureStep = step;
  }

  /**
   * Security: runs two statements, whether the account exists or not.
   */
  async findByEmail(email: string, sender: Sender): Promise<FoundAccount | undefined> {
    return this.accounts.find(await this.idByEmail(email), sender);
  }

  /**
   * @returns the account's id. For an unknown email it returns a random id, so that the work that follows is
   * the same.
   */
  async idByEmail(email: string): Promise<string> {
    return (await this.logins.find(email))?.account_id ?? newId();
  }

  /** The caller's own account. @throws ServiceError `token_revoked`. */
  async me(caller: Caller): Promise<MeResponse> {
    return toMeResponse(await this.accounts.findCaller(caller));
  }

  /** What the caller stores, and may store. @throws ServiceError `token_revoked`. */
  async usage(caller: Caller): Promise<UsageResponse> {
    return toUsageResponse(await this.accounts.usage(caller), this.database.settings.quotas);
  }

  /** @throws ServiceError `email_taken`, `validation_failed` for a derivation with a false salt. */
  async create(transaction: Executor, account: NewAccount, kdf?: NewKdf): Promise<AccountEntity> {
    await this.logins.create(transaction, account.email, account.id, kdf);
    return this.accounts.insert(transaction, account);
  }

  /** Whether an id is that of an erased account, which nobody may have again. */
  wasErased(transaction: Executor, id: string): Promise<boolean> {
    return this.accounts.wasErased(transaction, id);
  }

  /**
   * Locks the account until the transaction ends.
   *
   * @param newHash a hash of the same secret at a higher cost. The same statement stores it.
   * @returns `false` if the secret has changed since it was checked.
   */
  async lock(transaction: Executor, account: AccountEntity, newHash?: string): Promise<boolean> {
    return this.accounts.lock(transaction, account, newHash);
  }

  /**
   * Sets a new secret (and email), raises the token version and ends every session, in one transaction.
   *
   * @param then further steps of the same transaction; `deviceLabel` is the label of the caller's session.
   * @returns what `then` returns, or `undefined` if another change came first.
   * @throws ServiceError `email_taken`, `overloaded`.
   */
  async replaceSecret<T>(
    account: AccountEntity,
    secret: SentSecret,
    change: SecretChange,
    then: (transaction: Executor, account: AccountEntity, deviceLabel: string | null) => Promise<T>,
  ): Promise<T | undefined> {
    const replacement = {
      ...change,
      passwordHash: await this.hasher.hash(secret.new_password, change.address, true),
      wrappedDek: secret.new_wrapped_dek,
      wrappedDekIv: secret.new_wrapped_dek_iv,
    };
    return this.database.transaction(async (transaction) => {
      await change.before?.(transaction);
      const changed = await this.accounts.replaceSecret(transaction, account, replacement);
      if (!changed) return undefined;
      const kdf = secret.new_kdf;
      if (changed.email !== account.email) await this.logins.move(transaction, account, changed.email, kdf);
      else if (kdf) await this.logins.setKdf(transaction, changed, kdf);
      const deviceLabel = await this.sessions.revokeAll(transaction, account.id, change.caller);
      return then(transaction, changed, deviceLabel);
    });
  }

  /**
   * Ends every session, and lets the account be erased in so many days, unless an operator holds it.
   *
   * @param then further steps of the same transaction.
   * @returns `overtaken` if its secret or revision has changed. @throws ServiceError `sole_owner`.
   */
  async planErasure(
    account: AccountEntity,
    days: number,
    { condition, takesAll, whenHeld }: ErasureWish,
    then: (transaction: Executor) => Promise<void>,
  ): Promise<'planned' | 'held' | 'overtaken'> {
    return this.database.transaction(async (transaction) => {
      await this.beginErasure(transaction, account.id, takesAll);
      if (await this.accounts.planErasure(transaction, account, days, condition)) {
        await this.sessions.revokeAll(transaction, account.id);
        await then(transaction);
        return 'planned';
      }
      return this.askErasure(transaction, account, whenHeld);
    });
  }

  /**
   * Erases the account and everything that it owns, unless an operator holds it.
   *
   * @returns `overtaken` if its secret or revision has changed. @throws ServiceError `sole_owner`.
   */
  async erase(
    account: AccountEntity,
    { condition, takesAll, whenHeld }: ErasureWish,
  ): Promise<'erased' | 'held' | 'overtaken'> {
    return this.database.transaction(async (transaction) => {
      const erased = await this.eraseBy(transaction, account.id, takesAll, async () =>
        (await this.accounts.delete(transaction, account, condition)) ? account : undefined,
      );
      return erased ? 'erased' : this.askErasure(transaction, account, whenHeld);
    });
  }

  /**
   * Runs a deletion of the account with all that belongs to it: its part in what it shares, its login, and the note that
   * it was erased.
   *
   * @param remove deletes the account. @returns what `remove` returns. @throws ServiceError `sole_owner`.
   */
  async eraseBy<T extends Pick<AccountEntity, 'id' | 'email'>>(
    transaction: Executor,
    id: string,
    takesAll: boolean,
    remove: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const finish = await this.beginErasure(transaction, id, takesAll);
    const erased = await remove();
    if (!erased) return undefined;
    await finish?.();
    await this.forget(transaction, erased);
    return erased;
  }

  private async beginErasure(transaction: Executor, id: string, takesAll: boolean) {
    await this.accounts.lockToErase(transaction, id);
    return this.erasureStep?.begin(transaction, id, takesAll);
  }

  private async askErasure(
    transaction: Executor,
    account: AccountEntity,
    whenHeld: (transaction: Executor) => Promise<void>,
  ): Promise<'held' | 'overtaken'> {
    if (account.held_at === null || !(await this.accounts.askErasure(transaction, account)))
      return 'overtaken';
    await whenHeld(transaction);
    return 'held';
  }

  /**
   * Deletes the login of an erased account, and records its id in `erasures`. On one server triggers have
   * done both already. On a sharded database a trigger sees only its own shard.
   */
  async forget(transaction: Executor, account: Pick<AccountEntity, 'id' | 'email'>): Promise<void> {
    await this.logins.remove(transaction, account);
    await this.accounts.recordErasure(transaction, account.id);
  }
}
