/**
 * Every failure of the service itself that a client can see, by HTTP status, with the sentence that a client shows to a
 * person if the error has no sentence of its own. A module adds its own codes with {@link defineErrors}. Other codes
 * cannot be thrown.
 *
 * Source: the contract's error table; RFC 9110 for the meaning of the statuses.
 */
const ERRORS = {
  400: {
    validation_failed: 'The request is not valid.',
    malformed_json: 'The request body is not valid JSON.',
    malformed_request: 'The request is not valid HTTP.',
    space_not_supported: 'This request works in your own account only, and not in a shared profile.',
  },
  401: {
    token_missing: 'Please sign in: this request carries no access token.',
    token_invalid: 'Please sign in again: the access token is not valid.',
    token_expired: 'The access token has expired.',
    token_revoked: 'This session has ended. Please sign in again.',
    invalid_credentials: 'The email or the secret is not right.',
    refresh_token_invalid: 'This session has ended. Please sign in again.',
    second_step_wrong: 'This second step is not right. A code works once, for about a minute.',
  },
  403: {
    account_suspended: 'The operator of the service has suspended this account. Please ask the operator.',
    current_password_wrong: 'The current password is not right.',
    second_step_required: 'The password is right. This account asks for a second step, too.',
    signups_closed: 'This service takes no new accounts.',
    invite_required: 'This service takes new accounts by invitation only. Please enter the code.',
    invite_invalid: 'This invitation is not valid, or it was used already.',
    passkeys_off: 'This service takes no passkeys: its operator has not named the address of the page.',
    push_off: 'This service sends no reminders: its operator has not switched them on.',
    space_role_too_low: 'Your part in this shared profile does not allow this.',
    verification_invalid: 'This link is not valid any more. Sign in and ask for another one.',
  },
  404: {
    not_found: 'There is nothing here under this address.',
  },
  408: {
    request_timeout: 'The request did not arrive in time. Please try again.',
  },
  409: {
    already_member: 'This account belongs to the shared profile already.',
    co_owned: 'Another person shares the care of this profile, so you cannot delete it for both.',
    email_taken: 'An account with this email exists already.',
    erasure_held:
      'The operator of the service must keep this account for now. Your request is noted: the account is erased when that ends.',
    id_taken: 'A record with this id exists already.',
    idempotency_conflict: 'This Idempotency-Key was used before with another request.',
    invitation_taken: 'Somebody else has accepted this invitation already. Please ask for a new one.',
    keys_changed:
      'The keys of this account have changed meanwhile. Nothing was replaced. Please load them and try again.',
    members_exceeded:
      'As many people as possible share this profile or are invited. Please remove one first.',
    passkeys_exceeded: 'This account has as many passkeys as it may have. Please remove one first.',
    profile_too_large: 'This profile has more records than a profile that is shared may have.',
    quota_exceeded: 'This account has reached the limit of what it may store.',
    second_step_unsafe:
      'A second step needs a passkey or a code of an app, and a recovery phrase or a second one of them.',
    sole_owner:
      'Nobody else shares the care of this profile. Please make somebody an owner first, or delete it.',
    space_changed: 'The people or the key of this shared profile have changed. Please load it and try again.',
    space_profile: 'A shared profile is made and deleted by sharing it and by ending that.',
    spaces_exceeded: 'This account takes part in as many shared profiles as it may. Please leave one first.',
  },
  410: {
    sync_reset: 'What has changed can no longer be told from here. Please load everything again.',
  },
  412: {
    revision_mismatch: 'The record has changed since it was read. Read it again, then repeat the change.',
  },
  413: {
    payload_too_large: 'The request is larger than the service accepts.',
  },
  415: {
    unsupported_media_type: 'The request body must be JSON (Content-Type: application/json).',
  },
  421: {
    host_unknown: 'The service does not answer under this name. Its operator can allow the name.',
  },
  429: {
    rate_limited: 'Too many attempts. Please wait a moment and try again.',
  },
  431: {
    headers_too_large: 'The headers of the request are larger than the service accepts.',
  },
  500: {
    internal: 'Something went wrong on our side. Please try again later.',
  },
  503: {
    database_unavailable: 'The service cannot reach its storage at the moment. Please try again shortly.',
    overloaded: 'The service is busy at the moment. Please try again shortly.',
    storage_low:
      'The service has no room for more data at the moment. What is stored can be read and deleted.',
    read_only:
      'The service is in maintenance: records can be read and not changed. Sessions can be ended, and the password changed.',
  },
} as const;

declare const DEFINED: unique symbol;

/** A code from {@link defineErrors}. No other string has this type. */
export type DefinedErrorCode = string & { readonly [DEFINED]: true };

