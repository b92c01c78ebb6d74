import { aBlob, aCiphertext, anAccount, aMedication, aProfile } from '../support/factories';
import { startService, type TestService } from '../support/service';

describe('profiles', () => {
  let service: TestService;
  beforeAll(async () => (service = await startService()));
  afterAll(() => service.stop());

  it('creates a profile with the defaults of the contract', async () => {
    const { token } = await anAccount(service.api);
    const dek = aCiphertext();
    const { status, body, headers } = await service.api.post(
      '/api/profiles',
      { wrapped_profile_dek: dek },
      { token },
    );
    expect(status).toBe(201);
    expect(headers.get('etag')).toBe('"1"');
    expect(body).toEqual({
      profile_id: expect.any(String),
      owner_account_id: expect.any(String),
      kind: 'human',
      relationship: 'self',
      wrapped_profile_dek: dek,
      wrapped_profile_dek_iv: '',
      name_data: '',
      name_iv: '',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
      revision: 1,
    });
  });

  it('lists oldest first', async () => {
    const { token } = await anAccount(service.api);
    const ids = [await aProfile(service.api, token), await aProfile(service.api, token)];
    const { body } = await service.api.get('/api/profiles', { token });
    expect(body.map((profile: { profile_id: string }) => profile.profile_id)).toEqual(ids);
  });

  it('refuses a new name without its IV where the stored IV is not empty', async () => {
    const { token } = await anAccount(service.api);
    const id = await aProfile(service.api, token, { name_data: aBlob(), name_iv: aCiphertext(12) });
    const refused = await service.api.put(`/api/profiles/${id}`, { name_data: aBlob() }, { token });
    expect(refused.status).toBe(400);
    expect(refused.body.details[0].field).toBe('name_iv');
    const both = await service.api.put(
      `/api/profiles/${id}`,
      { name_data: aBlob(), name_iv: 'aXY=' },
      { token },
    );
    expect(both.status).toBe(200);
  });

  it('deletes a profile with everything under it', async () => {
    const { token } = await anAccount(service.api);
    const id = await aProfile(service.api, token);
    const medication = await aMedication(service.api, token, id);
    expect((await service.api.delete(`/api/profiles/${id}`, undefined, { token })).status).toBe(204);
    expect((await service.api.get(`/api/medications/${medication.id}`, { token })).status).toBe(404);
  });
});
