import { aCiphertext, expectFailure } from '@app/testing';
import { ClientAt, LIMITED } from '../support/clients';
import { sql } from '../support/databases';
import { type Account, anAccount, aProfile, aRegistration } from '../support/factories';
import { headersOf } from '../support/in-space';
import { countersOf, setCounters } from '../support/limit-counters';
import { startService, type TestService } from '../support/service';
import { until } from '../support/until';

const KIB = 1024;

describe('what new accounts of one network store', () => {
  let service: TestService;
  beforeEach(async () => (service = await startService(LIMITED)));
  afterEach(() => service.stop());

  const at = (address: string) => new ClientAt(service.api.url, address);
  const profiles = new Map<string, string>();
  const store = async (client: ClientAt, { token }: Account, kib: number) => {
    const profile_id = profiles.get(token) ?? (await aProfile(client, token));
    profiles.set(token, profile_id);
    const body = { profile_id, encrypted_data: aCiphertext((kib * KIB * 3) / 4) };
    return client.post('/api/health-stats', body, { token });
  };
  const counted = async () => (await countersOf(service.databaseUrl, 'stored-kib'))[0]?.points ?? 0;
  /** The bytes count after the answer. */
  const toCount = (kib: number) => until(`${kib} KiB count`, async () => (await counted()) >= kib);

  it.each([
    ['address', 'stored-kib', 131_072, '203.0.113.1', '203.0.113.1', '203.0.113.2'],
    ['block', 'stored-kib-block', 1_048_576, '203.0.113.1', '203.0.113.2', '203.0.114.1'],
  ])('is limited by %s, over all accounts', async (_, name, points, first, same, other) => {
    const [one, two, third] = await Promise.all([1, 2, 3].map(() => anAccount(at(first))));
    for (const account of [one, two]) expect((await store(at(first), account, 200)).status).toBe(201);
    await toCount(300);
    await setCounters(service.databaseUrl, name, points);
    for (const account of [one, two]) expect((await store(at(same), account, 200)).status).toBe(201);
    await until('the next create is refused', async () => {
      const { status } = await at(same).post('/api/profiles', { wrapped_profile_dek: 'x' }, third);
      return status === 429;
    });
    const refused = await at(same).post('/api/auth/register', aRegistration());
    expectFailure(refused, 'rate_limited');
    expect(refused.body.details).toEqual([{ field: 'limit', message: name }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_600);
    expect((await at(same).get('/api/profiles', one)).status).toBe(200);
    expect((await at(other).post('/api/auth/register', aRegistration())).status).toBe(201);
  });

  it('does not count what older accounts store, and does not refuse it', async () => {
    const client = at('203.0.113.7');
    const [old, young] = await Promise.all([anAccount(client), anAccount(client)]);
    await sql(
      service.databaseUrl,
      `UPDATE accounts SET created_at = created_at - interval '7 days' WHERE email = $1`,
      [old.email],
    );
    for (let count = 0; count < 3; count++) expect((await store(client, old, 200)).status).toBe(201);
    for (let count = 0; count < 2; count++) await store(client, young, 200);
    await toCount(300);
    expect(await counted()).toBeLessThan(500);
    await setCounters(service.databaseUrl, 'stored-kib', 131_072);
    for (let count = 0; count < 2; count++) await store(client, young, 200);
    await until(
      'the young one is refused',
      async () => (await store(client, young, 1).catch(() => ({ status: 429 }))).status === 429,
    );
    expect((await store(client, old, 200)).status).toBe(201);
  });

  it('counts a body without a length, and no body that was refused', async () => {
    const client = at('203.0.113.8');
    const account = await anAccount(client);
    const profile_id = await aProfile(client, account.token);
    const body = JSON.stringify({ profile_id, encrypted_data: aCiphertext((200 * KIB * 3) / 4) });
    const send = (text: string) =>
      fetch(`${service.api.url}/api/health-stats`, {
        method: 'POST',
        body: new Blob([text]).stream(),
        duplex: 'half',
        headers: {
          ...headersOf(account.token, '/api/health-stats'),
          'Content-Type': 'application/json',
          'X-Forwarded-For': '203.0.113.8',
        },
      });
    for (let count = 0; count < 4; count++) expect((await send(body.replace('"', '"x'))).status).toBe(400);
    for (let count = 0; count < 2; count++) expect((await send(body)).status).toBe(201);
    await toCount(390);
    expect(await counted()).toBeLessThan(450);
  });
});
