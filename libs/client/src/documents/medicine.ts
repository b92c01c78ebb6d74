import { isId } from '../ids';
import type { Medication, MedicationDetails } from '../records/record-types';

/** One step of a plan that rises or falls. The last one may go on. */
export interface DoseStep {
  amount: number;
  /** Absent in the last step: until further notice. */
  days?: number;
}

/** Amounts that are not the same each time, in the unit of the dose. An amount of 0 is no dose. */
export type DoseAmounts =
  | { by: 'time'; of: { [time: string]: number } }
  /** Seven amounts; the first is that of Sunday. */
  | { by: 'weekday'; of: number[] }
  /** One after the other, from `startDate` on. */
  | { by: 'step'; of: DoseStep[] };

/** When a medicine is taken. Times are local, `HH:MM`, sorted. At most one of the members says on which days. */
export interface DoseTimes {
  /** Empty if the medicine is taken as needed. With `everyHours` only the first dose. */
  times: string[];
  /** By the clock on the wall, from the first dose on `startDate` on. */
  everyHours?: number;
  /** 0 is Sunday. Absent or empty: every day. */
  weekdays?: number[];
  /** Every n days, counted from `startDate`. */
  everyDays?: number;
  /** Every n months, counted from `startDate`, on `dayOfMonth`. */
  everyMonths?: number;
  /** 1 to 31. In a shorter month the last day. */
  dayOfMonth?: number;
  /** So many days with doses, then so many without, from `startDate` on. */
  cycle?: { on: number; off: number };
  /** Absent: each time the amount of the dose. */
  amounts?: DoseAmounts;
  asNeeded?: boolean;
  /** For a medicine that is taken as needed: the shortest time between two doses. */
  minHoursBetween?: number;
  /** For a medicine that is taken as needed: the most in 24 hours, in the unit of the dose. */
  mostIn24Hours?: number;
  /** The last day of a course, `YYYY-MM-DD`, inclusive. */
  until?: string;
}

/** The units of a dose. Each has a name in the catalogue. */
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
/** A unit of a dose. */
export type DoseUnit = (typeof DOSE_UNITS)[number];

/** What is taken at one time: `{ amount: 1, unit: 'tablet' }`. */
export interface DoseAmount {
  amount: number;
  unit: DoseUnit;
}

/** What is left at home. The doses that are logged after `countedAt` are subtracted. */
export interface Stock {
  /** How many units there were at `countedAt`. */
  count: number;
  /** RFC 3339. */
  countedAt: string;
  /** Units that one dose uses. */
  perDose: number;
  /** Warn when so many units or fewer are left. */
  refillAt: number;
}

/** Days on which the medicine is not due. Dates are local and inclusive. */
export interface Pause {
  from: string;
  /** Absent: until further notice. */
  until?: string;
  reason?: string;
}

/** A change of the dose or the times, for the history of the medicine. */
export interface MedicineChange {
  /** Local date. */
  on: string;
  what: 'started' | 'dose' | 'times' | 'strength' | 'paused' | 'resumed' | 'ended';
  /** Words for a person, in the language of the person who made the change. */
  from?: string;
  to?: string;
  /** In a shared profile: the account that made the change, by the word of who has written the record last. */
  by?: string;
}

/** Why a dose was skipped, in the words of the person. */
export interface SkipReason {
  /** The id of the dose. */
  dose: string;
  reason: string;
}

/** What a person said of a logged dose: how much it was, where that was not the planned amount, and a note. */
export interface DoseRemark {
  /** The id of the dose. */
  dose: string;
  /** Of `unit`; absent where it was as planned. */
  amount?: number;
  unit?: DoseUnit;
  note?: string;
  /** The due dose that it answers, `YYYY-MM-DD HH:MM`, where the person said so. */
  answers?: string;
  /** Present where a person said that it was given beside another one for the same due time: it answers none. */
  isAnother?: true;
}

/** How the name was read when the medicine was added. */
export interface NameReading {
  /** The name that was read, as the knowledge base writes it. */
  ingredients: string[];
  /** Whether the person said that the reading is right. */
  confirmed: boolean;
}

/** Findings that were shown before the medicine was saved. */
export interface SeenFindings {
  /** RFC 3339. */
  at: string;
  /** `rule_id` of each finding. */
  rules: string[];
}

