/** Why a connection could not be made, by the code of the error. Each is the end of a sentence. */
const CAUSES: Record<string, string> = {
  ENOTFOUND: 'the name of its host is not known',
  EAI_AGAIN: 'the name of its host cannot be looked up',
  ECONNREFUSED: 'nothing listens at its address',
  ECONNRESET: 'it closed the connection',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  ENOENT: 'its socket does not exist',
  '28P01': 'it refuses the user or the password',
  '28000': 'it refuses the user',
  '3D000': 'there is no database of this name',
  '53300': 'it has no connection left',
  '57P03': 'it is starting or stopping',
  '55P03': 'a migration waits for a lock',
  '25006': 'it is read-only',
};

/** Codes of Node and OpenSSL for a certificate that is not trusted. */
const DISTRUST =
  /^(ERR_TLS_|CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY)|HOSTNAME_MISMATCH)/;
const NO_TLS = /does not support SSL connections/;

/** Codes of Node and OpenSSL for a conversation about TLS that came to nothing. */
const NO_AGREEMENT = /^(ERR_SSL_|ERR_OSSL_|EPROTO$)/;

/** `pg` without a password, where the server asks for one. */
const NO_PASSWORD = /client password must be a/;

/** PgBouncer, of a parameter that it is not told to let through. PostgreSQL itself knows all that the service sends. */
const PGBOUNCER_REFUSES = /^unsupported startup parameter/;

interface ConnectionFailure {
  code?: string;
  message?: string;
  syscall?: string;
}

/**
 * Whether the connection failed for its TLS: the certificate is not trusted, the server has no TLS, or a file of the
 * settings, such as `sslrootcert`, cannot be read.
 */
export function isTlsFailure(error: unknown): boolean {
  const { code = '', message = '', syscall } = error as ConnectionFailure;
  return DISTRUST.test(code) || NO_AGREEMENT.test(code) || NO_TLS.test(message) || syscall === 'open';
}

/**
 * Whether the server rejects the user, the password, the database or the parameters of a connection. The settings
 * are wrong, and waiting does not help.
 */
export function isRefusedLogin(error: unknown): boolean {
  const { code = '', message = '' } = error as ConnectionFailure;
  return /^(28...|3D000)$/.test(code) || NO_PASSWORD.test(message) || PGBOUNCER_REFUSES.test(message);
}

/**
 * The cause of a failed connection, in words for an operator. Security: it holds nothing of the error's
 * message, which quotes names and hosts.
 */
export function causeOfFailure(error: unknown): string {
  const { code = '', message = '', syscall } = error as ConnectionFailure;
  if (syscall === 'open') return `a file of its TLS settings cannot be read (${code})`;
  if (NO_AGREEMENT.test(code)) return `it does not agree on TLS (${code})`;
  if (NO_PASSWORD.test(message)) return 'it asks for a password, and the URL has none';
  if (PGBOUNCER_REFUSES.test(message))
    return 'a PgBouncer refuses parameters of the service (set DATABASE_PREPARED=off, see docs/production.md)';
  if (NO_TLS.test(message)) return 'it offers no TLS';
  if (DISTRUST.test(code)) return `its certificate is not trusted (${code})`;
  if (code in CAUSES) return CAUSES[code];
  if (/timeout|not answer/i.test(message)) return CAUSES.ETIMEDOUT;
  if (/^Connection terminated/.test(message)) return CAUSES.ECONNRESET;
  return `code ${code || 'unknown'}`;
}
