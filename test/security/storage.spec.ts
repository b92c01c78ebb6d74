import { ServiceConfig } from '@app/config';
import { Storage } from '@app/database';
import { expectFailure } from '@app/testing';
import { sql } from '../support/databases';
import { aMedication, aRegistration } from '../support/factories';
import { aHousehold } from '../support/record-kinds';
import { startServiceHere } from '../support/service-here';

it('a database without room: writes are 503 storage_low, reads, sign-in and deletes go on, and room mends it', async () => {
  const service = await startServiceHere({ STORAGE_LIMIT: String(2 ** 40) });
  const { api, databaseUrl } = service;
  try {
    const { token, profileId, medicationId, account } = await aHousehold(api);
    const { id } = await aMedication(api, token, profileId);
    const storage = service.app.get(Storage, { strict: false });
    const limit = jest.replaceProperty(service.app.get(ServiceConfig), 'storageLimit', 2 ** 40);
    const setLimit = async (bytes: number) => {
      limit.replaceValue(bytes);
      await storage.measure();
    };
    const [{ size }] = await sql<{ size: string }>(
      databaseUrl,
      'SELECT pg_database_size(current_database()) AS size',
    );
    await setLimit(Number(size));
    const create = () => api.post('/api/profiles', { wrapped_profile_dek: 'x' }, { token });
    for (const write of [
      () => create(),
      () => api.put(`/api/profiles/${profileId}`, { relationship: 'child' }, { token }),
      () => api.post(`/api/medications/${medicationId}`, { route: 'nasal' }, { token }),
      () => api.post(`/api/medications/${medicationId}/log`, { taken: true }, { token }),
      () => api.post('/api/auth/register', aRegistration()),
    ]) {
      const refused = await write();
      expectFailure(refused, 'storage_low');
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
    }
    expect((await api.get(`/api/medications/${id}`, { token })).status).toBe(200);
    expect(
      (await api.post('/api/auth/login', { email: account.email, password: account.password })).status,
    ).toBe(200);
    const check = await api.post('/api/interactions/check', { medications: ['warfarin'] }, { token });
    expect(check.status).toBe(200);
    expect((await api.post(`/api/medications/${id}/delete`, undefined, { token })).status).toBe(204);
    await setLimit(2 ** 40);
    expect((await create()).status).toBe(201);
  } finally {
    await service.stop();
  }
});
