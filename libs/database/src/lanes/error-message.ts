import { DatabaseError } from 'pg';

/** Which fields of an ErrorResponse `pg`'s error has, and under which names. Source: PostgreSQL manual, 54.8. */
const FIELDS: Record<string, 'severity' | 'code' | 'detail' | 'table' | 'constraint'> = {
  V: 'severity', // and not S, which the server may have translated
  C: 'code',
  D: 'detail',
  t: 'table',
  n: 'constraint',
};

/** @param body of an ErrorResponse message: fields of one byte of type and a text that a NUL ends. */
export function errorOf(body: Buffer): DatabaseError {
  const texts = new Map<string, string>();
  for (let at = 0; body[at] !== 0;) {
    const end = body.indexOf(0, at);
    texts.set(String.fromCharCode(body[at]), body.toString('utf8', at + 1, end));
    at = end + 1;
  }
  const error = new DatabaseError(texts.get('M') ?? 'unknown error', body.length, 'error');
  for (const [type, name] of Object.entries(FIELDS)) error[name] = texts.get(type);
  return error;
}
