import { causeOfFailure, isRefusedLogin, isTlsFailure } from './database-failure';
import { isRetryable, translateDatabaseError } from './database-errors';

const failure = (code: string, message = 'names db.internal and a user') =>
  Object.assign(new Error(message), { code });

describe('the cause of a failed connection', () => {
  it.each([
    ['ENOTFOUND', 'the name of its host is not known'],
    ['ECONNREFUSED', 'nothing listens at its address'],
    ['28P01', 'it refuses the user or the password'],
    ['3D000', 'there is no database of this name'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate is not trusted (SELF_SIGNED_CERT_IN_CHAIN)'],
    ['XX999', 'code XX999'],
  ])('%s: %s', (code, words) => {
    expect(causeOfFailure(failure(code))).toBe(words);
  });

  it('tells a file of TLS that cannot be read, and a conversation that comes to nothing', () => {
    const missing = Object.assign(failure('ENOENT'), { syscall: 'open' });
    expect(causeOfFailure(missing)).toBe('a file of its TLS settings cannot be read (ENOENT)');
    expect(causeOfFailure(failure('EPROTO'))).toBe('it does not agree on TLS (EPROTO)');
    for (const each of [missing, failure('EPROTO')]) expect(isTlsFailure(each)).toBe(true);
  });

  it.each([
    ['the password was changed', failure('28P01')],
    ['the database was renamed', failure('3D000')],
    ['the socket of the server is gone', Object.assign(failure('ENOENT'), { syscall: 'connect' })],
  ])('is a 503 at run time where %s, whatever the language of the server', (_, error) => {
    expect(translateDatabaseError(error)).toMatchObject({ code: 'database_unavailable' });
  });

  it('tells that the URL lacks a password', () => {
    const error = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string');
    expect(causeOfFailure(error)).toBe('it asks for a password, and the URL has none');
    expect(isRefusedLogin(error)).toBe(true);
    expect(isRefusedLogin(failure('ECONNREFUSED'))).toBe(false);
  });

  it('tells a PgBouncer that refuses the parameters of the service', () => {
    const error = failure('08P01', 'unsupported startup parameter: statement_timeout');
    expect(causeOfFailure(error)).toContain('set DATABASE_PREPARED=off');
    expect(isRefusedLogin(error)).toBe(true);
    expect(isRefusedLogin(failure('08P01', 'protocol violation'))).toBe(false);
  });

  it('tells a server without TLS, and one that does not answer', () => {
    expect(causeOfFailure(new Error('The server does not support SSL connections'))).toBe('it offers no TLS');
    expect(causeOfFailure(new Error('timeout expired'))).toBe('it does not answer');
    const closed = new Error('Connection terminated unexpectedly');
    expect(causeOfFailure(closed)).toBe('it closed the connection');
  });

  it.each(['SELF_SIGNED_CERT_IN_CHAIN', 'CERT_HAS_EXPIRED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'])(
    'a certificate with %s is a 503 at run time',
    (code) => {
      expect(isTlsFailure(failure(code))).toBe(true);
      expect(translateDatabaseError(failure(code))).toMatchObject({ code: 'database_unavailable' });
    },
  );
});

describe('an index that another one has replaced between plan and run', () => {
  const message = 'unexpected failure to find arbiter index';

  it.each([
    ['of this server', { routine: 'ExecCheckIndexConstraints' }],
    ['passed on from a worker by the coordinator of Citus', { routine: 'ReportResultError' }],
  ])('%s: the statement had no effect, and runs again', (_, fields) => {
    expect(isRetryable(Object.assign(failure('XX000', message), fields))).toBe(true);
  });

  it.each([
    ['another internal error', failure('XX000', 'could not open relation with OID 12345')],
    ['such words in another error', failure('P0001', message)],
  ])('%s does not run again', (_, error) => {
    expect(isRetryable(error)).toBe(false);
    expect(translateDatabaseError(error)).toBe(error);
  });
});
