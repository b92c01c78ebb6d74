import { expectFailure } from '@app/testing';
import { aHousehold, type Household } from '../support/record-kinds';
import { type SharedService, sharedService } from '../support/service';

describe('a timestamp of a request', () => {
  let service: SharedService;
  let household: Household;
  beforeAll(async () => {
    service = await sharedService();
    household = await aHousehold(service.api);
  });

  const recordAt = (recorded_at: unknown) =>
    service.api.post(
      '/api/health-stats',
      { profile_id: household.profileId, encrypted_data: 'x', recorded_at },
      { token: household.token },
    );

  it.each([
    ['in UTC', '2025-11-20T08:00:00Z', '2025-11-20T08:00:00.000Z'],
    ['in lower case', '2025-11-20t08:00:00z', '2025-11-20T08:00:00.000Z'],
    ['with an offset', '2025-11-20T08:00:00+05:45', '2025-11-20T02:15:00.000Z'],
    ['with a negative offset over midnight', '2025-12-31T23:30:00-08:00', '2026-01-01T07:30:00.000Z'],
    ['with the greatest offset', '2025-11-20T00:00:00+23:59', '2025-11-19T00:01:00.000Z'],
    ['with the offset -00:00', '2025-11-20T08:00:00-00:00', '2025-11-20T08:00:00.000Z'],
    ['without an offset, which is UTC', '2025-11-20T08:00:00', '2025-11-20T08:00:00.000Z'],
    ['without an offset, with a fraction', '2025-11-20T08:00:00.5', '2025-11-20T08:00:00.500Z'],
    ['with one digit', '2025-11-20T08:00:00.1Z', '2025-11-20T08:00:00.100Z'],
    ['with nine digits, cut to milliseconds', '2025-11-20T08:00:00.123999999Z', '2025-11-20T08:00:00.123Z'],
    ['just before a second, not rounded up', '2025-11-20T08:00:00.999999999Z', '2025-11-20T08:00:00.999Z'],
    ['in a leap second', '2016-12-31T23:59:60Z', '2016-12-31T23:59:59.999Z'],
    [
      'in a leap second with a fraction and an offset',
      '2017-01-01T00:59:60.5+01:00',
      '2016-12-31T23:59:59.999Z',
    ],
    ['on a leap day', '2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['of the first year', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['of the last year', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['of a year before 100', '0099-03-01T00:00:00Z', '0099-03-01T00:00:00.000Z'],
  ])('is taken %s', async (_, sent, kept) => {
    const { status, body } = await recordAt(sent);
    expect([status, body.recorded_at]).toEqual([201, kept]);
    const read = await service.api.get(`/api/health-stats/${body.id}`, { token: household.token });
    expect(read.body.recorded_at).toBe(kept);
  });

  it.each([
    ['a date', '2025-11-20'],
    ['a time', '08:00:00Z'],
    ['no seconds', '2025-11-20T08:00Z'],
    ['ten digits', '2025-11-20T08:00:00.1234567890Z'],
    ['a point without digits', '2025-11-20T08:00:00.Z'],
    ['a comma', '2025-11-20T08:00:00,5Z'],
    ['30 February', '2025-02-30T08:00:00Z'],
    ['29 February of no leap year', '2025-02-29T08:00:00Z'],
    ['31 April', '2025-04-31T08:00:00Z'],
    ['a month 13', '2025-13-01T08:00:00Z'],
    ['a month 0', '2025-00-01T08:00:00Z'],
    ['a day 0', '2025-11-00T08:00:00Z'],
    ['an hour 24', '2025-11-20T24:00:00Z'],
    ['a minute 60', '2025-11-20T08:60:00Z'],
    ['a second 61', '2025-11-20T08:00:61Z'],
    ['an offset of 24 hours', '2025-11-20T08:00:00+24:00'],
    ['an offset of 60 minutes', '2025-11-20T08:00:00+01:60'],
    ['an offset without colon', '2025-11-20T08:00:00+0100'],
    ['a named zone', '2025-11-20T08:00:00 Europe/Paris'],
    ['a year of five digits', '12025-11-20T08:00:00Z'],
    ['a signed year', '+002025-11-20T08:00:00Z'],
    ['the year 0', '0000-01-01T00:00:00Z'],
    ['a time before the first year, by its offset', '0001-01-01T00:00:00+01:00'],
    ['a time after the last year, by its offset', '9999-12-31T23:59:59-01:00'],
    ['blanks around', ' 2025-11-20T08:00:00Z '],
    ['other digits', '２０２５-11-20T08:00:00Z'],
    ['words', 'now'],
    ['infinity, which PostgreSQL would take', 'infinity'],
    ['nothing', ''],
    ['a number', 1_700_000_000_000],
    ['a list', ['2025-11-20T08:00:00Z']],
    ['an object', { toString: '2025-11-20T08:00:00Z' }],
  ])('is refused as %s', async (_, sent) => {
    expectFailure(await recordAt(sent), 'validation_failed', 'recorded_at');
  });

  it('is understood alike in a query', async () => {
    const { body } = await recordAt('2021-05-05T12:00:00.123Z');
    const between = async (from: string, to: string) => {
      const query = `recorded_from=${encodeURIComponent(from)}&recorded_to=${encodeURIComponent(to)}`;
      return (await service.api.get(`/api/health-stats?${query}`, { token: household.token })).body;
    };
    expect(await between('2021-05-05T14:00:00.123999+02:00', '2021-05-05T12:00:00.123')).toEqual([body]);
    expect(await between('2021-05-05T12:00:00.124Z', '2021-05-06T00:00:00Z')).toEqual([]);
  });
});