/** Every code of an answer: those of the service and those of `defineErrors`. */
export type ErrorCode =
  { [S in keyof typeof ERRORS]: keyof (typeof ERRORS)[S] }[keyof typeof ERRORS] | DefinedErrorCode;

/** The definition of a code for {@link defineErrors}. */
export interface ErrorDefinition {
  /** HTTP status, 400 to 599. */
  status: number;
  /** The sentence that a client shows to a person. Security: must not contain data that a client sent. */
  sentence: string;
}

/** Every existing code, with its definition. */
const definitions = new Map<string, ErrorDefinition>(
  Object.entries(ERRORS).flatMap(([status, sentences]) =>
    Object.entries(sentences).map(
      ([code, sentence]) => [code, { status: Number(status), sentence }] as const,
    ),
  ),
);

/**
 * Adds error codes to those of the service. Call it once, when a module is loaded: `ALLERGY_ERRORS =
 * defineErrors({ … })`.
 *
 * @param added by code: stable, in snake_case, unique in the process.
 * @returns each code under its own name, for `new ServiceError(ALLERGY_ERRORS.too_many_allergies)` and
 *   `ApiRoute`.
 * @throws ExtensionError for a code that exists, is not in snake_case, or has a status outside 400 to 599.
 */
export function defineErrors<const D extends Record<string, ErrorDefinition>>(
  added: D,
): { readonly [Code in keyof D]: Code & DefinedErrorCode } {
  for (const [code, { status }] of Object.entries(added)) {
    if (!/^[a-z]+(_[a-z]+)*$/.test(code))
      throw new ExtensionError(`The error code ${code} is not in snake_case.`);
    if (definitions.has(code)) throw new ExtensionError(`The error code ${code} exists already.`);
    if (!Number.isInteger(status) || status < 400 || status > 599)
      throw new ExtensionError(`The error code ${code} needs a status from 400 to 599.`);
  }
  for (const [code, { status, sentence }] of Object.entries(added))
    definitions.set(code, { status, sentence });
  return Object.fromEntries(Object.keys(added).map((code) => [code, code])) as never;
}

/** Every code of an answer: those of the service, then the defined ones in their order. */
export function errorCodes(): string[] {
  return [...definitions.keys()];
}

export function statusOf(code: ErrorCode): number {
  return definitions.get(code)!.status;
}

export function sentenceOf(code: ErrorCode): string {
  return definitions.get(code)!.sentence;
}

/** A module that cannot be part of the service. The message is one sentence that names the class. */
export class ExtensionError extends Error {
  override readonly name = 'ExtensionError';
}

/** One broken rule: the field (dotted path, as sent) and a sentence about it. It never contains the value. */
export interface ErrorDetail {
  field: string;
  message: string;
}

/** The optional details of a {@link ServiceError}. */
export interface ErrorExtras {
  /**
   * The sentence for a person. Default: the sentence of the code. Security: must not contain data that a
   * client sent.
   */
  sentence?: string;
  details?: ErrorDetail[];
  /** Seconds until a retry makes sense; sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** Further response headers. */
  headers?: Record<string, string>;
  /** Further members of the body. Security: must not contain data that a client sent. */
  body?: Record<string, unknown>;
  /** The internal cause. Its class and code go to the log, and nothing of it goes to a client. */
  cause?: unknown;
}

/** A failure with a stable code. Every part of the service refuses requests only in this way. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly status: number;
  readonly details?: ErrorDetail[];
  readonly retryAfterSeconds?: number;
  readonly headers?: Record<string, string>;
  readonly body?: Record<string, unknown>;

  constructor(
    readonly code: ErrorCode,
    extras: ErrorExtras = {},
  ) {
    super(extras.sentence ?? sentenceOf(code), { cause: extras.cause });
    this.status = statusOf(code);
    this.details = extras.details;
    this.retryAfterSeconds = extras.retryAfterSeconds;
    this.headers = extras.headers;
    this.body = extras.body;
  }
}

/**
 * A `validation_failed` with its fields. The sentence names them, for clients that show only the sentence.
 */
export function validationError(details: ErrorDetail[]): ServiceError {
  const first = details[0];
  const sentence = first
    ? details.length === 1
      ? `The request is not valid: ${first.message}.`
      : `The request is not valid: ${first.message}, and ${details.length - 1} more.`
    : undefined;
  return new ServiceError('validation_failed', { sentence, details });
}

/** A `validation_failed` of one field. @param message a sentence without its stop, which begins with the field. */
export function invalidField(field: string, message: string): ServiceError {
  return validationError([{ field, message }]);
}

/** The same answer for a record that is malformed, unknown, deleted or another account's. */
export function notFound(): ServiceError {
  return new ServiceError('not_found');
}
