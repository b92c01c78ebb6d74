import { type GenericSchema, safeParse } from 'valibot';
import { isJsonObject } from '../json';
import type { DetailsSchema, MembersOf } from './schemas/parts';

/** A schema with the parts that some have. */
type AnySchema = GenericSchema & {
  /** Of an optional member. */
  wrapped?: AnySchema;
  /** Of a list. */
  item?: AnySchema;
  /** Of a record by names. */
  value?: AnySchema;
  /** Of an object. */
  entries?: Readonly<Record<string, AnySchema>>;
};
type Values = { [member: string]: unknown };

/** What stands for a member without which no document is, where it does not fit. */
const NOTHING: Record<string, unknown> = { string: '', record: {} };

/**
 * The details with what fits their schema: one bad entry of another client, or of a file, must not stop a screen. A member
 * that does not fit is left out; of a list, the entries that do not; of an entry, its optional members. Another object is
 * taken whole or not at all: half a plan is another plan. A text beyond its limits is still a text. What is stored stays.
 */
export function readDetails<Schema extends DetailsSchema>(schema: Schema, details: Values): MembersOf<Schema>;
export function readDetails(schema: AnySchema, details: Values): Values {
  if (safeParse(schema, details).success) return details;
  return readMembers(schema, details, ({ type }) => NOTHING[type])!;
}

/** @returns `undefined` where a member does not fit, is not optional, and nothing stands for it. */
function readMembers(
  { entries = {} }: AnySchema,
  values: Values,
  insteadOf: (required: AnySchema) => unknown,
): Values | undefined {
  const read = { ...values };
  for (const [name, schema] of Object.entries(entries)) {
    const kept = readValue(schema, values[name]) ?? insteadOf(schema);
    if (kept !== undefined) read[name] = kept;
    else if (schema.type === 'optional') delete read[name];
    else return undefined;
  }
  return read;
}

/** What of a member fits. */
function readValue(schema: AnySchema, value: unknown): unknown {
  const { success, typed, issues = [] } = safeParse(schema, value);
  if (success) return value;
  const { wrapped, item, value: named } = schema;
  if (wrapped) return readValue(wrapped, value);
  if (item && Array.isArray(value)) return value.flatMap((each) => readEntry(item, each) ?? []);
  if (named && isJsonObject(value))
    return Object.fromEntries(Object.entries(value).filter(([, each]) => safeParse(named, each).success));
  // What has another form is not that text at all: an address of a picture, an id.
  return typed && typeof value === 'string' && issues.every(({ type }) => type !== 'regex')
    ? value
    : undefined;
}

function readEntry(schema: AnySchema, entry: unknown): unknown {
  if (safeParse(schema, entry).success) return entry;
  return isJsonObject(entry) ? readMembers(schema, entry, () => undefined) : undefined;
}
