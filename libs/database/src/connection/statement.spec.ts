import { toRfc3339 } from './statement';

describe('a timestamp of PostgreSQL', () => {
  it.each([
    ['in UTC', '2026-11-20 12:45:00.5+00', '2026-11-20T12:45:00.500Z'],
    ['in another zone', '2026-11-20 18:15:00.123456+05:30', '2026-11-20T12:45:00.123Z'],
    ['with an offset of seconds', '1892-01-01 00:53:28+00:53:28', '1892-01-01T00:00:00.000Z'],
    [
      'of the first year, where it was still the year before',
      '0001-12-31 19:03:58-04:56:02 BC',
      '0001-01-01T00:00:00.000Z',
    ],
    [
      'of the last year, where it was the next already',
      '10000-01-01 05:29:59+05:30',
      '9999-12-31T23:59:59.000Z',
    ],
  ])('%s becomes RFC 3339', (_, text, instant) => {
    expect(toRfc3339(text)).toBe(instant);
  });
});
