import { Injectable } from '@nestjs/common';
import { type Caller, newId, ServiceError } from '@app/common';
import { PasswordHasher, RateLimits } from '@app/security';
import { AccountsRepository, type FoundAccount } from './accounts.repository';
import type { AccountEntity } from './entities/account.entity';
import type { SecurityEventKind } from './entities/security-event.entity';
import { SecurityEventsService } from './security-events.service';

/** A secret that is to be checked. */
export interface SecretCheck {
  /** Normalised. */
  email: string;
  address: string;
  /** The account of that email, if there is one. */
  account: FoundAccount | undefined;
  secret: string;
  /** The stored hash. Without a stored hash no secret is correct. */
  hash: string | null | undefined;
  /** The event that is recorded for a wrong secret. */
  refusal: SecurityEventKind;
}

/** Checks secrets for sign-in, step-ups and recovery. */
@Injectable()
export class ProofService {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly hasher: PasswordHasher,
    private readonly limits: RateLimits,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Checks a secret within the rate limits, and records a wrong one.
   *
   * Security: runs the same statements and one hash, whether the account exists or not.
   * @throws ServiceError `rate_limited`, `overloaded`.
   */
  async prove({ address, secret, hash, ...check }: SecretCheck): Promise<boolean> {
    const attempt = {
      address,
      email: check.email,
      isKnownAddress: check.account?.is_known_address ?? false,
    };
    const isRight = await this.limits.trySecret(attempt, () => this.hasher.verify(secret, hash, address));
    if (!isRight) this.events.recordRefusal(check.account?.id ?? newId(), check.refusal, address);
    return isRight;
  }

  /**
   * Finds the caller's account and checks the current password (a step-up).
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

  /**
   * Hashes a correct password again, if its stored hash has a lower cost than the current setting.
   *
   * @returns the new hash, for `AccountsService.lock` to store. @throws ServiceError `overloaded`.
   */
  async rehashIfOutdated(
    account: AccountEntity,
    password: string,
    address: string,
  ): Promise<string | undefined> {
    return this.hasher.isOutdated(account.password_hash) ? this.hasher.hash(password, address) : undefined;
  }
}
