import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { ServiceError, Turns } from '@app/common';
import { type Secrets, SECRETS, ServiceConfig } from '@app/config';
import { Database, Housekeeping } from '@app/database';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf, widerNetworksOf } from './network';
import { ACCOUNT_POLICY, type RatePolicy, SECRET_POLICIES } from './policies';
import { type Counter, SharedCounters } from './shared-counters';

/** One attempt to use a secret. */
export interface Attempt {
  address: string;
  /** In normalised form. */
  email: string;
  /** Whether the account of this email has signed in from this address recently. */
  isKnownAddress: boolean;
}

interface Point extends Counter {
  /** Counts, but never refuses. */
  isWithoutEffect?: boolean;
}

/**
 * Limits how often something may be tried. If the database cannot count, every attempt is refused.
 *
 * Security: keys are HMACs, so that a stolen database reveals no address and no email. Known and unknown
 * emails count in the same way.
 */
@Injectable()
export class RateLimits {
  private readonly enabled: boolean;
  private readonly shared: SharedCounters;
  /** Attempts from one address for one email. */
  private readonly turns = new Turns({ atOnce: 1, mostWaiting: 50, patienceMs: Infinity });
  private readonly local = new RateLimiterMemory({
    points: ACCOUNT_POLICY.points,
    duration: ACCOUNT_POLICY.windowSeconds,
    keyPrefix: ACCOUNT_POLICY.name,
  });

  constructor(
    database: Database,
    config: ServiceConfig,
    housekeeping: Housekeeping,
    @Inject(SECRETS) private readonly secrets: Secrets,
  ) {
    this.enabled = config.rateLimits;
    this.shared = new SharedCounters(database);
    housekeeping.add(() => this.shared.forgetExpired());
  }

  /**
   * Checks a secret within the limits. It takes the points first and gives them back unless `check` returns
   * false.
   *
   * Attempts from one address for one email run one after another. Otherwise, a family that signs in at the
   * same moment would be refused because of points that are given back a moment later.
   *
   * @throws ServiceError `rate_limited`, `overloaded`; the errors of `check`.
   */
  async trySecret(attempt: Attempt, check: () => Promise<boolean>): Promise<boolean> {
    if (!this.enabled) return check();
    const network = networkOf(attempt.address);
    const pair = this.key(network, attempt.email);
    const points: Point[] = [
      { policy: SECRET_POLICIES.addressAndEmail, key: pair },
      { policy: SECRET_POLICIES.address, key: this.key(network) },
      // Security: a known address counts as well, in a separate counter, so that the statement is the same.
      attempt.isKnownAddress
        ? { policy: SECRET_POLICIES.email, key: pair, isWithoutEffect: true }
        : { policy: SECRET_POLICIES.email, key: this.key(attempt.email) },
    ];
    return this.turns.run(pair, () => this.tryWith(points, check));
  }

  private async tryWith(points: Point[], check: () => Promise<boolean>): Promise<boolean> {
    const refusal = await this.take(points);
    let isWrong = false;
    try {
      if (refusal) throw refusal;
      isWrong = !(await check());
      return !isWrong;
    } finally {
      // This includes attempts without a check: refused, overloaded, or the database is unavailable.
      if (!isWrong) await this.giveBack(points);
    }
  }

  /** Counts a request from an address. @throws ServiceError `rate_limited`. */
  async takeFromAddress(policy: RatePolicy, address: string): Promise<void> {
    if (!this.enabled) return;
    const network = networkOf(address);
    const points: Point[] = [{ policy, key: this.key(network) }];
    if (policy.ofBlock)
      points.push({ policy: policy.ofBlock, key: this.key(widerNetworksOf(network).block) });
    const refusal = await this.take(points);
    if (refusal) throw refusal;
  }

  /**
   * Counts a request of an account (or address) in this process.
   *
   * @returns the `RateLimit` headers. @throws ServiceError `rate_limited`.
   */
  async takeFromAccount(key: string): Promise<Record<string, string> | undefined> {
    if (!this.enabled) return undefined;
    try {
      const { consumedPoints, msBeforeNext } = await this.local.consume(key);
      return rateLimitHeaders(ACCOUNT_POLICY, consumedPoints, msBeforeNext);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw rateLimited(ACCOUNT_POLICY, refusal.consumedPoints, refusal.msBeforeNext);
    }
  }

  /**
   * Takes all points, including those over the limit. @returns the first refusal, in the order of `points`.
   */
  private async take(points: Point[]): Promise<ServiceError | undefined> {
    const states = await this.shared.take(points);
    const refused = points.findIndex(
      ({ policy, isWithoutEffect }, index) => !isWithoutEffect && states[index].points > policy.points,
    );
    if (refused < 0) return undefined;
    return rateLimited(points[refused].policy, states[refused].points, states[refused].msBeforeEnd);
  }

  /**
   * If a point cannot be given back, it is lost until its window ends. A correct secret is still accepted.
   */
  private async giveBack(points: Point[]): Promise<void> {
    await this.shared.giveBack(points).catch(() => undefined);
  }

  private key(...parts: string[]): string {
    return createHmac('sha256', this.secrets.decoySecret)
      .update(`rate limit\0${parts.join('\0')}`)
      .digest('base64url');
  }
}

function rateLimited(policy: RatePolicy, points: number, msBeforeEnd: number): ServiceError {
  return new ServiceError('rate_limited', {
    retryAfterSeconds: Math.max(1, Math.ceil(msBeforeEnd / 1000)),
    headers: rateLimitHeaders(policy, points, msBeforeEnd),
  });
}

/** Source: draft-ietf-httpapi-ratelimit-headers-10. */
function rateLimitHeaders(policy: RatePolicy, points: number, msBeforeEnd: number): Record<string, string> {
  const remaining = Math.max(policy.points - points, 0);
  return {
    'RateLimit-Policy': `"${policy.name}";q=${policy.points};w=${policy.windowSeconds}`,
    RateLimit: `"${policy.name}";r=${remaining};t=${Math.ceil(msBeforeEnd / 1000)}`,
  };
}
