import { afterOccurrence, afterSending, nextOccurrence, punctualityOf } from './reminder.rule';

const BERLIN = { time_zone: 'Europe/Berlin', ends_at: null };
const next = (repeat: object | null, dueAt: string, after = dueAt, more: object = {}) =>
  nextOccurrence(
    { ...BERLIN, repeat: repeat as never, ...more },
    new Date(dueAt),
    new Date(after),
  )?.toISOString();

describe('the next occurrence', () => {
  it.each([
    ['a day later', { time: '08:00', every_days: 1 }, '2026-11-20T07:00:00.000Z', '2026-11-21T07:00:00.000Z'],
    [
      'at 8:00, in summer, too',
      { time: '08:00', every_days: 1 },
      '2026-03-28T07:00:00.000Z',
      '2026-03-29T06:00:00.000Z',
    ],
    [
      'at 8:00, in winter, too',
      { time: '08:00', every_days: 1 },
      '2026-10-24T06:00:00.000Z',
      '2026-10-25T07:00:00.000Z',
    ],
    [
      'later where the clocks skip it',
      { time: '02:30', every_days: 1 },
      '2026-03-28T01:30:00.000Z',
      '2026-03-29T01:30:00.000Z',
    ],
    [
      'back at its time the day after',
      { time: '02:30', every_days: 1 },
      '2026-03-29T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ],
    [
      'once where the clocks repeat it',
      { time: '02:30', every_days: 1 },
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ],
    [
      'every other day',
      { time: '08:00', every_days: 2 },
      '2026-11-20T07:00:00.000Z',
      '2026-11-22T07:00:00.000Z',
    ],
    [
      'every 28 days',
      { time: '08:00', every_days: 28 },
      '2026-11-20T07:00:00.000Z',
      '2026-12-18T07:00:00.000Z',
    ],
    [
      'on Mondays',
      { time: '08:00', days_of_week: [1] },
      '2026-11-20T07:00:00.000Z',
      '2026-11-23T07:00:00.000Z',
    ],
    [
      'on Sundays and Fridays',
      { time: '08:00', days_of_week: [5, 0] },
      '2026-11-20T07:00:00.000Z',
      '2026-11-22T07:00:00.000Z',
    ],
  ])('is %s', (_what, repeat, dueAt, expected) => expect(next(repeat, dueAt)).toBe(expected));

  it('keeps its step over a gap', () => {
    const repeat = { time: '08:00', every_days: 3 };
    expect(next(repeat, '2026-11-01T07:00:00Z', '2026-11-20T12:00:00Z')).toBe('2026-11-22T07:00:00.000Z');
    expect(next(repeat, '2026-11-01T07:00:00Z', '2026-11-19T06:59:00Z')).toBe('2026-11-19T07:00:00.000Z');
  });

  it.each([
    ['in autumn', '2026-10-22T06:00:00.000Z', [6, 6, 6, 7, 7, 7, 7]],
    ['in spring', '2026-03-26T07:00:00.000Z', [7, 7, 7, 6, 6, 6, 6]],
  ])('stays at 8:00 over a week in which the clocks change %s', (_when, first, hours) => {
    const week = [first];
    while (week.length < 7) week.push(next({ time: '08:00', every_days: 1 }, week.at(-1)!)!);
    expect(week.map((at) => new Date(at).getUTCHours())).toEqual(hours);
    expect(new Set(week.map((at) => at.slice(0, 10))).size).toBe(7);
  });

  it('is after a jump of the zone on its own date', () => {
    // Samoa had no 30 December 2011.
    const apia = { time_zone: 'Pacific/Apia' };
    expect(next({ time: '08:00', every_days: 1 }, '2011-12-29T18:00:00Z', '2011-12-29T18:00:00Z', apia)).toBe(
      '2011-12-30T18:00:00.000Z',
    );
  });

  it('is none without a rule, or behind the end', () => {
    expect(next(null, '2026-11-20T07:00:00Z')).toBeUndefined();
    const ends = { ends_at: '2026-11-20T23:00:00.000Z' };
    expect(next({ time: '08:00', every_days: 1 }, '2026-11-20T07:00:00Z', undefined, ends)).toBeUndefined();
  });
});

describe('what follows a message', () => {
  const reminder = {
    ...BERLIN,
    due_at: '2026-11-20T07:00:00.000Z',
    repeat: { time: '08:00', every_days: 1 },
    delay_minutes: 60,
    nag_minutes: 10,
    nag_times: 2,
    sent: 0,
  };
  const now = new Date('2026-11-20T08:00:20Z');
  const tomorrow = { due_at: '2026-11-21T07:00:00.000Z', message_at: '2026-11-21T08:00:00.000Z', sent: 0 };

  it('is the same occurrence until it was told often enough, then the next', () => {
    expect(afterSending(reminder, now)).toEqual({
      due_at: reminder.due_at,
      message_at: '2026-11-20T08:10:20.000Z',
      sent: 1,
    });
    expect(afterSending({ ...reminder, sent: 2 }, now)).toEqual(tomorrow);
    expect(afterOccurrence(reminder, now)).toEqual(tomorrow);
  });

  it('is nothing after the only one', () => {
    const once = { ...reminder, repeat: null, nag_times: 0 };
    expect(afterSending(once, now)).toEqual({ due_at: once.due_at, message_at: null, sent: 0 });
  });

  it('is no occurrence that would be missed', () => {
    expect(afterOccurrence(reminder, new Date('2026-11-25T12:00:00Z')).due_at).toBe(
      '2026-11-26T07:00:00.000Z',
    );
    expect(afterOccurrence(reminder, new Date('2026-11-25T08:59:00Z')).due_at).toBe(
      '2026-11-25T07:00:00.000Z',
    );
  });
});

it.each([
  ['2026-11-20T08:00:00Z', 'on time'],
  ['2026-11-20T08:05:00Z', 'on time'],
  ['2026-11-20T08:05:01Z', 'late'],
  ['2026-11-20T09:00:00Z', 'late'],
  ['2026-11-20T09:00:01Z', 'missed'],
])('a message of 8:00 that leaves at %s is %s', (now, expected) =>
  expect(punctualityOf(new Date(now), new Date('2026-11-20T08:00:00Z'))).toBe(expected),
);
