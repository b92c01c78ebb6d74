import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { ServiceError } from '@app/common';
import { type Secrets, SECRETS, ServiceConfig } from '@app/config';
import { Database } from '@app/database';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from './network';

import { ACCOUNT_POLICY, ADDRESS_POLICIES, type RatePolicy, SECRET_POLICIES } from './policies';
import { Turns } from './turns';

/** Where the shared limits count; unlogged, since a limit that is lost with a crash is no loss. */
const TABLE = 'rate_limits';

/** Who tries a secret. */
export interface Attempt {
  address: string;
  /** Normalised. */
  email: string;
  /** Whether the account of this email has signed in from this address of late. */
  isKnownAddress: boolean;
}

interface Point {
  policy: RatePolicy;
  key: string;
  isWithoutEffect?: boolean;
}

/**
 * Counts what may be tried. Fails closed: where the database cannot count, nothing is tried.
 *
 * Security: keys are HMACs, so that a stolen database names no address and no email; known and unknown emails count alike.
 */
@Injectable()
export class RateLimits {
  private readonly enabled: boolean;
  private readonly shared = new Map<RatePolicy, RateLimiterPostgres>();
  private readonly turns = new Turns();
  private readonly local = new RateLimiterMemory({
    points: ACCOUNT_POLICY.points,
    duration: ACCOUNT_POLICY.windowSeconds,
    keyPrefix: ACCOUNT_POLICY.name,
  });

  constructor(
    database: Database,
    config: ServiceConfig,
    @Inject(SECRETS) private readonly secrets: Secrets,
  ) {
    this.enabled = config.rateLimits;
    const storeClient = poolOf(database);
    for (const policy of [...Object.values(SECRET_POLICIES), ...Object.values(ADDRESS_POLICIES)]) {
      this.shared.set(
        policy,
        new RateLimiterPostgres({
          storeClient,
          storeType: 'pool',
          tableName: TABLE,
          tableCreated: true,
          // One of them cleans up for all.
          clearExpiredByTimeout: this.enabled && policy === SECRET_POLICIES.address,
          keyPrefix: policy.name,
          points: policy.points,
          duration: policy.windowSeconds,
        }),
      );
    }
  }

  /**
   * Checks a secret within the limits: takes a point of each first, and gives them back unless `check` says it was wrong.
   *
   * One attempt of an address at an email waits for the one before it: a family that signs in all at once would else be
   * refused for points that are only out for a moment.
   *
   * @throws ServiceError `rate_limited`; what `check` throws.
   */
  async trySecret(attempt: Attempt, check: () => Promise<boolean>): Promise<boolean> {
    if (!this.enabled) return check();
    const network = networkOf(attempt.address);
    const pair = this.key(network, attempt.email);
    const points: Point[] = [
      { policy: SECRET_POLICIES.addressAndEmail, key: pair },
      { policy: SECRET_POLICIES.address, key: this.key(network) },
      // Where the address is known it is counted too, beside the others and without effect: with the same statements.
      attempt.isKnownAddress
        ? { policy: SECRET_POLICIES.email, key: pair, isWithoutEffect: true }
        : { policy: SECRET_POLICIES.email, key: this.key(attempt.email) },
    ];
    return this.turns.take(pair, () => this.tryWith(points, check));
  }

  private async tryWith(points: Point[], check: () => Promise<boolean>): Promise<boolean> {
    const taken: Point[] = [];
    let isWrong = false;
    try {
      for (const point of points) {
        const refusal = await this.take(point);
        taken.push(point);
        if (refusal) throw refusal;
      }
      const isRight = await check();
      isWrong = !isRight;
      return isRight;
    } finally {
      // Also where there was no try: refused, overloaded, or the database went away.
      if (!isWrong) await this.giveBack(taken);
    }
  }

  /** Counts a request from an address. @throws ServiceError `rate_limited`. */
  async takeFromAddress(policy: RatePolicy, address: string): Promise<void> {
    const refusal = this.enabled && (await this.take({ policy, key: this.key(networkOf(address)) }));
    if (refusal) throw refusal;
  }

  /**
   * Counts a request of an account (or address) on this replica.
   *
   * @returns the `RateLimit` headers. @throws ServiceError `rate_limited`.
   */
  async takeFromAccount(key: string): Promise<Record<string, string> | undefined> {
    if (!this.enabled) return undefined;
    try {
      return rateLimitHeaders(ACCOUNT_POLICY, await this.local.consume(key));
    } catch (refusal) {
      throw refusalOf(ACCOUNT_POLICY, refusal);
    }
  }

  /**
   * A stable name for an address, as one account sees it, that does not reveal it; see `known_addresses`.
   *
   * Security: another account has another name for the same address, so that a stolen database tells no households.
   */
  tagOf(accountId: string, address: string): Buffer {
    return this.digest(`${accountId}\0${networkOf(address)}`);
  }

  /** @returns the refusal, where this was a point too many; it is taken all the same. */
  private async take({ policy, key, isWithoutEffect }: Point): Promise<ServiceError | undefined> {
    const limiter = this.shared.get(policy)!;
    try {
      await (isWithoutEffect ? limiter.penalty(key) : limiter.consume(key));
      return undefined;
    } catch (failure) {
      return refusalOf(policy, failure);
    }
  }

  /** A point that cannot be given back is lost with its window: no reason to refuse what was right. */
  private async giveBack(points: Point[]): Promise<void> {
    await Promise.allSettled(points.map(({ policy, key }) => this.shared.get(policy)!.reward(key)));
  }

  private key(...parts: string[]): string {
    return this.digest(parts.join('\0')).toString('base64url');
  }

  private digest(text: string): Buffer {
    return createHmac('sha256', this.secrets.decoySecret).update(`rate limit\0${text}`).digest();
  }
}

/** `pg`'s interface as the limiter uses it, on the service's own pool: with its retries, time-outs and errors. */
function poolOf(database: Database) {
  return {
    query: async ({ name, text, values }: { name: string; text: string; values: unknown[] }) => {
      const rows = await database.query<object>({ name, text }, values);
      return { rows, rowCount: rows.length };
    },
  };
}

/** @throws whatever is not a refusal. */
function refusalOf(policy: RatePolicy, failure: unknown): ServiceError {
  if (!(failure instanceof RateLimiterRes)) throw failure;
  return new ServiceError('rate_limited', {
    retryAfterSeconds: Math.max(1, Math.ceil(failure.msBeforeNext / 1000)),
    headers: rateLimitHeaders(policy, failure),
  });
}

/** Source: draft-ietf-httpapi-ratelimit-headers-10. */
function rateLimitHeaders(policy: RatePolicy, state: RateLimiterRes): Record<string, string> {
  const resetSeconds = Math.ceil(state.msBeforeNext / 1000);
  return {
    'RateLimit-Policy': `"${policy.name}";q=${policy.points};w=${policy.windowSeconds}`,
    RateLimit: `"${policy.name}";r=${state.remainingPoints};t=${resetSeconds}`,
  };
}
