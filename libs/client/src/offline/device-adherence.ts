import {
  adherenceOf,
  type AdherenceDates,
  type DoseCount,
  PERIOD_DAYS,
  readDoseSchedule,
} from '@app/common/adherence';
import type { Adherence } from '../records/record-types';
import { dayNumber, localDate } from '../trends/local-date';
import type { LocalCopy } from './local-copy';
import type { OfflineHost } from './offline-host';
import { textOf } from './offline-rows';
import { Overlay } from './overlay';

const MS_PER_DAY = 86_400_000;
/** 1970-01-01 was a Thursday. */
const WEEKDAY_OF_DAY_0 = 4;

/**
 * Adherence by the rule of the service, from the cached doses and those of the outbox. What no device has proved does
 * not count.
 * @throws ApiError `not_found`
 */
export function adherenceOnDevice(
  copy: LocalCopy,
  medicationId: string,
  timeZone: string,
  host: OfflineHost,
): Adherence {
  const overlay = new Overlay(copy);
  const medication = overlay.show('medication', medicationId)?.body;
  if (!medication) throw host.refuse(404, 'not_found', 'The medication does not exist.');
  const period = periodEndingAt(new Date(), timeZone);
  const kind = host.kindOf('dose');
  const doses = overlay.list('dose').filter(({ body, isUnproven, isPending }) => {
    if (body.medication_id !== medicationId || isUnproven) return false;
    return isPending || (kind?.isBelieved?.(body, copy.realm) ?? true);
  });
  const logged = doses.map(({ body }) => ({ at: textOf(body, 'loggedAt'), taken: body.taken === true }));
  const schedule = readDoseSchedule(medication.dose_schedule);
  const starts = [
    Date.parse(textOf(medication, 'schedule_changed_at') || textOf(medication, 'created_at')),
    Math.min(Date.parse(textOf(medication, 'created_at')), ...logged.map(({ at }) => Date.parse(at))),
  ];
  const startDate = localDate(new Date(Math.max(...starts)), timeZone);
  const startDay = Math.max(
    0,
    period.dates.findLastIndex((date) => date <= startDate),
  );
  const dated = logged.map((dose) => ({ ...dose, date: localDate(new Date(dose.at), timeZone) }));
  const since = (first: string): DoseCount => {
    const counted = dated.filter(({ date }) => date >= first && date <= period.dates[PERIOD_DAYS - 1]);
    const taken = counted.filter((dose) => dose.taken).length;
    return { taken, skipped: counted.length - taken };
  };
  const facts = {
    period,
    schedule: typeof schedule === 'string' ? undefined : schedule,
    logged: since(period.dates[0]),
    startDay,
    loggedSinceStart: since(period.dates[startDay]),
  };
  const rates = adherenceOf(facts);
  const { start, ...sinceStart } = rates.since_start;
  return {
    medicationId,
    periodDays: PERIOD_DAYS,
    periodStart: period.dates[0],
    periodEnd: period.dates[PERIOD_DAYS - 1],
    timezone: timeZone,
    takenDoses: rates.taken_doses,
    skippedDoses: rates.skipped_doses,
    totalLogged: rates.total_logged,
    scheduledDoses: rates.scheduled_doses,
    missedDoses: rates.missed_doses,
    extraDoses: rates.extra_doses,
    adherenceRate: rates.adherence_rate,
    sinceStart: {
      start,
      scheduledDoses: sinceStart.scheduled_doses,
      takenDoses: sinceStart.taken_doses,
      adherenceRate: sinceStart.adherence_rate,
    },
  };
}

/** The 30 local dates that end today. Date arithmetic needs no clock and no zone. */
function periodEndingAt(now: Date, timezone: string): AdherenceDates {
  const today = dayNumber(localDate(now, timezone));
  const days = Array.from({ length: PERIOD_DAYS }, (_, at) => today - PERIOD_DAYS + 1 + at);
  return {
    timezone,
    dates: days.map((day) => new Date(day * MS_PER_DAY).toISOString().slice(0, 10)),
    weekdays: days.map((day) => (day + WEEKDAY_OF_DAY_0) % 7),
  };
}
