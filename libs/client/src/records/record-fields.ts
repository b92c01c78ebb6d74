import { InvalidArgumentError } from '../errors';
import type { ObjectReader } from '../http/object-reader';
import { isCalendarDate, toOffsetTime } from '../inputs';
import type { Json, JsonObject } from '../json';
import { requireText } from './encrypted-collection';

/** What a member of a record can hold. A date is `YYYY-MM-DD`, a time is RFC 3339 with an offset. */
interface Values {
  text: string;
  number: number;
  boolean: boolean;
  date: string;
  time: string;
  json: Json;
}

/** The type of one member. With `?` it may be absent. */
export type FieldType = keyof Values | `${keyof Values}?`;

/** The members of a record by their names. */
export type FieldTypes = Readonly<Record<string, FieldType>>;

type ValueOf<T extends FieldType> = Values[T extends `${infer Name extends keyof Values}?`
  ? Name
  : Extract<T, keyof Values>];
type OptionalIn<T extends FieldTypes> = {
  [N in keyof T]: T[N] extends `${string}?` ? N : never;
}[keyof T];

/** The encrypted part of a record with these members. Other members are kept. */
export type DetailsOf<T extends FieldTypes> = {
  -readonly [N in Exclude<keyof T, OptionalIn<T>>]: ValueOf<T[N]>;
} & { -readonly [N in OptionalIn<T>]?: ValueOf<T[N]> | undefined } & { [member: string]: Json | undefined };

type Camel<N extends string> = N extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : N;

/** The plaintext fields of a record, with the names of the service in camelCase. `null` for one that is absent. */
export type PlainOf<T extends FieldTypes> = {
  -readonly [N in keyof T & string as Camel<N>]: ValueOf<T[N]> | (T[N] extends `${string}?` ? null : never);
};

/** `first_seen` → `firstSeen`. */
export const camelCase = (name: string) =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

export const isOptional = (type: FieldType) => type.endsWith('?');
const typeOf = (type: FieldType) => type.replace('?', '') as keyof Values;

/** @throws ProtocolError for a value of another type. */
export function readField(reader: ObjectReader, name: string, type: FieldType): Json {
  const read = (): Json => {
    const of = typeOf(type);
    if (of === 'json') return reader.raw(name) ?? null;
    if (of === 'number' || of === 'boolean') return reader[of](name);
    return reader.text(name);
  };
  return isOptional(type) ? reader.nullable(name, read) : read();
}

/** @throws InvalidArgumentError for a value of another type. */
export function requireField(value: unknown, name: string, type: FieldType): void {
  const of = typeOf(type);
  const isNumber = of === 'number' && Number.isFinite(value);
  if (of === 'json' || isNumber || (of === 'boolean' && typeof value === 'boolean')) return;
  if (of === 'text') return requireText(value, `"${name}"`);
  if (of === 'time') return void toOffsetTime(value, `"${name}"`);
  if (of === 'date' && isCalendarDate(value)) return;
  throw new InvalidArgumentError(`"${name}" must be a ${of}${of === 'date' ? ', YYYY-MM-DD' : ''}.`);
}

/** Checks the members that are given. @throws InvalidArgumentError */
export function requireFields(given: object, types: FieldTypes, nameOf = (name: string) => name): void {
  for (const [name, type] of Object.entries(types)) {
    const value = (given as JsonObject)[nameOf(name)];
    // `undefined` is not given, or removes the member; `null` is an absent plaintext field.
    if (value === undefined || (value === null && isOptional(type))) continue;
    requireField(value, nameOf(name), type);
  }
}
