/** What one account may store. A create or a change that begins beyond it is refused. */
export interface Quotas {
  records: number;
  bytes: number;
  /** The bytes of an account that was made now. They grow evenly to `bytes`. */
  newBytes: number;
  /** The age in days from which an account may store `bytes`. */
  days: number;
}

const SECONDS_OF_DAY = 86_400;

/** The bytes that an account of this age may store. */
export function bytesAt({ bytes, newBytes, days }: Quotas, ageSeconds: number): number {
  const age = days === 0 ? 1 : ageSeconds / (days * SECONDS_OF_DAY);
  return age >= 1 || newBytes >= bytes ? bytes : Math.floor(newBytes + (bytes - newBytes) * age);
}

/**
 * SQL for the same limit: whether `used` bytes have reached it. Without `CASE`, `LEAST` and `COALESCE`, in which
 * Citus allows no `now()`. The age is looked up for accounts only that store more than a new one may.
 */
export function reachedBytes({ bytes, newBytes, days }: Quotas, used: string): string {
  if (newBytes >= bytes || days === 0) return `${used} >= ${bytes}`;
  const perSecond = (bytes - newBytes) / (days * SECONDS_OF_DAY);
  return `(${used} >= ${bytes} OR ${used} >= ${newBytes} AND ${used} >= ${newBytes} + ${perSecond}
    * (SELECT extract(epoch FROM now() - q.created_at)::float8 FROM accounts q WHERE q.id = $1))`;
}
