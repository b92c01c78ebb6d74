/**
 * The base class of all errors of this library. `code` is stable and meant for programs; `message` is a
 * sentence for developers. `name` is the name of the class, also in a minified bundle. An aborted call rejects
 * with the reason of the caller's own `AbortSignal`.
 */
export abstract class HealthRecordsError extends Error {
  /** Stable, snake_case. */
  readonly code: string;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** An argument that the library cannot use. `code` `invalid_argument`. Thrown before any request. */
export class InvalidArgumentError extends HealthRecordsError {
  override readonly name: string = 'InvalidArgumentError';

  constructor(message: string) {
    super('invalid_argument', message);
  }
}

/**
 * The platform lacks a required function. `code` `webcrypto_unavailable` (for example on an insecure page) or
 * `ed25519_unavailable`.
 */
export class UnsupportedPlatformError extends HealthRecordsError {
  override readonly name: string = 'UnsupportedPlatformError';

  constructor(
    code: 'webcrypto_unavailable' | 'ed25519_unavailable',
    message: string,
    options?: { cause?: unknown },
  ) {
    super(code, message, options);
  }
}

/** Key-derivation parameters that this library refuses, from any source. `code` `kdf_refused`. */
export class KdfRefusedError extends HealthRecordsError {
  override readonly name: string = 'KdfRefusedError';

  constructor(message: string) {
    super('kdf_refused', message);
  }
}

/** One word of a typed recovery phrase that is not on the list. */
export interface UnknownPhraseWord {
  /** 1 for the first word. */
  position: number;
  /** The word in its normalised form. */
  word: string;
  /** Up to three words of the list, the most likely first; may be empty. */
  suggestions: string[];
}

/**
 * An invalid recovery phrase. `code` `phrase_word_count`, `phrase_unknown_word` (see `unknownWords`) or
 * `phrase_checksum` (every word is in the list, but one is wrong or two are swapped).
 */
export class RecoveryPhraseError extends HealthRecordsError {
  override readonly name: string = 'RecoveryPhraseError';
  readonly unknownWords: readonly UnknownPhraseWord[];

  constructor(
    code: 'phrase_word_count' | 'phrase_unknown_word' | 'phrase_checksum',
    message: string,
    unknownWords: readonly UnknownPhraseWord[] = [],
  ) {
    super(code, message);
    this.unknownWords = unknownWords;
  }
}

/** The keys are not in memory: call `unlock` or `login` first. `code` `locked`. */
export class LockedError extends HealthRecordsError {
  override readonly name: string = 'LockedError';

  constructor(message = 'The keys are not in memory; unlock first.') {
    super('locked', message);
  }
}

/**
 * A new password, or one of a file, that is too easy to guess. `code` `secret_weak`. The texts are English.
 */
export class WeakSecretError extends HealthRecordsError {
  override readonly name: string = 'WeakSecretError';
  /** The power of ten of the guesses that an attacker needs. */
  readonly guessesLog10: number;
  readonly warning: string | null;
  readonly suggestions: readonly string[];

  constructor(strength: { guessesLog10: number; warning: string | null; suggestions: readonly string[] }) {
    super('secret_weak', 'The secret is too easy to guess.');
    this.guessesLog10 = strength.guessesLog10;
    this.warning = strength.warning;
    this.suggestions = strength.suggestions;
  }
}

/** There is no session, or it has ended; the credentials are cleared. `code` `session_ended`. */
export class SessionEndedError extends HealthRecordsError {
  override readonly name: string = 'SessionEndedError';

  constructor(message = 'There is no session; log in.', options?: { cause?: unknown }) {
    super('session_ended', message, options);
  }
}

/** A password that does not open the wrapped account key. `code` `password_wrong`. */
export class WrongPasswordError extends HealthRecordsError {
  override readonly name: string = 'WrongPasswordError';

  constructor(message = 'The password does not open the key.', options?: { cause?: unknown }) {
    super('password_wrong', message, options);
  }
}

/**
 * The phrase is well-formed but opens nothing: it belongs to another account, the email is unknown, or the
 * account has no recovery phrase. The service gives the same answer for all three. `code` `recovery_failed`.
 */
export class RecoveryFailedError extends HealthRecordsError {
  override readonly name: string = 'RecoveryFailedError';

