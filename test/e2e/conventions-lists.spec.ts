import { aRecord, pagesFrom } from '@app/testing';
import { sql } from '../support/databases';
import { aProfile } from '../support/factories';
import { aHousehold, kindNamed } from '../support/record-kinds';
import { type SharedService, sharedService } from '../support/service';

let service: SharedService;
beforeAll(async () => (service = await sharedService()));

describe('the list of health statistics', () => {
  it('is whole without a limit, however long it is', async () => {
    const { token, profileId } = await aHousehold(service.api);
    await sql(
      service.databaseUrl,
      `INSERT INTO health_stats (account_id, id, profile_id, encrypted_data)
        SELECT account_id, gen_random_uuid(), id, '"x"' FROM profiles, generate_series(1, 1234) WHERE id = $1`,
      [profileId],
    );
    const { body, headers } = await service.api.get('/api/health-stats', { token });
    expect([body.length, headers.get('link')]).toEqual([1234, null]);
    const pages = await pagesFrom(() => service, '/api/health-stats?limit=1000', token);
    expect(pages.map((page) => page.length)).toEqual([1000, 234]);
    expect(pages.flat()).toEqual(body);
  });

  it('keeps its filters from page to page', async () => {
    const household = await aHousehold(service.api);
    const { token, profileId } = household;
    const other = await aProfile(service.api, token);
    for (const profile_id of [profileId, other, profileId, other, profileId])
      await aRecord(service.api, kindNamed('health statistic'), household, { profile_id });
    const query = `?limit=1&profile_id=${profileId}&recorded_to=2024-05-01T10:00:00%2B02:00`;
    const pages = await pagesFrom(() => service, `/api/health-stats${query}`, token);
    expect(pages.map(([record, ...more]) => [record.profile_id, more])).toEqual(
      Array(3).fill([profileId, []]),
    );
  });
});
