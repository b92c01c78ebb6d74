/**
 * The offline part is a bundle of its own, whose classes are not those of the client. Therefore it looks at
 * the members of an error, never at its class.
 */
interface ErrorMembers {
  status?: unknown;
  code?: unknown;
  message?: unknown;
  retryAfterSeconds?: unknown;
  requestId?: unknown;
  isDoubt?: unknown;
}

/** The status of an error answer; `undefined` for other errors. */
export function statusOf(error: unknown): number | undefined {
  const { status } = (error ?? {}) as ErrorMembers;
  return typeof status === 'number' ? status : undefined;
}

export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as ErrorMembers;
  return typeof code === 'string' ? code : 'unknown';
}

export function messageOf(error: unknown): string {
  const { message } = (error ?? {}) as ErrorMembers;
  return typeof message === 'string' ? message : 'The write failed.';
}

/** A longer pause can only be a mistake, or a lie: the timers of a browser end at 24 days. */
const MAX_PAUSE_MS = 15 * 60_000;

/** In milliseconds; 0 if the service asked for no pause. */
export function pauseAskedBy(error: unknown): number {
  const { retryAfterSeconds } = (error ?? {}) as ErrorMembers;
  return typeof retryAfterSeconds === 'number' ? Math.min(retryAfterSeconds * 1000, MAX_PAUSE_MS) : 0;
}

/** A process of before shared profiles has answered: nothing is known of them now. */
export const SERVICE_OUTDATED = 'service_outdated';
const OFFLINE_CODES = ['network_failed', 'timed_out', 'not_the_service', SERVICE_OUTDATED, 'not_confirmed'];
/** A write that will never be sent: the access to its profile has ended, or its key is gone. */
export const ACCESS_ENDED = 'access_ended';
/** Another version of a space: who may do what, or its key, has changed. Nothing is sent before that is read. */
export const SPACE_CHANGED = 'space_changed';
const SPACE_CODES = [SPACE_CHANGED, ACCESS_ENDED];
const DEVICE_CODES = ['device_full', 'device_storage_failed'];
/** Request time-out, too early, too many requests. */
const LATER_STATUSES = [408, 425, 429];

const FINAL_STATUSES = [400, 404, 410];

/** Whether the same request may succeed later, with nothing changed. */
export function isTemporary(error: unknown): boolean {
  const status = statusOf(error);
  if (status === undefined) return OFFLINE_CODES.includes(codeOf(error));
  // What is not there, not valid or over says the service itself, or nobody.
  if (FINAL_STATUSES.includes(status) && !isOwnAnswer(error)) return true;
  return status >= 500 || LATER_STATUSES.includes(status);
}

/** Whether the session or the keys are gone: the writes wait for the next unlock. */
export function isInterrupted(error: unknown): boolean {
  return ['session_ended', 'locked'].includes(codeOf(error)) || statusOf(error) === 401;
}

/** Whether nothing can go on now: no answer, no keys, or no storage. It says nothing of a record. */
export function stopsAll(error: unknown): boolean {
  const code = codeOf(error);
  return (
    isTemporary(error) || isInterrupted(error) || DEVICE_CODES.includes(code) || SPACE_CODES.includes(code)
  );
}

/** Whether the service itself wrote this error: each of its errors names the request. A portal or a cache does not. */
export function isOwnAnswer(error: unknown): boolean {
  const { requestId } = (error ?? {}) as ErrorMembers;
  return typeof requestId === 'string';
}

/** Whether the service shows a state that the gate keeps aside. */
export function isDoubt(error: unknown): boolean {
  return ((error ?? {}) as ErrorMembers).isDoubt === true;
}