  constructor(message = 'The recovery phrase does not open this account.', options?: { cause?: unknown }) {
    super('recovery_failed', message, options);
  }
}

/** The record to which a ciphertext, a wrapped key or a list entry belongs. */
export interface RecordReference {
  kind: string;
  id: string;
}

/** The codes of an {@link IntegrityError} that tells of one record. */
export type DataFailure =
  'tampered' | 'unproven' | 'key_mismatch' | 'account_mismatch' | 'format_unsupported' | 'rolled_back';
/** The codes of an {@link IntegrityError}. */
export type IntegrityFailure =
  | DataFailure
  | 'stale_revision'
  | 'records_missing'
  | 'knowledge_altered'
  | 'knowledge_outdated'
  | 'roster_refused'
  | 'roster_rolled_back'
  | 'roster_withheld';

/**
 * The service returned data that differ from the stored data, or contradict an earlier answer. `code`:
 * - `tampered`: a ciphertext or wrapped key fails its authentication in this place (changed or moved);
 * - `key_mismatch`: a wrapped key belongs to another account key than the one that is open;
 * - `format_unsupported`: the data are authentic, but this version cannot read their format;
 * - `rolled_back`, `records_missing`: see {@link RolledBackError} and {@link MissingRecordsError};
 * - `stale_revision`: an older or contradicting version of a record that this session has already seen;
 * - `account_mismatch`: an answer that belongs to another account than the one of this session;
 * - `knowledge_altered`, `knowledge_outdated`: a knowledge base without a valid signature, or an older one than before;
 * - `roster_refused`, `roster_rolled_back`, `roster_withheld`: a list of members that breaks a rule, an older one than this
 *   account knows, or none where a newer one is named.
 */
export class IntegrityError extends HealthRecordsError {
  override readonly name: string = 'IntegrityError';
  readonly record: RecordReference | undefined;

  constructor(
    code: IntegrityFailure,
    message: string,
    record?: RecordReference,
    options?: { cause?: unknown },
  ) {
    super(code, message, options);
    this.record = record;
  }
}

/** A change of the members of a shared profile that breaks a rule. `code` `roster_refused`. */
export class RosterRefusedError extends IntegrityError {
  override readonly name: string = 'RosterRefusedError';

  /** @param rule of docs/shared-profiles.md, 1 to 6; 0: the service names somebody whom nobody let in. */
  constructor(
    readonly rule: 0 | 1 | 2 | 3 | 4 | 5 | 6,
    message: string,
    spaceId: string,
  ) {
    super('roster_refused', message, { kind: 'space', id: spaceId });
  }
}

/**
 * A complete list lacks records that a sealed head lists, or of which the service still returns at least one by its id:
 * it shortened the list, or was restored. After the person agrees, `accept()` forgets them and the next list passes.
 */
export class MissingRecordsError extends IntegrityError {
  override readonly name: string = 'MissingRecordsError';
  readonly missing: readonly RecordReference[];
  /** Forgets the missing records, once a person has agreed. */
  readonly accept: () => void;

  constructor(missing: readonly RecordReference[], accept: () => void) {
    super('records_missing', `The list lacks ${missing.length} records.`, missing[0]);
    this.missing = missing;
    this.accept = accept;
  }
}

/**
 * A record that is older than a state that a device of the account has sealed, or that was deleted. The service
 * went back, or was restored from a backup. To keep the old state, `update` `found`; or `delete` it again.
 */
export class RolledBackError<T = unknown> extends IntegrityError {
  override readonly name: string = 'RolledBackError';
  /** The record as the service returned it. It is authentic, but old. */
  readonly found: T;

