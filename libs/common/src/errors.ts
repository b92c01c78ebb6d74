/**
 * Every failure a client can see, with its HTTP status. Exhaustive: a code that is not here cannot be thrown.
 *
 * Source: the contract's error table; RFC 9110 for the meaning of the statuses.
 */
export const STATUS_BY_CODE = {
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

export type ErrorCode = keyof typeof STATUS_BY_CODE;

/** The sentence a client shows to a person where the thrower has nothing more precise to say. */
export const SENTENCE_BY_CODE: Record<ErrorCode, string> = {
  validation_failed: 'The request is not valid.',
  malformed_json: 'The request body is not valid JSON.',
  token_missing: 'Please sign in: this request carries no access token.',
  token_invalid: 'Please sign in again: the access token is not valid.',
  token_expired: 'The access token has expired.',
  token_revoked: 'This session has ended. Please sign in again.',
  invalid_credentials: 'The email or the secret is not right.',
  refresh_token_invalid: 'This session has ended. Please sign in again.',
  current_password_wrong: 'The current password is not right.',
  not_found: 'There is nothing here under this address.',
  email_taken: 'An account with this email exists already.',
  id_taken: 'A record with this id exists already.',
  idempotency_conflict: 'This Idempotency-Key was used before with another request.',
  quota_exceeded: 'This account has reached the limit of what it may store.',
  revision_mismatch: 'The record has changed since it was read. Read it again, then repeat the change.',
  payload_too_large: 'The request is larger than the service accepts.',
  unsupported_media_type: 'The request body must be JSON (Content-Type: application/json).',
  rate_limited: 'Too many attempts. Please wait a moment and try again.',
  internal: 'Something went wrong on our side. Please try again later.',
  database_unavailable: 'The service cannot reach its storage at the moment. Please try again shortly.',
  overloaded: 'The service is busy at the moment. Please try again shortly.',
};

/** One broken rule: the field (dotted path, as sent) and a sentence about it. Never contains the value. */
export interface ErrorDetail {
  field: string;
  message: string;
}

export interface ErrorExtras {
  /** The sentence for a person; the code's own sentence where absent. Security: must not contain what a client sent. */
  sentence?: string;
  details?: ErrorDetail[];
  /** Seconds until a retry makes sense; sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** Further response headers. */
  headers?: Record<string, string>;
  /** What happened inside; goes to the log (its class and code only), never to a client. */
  cause?: unknown;
}

/** A failure with a stable code. The one way for any part of the service to refuse a request. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly status: number;
  readonly details?: ErrorDetail[];
  readonly retryAfterSeconds?: number;
  readonly headers?: Record<string, string>;

  constructor(
    readonly code: ErrorCode,
    extras: ErrorExtras = {},
  ) {
    super(extras.sentence ?? SENTENCE_BY_CODE[code], { cause: extras.cause });
    this.status = STATUS_BY_CODE[code];
    this.details = extras.details;
    this.retryAfterSeconds = extras.retryAfterSeconds;
    this.headers = extras.headers;
  }
}

/** A `validation_failed` that names its fields; the sentence lists them so that a client showing only it is still clear. */
export function validationError(details: ErrorDetail[]): ServiceError {
  const first = details[0];
  const sentence = first
    ? details.length === 1
      ? `The request is not valid: ${first.message}.`
      : `The request is not valid: ${first.message}, and ${details.length - 1} more.`
    : undefined;
  return new ServiceError('validation_failed', { sentence, details });
}

/** The same answer for a record that is malformed, unknown, deleted or another account's. */
export function notFound(): ServiceError {
  return new ServiceError('not_found');
}
