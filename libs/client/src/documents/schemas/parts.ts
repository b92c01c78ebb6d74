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

/** What a schema names, without the members that it only keeps. */
export type Known<T> = T extends readonly (infer Entry)[]
  ? Known<Entry>[]
  : T extends object
    ? { [Name in keyof T as unknown extends T[Name] ? never : Name]: Known<T[Name]> }
    : T;

/** The members that a schema names. */
export type MembersOf<Schema extends GenericSchema> = Known<InferOutput<Schema>>;

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
/** Any value of JSON. */
export const json = unknown() as GenericSchema<Json>;
