import { boolean, finite, type GenericSchema, is, looseObject, number, optional, pipe } from 'valibot';
import { date, json, offsetTime, type OtherMembers, text } from '../documents/schemas/parts';
import type { StandardSchema } from '../documents/standard-schema';
import { InvalidArgumentError } from '../errors';
import type { ObjectReader } from '../http/object-reader';
import type { Json, JsonObject } from '../json';

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

/** The encrypted part of a record, by its members or by its schema. Other members are kept. */
export type DetailsOf<T extends FieldTypes | StandardSchema> =
  T extends StandardSchema<infer Input>
    ? Input & OtherMembers
    : T extends FieldTypes
      ? MembersOfTypes<T> & OtherMembers
      : never;

type MembersOfTypes<T extends FieldTypes> = {
  -readonly [N in Exclude<keyof T, OptionalIn<T>>]: ValueOf<T[N]>;
} & { -readonly [N in OptionalIn<T>]?: ValueOf<T[N]> | undefined };

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

const SCHEMAS: { readonly [Name in keyof Values]: GenericSchema<Values[Name]> } = {
  text: text(),
  number: pipe(number(), finite()),
  boolean: boolean(),
  date,
  time: offsetTime,
  json,
};

/** The schema of details with these members. Other members are kept. */
export function schemaOf(types: FieldTypes) {
  const schemas = Object.entries(types).map(([name, type]) => {
    const schema = SCHEMAS[typeOf(type)];
    return [name, isOptional(type) ? optional(schema) : schema] as const;
  });
  return looseObject(Object.fromEntries(schemas));
}

/** Checks the plaintext fields that are given. @throws InvalidArgumentError */
export function requireFields(given: object, types: FieldTypes): void {
  for (const [name, type] of Object.entries(types)) {
    const value = (given as JsonObject)[camelCase(name)];
    // `undefined` is not given, or removes the member; `null` is an absent plaintext field.
    if (value === undefined || (value === null && isOptional(type))) continue;
    const of = typeOf(type);
    if (!is(SCHEMAS[of], value)) throw new InvalidArgumentError(`"${camelCase(name)}" must be a ${of}.`);
  }
}
