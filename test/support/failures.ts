import type { Answer } from './api';

/** The contract's error table: written down once more, so that a change of a status in the service is noticed. */
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
  not_found: 404,
  email_taken: 409,
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
} as const;

export type FailureCode = keyof typeof CONTRACT_STATUS;

/** What is wrong with the shape of a failure's answer; empty where nothing is. */
export function faultsOf({
  status,
  headers,
  text,
  body,
}: Pick<Answer, 'status' | 'headers' | 'text' | 'body'>) {
  if (typeof body !== 'object' || body === null) return [`no JSON object: ${text.slice(0, 100)}`];
  const { error, code, details, request_id: requestId, ...rest } = body as Record<string, unknown>;
  const faults = Object.keys(rest).map((name) => `unknown field ${name}`);
  if (CONTRACT_STATUS[code as FailureCode] !== status) faults.push(`code ${String(code)} with ${status}`);
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

/** Expects the failure of this code in the contract's shape; with `fields`, that `details` names just these. */
export function expectFailure(answer: Answer, code: FailureCode, ...fields: string[]): void {
  expect({ code: answer.body?.code, status: answer.status, faults: faultsOf(answer) }).toEqual({
    code,
    status: CONTRACT_STATUS[code],
    faults: [],
  });
  if (fields.length === 0) return;
  const named = (answer.body.details ?? []).map(({ field }: { field: string }) => field);
  expect([...new Set<string>(named)].sort()).toEqual([...fields].sort());
}
