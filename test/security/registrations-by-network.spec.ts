import { expectFailure } from '@app/testing';
import { ClientAt, LIMITED } from '../support/clients';
import { aRegistration } from '../support/factories';
import { setCounters } from '../support/limit-counters';
import { startService, type TestService } from '../support/service';

describe('registrations', () => {
  let service: TestService;
  beforeAll(async () => (service = await startService(LIMITED)));
  afterAll(() => service.stop());

  const register = (address: string) =>
    new ClientAt(service.api.url, address).post('/api/auth/register', aRegistration());

  it.each([
    ['/24', '203.0.113.1', '203.0.113.200', '203.0.114.1'],
    ['/48', '2001:db8:7:1::1', '2001:db8:7:ffff::1', '2001:db8:8:1::1'],
  ])('are limited for a whole %s, and not for its neighbour', async (_, first, other, neighbour) => {
    expect((await register(first)).status).toBe(201);
    await setCounters(service.databaseUrl, 'register-block', 2000);
    const refused = await register(other);
    expectFailure(refused, 'rate_limited');
    expect(refused.headers.get('ratelimit-policy')).toBe('"register-block";q=2000;w=3600');
    expect((await register(neighbour)).status).toBe(201);
  });
});
