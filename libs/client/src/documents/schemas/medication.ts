import {
  array,
  boolean,
  check,
  finite,
  type InferOutput,
  integer,
  length,
  literal,
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
import { ofEveryKind } from './conflicts';
import {
  amount,
  anyText,
  count,
  date,
  id,
  type MembersOf,
  type OtherMembers,
  text,
  type ValueOf,
} from './parts';

/** The units of a dose that the page knows. Other clients may write other words. */
export const DOSE_UNITS = [
  'tablet',
  'capsule',
  'drop',
  'ml',
  'puff',
  'unit',
  'patch',
  'sachet',
  'suppository',
  'injection',
  'mg',
  'g',
  'piece',
] as const;
/** A unit of a dose that the page knows. */
export type DoseUnit = (typeof DOSE_UNITS)[number];

const doseStep = looseObject({
  /** In the unit of the dose. */
  amount,
  /** Absent in the last step: until further notice. */
  days: optional(count),
});
/** One step of a plan that rises or falls. The last one may go on. */
export type DoseStep = MembersOf<typeof doseStep>;

const doseAmounts = union([
  looseObject({
    /** An amount for each time of `times`. */
    by: literal('time'),
    /** Amounts by time, `HH:MM`. */
    of: record(string(), amount),
  }),
  looseObject({
    /** An amount for each weekday. */
    by: literal('weekday'),
    /** Seven amounts; the first is that of Sunday. */
    of: pipe(array(amount), length(7)),
  }),
  looseObject({
    /** An amount that rises or falls. */
    by: literal('step'),
    /** One after the other, from `startDate` on. Only the last may go on. */
    of: pipe(
      array(doseStep),
      check((steps) => steps.length > 0 && steps.slice(0, -1).every(({ days }) => days)),
    ),
  }),
]);
/** Amounts that are not the same each time, in the unit of the dose. An amount of 0 is no dose. */
export type DoseAmounts = ValueOf<typeof doseAmounts>;

const times = looseObject({
  /** Empty if the medicine is taken as needed. With `everyHours` only the first dose. Local, `HH:MM`, sorted. */
  times: array(pipe(string(), regex(/^\d\d:\d\d$/))),
  /** By the clock on the wall, from the first dose on `startDate` on. */
  everyHours: optional(count),
  /** 0 is Sunday. Absent or empty: every day. */
  weekdays: optional(array(pipe(number(), integer()))),
  /** Every n days, counted from `startDate`. */
  everyDays: optional(count),
  /** Every n months, counted from `startDate`, on `dayOfMonth`. */
  everyMonths: optional(count),
  /** 1 to 31. In a shorter month the last day. */
  dayOfMonth: optional(count),
  /** So many days with doses, then so many without, from `startDate` on. */
  cycle: optional(
    looseObject({
      /** Days with doses. */
      on: count,
      /** Days without. */
      off: count,
    }),
  ),
  /** Absent: each time the amount of the dose. */
  amounts: optional(doseAmounts),
  /** Whether it is taken as needed. */
  asNeeded: optional(boolean()),
  /** For a medicine that is taken as needed: the shortest time between two doses. */
  minHoursBetween: optional(amount),
  /** For a medicine that is taken as needed: the most in 24 hours, in the unit of the dose. */
  mostIn24Hours: optional(amount),
  /** The last day of a course, `YYYY-MM-DD`, inclusive. */
  until: anyText,
});
/** For the rule below. Named, so that declarations refer to it. */
export interface Times extends InferOutput<typeof times> {}
const doseTimes = pipe(
  times,
  check<Times>(({ everyHours, times }) => everyHours === undefined || times.length > 0),
);
/** When a medicine is taken. At most one of the members says on which days. */
export type DoseTimes = MembersOf<typeof doseTimes>;

const doseAmount = looseObject({
  /** How many of `unit`. */
  amount: pipe(number(), finite()),
  /** `tablet`, `capsule`, `drop`, `ml`, `puff`, `unit`, `patch`, `sachet`, `suppository`, `injection`, `mg`, `g`, `piece`, or any word. */
  unit: anyText,
});
/** What is taken at one time: `{ amount: 1, unit: 'tablet' }`. */
export type DoseAmount = MembersOf<typeof doseAmount>;

const stock = looseObject({
  /** How many units there were at `countedAt`. */
  count: pipe(number(), finite()),
  /** RFC 3339. */
  countedAt: string(),
  /** Units that one dose uses. */
  perDose: amount,
  /** Warn when so many units or fewer are left. */
  refillAt: amount,
});
/** What is left at home. The doses that are logged after `countedAt` are subtracted. */
export type Stock = MembersOf<typeof stock>;

const pause = looseObject({
  /** The first day. */
  from: string(),
  /** The last day. Absent: until further notice. */
  until: anyText,
  /** In the words of the person. */
  reason: anyText,
});
/** Days on which the medicine is not due. Dates are local and inclusive. */
export type Pause = MembersOf<typeof pause>;

const change = looseObject({
  /** Local date. */
  on: string(),
  /** What was changed. */
  what: picklist(['started', 'dose', 'times', 'strength', 'paused', 'resumed', 'ended']),
  /** What it was, in the language of the person who made the change. */
  from: anyText,
  /** What it is. */
  to: anyText,
  /** In a shared profile: the account that made the change, by the word of who has written the record last. */
  by: optional(id),
});
/** A change of the dose or the times, for the history of the medicine. */
export type MedicineChange = MembersOf<typeof change>;

const skip = looseObject({
  /** The id of the dose. */
  dose: string(),
  /** In the words of the person. */
  reason: string(),
});
/** Why a dose was skipped, in the words of the person. */
export type SkipReason = MembersOf<typeof skip>;

const remark = looseObject({
  /** The id of the dose. */
  dose: string(),
  /** Of `unit`; absent where it was as planned. */
  amount: optional(pipe(number(), finite())),
  /** As in `dose`. */
  unit: anyText,
  /** In the words of the person. */
  note: anyText,
  /** The due dose that it answers, `YYYY-MM-DD HH:MM`, where the person said so. */
  answers: anyText,
  /** Present where a person said that it was given beside another one for the same due time: it answers none. */
  isAnother: optional(literal(true)),
});
/** What a person said of a logged dose: how much it was, where that was not the planned amount, and a note. */
export type DoseRemark = MembersOf<typeof remark>;

const reading = looseObject({
  /** The name that was read, as the knowledge base writes it. */
  ingredients: array(string()),
  /** Whether the person said that the reading is right. */
  confirmed: boolean(),
});
/** How the name was read when the medicine was added. */
export type NameReading = MembersOf<typeof reading>;

const seen = looseObject({
  /** RFC 3339. */
  at: string(),
  /** `rule_id` of each finding. */
  rules: array(string()),
});
/** Findings that were shown before the medicine was saved. */
export type SeenFindings = MembersOf<typeof seen>;

/** What the details of every medication have, also of one that another client has stored. */
export const STORED_MEDICATION = looseObject({ name: text(200) });

/** The details of a medication. */
export const MEDICATION = looseObject({
  /** As a person calls it. */
  name: text(200),
  /** For example `400 mg`. */
  strength: anyText,
  /** For example `tablet`. */
  form: anyText,
  /** What is taken at one time. */
  dose: optional(doseAmount),
  /** When it is taken. The service has of it only how often. */
  schedule: optional(doseTimes),
  /** What is left at home. The doses that are logged after `countedAt` are subtracted. */
  stock: optional(stock),
  /** Days on which it is not due. */
  pauses: optional(array(pause)),
  /** Changes of the dose or the times, the newest last. */
  changes: optional(array(change)),
  /** Why doses were skipped, the newest last. */
  skips: optional(array(skip)),
  /** What was said of doses, the newest last. */
  remarks: optional(array(remark)),
  /** How the name was read when the medicine was added. */
  reading: optional(reading),
  /** Findings that were shown before the medicine was saved. */
  seen: optional(seen),
  /** What it is for. */
  reason: anyText,
  /** Who has prescribed it. */
  prescriber: anyText,
  /** How it is taken, in words. */
  instructions: anyText,
  /** How the amount is changed by what was measured: `1 unit more for each 50 mg/dl above 150`. */
  correction: anyText,
  /** Any words. */
  notes: anyText,
  /** Local date. */
  startDate: optional(date),
  /** Local date, inclusive. */
  endDate: optional(date),
  ...ofEveryKind,
});

/** The members of the encrypted part of a medication that have a meaning. */
export type MedicineDetails = MembersOf<typeof MEDICATION>;
/** The encrypted part of a medication. Other members are kept unchanged. */
export type MedicationDetails = MedicineDetails & OtherMembers;
