import { Injectable } from '@nestjs/common';
import { type Caller, newId, normalizeEmail, ServiceError } from '@app/common';
import { Database, type Executor } from '@app/database';
import { PasswordHasher, RateLimits } from '@app/security';
import { AccountsRepository, type NewSecret } from './accounts.repository';
import type { AccountEntity } from './entities/account.entity';
import type { SecurityEventKind } from './entities/security-event.entity';
import { KnownAddressesRepository } from './known-addresses.repository';
import { LoginsService } from './logins.service';
import { SecurityEventsService } from './security-events.service';
import { SessionsRepository } from './sessions.repository';

/** What a secret is tried against. */
export interface SecretCheck {
  /** As the client sent it. */
  email: string;
  address: string;
  /** The account of that email, where there is one. */
  account: AccountEntity | undefined;
  secret: string;
  /** The stored hash; absent where there is nothing to be right about. */
  hash: string | null | undefined;
  /** What a refusal is recorded as. */
  refusal: SecurityEventKind;
}

/** Finds accounts, proves secrets, changes them: what signing in and recovery have in common. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly logins: LoginsService,
    private readonly sessions: SessionsRepository,
    private readonly addresses: KnownAddressesRepository,
    private readonly hasher: PasswordHasher,
    private readonly limits: RateLimits,
    private readonly events: SecurityEventsService,
  ) {}

  /** Security: two statements, whether there is such an account or not. */
  async findByEmail(email: string): Promise<AccountEntity | undefined> {
    return this.accounts.find(await this.idByEmail(email));
  }

  /** The account's id, or a random one that no account has: whoever asks further does the same work either way. */
  async idByEmail(email: string): Promise<string> {
    return (await this.logins.find(email))?.account_id ?? newId();
  }

  /**
   * Whether a secret is right, within the rate limits.
   *
   * Security: the same statements and one hash, whether the account exists or not.
   * @throws ServiceError `rate_limited`, `overloaded`.
   */
  async prove(check: SecretCheck): Promise<boolean> {
    const accountId = check.account?.id ?? newId();
    const attempt = {
      address: check.address,
      email: normalizeEmail(check.email)!,
      isKnownAddress: await this.addresses.has(accountId, this.limits.tagOf(accountId, check.address)),
    };
    const isRight = await this.limits.trySecret(attempt, () => this.hasher.verify(check.secret, check.hash));
    if (!isRight) this.events.recordRefusal(accountId, check.refusal, check.address);
    return isRight;
  }

  /**
   * The caller's account, after a step-up with the current password.
   *
   * @throws ServiceError `current_password_wrong` (403: a 401 would make clients refresh and try again), `token_revoked`,
   *   `rate_limited`.
   */
  async confirmPassword(caller: Caller, currentPassword: string): Promise<AccountEntity> {
    const account = await this.accounts.findCaller(caller);
    const isRight = await this.prove({
      email: account.email,
      address: caller.address,
      account,
      secret: currentPassword,
      hash: account.password_hash,
      refusal: 'step_up_failed',
    });
    if (!isRight) throw new ServiceError('current_password_wrong');
    return account;
  }

  /**
   * Sets a new secret (and email), raises the token version and ends every session, in one transaction.
   *
   * @param verifiedHash the stored hash against which the old secret or the recovery proof has been checked.
   * @param then further steps of the same transaction; `deviceLabel` is that of the caller's session.
   * @returns what `then` returns, or `undefined` where another change came first.
   * @throws ServiceError `email_taken`.
   */
  async replaceSecret<T>(
    account: AccountEntity,
    verifiedHash: string,
    secret: NewSecret,
    then: (transaction: Executor, account: AccountEntity, deviceLabel: string | null) => Promise<T>,
    caller?: Caller,
  ): Promise<T | undefined> {
    return this.database.transaction(async (transaction) => {
      const changed = await this.accounts.replaceSecret(transaction, account, verifiedHash, secret);
      if (!changed) return undefined;
      if (changed.email !== account.email) await this.logins.move(transaction, account, changed.email);
      const deviceLabel = await this.sessions.revokeAll(transaction, account.id, caller);
      return then(transaction, changed, deviceLabel);
    });
  }
}
