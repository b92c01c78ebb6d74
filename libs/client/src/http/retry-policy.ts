/** How failed attempts are repeated. */
export interface RetryPolicy {
  /** The total number of attempts, at least 1. */
  attempts: number;
  /** The first pause, in milliseconds. It doubles with each attempt. */
  baseMs: number;
  /** The longest pause that the client chooses itself, in milliseconds. */
  capMs: number;
  /**
   * In milliseconds. If the service asks for a longer pause, there is no further attempt and the caller
   * decides.
   */
  patienceMs: number;
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  attempts: 4,
  baseMs: 300,
  capMs: 10_000,
  patienceMs: 30_000,
};

/** The service asks for minutes. A longer pause comes from something else, and would be a client that is lost. */
const MAX_RETRY_AFTER_SECONDS = 3600;
/** Platforms call a timer at once that is longer. Source: HTML, timers (a signed 32-bit number). */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** `setTimeout` for a wait of any length: one that is too long for a timer is cut, and never fires at once. */
export function timerMs(ms: number): number {
  return Math.min(Math.max(0, ms), MAX_TIMER_MS);
}

/**
 * The seconds of a Retry-After header, at most one hour; `undefined` when the header is absent or unreadable.
 * Source: RFC 9110, section 10.2.3 (seconds or a date).
 */
export function readRetryAfter(header: string | null, nowMs: number = Date.now()): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header.trim())) return Math.min(Number(header), MAX_RETRY_AFTER_SECONDS);
  const until = Date.parse(header);
  return Number.isNaN(until)
    ? undefined
    : Math.min(Math.max(0, Math.ceil((until - nowMs) / 1000)), MAX_RETRY_AFTER_SECONDS);
}

/**
 * The pause before the next attempt, in milliseconds; `undefined` for no further attempt.
 * Exponential back-off with full jitter, so that clients do not all return at once. Never shorter than the
 * service asked.
 * @param attempt the number of the failed attempt, from 1.
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

/** Waits. An abort ends the wait at once with the reason of the signal. */
export function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const done = () => {
      signal?.removeEventListener('abort', aborted);
      resolve();
    };
    const timer = setTimeout(done, timerMs(ms));
    const aborted = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    signal?.addEventListener('abort', aborted, { once: true });
  });
}
