import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { ServiceError } from '@app/common';
import { type Secrets, SECRETS, ServiceConfig } from '@app/config';
import { Database } from '@app/database';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from './network';
import { ACCOUNT_POLICY, ADDRESS_POLICIES, type RatePolicy, SECRET_POLICIES } from './policies';

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

/**
 * Counts what may be tried. Fails closed: where the database cannot count, nothing is tried.
 *
 * Security: keys are HMACs, so that a stolen database names no address and no email; known and unknown emails count alike.
 */
@Injectable()
export class RateLimits {
  private readonly enabled: boolean;
  private readonly shared = new Map<RatePolicy, RateLimiterPostgres>();
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
   * Checks a secret within the limits: takes a point of each first, gives them back where `check` says it was right.
   *
   * @throws ServiceError `rate_limited`; what `check` throws (the points stay taken).
   */
  async trySecret(attempt: Attempt, check: () => Promise<boolean>): Promise<boolean> {
    if (!this.enabled) return check();
    const network = networkOf(attempt.address);
    const keys: [RatePolicy, string][] = [
      [SECRET_POLICIES.addressAndEmail, this.key(network, attempt.email)],
      [SECRET_POLICIES.address, this.key(network)],
    ];
    if (!attempt.isKnownAddress) keys.push([SECRET_POLICIES.email, this.key(attempt.email)]);
    for (const [policy, key] of keys) await this.take(policy, key);
    const isRight = await check();
    if (isRight) await Promise.all(keys.map(([policy, key]) => this.shared.get(policy)!.reward(key, 1)));
    return isRight;
  }

  /** Counts a request from an address. @throws ServiceError `rate_limited`. */
  async takeFromAddress(policy: RatePolicy, address: string): Promise<void> {
    if (this.enabled) await this.take(policy, this.key(networkOf(address)));
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

  /** A stable name for an address that does not reveal it; see `known_addresses`. */
  tagOf(address: string): Buffer {
    return this.digest(networkOf(address));
  }

  private async take(policy: RatePolicy, key: string): Promise<void> {
    try {
      await this.shared.get(policy)!.consume(key);
    } catch (refusal) {
      throw refusalOf(policy, refusal);
    }
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

function refusalOf(policy: RatePolicy, refusal: unknown): unknown {
  if (!(refusal instanceof RateLimiterRes)) return refusal;
  return new ServiceError('rate_limited', {
    retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)),
    headers: rateLimitHeaders(policy, refusal),
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
