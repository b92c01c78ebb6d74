import { types } from 'node:util';
import { refusedBy, ServiceError } from '@app/common';
import { isTlsFailure } from './database-failure';

/**
 * Unlike `instanceof`, this also recognises an error of another realm, such as Node's own errors under a test
 * runner.
 */
const { isNativeError } = types;

interface PostgresError extends Error {
  /** SQLSTATE, or the code of a system error. */
  code?: string;
  severity?: string;
  /** Of a system error. */
  syscall?: string;
  /** The server function that reported the error. */
  routine?: string;
}

const RETRYABLE = new Set(['40001', '40P01']);
/**
 * `INSERT … ON CONFLICT`, planned before `REINDEX CONCURRENTLY` has put a new index in the place of the old one. Only the
 * message tells it from other internal errors: the coordinator of Citus passes it on from a worker without the function.
 * PostgreSQL never translates it.
 */
const INDEX_EXCHANGED = { code: 'XX000', message: /\bfailure to find arbiter index\b/ };
/** SQLSTATE: errors about the name of a prepared statement. */
const STALE_NAMES = new Set(['26000', '42P05']);
/** SQLSTATE: statement time-out, lock time-out. */
const TIMED_OUT = new Set(['57014', '55P03']);
const LOST_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** SQLSTATE. 08 connection, 53 resources (disk, memory, connections), 57P shutdown or crash, 58 system, 25006 read-only: the primary has moved. */
const GONE_STATES = /^(08|53|57P|58|25006)/;
/**
 * SQLSTATE of errors with severity FATAL. `pg` gives the severity only in the server's language, so the code
 * decides.
 */
const SESSION_ENDED = /^(57P0[1-5]|25P03|53300|28000|28P01|3D000)$/;
/** Messages of `pg` without a code: a connection broke or did not answer. */
const LOST_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|timeout expired|Client was closed|Query read timeout)/;
const POOL_CLOSED = /^Cannot use a pool after/;
/** Message of the pool when every connection is busy for too long. */
const POOL_BUSY = /^timeout exceeded when trying to connect/;

/**
 * Whether the work had no effect and may run again: a transaction that lost a conflict, or a statement that
 * did not run. Source: PostgreSQL manual, 13.5.
 */
export function isRetryable(error: unknown): boolean {
  return (
    RETRYABLE.has((error as PostgresError).code ?? '') ||
    isStaleStatement(error) ||
    isIndexExchanged(error) ||
    error instanceof NotRunError
  );
}

function isIndexExchanged(error: unknown): boolean {
  const { code, message } = error as PostgresError;
  return code === INDEX_EXCHANGED.code && INDEX_EXCHANGED.message.test(message);
}

/** A statement that was sent but did not run: the server ended the session first. */
export class NotRunError extends Error {
  override readonly name = 'NotRunError';

  constructor(cause?: Error) {
    super('Connection terminated before the statement was run', { cause });
  }
}

/**
 * Whether the prepared statement of this name cannot be used on the connection. Either a migration has
 * changed the columns (0A000), or the server does not know the name (26000), or it already has the name
 * (42P05). The statement did not run.
 */
export function isStaleStatement(error: unknown): boolean {
  const { code = '', routine } = error as PostgresError;
  return STALE_NAMES.has(code) || (code === '0A000' && routine === 'RevalidateCachedQuery');
}

/** Whether a row was refused because its parent does not exist (or no longer exists). */
export function isForeignKeyViolation(error: unknown): boolean {
  return (error as PostgresError).code === '23503';
}

/**
 * Turns a failure that is caused by the state of the database, and not by the request, into a 503. Other
 * errors are unchanged.
 *
 * Security: the original error is the `cause`. Only its class and code are logged, because PostgreSQL quotes
 * values.
 */
export function translateDatabaseError(error: unknown): unknown {
  if (!isNativeError(error) || error instanceof ServiceError) return error;
  const code = (error as PostgresError).code ?? '';
  if (error instanceof NotRunError)
    return new ServiceError('database_unavailable', { retryAfterSeconds: 2, cause: error });
  if (isRetryable(error) || TIMED_OUT.has(code) || POOL_BUSY.test(error.message)) {
    return refusedBy('database', 'overloaded', { cause: error });
  }
  if (isGone(error, code))
    return new ServiceError('database_unavailable', { retryAfterSeconds: 2, cause: error });
  return error;
}

function isGone(error: PostgresError, code: string): boolean {
  return (
    isConnectionLost(error) ||
    isTlsFailure(error) ||
    GONE_STATES.test(code) ||
    POOL_CLOSED.test(error.message)
  );
}

/** Whether the connection that reported this error can no longer be used. */
export function isConnectionLost(error: unknown): boolean {
  if (!isNativeError(error) || error instanceof ServiceError) return false;
  const { severity, syscall, code = '', message } = error as PostgresError;
  // The server ended the session or refused it. No statement can cause this.
  return (
    severity === 'FATAL' ||
    syscall === 'connect' ||
    SESSION_ENDED.test(code) ||
    LOST_CODES.has(code) ||
    LOST_MESSAGES.test(message)
  );
}