/** The encrypted part of a medicine as this page writes it. Other members are kept. */
export interface MedicineDetails {
  name: string;
  /** For example `400 mg`. */
  strength?: string;
  form?: string;
  dose?: DoseAmount;
  schedule?: DoseTimes;
  stock?: Stock;
  pauses?: Pause[];
  changes?: MedicineChange[];
  /** Why doses were skipped, the newest last. */
  skips?: SkipReason[];
  /** What was said of doses, the newest last. */
  remarks?: DoseRemark[];
  reading?: NameReading;
  seen?: SeenFindings;
  /** What it is for. */
  reason?: string;
  prescriber?: string;
  instructions?: string;
  /** How the amount is changed by what was measured: `1 unit more for each 50 mg/dl above 150`. */
  correction?: string;
  notes?: string;
  /** Local dates. */
  startDate?: string;
  endDate?: string;
}

/** A medicine with the members that this page writes. */
export type Medicine = Omit<Medication, 'details'> & { details: MedicineDetails };

/** The member by which an entry of each list is known; it is a text. */
const LISTS = { pauses: 'from', changes: 'on', skips: 'dose', remarks: 'dose' };

/** Leaves out what a file or another client wrote in another shape: one bad entry must not stop a screen. */
function keepEntriesWith(details: Record<string, unknown>, list: string, name: string): void {
  const entries = details[list];
  if (!Array.isArray(entries)) delete details[list];
  else
    details[list] = entries.filter(
      (each: Record<string, unknown> | null) => typeof each?.[name] === 'string',
    );
}

/** The page's view of a medication. Members that another client wrote in another shape are left out. */
export function asMedicine(medication: Medication): Medicine {
  const { details } = medication;
  const read = { ...details } as unknown as MedicineDetails;
  if (!isDoseTimes(read.schedule)) delete read.schedule;
  for (const [list, name] of Object.entries(LISTS)) keepEntriesWith(read as never, list, name);
  if (read.changes)
    read.changes = read.changes.map(({ by, ...change }) => ({ ...change, ...(isId(by) && { by }) }));
  for (const name of ['startDate', 'endDate'] as const) if (typeof read[name] !== 'string') delete read[name];
  if (typeof read.stock?.count !== 'number') delete read.stock;
  if (typeof read.dose?.amount !== 'number') delete read.dose;
  return { ...medication, details: read };
}

/** Why a dose was skipped, where somebody said it. */
export function skipReasonOf({ details }: Medicine, doseId: string): string | undefined {
  return details.skips?.find(({ dose }) => dose === doseId)?.reason;
}

/** What a person said of a dose. */
export function remarkOf({ details }: Medicine, doseId: string): DoseRemark | undefined {
  return details.remarks?.find(({ dose }) => dose === doseId);
}

/** The details in the form that the client takes. */
export function toMedicationDetails(details: Partial<MedicineDetails>): MedicationDetails {
  return details as unknown as MedicationDetails;
}

const isCount = (value: unknown) => value === undefined || (Number.isInteger(value) && (value as number) > 0);
const isAmount = (value: unknown) => Number.isFinite(value) && (value as number) >= 0;

function isDoseAmounts(value: unknown): value is DoseAmounts {
  const { by, of } = (value ?? {}) as Partial<DoseAmounts>;
  if (by === 'time') return typeof of === 'object' && of !== null && Object.values(of).every(isAmount);
  if (!Array.isArray(of)) return false;
  if (by === 'weekday') return of.length === 7 && of.every(isAmount);
  return (
    by === 'step' &&
    of.length > 0 &&
    of.every(
      (step: Partial<DoseStep> | null, at) =>
        isAmount(step?.amount) && isCount(step?.days) && (step?.days !== undefined || at === of.length - 1),
    )
  );
}

function isDoseTimes(value: unknown): value is DoseTimes {
  const { times, weekdays, until, cycle, amounts, ...rest } = (value ?? {}) as Partial<DoseTimes>;
  const { everyDays, everyHours, everyMonths, dayOfMonth, mostIn24Hours } = rest;
  return (
    Array.isArray(times) &&
    times.every((time) => /^\d\d:\d\d$/.test(time)) &&
    (weekdays === undefined || (Array.isArray(weekdays) && weekdays.every(Number.isInteger))) &&
    [everyDays, everyHours, everyMonths, dayOfMonth].every(isCount) &&
    (everyHours === undefined || times.length > 0) &&
    (cycle === undefined || (Number.isInteger(cycle?.on) && cycle.on > 0 && isCount(cycle.off))) &&
    (amounts === undefined || isDoseAmounts(amounts)) &&
    (mostIn24Hours === undefined || isAmount(mostIn24Hours)) &&
    (until === undefined || typeof until === 'string')
  );
}
