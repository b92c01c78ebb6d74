/**
 * Every error that this library raises by itself. `code` is stable and meant for programs; `message` is a
 * sentence for developers. An aborted call rejects with the reason of the caller's own `AbortSignal`.
 */
export abstract class HealthRecordsError extends Error {
  /** Stable, snake_case. */
  readonly code: string;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.name = new.target.name;
  }
}

/** An argument that cannot be used. `code` `invalid_argument`. Raised before anything is sent. */
export class InvalidArgumentError extends HealthRecordsError {
  constructor(message: string) {
    super('invalid_argument', message);
  }
}

/** The platform lacks something. `code` `webcrypto_unavailable` (an insecure page, for example) or `x25519_unavailable`. */
export class UnsupportedPlatformError extends HealthRecordsError {
  constructor(
    code: 'webcrypto_unavailable' | 'x25519_unavailable',
    message: string,
    options?: { cause?: unknown },
  ) {
    super(code, message, options);
  }
}

/** Key-derivation parameters that this library refuses, whoever asks for them. `code` `kdf_refused`. */
export class KdfRefusedError extends HealthRecordsError {
  constructor(message: string) {
    super('kdf_refused', message);
  }
}

/** One word of a typed recovery phrase that is not on the list. */
export interface UnknownPhraseWord {
  /** 1 for the first word. */
  position: number;
  /** As normalised, not as typed. */
  word: string;
  /** Up to three words of the list, the likeliest first; may be empty. */
  suggestions: string[];
}

/**
 * A recovery phrase that cannot be right. `code` `phrase_word_count`, `phrase_unknown_word` (see `unknownWords`) or
 * `phrase_checksum` (every word exists, yet one is wrong or two are exchanged).
 */
export class RecoveryPhraseError extends HealthRecordsError {
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

/** The keys are not in memory: `unlock` or `login` first. `code` `locked`. */
export class LockedError extends HealthRecordsError {
  constructor(message = 'The keys are not in memory; unlock first.') {
    super('locked', message);
  }
}

/** There is no session, or it has ended; the credentials are cleared. `code` `session_ended`. */
export class SessionEndedError extends HealthRecordsError {
  constructor(message = 'There is no session; log in.', options?: { cause?: unknown }) {
    super('session_ended', message, options);
  }
}

/** A password that does not open the wrapped account key. `code` `password_wrong`. */
export class WrongPasswordError extends HealthRecordsError {
  constructor(message = 'The password does not open the key.', options?: { cause?: unknown }) {
    super('password_wrong', message, options);
  }
}

/**
 * The phrase is well-formed but opens nothing: another account's phrase, an unknown email, or an account without
 * recovery (the service answers all alike). `code` `recovery_failed`.
 */
export class RecoveryFailedError extends HealthRecordsError {
  constructor(message = 'The recovery phrase does not open this account.', options?: { cause?: unknown }) {
    super('recovery_failed', message, options);
  }
}

/** What stands behind a ciphertext, a wrapped key or a list entry. */
export interface RecordReference {
  kind: string;
  id: string;
}

/**
 * Something that the service returned is not what was stored, or contradicts what it said before. `code`:
 * - `tampered`: a ciphertext or wrapped key fails its authentication in this place (changed, or swapped);
 * - `format_unsupported`: authentic, but of a format that this version does not read;
 * - `stale_revision`: an older or a contradicting version of a record already seen in this session;
 * - `records_missing`: see {@link MissingRecordsError}.
 */
export class IntegrityError extends HealthRecordsError {
  readonly record: RecordReference | undefined;

  constructor(
    code: 'tampered' | 'format_unsupported' | 'stale_revision' | 'records_missing',
    message: string,
    record?: RecordReference,
    options?: { cause?: unknown },
  ) {
    super(code, message, options);
    this.record = record;
  }
}

/**
 * A complete list lacks records that this session has seen and not deleted. `proven` when the service still
 * returns one of them by its id: then the list was shortened. Otherwise another device may have deleted them:
 * after the person agrees, `accept()` forgets them and the next list passes.
 */
export class MissingRecordsError extends IntegrityError {
  readonly missing: readonly RecordReference[];
  readonly proven: boolean;
  readonly accept: () => void;

  constructor(missing: readonly RecordReference[], proven: boolean, accept: () => void) {
    super(
      'records_missing',
      proven
        ? `The list leaves out ${missing.length} record(s), of which the service still holds at least one.`
        : `${missing.length} record(s) seen earlier in this session are gone: deleted elsewhere, or withheld.`,
      missing[0],
    );
    this.missing = missing;
    this.proven = proven;
    this.accept = accept;
  }
}

/** The service did not answer. `code` `network_failed` or `timed_out`. */
export class TransportError extends HealthRecordsError {
  constructor(code: 'network_failed' | 'timed_out', message: string, options?: { cause?: unknown }) {
    super(code, message, options);
  }
}

/** The service answered something that the contract does not allow. `code` `protocol_violation`. */
export class ProtocolError extends HealthRecordsError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('protocol_violation', message, options);
  }
}

/** One field that the service objects to. */
export interface ApiErrorDetail {
  field: string;
  message: string;
}

/** An error answer. `code` is the service's own (`email_taken`, `rate_limited` …), or `http_<status>` without one. */
export class ApiError extends HealthRecordsError {
  readonly status: number;
  readonly details: readonly ApiErrorDetail[];
  /** Finds the request in the log of the service. */
  readonly requestId: string | undefined;
  /** What the service asked to wait, in seconds. */
  readonly retryAfterSeconds: number | undefined;
  /** Whether an earlier attempt of the same call was lost on the way and may have been carried out. */
  readonly afterLostAttempt: boolean;

  constructor(answer: {
    status: number;
    code: string;
    message: string;
    details?: readonly ApiErrorDetail[];
    requestId?: string;
    retryAfterSeconds?: number;
    afterLostAttempt?: boolean;
  }) {
    super(answer.code, answer.message);
    this.status = answer.status;
    this.details = answer.details ?? [];
    this.requestId = answer.requestId;
    this.retryAfterSeconds = answer.retryAfterSeconds;
    this.afterLostAttempt = answer.afterLostAttempt ?? false;
  }
}

/** A write that met a newer version (412). Holds both, so that a page can show or merge them. `code` `revision_conflict`. */
export class RevisionConflictError<T = unknown> extends HealthRecordsError {
  /** What this client wanted to store. */
  readonly mine: T;
  /** What the service holds now; `undefined` when it has been deleted. */
  readonly current: T | undefined;

  constructor(mine: T, current: T | undefined) {
    super('revision_conflict', 'The record was changed elsewhere in the meantime.');
    this.mine = mine;
    this.current = current;
  }
}

/** A file that is not an export, is damaged, or is newer. `code` `import_malformed`, `import_version` or `import_secret_wrong`. */
export class ImportError extends HealthRecordsError {
  constructor(
    code: 'import_malformed' | 'import_version' | 'import_secret_wrong',
    message: string,
    options?: { cause?: unknown },
  ) {
    super(code, message, options);
  }
}
