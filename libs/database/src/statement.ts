import { types } from 'pg';

/** SQL text with a name under which each connection prepares it once. */
export interface Statement {
  /** At most 63 bytes, unique in the process. */
  name: string;
  text: string;
}

const TIMESTAMPTZ = 1184;
const INT8 = 20;

/** How the driver's text becomes a value: timestamps as RFC 3339 text, counts as numbers, the rest as `pg` has it. */
export const VALUE_TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
    if (oid === TIMESTAMPTZ) return toRfc3339;
    if (oid === INT8) return Number;
    return types.getTypeParser(oid, format) as (text: string) => unknown;
  },
};

/** `2026-11-20 12:45:00.5+00` → `2026-11-20T12:45:00.500Z`; a session in another zone is converted. */
export function toRfc3339(text: string): string {
  if (!text.endsWith('+00')) return inUtc(text);
  const point = text.length > 22 ? text.slice(20, -3).padEnd(3, '0').slice(0, 3) : '000';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${point}Z`;
}

/**
 * Of an instant of the years 1 to 9999 another zone may have the year before them (`0001-12-31 … BC`) or after. Offsets
 * before about 1900 have seconds, which `Date` does not read: `+00:53:28`.
 */
function inUtc(text: string): string {
  const [, year, rest, sign, hours, minutes = 0, seconds = 0, era] =
    /^(\d+)(-\d\d-\d\d .*)([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?( BC)?$/.exec(text)!;
  const east = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  const local = Date.parse(`+${(era ? '' : year).padStart(6, '0')}${rest.replace(' ', 'T')}Z`);
  return new Date(sign === '+' ? local - east : local + east).toISOString();
}
