import { BlobKeeper, DELICATE_BLOBS, SERVICE_KINDS } from '@app/testing';
import fc from 'fast-check';
import { sql } from '../support/databases';
import { aRegistration } from '../support/factories';
import { blobText, jsonBlank } from '../../libs/opaque/src/__fixtures__/json-text';
import { aHousehold, type Household, kindNamed } from '../support/record-kinds';
import { type SharedService, sharedService } from '../support/service';

/** Beside what record-kinds.spec.ts checks for each kind. */
describe('an opaque value', () => {
  let service: SharedService;
  let household: Household;
  beforeAll(async () => {
    service = await sharedService();
    household = await aHousehold(service.api);
  });

  it.each(SERVICE_KINDS.filter(({ blobField }) => blobField !== undefined))(
    'is returned to the byte, whatever JSON it is and however it is written: $name',
    async (kind) => {
      const keeper = new BlobKeeper(() => service, kind, household);
      const property = fc.asyncProperty(blobText, jsonBlank, (blob, blank) => keeper.roundTrip(blob, blank));
      await fc.assert(property, { numRuns: 20 * Number(process.env.TEST_LONG ?? 1) });
    },
  );

  it.each(DELICATE_BLOBS)(
    'is returned to the byte as the name of the profile that registering makes: %j',
    async (blob) => {
      const registration = JSON.stringify(aRegistration({ default_profile_wrapped_dek: 'x' }));
      const body = `${registration.slice(0, -1)},"default_profile_name_data":${blob}}`;
      const { status, body: tokens } = await service.api.post('/api/auth/register', body);
      expect(status).toBe(201);
      const { text } = await service.api.get('/api/profiles', { token: tokens.token });
      expect(text).toContain(`"name_data":${blob},"`);
    },
  );

  it.each([' leading', 'trailing ', 'a"b\\c', '\u{1f511}', 'é', 'e\u0301', '\t\n', '=', '{"not":"parsed"}'])(
    'that is a wrapped key or an IV is returned as it is: %j',
    async (key) => {
      const sent = { wrapped_profile_dek: key, wrapped_profile_dek_iv: key, name_iv: key };
      const { body } = await service.api.post('/api/profiles', sent, { token: household.token });
      expect(body).toMatchObject(sent);
      const read = await service.api.get(`/api/profiles/${body.profile_id}`, {
        token: household.token,
      });
      expect(read.body).toEqual(body);
    },
  );

  it('is kept as the text that was sent', async () => {
    const blob = '{ "2":1.50, "1":"\\u0000" }';
    const keeper = new BlobKeeper(() => service, kindNamed('health statistic'), household);
    const { body } = await keeper.create(blob);
    const [row] = await sql(service.databaseUrl, 'SELECT encrypted_data FROM health_stats WHERE id = $1', [
      body.id,
    ]);
    expect(row).toEqual({ encrypted_data: blob });
  });
});
