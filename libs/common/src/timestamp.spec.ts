import fc from 'fast-check';
import { parseTimestamp } from './timestamp';

const EARLIEST = new Date('0001-01-01T00:00:00.000Z');
const LATEST = new Date('9999-12-31T23:59:59.999Z');

describe('parseTimestamp', () => {
  it.each([
    ['2026-11-20T08:00:00Z', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20t08:00:00z', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20 08:00:00Z', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T08:00:00', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T08:00:00.5Z', '2026-11-20T08:00:00.500Z'],
    ['2026-11-20T08:00:00.123456789Z', '2026-11-20T08:00:00.123Z'],
    ['2026-11-20T08:00:00.9999Z', '2026-11-20T08:00:00.999Z'],
    ['2026-11-20T08:00:00+02:00', '2026-11-20T06:00:00.000Z'],
    ['2026-11-20T08:00:00-05:30', '2026-11-20T13:30:00.000Z'],
    ['2026-11-20T08:00:00-00:00', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T00:30:00+01:00', '2026-11-19T23:30:00.000Z'],
    ['2026-12-31T23:59:60Z', '2026-12-31T23:59:59.999Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('reads %s as %s', (text, expected) => {
    expect(parseTimestamp(text)?.toISOString()).toBe(expected);
  });

  it.each([
    '',
    'now',
    '2026-11-20',
    '20261120T080000Z',
    '2026-11-20T08:00Z',
    '2026-11-20T08:00:00.Z',
    '2026-11-20T08:00:00.1234567890Z',
    '2026-11-20T08:00:00,5Z',
    '2026-11-20T08:00:00+0200',
    '2026-11-20T08:00:00+24:00',
    '2026-11-20T08:00:00+02:60',
    '2026-11-20T08:00:00Z ',
    '2026-11-20T08:00:00Z\n',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-11-31T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T08:60:00Z',
    '2026-11-20T08:00:61Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '+12026-11-20T08:00:00Z',
    '\u0662\u0660\u0662\u0666-11-20T08:00:00Z',
  ])('takes %j for no timestamp', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  it('reads back whatever an answer can hold', () => {
    fc.assert(
      fc.property(fc.date({ min: EARLIEST, max: LATEST, noInvalidDate: true }), (instant) => {
        expect(parseTimestamp(instant.toISOString())).toEqual(instant);
      }),
    );
  });

  it('means the same instant in every offset', () => {
    const instants = fc.date({
      min: new Date('1900-01-01'),
      max: new Date('2100-01-01'),
      noInvalidDate: true,
    });
    const offsets = fc.integer({ min: -(24 * 60 - 1), max: 24 * 60 - 1 });
    fc.assert(
      fc.property(instants, offsets, (instant, minutes) => {
        const local = new Date(instant.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const pad = (value: number) => String(value).padStart(2, '0');
        const size = Math.abs(minutes);
        const zone = `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
        expect(parseTimestamp(local + zone)).toEqual(instant);
      }),
    );
  });
});