  constructor(record: RecordReference, found: T) {
    super('rolled_back', 'The service returned a state that was replaced or deleted before.', record);
    this.found = found;
  }
}

/**
 * Why there is no answer of the service. `not_the_service`: a portal or a proxy before it has answered. `service_outdated`: a
 * process of the service of before shared profiles, while it is updated.
 */
export type NoAnswer = 'network_failed' | 'timed_out' | 'not_the_service' | 'service_outdated';

/** The service did not answer. `code` as in {@link NoAnswer}. */
export class TransportError extends HealthRecordsError {
  override readonly name: string = 'TransportError';

  constructor(code: NoAnswer, message: string, options?: { cause?: unknown }) {
    super(code, message, options);
  }
}

/** An answer of the service that the API does not allow. `code` `protocol_violation`. */
export class ProtocolError extends HealthRecordsError {
  override readonly name: string = 'ProtocolError';

  constructor(message: string, options?: { cause?: unknown }) {
    super('protocol_violation', message, options);
  }
}

/** One field that the service rejects. */
export interface ApiErrorDetail {
  field: string;
  message: string;
}

/**
 * An error answer. `code` is the code of the service (`email_taken`, `rate_limited` …), or `http_<status>` if
 * there is none.
 */
export class ApiError extends HealthRecordsError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly details: readonly ApiErrorDetail[];
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined;
  /** The pause that the service asked for, in seconds. */
  readonly retryAfterSeconds: number | undefined;
  /** Whether the service may already have executed an earlier attempt of this call, whose answer was lost. */
  readonly afterLostAttempt: boolean;
  /** The answer as it came. */
  readonly body: unknown;

  constructor(answer: {
    status: number;
    code: string;
    message: string;
    details?: readonly ApiErrorDetail[];
    requestId?: string;
    retryAfterSeconds?: number;
    afterLostAttempt?: boolean;
    body?: unknown;
  }) {
    super(answer.code, answer.message);
    this.status = answer.status;
    this.details = answer.details ?? [];
    this.requestId = answer.requestId;
    this.retryAfterSeconds = answer.retryAfterSeconds;
    this.afterLostAttempt = answer.afterLostAttempt ?? false;
    this.body = answer.body;
  }
}

/** Answers `undefined` where the service has no such record. */
export function ifAny<T>(found: Promise<T>): Promise<T | undefined> {
  return found.catch((error: unknown) => {
    if (!isAnswer(error, 404)) throw error;
    return undefined;
  });
}

/** Whether the service has answered with this status. */
export function isAnswer(error: unknown, status: number): error is ApiError {
  return error instanceof ApiError && error.status === status;
}

/**
 * A write that met a newer version (412). Contains both versions, so that a page can show or merge them.
 * `code` `revision_conflict`.
 */
export class RevisionConflictError<T = unknown> extends HealthRecordsError {
  override readonly name: string = 'RevisionConflictError';
  /** The version that this client wanted to store. */
  readonly mine: T;
  /** The version on the service; `undefined` when the record was deleted. */
  readonly current: T | undefined;

  constructor(mine: T, current: T | undefined) {
    super('revision_conflict', 'The record was changed elsewhere in the meantime.');
    this.mine = mine;
    this.current = current;
  }
}

/**
 * The account has records of kinds that this client does not know, so an export would lack them. Name their kinds in
 * `kinds` of the client, or pass `onLeftOut`. `code` `export_incomplete`.
 */
export class ExportIncompleteError extends HealthRecordsError {
  override readonly name: string = 'ExportIncompleteError';

  constructor(
    /** How many records are left out. */
    readonly records: number,
  ) {
    super(
      'export_incomplete',
      `An export would lack ${records} records of kinds that this client does not know.`,
    );
  }
}

/**
 * A file that is not an export, is damaged, or has a newer version. `code` `import_malformed`,
 * `import_version`, `import_secret_wrong` or `import_kind_unknown` (a kind of records that this client does not
 * have in `kinds`; nothing was imported).
 */
export class ImportError extends HealthRecordsError {
  override readonly name: string = 'ImportError';

  constructor(
    code: 'import_malformed' | 'import_version' | 'import_secret_wrong' | 'import_kind_unknown',
    message: string,
    options?: { cause?: unknown },
  ) {
    super(code, message, options);
  }
}
