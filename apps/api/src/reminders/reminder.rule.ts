import { Temporal } from 'temporal-polyfill';
import type { ReminderEntity, Repeat } from './entities/reminder.entity';

const MINUTE_MS = 60_000;
/** After this time nobody is told of an occurrence any more: what was due at night does not ring in the morning. */
export const MAX_LATE_MS = 60 * MINUTE_MS;
/** A message that leaves later says so. */
const LATE_MS = 5 * MINUTE_MS;

type Plan = Pick<ReminderEntity, 'repeat' | 'time_zone' | 'ends_at' | 'delay_minutes'>;

/**
 * The first occurrence after another one, in local time: it stays at 8:00 when the clocks change. A time that the
 * clocks skip is later by what they skip.
 *
 * @param dueAt an occurrence; `every_days` counts from its date.
 * @param after what is not later is left out.
 * @returns `undefined` if there is none.
 */
export function nextOccurrence(
  { repeat, time_zone: zone, ends_at: endsAt }: Omit<Plan, 'delay_minutes'>,
  dueAt: Date,
  after: Date,
): Date | undefined {
  if (!repeat) return undefined;
  const from = dateOf(dueAt, zone);
  const today = dateOf(after, zone);
  const step = repeat.every_days ?? 1;
  const passed = Math.max(0, Math.floor(from.until(today).days / step));
  // The day of `after` itself may still be to come, and at most one week of days may not match.
  for (let index = passed; index <= passed + 8; index++) {
    const date = from.add({ days: index * step });
    if (repeat.days_of_week && !repeat.days_of_week.includes(date.dayOfWeek % 7)) continue;
    const next = atLocalTime(date, repeat, zone);
    if (next <= dueAt || next <= after) continue;
    return endsAt !== null && next > new Date(endsAt) ? undefined : next;
  }
  return undefined;
}

function dateOf(instant: Date, zone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone).toPlainDate();
}

function atLocalTime(date: Temporal.PlainDate, { time }: Repeat, zone: string): Date {
  const at = date.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(time) });
  return new Date(at.epochMilliseconds);
}

/** `late`: it is sent and says so. `missed`: it is not sent any more. */
export function punctualityOf(now: Date, messageAt: Date): 'on time' | 'late' | 'missed' {
  const lateMs = now.getTime() - messageAt.getTime();
  if (lateMs > MAX_LATE_MS) return 'missed';
  return lateMs > LATE_MS ? 'late' : 'on time';
}

/** The next message. Without `message_at` there is none. */
export type NextMessage = Pick<ReminderEntity, 'due_at' | 'message_at' | 'sent'>;

type Progress = Plan & Pick<ReminderEntity, 'due_at' | 'sent' | 'nag_minutes' | 'nag_times'>;

/** What follows a message that has left: the same occurrence again until it is answered, then the next one. */
export function afterSending(reminder: Progress, now: Date): NextMessage {
  const { due_at, sent, nag_times: most, nag_minutes: minutes } = reminder;
  return sent < most
    ? { due_at, message_at: inMinutes(now, minutes).toISOString(), sent: sent + 1 }
    : afterOccurrence(reminder, now);
}

/** What follows an occurrence that was answered or given up. What would be missed anyway is left out. */
export function afterOccurrence(reminder: Plan & Pick<ReminderEntity, 'due_at'>, now: Date): NextMessage {
  const after = inMinutes(new Date(now.getTime() - MAX_LATE_MS), -reminder.delay_minutes);
  const next = nextOccurrence(reminder, new Date(reminder.due_at), after);
  if (!next) return { due_at: reminder.due_at, message_at: null, sent: 0 };
  const messageAt = inMinutes(next, reminder.delay_minutes).toISOString();
  return { due_at: next.toISOString(), message_at: messageAt, sent: 0 };
}

export function inMinutes(time: Date, minutes: number): Date {
  return new Date(time.getTime() + minutes * MINUTE_MS);
}
