import {
  check,
  finite,
  type GenericSchema,
  type InferOutput,
  integer,
  maxLength,
  minLength,
  minValue,
  number,
  optional,
  pipe,
  regex,
  string,
  unknown,
} from 'valibot';
import { isCalendarDate, isOffsetTime } from '../../inputs';
import type { Json } from '../../json';

/** The schema of the details of a kind. Members that it does not name are kept. */
export type DetailsSchema = GenericSchema<{ [member: string]: unknown }> & {
  readonly entries: Readonly<Record<string, GenericSchema>>;
};

/** The members that the schema of an object names, without those that it only keeps. */
export type MembersOf<Schema extends { readonly entries: object }> = MembersOfEntries<Schema['entries']>;

/** Each member stands in one part, so its comment is found once. */
type MembersOfEntries<Entries> = {
  -readonly [Name in keyof Entries as Entries[Name] extends Optional ? never : Name]: ValueOf<Entries[Name]>;
} & {
  -readonly [Name in keyof Entries as Entries[Name] extends Optional ? Name : never]?: ValueOf<Entries[Name]>;
};
interface Optional {
  readonly type: 'optional';
}

/** What a schema takes, by the parts that schemas of valibot have. */
export type ValueOf<Schema> = Schema extends { readonly wrapped: infer Wrapped }
  ? ValueOf<Wrapped>
  : Schema extends { readonly entries: infer Entries }
    ? MembersOfEntries<Entries>
    : Schema extends { readonly item: infer Item }
      ? ValueOf<Item>[]
      : Schema extends { readonly type: 'record'; readonly value: infer Value }
        ? { [name: string]: ValueOf<Value> }
        : Schema extends { readonly type: 'union'; readonly options: readonly (infer Option)[] }
          ? ValueOf<Option>
          : Schema extends GenericSchema
            ? InferOutput<Schema>
            : never;

/** Members that a schema does not name. They are kept. */
export interface OtherMembers {
  [member: string]: Json | undefined;
}

/** A text that may be empty, or absent. */
export const anyText = optional(string());
/** A text of 1 to so many characters. */
export const text = (most = 10_000) => pipe(string(), minLength(1), maxLength(most));
/** Whether the text is a calendar date. */
export const isDate = (value: string): boolean => isCalendarDate(value);
/** `YYYY-MM-DD`. */
export const date = pipe(string(), check(isDate));
/** RFC 3339 with an offset. */
export const offsetTime = pipe(string(), check(isOffsetTime));
/** A whole number from 1 on. */
export const count = pipe(number(), integer(), minValue(1));
/** A number from 0 on. */
export const amount = pipe(number(), finite(), minValue(0));
/** The id of an account: a UUID in lower case. */
export const id = pipe(string(), regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/));
/** Named, so that declarations refer to it by a path that exists in the package. */
export interface JsonValue extends GenericSchema<Json> {}
/** Any value of JSON. */
export const json = unknown() as JsonValue;
