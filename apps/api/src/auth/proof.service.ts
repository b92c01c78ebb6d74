import { Injectable } from '@nestjs/common';
import { type Caller, newId, normalizeEmail, ServiceError } from '@app/common';
import { PasswordHasher, RateLimits } from '@app/security';
import { AccountsRepository } from './accounts.repository';
import type { AccountEntity } from './entities/account.entity';
import type { SecurityEventKind } from './entities/security-event.entity';
import { KnownAddressesService } from './known-addresses.service';
import { SecurityEventsService } from './security-events.service';

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

/** Proves secrets: what signing in, step-ups and recovery have in common. */
@Injectable()
export class ProofService {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly addresses: KnownAddressesService,
    private readonly hasher: PasswordHasher,
    private readonly limits: RateLimits,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Whether a secret is right, within the rate limits.
   *
   * Security: the same statements and one hash, whether the account exists or not.
   * @throws ServiceError `rate_limited`, `overloaded`.
   */
  async prove({ address, secret, hash, ...check }: SecretCheck): Promise<boolean> {
    const accountId = check.account?.id ?? newId();
    const attempt = {
      address,
      email: normalizeEmail(check.email)!,
      isKnownAddress: await this.addresses.has(accountId, address),
    };
    const isRight = await this.limits.trySecret(attempt, () => this.hasher.verify(secret, hash, address));
    if (!isRight) this.events.recordRefusal(accountId, check.refusal, address);
    return isRight;
  }

  /**
   * The caller's account, after a step-up with the current password.
   *
   * @throws ServiceError `current_password_wrong` (403: a 401 would make clients refresh and try again), `token_revoked`,
   *   `rate_limited`, `overloaded`.
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

  /** Hashes a right password again that was stored at a lower cost; only now, while it is at hand, can that be done. */
  async strengthen(account: AccountEntity, password: string, address: string): Promise<void> {
    if (!this.hasher.isOutdated(account.password_hash)) return;
    await this.accounts.rehash(account, await this.hasher.hash(password, address));
  }
}
