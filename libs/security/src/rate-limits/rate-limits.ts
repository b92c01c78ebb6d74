import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Queue, refusedBy, type ServiceError } from '@app/common';
import { LIMIT_DECISIONS } from '@app/common/observation';
import { type Secrets, SECRETS, ServiceConfig } from '@app/config';
import { Database, Housekeeping } from '@app/database';
import type { RatePolicy } from '@app/http';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { type Attempt, type AttemptPoint, isKnown, pointsOf } from './attempt';
import { networkOf, widerNetworksOf } from './network';
import { LOCAL_POLICIES, SECRET_POLICIES, STORED_POLICY } from './policies';
import { SharedCounters } from './shared-counters';
import { Slowdown } from './slowdown';

/**
 * Limits the number of attempts and of requests. If the database cannot count, every attempt is refused.
 *
 * Security: keys are HMACs, so that a stolen database reveals no address and no email. Known and unknown
 * emails count in the same way.
 */
@Injectable()
export class RateLimits {
  private readonly enabled: boolean;
  private readonly shared: SharedCounters;
  private readonly slowdown: Slowdown;
  /** Attempts with one secret, and slow tries of one network. */
  private readonly attempts = new Queue('secrets');
  /** By the name of the policy. */
  private readonly local = new Map(
    Object.values(LOCAL_POLICIES).map(({ name, points, windowSeconds }) => [
      name,
      new RateLimiterMemory({ points, duration: windowSeconds, keyPrefix: name }),
    ]),
  );

  constructor(
    database: Database,
    config: ServiceConfig,
    housekeeping: Housekeeping,
    @Inject(SECRETS) private readonly secrets: Secrets,
  ) {
    this.enabled = config.rateLimits;
    this.shared = new SharedCounters(database);
    this.slowdown = new Slowdown(this.shared, this.attempts);
    housekeeping.add(() => this.shared.forgetExpired());
  }

  /**
   * Checks a secret within the limits. It takes the points first and gives them back unless `check` returns
   * false.
   *
   * Attempts with the same first counter (one device, or one address and email) run one after another.
   * Otherwise, a family that signs in at the same moment would be refused because of points that are given
   * back a moment later.
   *
   * @throws ServiceError `rate_limited`, `overloaded`; the errors of `check`.
   */
  async trySecret(attempt: Attempt, check: () => Promise<boolean>): Promise<boolean> {
    if (!this.enabled) return check();
    const points = pointsOf(attempt, (...parts) => this.key(...parts));
    // Nobody finds a recovery proof by trying.
    if (attempt.isRecovery) return this.attempts.run(points[0].key, () => this.tryWith(points, check));
    // A wrong secret counts whoever sent it: known and unknown senders cost the same.
    const stranger = isKnown(attempt) ? undefined : networkOf(attempt.address);
    const slowdown = { wait: () => this.slowdown.wait(stranger), count: () => this.slowdown.count() };
    return this.attempts.run(points[0].key, () => this.tryWith(points, check, slowdown));
  }

  /**
   * As {@link trySecret}, for the code of an account whose password was right.
   *
   * @throws ServiceError `rate_limited`, `overloaded`; the errors of `check`.
   */
  async tryCode(accountId: string, check: () => Promise<boolean>): Promise<boolean> {
    if (!this.enabled) return check();
    const key = this.key(accountId);
    const points = [SECRET_POLICIES.second, SECRET_POLICIES.secondDay].map((policy) => ({ policy, key }));
    return this.attempts.run(key, () => this.tryWith(points, check));
  }

  private async tryWith(
    points: AttemptPoint[],
    check: () => Promise<boolean>,
    slowdown?: { wait: () => Promise<void>; count: () => Promise<void> },
  ): Promise<boolean> {
    const refusal = await this.take(points);
    let isWrong = false;
    try {
      if (refusal) throw refusal;
      await slowdown?.wait();
      isWrong = !(await check());
      return !isWrong;
    } finally {
      // This includes attempts without a check: refused, overloaded, or the database is unavailable.
      if (!isWrong) await this.giveBack(points);
      else await slowdown?.count().catch(() => undefined);
    }
  }

  /**
   * Counts a request from an address.
   *
   * @param points what the request costs. Only a local policy counts more than one.
   * @throws ServiceError `rate_limited`.
   */
  async takeFromAddress(policy: RatePolicy, address: string, points = 1): Promise<void> {
    if (!this.enabled) return;
    const network = networkOf(address);
    if (policy.isLocal) {
      await this.takeLocally(policy, network, points);
      return;
    }
    const counters: AttemptPoint[] = [{ policy, key: this.key(network) }];
    if (policy.ofBlock)
      counters.push({ policy: policy.ofBlock, key: this.key(widerNetworksOf(network).block) });
    const refusal = await this.take(counters);
    if (refusal) throw refusal;
  }

