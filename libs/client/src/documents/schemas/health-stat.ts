import { finite, looseObject, minEntries, number, pipe, record, string } from 'valibot';
import { ofEveryKind } from './conflicts';
import { anyText, type MembersOf, type OtherMembers, text } from './parts';

const values = pipe(record(string(), pipe(number(), finite())), minEntries(1));

/** What the details of every health statistic have, also of one that another client has stored. */
export const STORED_HEALTH_STAT = looseObject({ metric: text(64), values });

/** The details of a health statistic. */
export const HEALTH_STAT = looseObject({
  /** What was measured, for example `weight` or `blood_pressure`. */
  metric: text(64),
  /** A single number is `value`; several numbers have names, such as `systolic` and `diastolic`. */
  values,
  /** Preferably a UCUM code: `kg`, `mm[Hg]`. */
  unit: string(),
  /** Any words. */
  note: anyText,
  ...ofEveryKind,
});

/** The encrypted part of a health statistic. Other members are kept unchanged. */
export type HealthStatDetails = MembersOf<typeof HEALTH_STAT> & OtherMembers;
