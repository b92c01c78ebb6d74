import { array, looseObject, optional, record, string } from 'valibot';
import { anyText, json, type MembersOf } from './parts';

/** See {@link ReplacedValue}. */
export const REPLACED_VALUE = looseObject({
  /** `details.<member>`, `meta.<wire field>` or `profileId`. */
  field: string(),
  /** `null` for a member that was absent. */
  value: json,
  /** When the value was written, by the clock of its device. RFC 3339. */
  at: string(),
  /** In a shared profile: the account that wrote it, where that is certain. */
  by: anyText,
});
/** A value that lost against a later one. It stays in the record, in `details.history`. */
export type ReplacedValue = MembersOf<typeof REPLACED_VALUE>;

/** See {@link OpenQuestion}. */
export const OPEN_QUESTION = looseObject({
  /** The unit in which two devices differ. */
  unit: string(),
  /** The other values by field, `details.<member>` or `meta.<wire field>`; `null` for a member that was absent. */
  values: record(string(), json),
  /** The stamp of the other version; empty where none was sealed. */
  edited: string(),
  /** In a shared profile: the account that wrote it, where that is certain. */
  by: anyText,
});
/** Another version of one unit. It stays in the record, in `details.questions`, until a person has answered. */
export type OpenQuestion = MembersOf<typeof OPEN_QUESTION>;

/** What the details of every kind can have. */
export const ofEveryKind = {
  /** When a person moved the record to the trash, RFC 3339. Do not show such a record; nobody else deletes it. */
  trashedAt: anyText,
  /** Values that lost against later ones, oldest first. The client writes it. */
  history: optional(array(REPLACED_VALUE)),
  /** Other versions, until a person has chosen. The client writes it. */
  questions: optional(array(OPEN_QUESTION)),
};
