import type { Json, JsonObject } from '../json';
import type { Extension } from 'fhir/r4';

/**
 * An own extension: the members of a record that the FHIR resource has no place for, or would not give back as they
 * were. So the own export comes back without loss, and another reader passes over it.
 */
export const KEPT = 'urn:health-records:fhir:kept';

interface Kept {
  record?: JsonObject;
  details?: JsonObject;
  /** Members that the resource implies and the record does not have. */
  absent?: string[];
}

/** A record: plain members, and the encrypted ones in `details`. */
export type FlatRecord = JsonObject & { details: JsonObject };

interface Extended {
  extension?: Extension[];
}

const same = (a: Json | undefined, b: Json | undefined) =>
  JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

function sorted(value: Json | undefined): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)]);
}

const differing = (wanted: JsonObject, read: JsonObject) =>
  Object.entries(wanted).filter(([name, member]) => member !== undefined && !same(member, read[name]));

/** FHIR allows no white space but blanks, tabs and line ends. */
const escapeSpaces = (text: string) =>
  text.replace(/[^\S \r\n\t]/g, (space) => `\\u${space.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Adds to a resource what reading it back would lose. */
export function keep<R extends Extended>(resource: R, record: FlatRecord, readBack: FlatRecord): R {
  const { details, ...plain } = record;
  const { details: readDetails, ...readPlain } = readBack;
  const kept: Kept = {};
  const plainRest = differing(plain, readPlain);
  const detailsRest = differing(details, readDetails);
  const absent = Object.keys(readDetails).filter((name) => details[name] === undefined);
  if (plainRest.length > 0) kept.record = Object.fromEntries(plainRest);
  if (detailsRest.length > 0) kept.details = Object.fromEntries(detailsRest);
  if (absent.length > 0) kept.absent = absent;
  if (Object.keys(kept).length === 0) return resource;
  const own: Extension = { url: KEPT, valueString: escapeSpaces(JSON.stringify(kept)) };
  return { ...resource, extension: [...(resource.extension ?? []), own] };
}

/** The record that was exported; without the own extension, the record as it was read. */
export function restore<R extends FlatRecord>(resource: Extended, read: R): R {
  const text = resource.extension?.find(({ url }) => url === KEPT)?.valueString;
  if (typeof text !== 'string') return read;
  const kept = parseKept(text);
  const details = { ...read.details, ...kept.details };
  for (const name of kept.absent ?? []) delete details[name];
  return { ...read, ...kept.record, details };
}

function parseKept(text: string): Kept {
  try {
    const parsed = JSON.parse(text, (name, member: Json) =>
      name === '__proto__' ? undefined : member,
    ) as Kept;
    const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject(parsed)) return {};
    return {
      ...(isObject(parsed.record) && { record: parsed.record }),
      ...(isObject(parsed.details) && { details: parsed.details }),
      ...(Array.isArray(parsed.absent) && {
        absent: parsed.absent.filter((name) => typeof name === 'string'),
      }),
    };
  } catch {
    return {};
  }
}
