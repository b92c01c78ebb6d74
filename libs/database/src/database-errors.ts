import { types } from 'node:util';
import { ServiceError } from '@app/common';

/** Unlike `instanceof`, also knows an error that another realm made, such as Node's own under a test runner. */
const { isNativeError } = types;

interface PostgresError extends Error {
  /** SQLSTATE, or a system error's code. */
  code?: string;
  constraint?: string;
  severity?: string;
}

const RETRYABLE = new Set(['40001', '40P01']);
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
/** SQLSTATE of what is FATAL, by whatever name: `pg` has that word as the server translates it. */
const SESSION_ENDED = /^(57P0[1-5]|25P03|53300)$/;
/** What `pg` says without a code when a connection breaks, or does not answer. */
const LOST_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|timeout expired|Client was closed|Query read timeout)/;
const POOL_CLOSED = /^Cannot use a pool after/;
/** What the pool says when every connection is busy for too long. */
const POOL_BUSY = /^timeout exceeded when trying to connect/;

/** A transaction that lost against another and may simply run again. Source: PostgreSQL manual, 13.5. */
export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has((error as PostgresError).code ?? '');
}

/** Whether the server does not know the user, the password or the database: a wrong setting, which no waiting mends. */
export function isRefusedLogin(error: unknown): boolean {
  return /^(28...|3D000)$/.test((error as PostgresError).code ?? '');
}

/** Whether a unique index or primary key of this name refused the row. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const { code, constraint: name } = error as PostgresError;
  // Of a partition (`logins_3_pkey`) it is the table's own, with the number in it.
  return code === '23505' && name?.replace(/_\d+_/, '_') === constraint;
}

/** Whether a row was refused because its parent is not (or no longer) there. */
export function isForeignKeyViolation(error: unknown): boolean {
  return (error as PostgresError).code === '23503';
}

/**
 * A failure that is the database's state and not the request's fault becomes a 503; everything else is left alone.
 *
 * Security: the original is the `cause`, of which only class and code are ever logged: PostgreSQL quotes values.
 */
export function translateDatabaseError(error: unknown): unknown {
  if (!isNativeError(error) || error instanceof ServiceError) return error;
  const code = (error as PostgresError).code ?? '';
  // 57014: statement time-out; 55P03: lock time-out.
  if (code === '57014' || code === '55P03' || RETRYABLE.has(code) || POOL_BUSY.test(error.message)) {
    return new ServiceError('overloaded', { retryAfterSeconds: 1, cause: error });
  }
  if (isGone(error, code))
    return new ServiceError('database_unavailable', { retryAfterSeconds: 2, cause: error });
  return error;
}

function isGone(error: PostgresError, code: string): boolean {
  return isConnectionLost(error) || GONE_STATES.test(code) || POOL_CLOSED.test(error.message);
}

/** Of an error of a lane: whether the server said no and undid the transaction. Nothing of it is stored, and it can run again. */
export function isRolledBack(error: unknown): boolean {
  return (error as PostgresError).severity === 'ERROR';
}

/** Whether the connection on which this happened is of no more use. */
export function isConnectionLost(error: unknown): boolean {
  if (!isNativeError(error) || error instanceof ServiceError) return false;
  const { severity, code = '', message } = error as PostgresError;
  // The server ended the session, or never began it: nothing that a statement could have caused.
  return (
    severity === 'FATAL' || SESSION_ENDED.test(code) || LOST_CODES.has(code) || LOST_MESSAGES.test(message)
  );
}
