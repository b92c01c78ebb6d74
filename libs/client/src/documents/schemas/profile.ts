import {
  array,
  boolean,
  finite,
  looseObject,
  number,
  optional,
  picklist,
  pipe,
  record,
  regex,
  string,
  union,
} from 'valibot';
import { ofEveryKind, OPEN_QUESTION } from './conflicts';
import { amount, anyText, type MembersOf, type OtherMembers } from './parts';

const healthFact = looseObject({
  /** In the words of the person. */
  text: string(),
  /** A value that the checks know: see `ALLERGY_CODES` and `CONDITION_CODES`. */
  code: anyText,
});
/** An allergy or an illness. `code` is a value that the checks know. */
export type HealthFact = MembersOf<typeof healthFact>;

const measureTarget = looseObject({
  /** The lower end. */
  low: optional(pipe(number(), finite())),
  /** The upper end. */
  high: optional(pipe(number(), finite())),
  /** UCUM. */
  unit: string(),
});
/** The target range of a measure. Both ends belong to it. */
export type MeasureTarget = MembersOf<typeof measureTarget>;

const emergencyFacts = looseObject({
  /** For example `0 positive`. */
  bloodGroup: anyText,
  /** Whom to call, one a line. */
  contacts: anyText,
  /** Name and telephone. */
  doctor: anyText,
});
/** What only the emergency card says. */
export type EmergencyFacts = MembersOf<typeof emergencyFacts>;

/** What the details of every profile have, also of one that another client has stored. */
export const STORED_PROFILE = looseObject({ name: string() });

/** The details of a profile. */
export const PROFILE = looseObject({
  /** Empty for a profile without a name. */
  name: string(),
  /** The date of birth, `YYYY-MM-DD`. */
  birthDate: anyText,
  /** Of a pet: `dog`, `cat` or any other word. */
  species: anyText,
  // Security: another client, or an import, may have written any address. No SVG, which can hold links.
  /** A small picture as a `data:` address, at most 24 kB. */
  picture: optional(pipe(string(), regex(/^data:image\/(?:png|jpeg|webp);base64,[\w+/=]+$/))),
  /** As the checks of medicines need it. */
  sex: optional(picklist(['female', 'male'])),
  /** Whether she is. */
  pregnant: optional(boolean()),
  /** Whether she is. */
  breastfeeding: optional(boolean()),
  /** Whether the person does. */
  smokes: optional(boolean()),
  /** How well the kidneys work, in ml/min/1.73 m². */
  egfr: optional(amount),
  /** Allergies. */
  allergies: optional(array(healthFact)),
  /** Illnesses. */
  conditions: optional(array(healthFact)),
  /** What only the emergency card says. */
  emergency: optional(emergencyFacts),
  /** Targets by metric and component: `blood_pressure.systolic`. */
  targets: optional(record(string(), measureTarget)),
  /** Any words. */
  notes: anyText,
  ...ofEveryKind,
  /** Texts: questions for the next visit. Objects: other versions, until a person has chosen; the client writes these. */
  questions: optional(array(union([string(), OPEN_QUESTION]))),
});

/** The encrypted part of a profile. Other members are kept unchanged. */
export type ProfileDetails = MembersOf<typeof PROFILE> & OtherMembers;