  /**
   * Counts a request of somebody whom `parts` name.
   *
   * @throws ServiceError `rate_limited`.
   */
  async takeFrom(policy: RatePolicy, ...parts: string[]): Promise<void> {
    if (!this.enabled) return;
    const refusal = await this.take([{ policy, key: this.key(...parts) }]);
    if (refusal) throw refusal;
  }

  /** Counts what new accounts of a network have stored. @returns the refusal of what they store further. */
  async takeStored(network: string, kib: number): Promise<ServiceError | undefined> {
    const { ofBlock, ...policy } = STORED_POLICY;
    const block = widerNetworksOf(network).block;
    return this.take(
      [
        { policy, key: this.key(network) },
        { policy: ofBlock, key: this.key(block) },
      ],
      kib,
    );
  }

  /**
   * Counts a request of an account (or network) in this process.
   *
   * @returns the `RateLimit` headers. @throws ServiceError `rate_limited`.
   */
  takeFromAccount(key: string): Promise<Record<string, string> | undefined> {
    if (!this.enabled) return Promise.resolve(undefined);
    return this.takeLocally(LOCAL_POLICIES.account, key, 1);
  }

  /**
   * Forgets the wrong tries of an email, of an address, or of both together.
   *
   * @param who the email is normalised. To forget the tries of one address for one email, give both. With the id of the
   *   account its wrong codes are forgotten, too.
   * @returns the number of counters.
   */
  forget({
    email,
    address,
    accountId,
  }: {
    email?: string;
    address?: string;
    accountId?: string;
  }): Promise<number> {
    const network = address === undefined ? undefined : networkOf(address);
    const block = network === undefined ? undefined : widerNetworksOf(network).block;
    const parts = [[accountId], [email], [network], [network, email], [block], [block, email]];
    const keys = parts.filter((each): each is string[] => each.every((part) => part !== undefined));
    return this.shared.forget(keys.map((each) => this.key(...each)));
  }

  private async takeLocally(
    policy: RatePolicy,
    key: string,
    points: number,
  ): Promise<Record<string, string>> {
    try {
      const { consumedPoints, msBeforeNext } = await this.local.get(policy.name)!.consume(key, points);
      LIMIT_DECISIONS.tell({ limit: policy.name, isRefused: false });
      return rateLimitHeaders(policy, consumedPoints, msBeforeNext);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      LIMIT_DECISIONS.tell({ limit: policy.name, isRefused: true });
      throw rateLimited(policy, refusal.consumedPoints, refusal.msBeforeNext);
    }
  }

  /**
   * Takes all points, including those over the limit. @returns the first refusal, in the order of `points`.
   */
  private async take(points: AttemptPoint[], count = 1): Promise<ServiceError | undefined> {
    const states = await this.shared.take(points, count);
    const refused = points.findIndex(
      ({ policy, isWithoutEffect }, index) => !isWithoutEffect && states[index].points > policy.points,
    );
    const decided = refused < 0 ? points : [points[refused]];
    for (const { policy } of decided) LIMIT_DECISIONS.tell({ limit: policy.name, isRefused: refused >= 0 });
    if (refused < 0) return undefined;
    return rateLimited(points[refused].policy, states[refused].points, states[refused].msBeforeEnd);
  }

  /**
   * If a point cannot be given back, it is lost until its window ends. A correct secret is still accepted.
   */
  private async giveBack(points: AttemptPoint[]): Promise<void> {
    await this.shared.giveBack(points).catch(() => undefined);
  }

  private key(...parts: string[]): string {
    return createHmac('sha256', this.secrets.decoySecret)
      .update(`rate limit\0${parts.join('\0')}`)
      .digest('base64url');
  }
}

function rateLimited(policy: RatePolicy, points: number, msBeforeEnd: number): ServiceError {
  const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeEnd / 1000));
  const headers = rateLimitHeaders(policy, points, msBeforeEnd);
  return refusedBy(policy.name, 'rate_limited', { retryAfterSeconds, headers });
}

/** Source: draft-ietf-httpapi-ratelimit-headers-10. */
function rateLimitHeaders(policy: RatePolicy, points: number, msBeforeEnd: number): Record<string, string> {
  const remaining = Math.max(policy.points - points, 0);
  return {
    'RateLimit-Policy': `"${policy.name}";q=${policy.points};w=${policy.windowSeconds}`,
    RateLimit: `"${policy.name}";r=${remaining};t=${Math.ceil(msBeforeEnd / 1000)}`,
  };
}
