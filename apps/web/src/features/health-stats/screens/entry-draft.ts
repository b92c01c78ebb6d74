import { instantOf, isDay } from '../../../platform/model/dates';
import {
  componentsOf,
  measureOf,
  ownMetric,
  valueProblem,
  type ValueProblem,
  parseDecimal,
} from '@app/client/documents';
import type { NewReading } from '../model/stats';
import type { ReadingRecord } from '../model/series';

/** What stands in the fields of the entry, as typed. */
export interface EntryDraft {
  profileId: string;
  /** `another` for an own measure that is new. */
  metric: string;
  ownName: string;
  values: { [component: string]: string };
  /** Beside a blood pressure; may be empty. */
  pulse: string;
  unit: string;
  /** Local, as an input of type `datetime-local` has it. */
  when: string;
  note: string;
}

/** What is wrong, by field. */
export type EntryProblems = { [field: string]: ValueProblem | 'when' | 'ownName' };

/** A clock of another device may be a little ahead. */
const TOLERANCE_MS = 5 * 60_000;

/** The unit of the latest reading of a metric, else the first unit of the measure. */
export function lastUnit(newestFirst: readonly ReadingRecord[], metric: string): string {
  const last = newestFirst.find(({ details }) => details.metric === metric)?.details.unit;
  return last ?? measureOf(metric)?.units[0] ?? '';
}

/** The readings that a draft means: one, and the pulse beside a blood pressure. Empty where there are problems. */
export function readDraft(draft: EntryDraft, now: Date): { readings: NewReading[]; problems: EntryProblems } {
  const problems: EntryProblems = {};
  const isAnother = draft.metric === 'another';
  if (isAnother && draft.ownName.trim() === '') problems.ownName = 'ownName';
  const metric = isAnother ? ownMetric(draft.ownName) : draft.metric;
  const names = isAnother ? ['value'] : componentsOf(metric, numbers(draft.values));
  const values = Object.fromEntries(names.map((name) => [name, parseDecimal(draft.values[name] ?? '')]));
  const measure = measureOf(metric);
  const unit = measure?.units.length === 1 ? measure.units[0] : draft.unit.trim();
  const wrong = valueProblem(metric, values, unit);
  if (wrong) problems[wrong.component] = wrong.problem;
  const hasPulse = metric === 'blood_pressure' && draft.pulse.trim() !== '';
  const pulse = { value: parseDecimal(draft.pulse) };
  const wrongPulse = hasPulse ? valueProblem('pulse', pulse, '/min') : undefined;
  if (wrongPulse) problems.pulse = wrongPulse.problem;
  const at = momentOf(draft.when);
  if (!at || at.getTime() > now.getTime() + TOLERANCE_MS) problems.when = 'when';
  if (Object.keys(problems).length > 0 || !at) return { readings: [], problems };
  const note = draft.note.trim();
  const reading = (of: string, numbersOf: typeof values, inUnit: string): NewReading => ({
    profileId: draft.profileId,
    recordedAt: at.toISOString(),
    details: {
      metric: of,
      values: numbersOf as Record<string, number>,
      unit: inUnit,
      ...(note && { note }),
    },
  });
  return {
    readings: [reading(metric, values, unit), ...(hasPulse ? [reading('pulse', pulse, '/min')] : [])],
    problems,
  };
}

const numbers = (values: EntryDraft['values']): Record<string, number> =>
  Object.fromEntries(
    Object.keys({ ...(Object.keys(values).length > 0 ? values : { value: '' }) }).map((name) => [name, 0]),
  );

function momentOf(when: string): Date | undefined {
  const [day, time] = when.split('T');
  if (!isDay(day) || !/^\d{2}:\d{2}/.test(time ?? '')) return undefined;
  const at = instantOf(day, time.slice(0, 5));
  return Number.isNaN(at.getTime()) ? undefined : at;
}
