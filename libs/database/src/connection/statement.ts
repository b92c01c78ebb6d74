import { types } from 'pg';

/** SQL text with a name. Each connection prepares it once under this name. */
export interface Statement {
  /** At most 63 bytes, unique in the process. */
  name: string;
  text: string;
}

/** Runs statements. The pool, a transaction, pipelined connections and the replica implement it. */
export interface Executor {
  /**
   * @returns the rows, in the statement's order; columns converted as in `VALUE_TYPES`.
   * @throws ServiceError `database_unavailable` or `overloaded`; `pg`'s own error for a violated constraint.
   */
  query<R>(statement: Statement, values: unknown[]): Promise<R[]>;
}

const TIMESTAMPTZ = 1184;
const INT8 = 20;

/**
 * Conversion of the driver's text: timestamps to RFC 3339 text, counts to numbers, other types as in `pg`.
 */
export const VALUE_TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
    if (oid === TIMESTAMPTZ) return toRfc3339;
    if (oid === INT8) return Number;
    return types.getTypeParser(oid, format) as (text: string) => unknown;
  },
};

/**
 * `2026-11-20 12:45:00.5+00` → `2026-11-20T12:45:00.500Z`. An instant in another time zone is converted to
 * UTC.
 */
export function toRfc3339(text: string): string {
  if (!text.endsWith('+00')) return inUtc(text);
  const point = text.length > 22 ? text.slice(20, -3).padEnd(3, '0').slice(0, 3) : '000';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${point}Z`;
}

/**
 * For an instant in the years 1 to 9999, another time zone may show the year before (`0001-12-31 … BC`) or
 * after. Offsets before about 1900 have seconds (`+00:53:28`), which `Date` does not read.
 */
function inUtc(text: string): string {
  const [, year, rest, sign, hours, minutes = 0, seconds = 0, era] =
    /^(\d+)(-\d\d-\d\d .*)([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?( BC)?$/.exec(text)!;
  const east = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  const local = Date.parse(`+${(era ? '' : year).padStart(6, '0')}${rest.replace(' ', 'T')}Z`);
  return new Date(sign === '+' ? local - east : local + east).toISOString();
}
