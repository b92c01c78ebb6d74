import { createEvents, type DateArray, type EventAttributes } from 'ics';
import { addDays } from '../../../platform/model/dates';

/** One entry of a calendar file. */
export interface CalendarEntry {
  /** The id of its record, with a suffix where a record has several entries. */
  id: string;
  title: string;
  /** RFC 3339; without an offset it is local wherever the calendar is. A local date is an entry of a whole day. */
  startsAt: string;
  /** A rule of RFC 5545, such as `FREQ=DAILY`. */
  recurrence?: string;
  durationMinutes?: number;
  location?: string;
  description?: string;
  isCancelled?: boolean;
  /** Minutes before the start at which the calendar reminds; absent: never. */
  remindBeforeMinutes?: number;
}

const USUAL_MINUTES = 30;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

const dateArray = (date: string) => date.split('-').map(Number) as DateArray;

function eventOf(entry: CalendarEntry): EventAttributes {
  const { id, title, startsAt, durationMinutes, location, description, isCancelled, remindBeforeMinutes } =
    entry;
  const isWholeDay = DATE.test(startsAt);
  const duration = { minutes: durationMinutes ?? USUAL_MINUTES };
  const atTime = LOCAL.test(startsAt)
    ? {
        start: startsAt.split(/\D/).map(Number) as DateArray,
        startInputType: 'local' as const,
        startOutputType: 'local' as const,
        duration,
      }
    : {
        start: Date.parse(startsAt),
        startInputType: 'utc' as const,
        startOutputType: 'utc' as const,
        duration,
      };
  const when = isWholeDay ? { start: dateArray(startsAt), end: dateArray(addDays(startsAt, 1)) } : atTime;
  return {
    uid: `${id}@health-records`,
    productId: 'health-records',
    title: inLines(title),
    ...when,
    ...(entry.recurrence && { recurrenceRule: entry.recurrence }),
    ...(location && { location: inLines(location) }),
    ...(description && { description: inLines(description) }),
    status: isCancelled ? 'CANCELLED' : 'CONFIRMED',
    ...(remindBeforeMinutes !== undefined && {
      alarms: [
        {
          action: 'display',
          description: inLines(title),
          trigger: { minutes: remindBeforeMinutes, before: true },
        },
      ],
    }),
  };
}

/** Control characters but line breaks could begin a line of the calendar of their own. */
function inLines(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ');
}

/**
 * A calendar file (RFC 5545). Entries whose start cannot be read are left out and counted.
 * Security: the file is plain text; its titles are those of the entries.
 */
export function calendarFile(entries: readonly CalendarEntry[]): { text: string; leftOut: number } {
  const readable = entries.filter(({ startsAt }) => !Number.isNaN(Date.parse(startsAt)));
  const { error, value } = createEvents(readable.map(eventOf));
  if (error || typeof value !== 'string') throw error ?? new Error('No calendar could be made.');
  return { text: value, leftOut: entries.length - readable.length };
}
