import { calendarFile, type CalendarEntry } from './calendar-file';

const visit: CalendarEntry = {
  id: '0192f3a0-0000-7000-8000-000000000001',
  title: 'Dr. Ito, eyes; bring the old glasses',
  startsAt: '2026-12-03T09:30:00+01:00',
  durationMinutes: 45,
  location: 'Harbour Street 3, first floor',
  description: 'Line one\nline two \\ end',
};

/** The lines of a file, folded ones joined. Source: RFC 5545, section 3.1. */
const linesOf = (entries: CalendarEntry[]) =>
  calendarFile(entries)
    .text.replace(/\r\n[ \t]/g, '')
    .split('\r\n');

describe('a calendar file', () => {
  it('has the time in UTC, the duration, and escaped texts', () => {
    const lines = linesOf([visit]);
    expect(lines).toEqual(
      expect.arrayContaining([
        'BEGIN:VCALENDAR',
        `UID:${visit.id}@health-records`,
        'DTSTART:20261203T083000Z',
        'DURATION:PT45M',
        'SUMMARY:Dr. Ito\\, eyes\\; bring the old glasses',
        'DESCRIPTION:Line one\\nline two \\\\ end',
        'STATUS:CONFIRMED',
        'END:VCALENDAR',
      ]),
    );
  });

  it('has whole days, cancelled visits and reminders', () => {
    const lines = linesOf([
      { id: 'due', title: 'Rabies', startsAt: '2026-12-31' },
      { ...visit, isCancelled: true, remindBeforeMinutes: 60 },
    ]);
    expect(lines).toEqual(
      expect.arrayContaining([
        'DTSTART;VALUE=DATE:20261231',
        'DTEND;VALUE=DATE:20270101',
        'STATUS:CANCELLED',
        'BEGIN:VALARM',
        'TRIGGER:-PT60M',
      ]),
    );
  });

  it('lets no text begin a line of the calendar', () => {
    const text = 'Eyes\rDESCRIPTION:planted\u0000\u0085';
    const lines = linesOf([{ ...visit, title: text, location: text }]).flatMap((line) => line.split('\r'));
    expect(lines.filter((line) => line.startsWith('DESCRIPTION:planted'))).toEqual([]);
    expect(lines).toContainEqual(expect.stringMatching(/^SUMMARY:Eyes\\nDESCRIPTION:planted/));
  });

  it('leaves out what has no time, and counts it', () => {
    const { text, leftOut } = calendarFile([visit, { ...visit, startsAt: 'soon' }]);
    expect([text.match(/BEGIN:VEVENT/g)!.length, leftOut]).toEqual([1, 1]);
  });
});
