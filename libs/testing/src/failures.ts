import type { Answer } from './api';
import { expectSame } from './check';

/**
 * The contract's error table. It is a second copy on purpose, so that a test fails
 * when the service changes a status.
 */
export const CONTRACT_STATUS = {
  validation_failed: 400,
  malformed_json: 400,
  token_missing: 401,
  token_invalid: 401,
  token_expired: 401,
  token_revoked: 401,
  invalid_credentials: 401,
  refresh_token_invalid: 401,
  current_password_wrong: 403,
  account_suspended: 403,
  not_found: 404,
  email_taken: 409,
  erasure_held: 409,
  id_taken: 409,
  idempotency_conflict: 409,
  quota_exceeded: 409,
  revision_mismatch: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  database_unavailable: 503,
  overloaded: 503,
  storage_low: 503,
} as const;

/** Of shared profiles, which the contract does not name. Each has tests of its own. */
const SPACE_STATUS = {
  space_not_supported: 400,
  space_role_too_low: 403,
  already_member: 409,
  co_owned: 409,
  invitation_taken: 409,
  keys_changed: 409,
  members_exceeded: 409,
  profile_too_large: 409,
  sole_owner: 409,
  space_changed: 409,
  space_profile: 409,
  spaces_exceeded: 409,
} as const;

/** A code of an error that the service promises. */
export type FailureCode = keyof typeof CONTRACT_STATUS;

/** The failures of requests that are refused before their route is looked at. They belong to no route. */
const UNREADABLE_STATUS = {
  malformed_request: 400,
  request_timeout: 408,
  host_unknown: 421,
  headers_too_large: 431,
} as const;

/** A code of a refusal of a request that cannot be read. */
export type UnreadableCode = keyof typeof UNREADABLE_STATUS;

/**
 * Returns the faults in the shape of an error answer, or an empty list. `codes` are
 * the error codes of added modules.
 */
export function faultsOf(
  { status, headers, text, body }: Answer,
  codes: Readonly<Record<string, number>> = {},
): string[] {
  if (typeof body !== 'object' || body === null) return [`no JSON object: ${text.slice(0, 100)}`];
  const { error, code, details, request_id: requestId, ...rest } = body as Record<string, unknown>;
  const statuses: Record<string, number> = {
    ...codes,
    ...CONTRACT_STATUS,
    ...SPACE_STATUS,
    ...UNREADABLE_STATUS,
  };
  const faults = Object.keys(rest).map((name) => `unknown field ${name}`);
  if (statuses[String(code)] !== status) faults.push(`code ${String(code)} with ${status}`);
  if (typeof error !== 'string' || !/^\w.*\.$/s.test(error))
    faults.push(`no sentence: ${String(error).slice(0, 100)}`);
  if (typeof requestId !== 'string' || requestId !== headers.get('x-request-id')) faults.push('request_id');
  const isBearer = (headers.get('www-authenticate') ?? '').startsWith('Bearer');
  if (String(code).startsWith('token_') && !isBearer) faults.push('no WWW-Authenticate');
  if ([429, 503].includes(status) && !/^\d+$/.test(headers.get('retry-after') ?? ''))
    faults.push('no Retry-After');
  if (code === 'validation_failed' && !Array.isArray(details)) faults.push('no details');
  for (const detail of (details ?? []) as Record<string, unknown>[]) {
    const isWhole = typeof detail.field === 'string' && typeof detail.message === 'string' && detail.message;
    if (!isWhole || Object.keys(detail).length !== 2) faults.push(`detail ${JSON.stringify(detail)}`);
  }
  return faults;
}

/**
 * Expects an error with this code in the contract's shape. If `fields` are given, `details`
 * must name exactly these fields.
 */
export function expectFailure(answer: Answer, code: FailureCode | UnreadableCode, ...fields: string[]): void {
  expectSame(
    { code: answer.body?.code, status: answer.status, faults: faultsOf(answer) },
    { code, status: { ...CONTRACT_STATUS, ...UNREADABLE_STATUS }[code], faults: [] },
  );
  if (fields.length === 0) return;
  const details = (answer.body.details ?? []) as { field: string }[];
  expectSame([...new Set(details.map(({ field }) => field))].sort(), [...fields].sort());
}

/**
 * Returns everything that a caller sees of an answer, without the values that always differ. If two results
 * are equal, a caller cannot distinguish the answers.
 */
export function visible({ status, headers, body }: Answer): object {
  const { request_id: requestId, ...rest } = (body ?? {}) as Record<string, unknown>;
  if (status >= 400) expectSame(requestId, headers.get('x-request-id'), 'request_id');
  const own = ['x-request-id', 'date'];
  return { status, body: rest, headers: [...headers].filter(([name]) => !own.includes(name)) };
}
