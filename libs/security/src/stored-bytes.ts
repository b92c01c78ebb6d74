import { Injectable } from '@nestjs/common';
import { type ServiceError } from '@app/common';
import { ServiceConfig } from '@app/config';
import { Database, type Statement } from '@app/database';
import { networkOf } from './rate-limits/network';
import { RateLimits } from './rate-limits/rate-limits';

const AGE: Statement = {
  name: 'accounts age',
  text: 'SELECT extract(epoch FROM now() - created_at)::float8 AS age FROM accounts WHERE id = $1',
};
const DAY_SECONDS = 86_400;
const KIB = 1024;
/** What a network stores in this process before it is counted in the database. */
const UNCOUNTED_KIB = 256;
/** Of accounts, and of networks. */
const MAX_KEPT = 10_000;

/** What a request stores. */
export interface StoredRequest {
  /** Of the client. */
  address: string;
  /** Absent where the account is made by the request. */
  accountId: string | undefined;
}

/**
 * A budget of what new accounts of one network store: somebody may open many, and each has a quota. The bytes of a
 * body count when it was stored, so that a refused one costs nothing. Accounts older than `QUOTA_DAYS` neither count
 * nor are they refused.
 *
 * The counters are shared by all processes. A process counts for itself up to 256 KiB of a network, so that a small write
 * costs no statement.
 */
@Injectable()
export class StoredBytes {
  private readonly newDays: number;
  private readonly isOn: boolean;
  /** Whether an account is a new one. */
  private readonly isNew = new Map<string, boolean>();
  /** By network, in KiB. */
  private readonly uncounted = new Map<string, number>();
  /** The refusals of networks, until their windows end. */
  private readonly refusals = new Map<string, { refusal: ServiceError; until: number }>();

  constructor(
    private readonly database: Database,
    private readonly limits: RateLimits,
    config: ServiceConfig,
  ) {
    this.newDays = config.quotaDays;
    this.isOn = config.rateLimits && config.quotaDays > 0;
  }

  /** Call it before the body is read. @throws ServiceError `rate_limited`. */
  assertRoom({ address, accountId }: StoredRequest): void {
    if (this.refusals.size === 0) return;
    const network = networkOf(address);
    const found = this.refusals.get(network);
    if (!found) return;
    if (found.until < Date.now()) this.refusals.delete(network);
    else if (accountId === undefined || this.isNew.get(accountId) !== false) throw found.refusal;
  }

  /** Call it when the bytes are stored. It never fails, and nothing waits for it. */
  count(request: StoredRequest, bytes: number): void {
    if (!this.isOn || (request.accountId !== undefined && this.isNew.get(request.accountId) === false))
      return;
    this.countNew(request, bytes / KIB).catch(() => undefined);
  }

  private async countNew({ address, accountId }: StoredRequest, kib: number): Promise<void> {
    if (accountId !== undefined && !(await this.isNewAccount(accountId))) return;
    const network = networkOf(address);
    const sum = (this.uncounted.get(network) ?? 0) + kib;
    if (sum < UNCOUNTED_KIB) return keep(this.uncounted, network, sum);
    this.uncounted.delete(network);
    const refusal = await this.limits.takeStored(network, Math.ceil(sum));
    if (refusal)
      keep(this.refusals, network, { refusal, until: Date.now() + refusal.retryAfterSeconds! * 1000 });
  }

  private async isNewAccount(id: string): Promise<boolean> {
    let isNew = this.isNew.get(id);
    if (isNew === undefined) {
      const [row] = await this.database.strangers.query<{ age: number }>(AGE, [id]);
      isNew = row !== undefined && row.age < this.newDays * DAY_SECONDS;
      keep(this.isNew, id, isNew);
    }
    return isNew;
  }
}

/** Forgets all where it would grow without end. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  if (map.size >= MAX_KEPT) map.clear();
  map.set(key, value);
}
