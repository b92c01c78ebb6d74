import { Injectable } from '@nestjs/common';
import { type Caller, newId, ServiceError } from '@app/common';
import { isKnown, PasswordHasher, RateLimits } from '@app/security';
import { AccountsRepository, type FoundAccount } from './accounts.repository';
import { DeviceTokensRepository } from '../devices/device-tokens.repository';
import type { AccountEntity } from './entities/account.entity';
import type { SecurityEventKind } from '../events/entities/security-event.entity';
import { SecurityEventsService } from '../events/security-events.service';

/** A secret that is to be checked. */
export interface SecretCheck {
  /** Normalised. */
  email: string;
  address: string;
  /** The account of that email, if there is one. */
  account: FoundAccount | undefined;
  /** The caller's session, if this is a step-up. */
  sessionId?: string;
  /** Whether `secret` is a recovery proof. */
  isRecovery?: boolean;
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
    private readonly devices: DeviceTokensRepository,
  ) {}

  /**
   * Checks a secret within the rate limits, and records a wrong one.
   *
   * Security: runs the same statements and one hash, whether the account exists or not.
   * @throws ServiceError `rate_limited`, `overloaded`.
   */
  async prove({ address, account, secret, hash, ...check }: SecretCheck): Promise<boolean> {
    const attempt = {
      address,
      email: check.email,
      isRecovery: check.isRecovery ?? false,
      isKnownAddress: account?.is_known_address ?? false,
      device: account?.device_hash?.toString('hex'),
      sessionId: check.sessionId,
    };
    const isRight = await this.limits.trySecret(attempt, () =>
      this.hasher.verify(secret, hash, address, isKnown(attempt)),
    );
    if (!isRight) this.events.recordRefusal(account?.id ?? newId(), check.refusal, address);
    // A login records the use together with its session.
    if (isRight && check.isRecovery && account?.device_hash)
      await this.devices.touch(account.id, account.device_hash);
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
      sessionId: caller.sessionId,
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
    if (!this.hasher.isOutdated(account.password_hash)) return undefined;
    return this.hasher.hash(password, address, true);
  }
}
