/** How failed attempts are repeated. */
export interface RetryPolicy {
  /** Attempts in all, at least 1. */
  attempts: number;
  /** First pause, in milliseconds; it doubles each time. */
  baseMs: number;
  /** Longest pause of our own choice, in milliseconds. */
  capMs: number;
  /** A service that asks to wait longer than this, in milliseconds, gets no second attempt: the caller decides. */
  patienceMs: number;
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  attempts: 4,
  baseMs: 300,
  capMs: 10_000,
  patienceMs: 30_000,
};

/**
 * Seconds of a Retry-After header, `undefined` when there is none or it cannot be read.
 * Source: RFC 9110, section 10.2.3 (seconds or a date).
 */
export function readRetryAfter(header: string | null, nowMs: number = Date.now()): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const until = Date.parse(header);
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - nowMs) / 1000));
}

/**
 * Pause before the next attempt, in milliseconds; `undefined` when there should be none.
 * Exponential with full jitter, so that many clients do not return at once; never earlier than the service asked.
 * @param attempt number of the attempt that failed, from 1.
 */
export function pauseBefore(
  policy: RetryPolicy,
  attempt: number,
  retryAfterSeconds: number | undefined,
  random: () => number = Math.random,
): number | undefined {
  if (attempt >= policy.attempts) return undefined;
  const askedMs = (retryAfterSeconds ?? 0) * 1000;
  if (askedMs > policy.patienceMs) return undefined;
  const jitter = random() * Math.min(policy.capMs, policy.baseMs * 2 ** (attempt - 1));
  return askedMs + jitter;
}

/** Waits; an abort ends it at once with the signal's reason. */
export function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const done = () => {
      signal?.removeEventListener('abort', aborted);
      resolve();
    };
    const timer = setTimeout(done, ms);
    const aborted = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    signal?.addEventListener('abort', aborted, { once: true });
  });
}
