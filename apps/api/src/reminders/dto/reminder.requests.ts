import {
  EchoedFields,
  EnumField,
  ReadField,
  TextField,
  TimestampField,
  TimeZoneField,
  UuidField,
} from '@app/http';
import type { Repeat } from '../entities/reminder.entity';

/** The sealed text of a reminder, as the client wrote it. */
const MAX_TEXT = 2048;
const MAX_EVERY_DAYS = 400;
const MAX_DELAY_MINUTES = 720;

const isWhole = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

/** @returns the members, or `undefined` if there are others or the value is no object. */
function membersOf(value: unknown, ...names: string[]): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.keys(value).every((name) => names.includes(name))
    ? (value as Record<string, unknown>)
    : undefined;
}

function readRepeat(value: unknown): Repeat | undefined {
  const members = membersOf(value, 'time', 'every_days', 'days_of_week');
  if (!members || typeof members.time !== 'string' || !/^([01]\d|2[0-3]):[0-5]\d$/.test(members.time))
    return undefined;
  const { time, every_days: every, days_of_week: days } = members;
  if (days === undefined) return isWhole(every, 1, MAX_EVERY_DAYS) ? { time, every_days: every } : undefined;
  const isDays = Array.isArray(days) && days.length > 0 && days.every((day) => isWhole(day, 0, 6));
  return isDays && every === undefined && new Set(days).size === days.length
    ? { time, days_of_week: days }
    : undefined;
}

export interface Nag {
  minutes: number;
  times: number;
}

function readNag(value: unknown): Nag | undefined {
  const { minutes, times } = membersOf(value, 'minutes', 'times') ?? {};
  return isWhole(minutes, 1, 60) && isWhole(times, 1, 12) ? { minutes, times } : undefined;
}

/** A reminder of one device. */
export class PutReminderRequest extends EchoedFields {
  @UuidField({ description: 'The device: one of the own push subscriptions.' })
  subscription_id: string;

  @UuidField({
    description:
      'The same on each device that reminds of the same: answered on one, it is closed on the others.',
    example: '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c22',
  })
  slot_id: string;

  @TextField({
    min: 1,
    max: MAX_TEXT,
    description: 'What the device shows, sealed by the device for itself.',
    example: 'c2VhbGVk',
  })
  text: string;

  @TimestampField({ description: 'The next occurrence.' })
  due_at: string;

  @ReadField(
    { optional: true, description: 'Minutes from the occurrence to the message.' },
    {
      name: 'delay',
      rule: `must be a whole number from 0 to ${MAX_DELAY_MINUTES}`,
      read: (value) => (isWhole(value, 0, MAX_DELAY_MINUTES) ? value : undefined),
    },
    { type: Number, minimum: 0, maximum: MAX_DELAY_MINUTES, default: 0, example: 0 },
  )
  delay_minutes?: number;

  @ReadField(
    {
      optional: true,
      description: 'How the occurrences follow each other in local time. Without it there is one.',
    },
    {
      name: 'repeat',
      rule: 'must have a time such as 08:00, and either every_days (1 to 400) or days_of_week (0 to 6, each once)',
      read: readRepeat,
    },
    {
      type: 'object',
      properties: {
        time: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' },
        every_days: { type: 'integer', minimum: 1, maximum: MAX_EVERY_DAYS },
        days_of_week: { type: 'array', items: { type: 'integer', minimum: 0, maximum: 6 } },
      },
      required: ['time'],
      additionalProperties: false,
      example: { time: '08:00', every_days: 1 },
    },
  )
  repeat?: Repeat;

  @TimeZoneField({ description: 'IANA time zone of the occurrences.' })
  time_zone: string;

  @TimestampField({ optional: true, description: 'No occurrence is later.' })
  ends_at?: string;

  @ReadField(
    { optional: true, description: 'Further messages of an occurrence until it is answered.' },
    { name: 'nag', rule: 'must have minutes (1 to 60) and times (1 to 12)', read: readNag },
    {
      type: 'object',
      properties: {
        minutes: { type: 'integer', minimum: 1, maximum: 60 },
        times: { type: 'integer', minimum: 1, maximum: 12 },
      },
      required: ['minutes', 'times'],
      additionalProperties: false,
      example: { minutes: 10, times: 3 },
    },
  )
  nag?: Nag;
}

function AnswerField(): PropertyDecorator {
  return EnumField({
    values: ['done', 'later'],
    description: '`done`: no more messages of this occurrence. `later`: one in 15 minutes.',
    example: 'done',
  });
}

export class AnswerReminderRequest {
  @UuidField({ example: '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c22' })
  slot_id: string;

  @TimestampField({ description: 'The occurrence.' })
  due_at: string;

  @AnswerField()
  answer: 'done' | 'later';
}

export class PushAnswerRequest {
  @TextField({ min: 1, max: 4096, description: 'As the message gave it.', example: 'eyJhbGciOi…' })
  ticket: string;

  @AnswerField()
  answer: 'done' | 'later';
}
