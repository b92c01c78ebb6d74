import { RateLimits } from '@app/security';
import { aNewSecret, expectFailure } from '@app/testing';
import { ClientAt, LIMITED } from '../support/clients';
import { type Account, aCiphertext, anAccount } from '../support/factories';
import { countersOf, setCounters } from '../support/limit-counters';
import { type ServiceHere, startServiceHere } from '../support/service-here';

/** A stranger's networks, each of another provider's block. The owner's are 192.0.2.0/24 and 198.51.100.0/24. */
const NETWORKS = 1_000;
const TRIES_OF_EACH = 10;
const strangersAddress = (network: number) => `10.${network >> 8}.${network & 255}.1`;

let service: ServiceHere;
let owner: Account;
let device: string;
const client = (address: string) => new ClientAt(service.api.url, address);
const HOME = '192.0.2.7';
/** Addresses from which the owner has not signed in before. A login makes its address a known one. */
let away = 0;
const anotherAddress = () => `198.51.100.${++away}`;

/** Wrong tries in the same counters as those of requests, without the requests. */
async function tryWrong(network: number): Promise<void> {
  const limits = service.app.get(RateLimits);
  const address = strangersAddress(network);
  for (let count = 0; count < TRIES_OF_EACH; count++) {
    const attempt = { address, email: owner.email, isRecovery: count % 2 === 0, isKnownAddress: false };
    await limits.trySecret(attempt, () => Promise.resolve(false)).catch(() => undefined);
  }
}

beforeAll(async () => {
  service = await startServiceHere(LIMITED);
  owner = await anAccount(client(HOME));
  const issued = await client(HOME).post('/api/auth/login', {
    email: owner.email,
    password: owner.password,
    remember_device: true,
  });
  device = issued.body.device_token;
  const { email } = owner;
  // Some are requests, the rest goes to the counters alone.
  const asked = await Promise.all(
    Array.from({ length: 20 }, (_, network) => [
      client(strangersAddress(network)).post('/api/auth/login', { email, password: aCiphertext(32) }),
      client(strangersAddress(network)).post('/api/auth/recovery/verify', {
        email,
        recovery_proof: aCiphertext(32),
      }),
    ]).flat(),
  );
  expect(asked.map(({ status }) => status)).toEqual(asked.map((_, index) => (index % 2 ? 200 : 401)));
  for (let first = 0; first < NETWORKS; first += 50)
    await Promise.all(Array.from({ length: 50 }, (_, index) => tryWrong(first + index)));
}, 120_000);
afterAll(() => service.stop());

describe("a stranger's 10,000 wrong tries from 1,000 networks", () => {
  const login = (address: string, device_token?: string) =>
    client(address).post('/api/auth/login', { email: owner.email, password: owner.password, device_token });
  const proof = () => ({ email: owner.email, recovery_proof: owner.recoveryProof });

  it('have used up what strangers may try', async () => {
    const [counter] = await countersOf(service.databaseUrl, 'secret-email');
    expect(counter.points).toBe(50);
    expect(await countersOf(service.databaseUrl, 'secret-address')).toHaveLength(NETWORKS);
    expectFailure(await login(anotherAddress()), 'rate_limited');
  });

  it('do not keep the owner out on a known device, at home and away', async () => {
    for (const address of [HOME, anotherAddress()]) expect((await login(address, device)).status).toBe(200);
  });

  it('do not keep the owner out at a known address', async () => {
    expect((await login(HOME)).status).toBe(200);
  });

  it('do not keep the owner from changing the password in a session, on any network', async () => {
    const change = { current_password: owner.password, ...aNewSecret(), new_password: owner.password };
    const changed = await client(anotherAddress()).post('/api/auth/change-password', change, {
      token: owner.token,
    });
    expect(changed.status).toBe(200);
  });

  it('do not keep the owner out of recovery, without a device token and on a new network', async () => {
    const verified = await client(anotherAddress()).post('/api/auth/recovery/verify', proof());
    expect([verified.status, verified.body]).toEqual([200, { verified: true }]);
    const reset = { ...proof(), ...aNewSecret() };
    const answer = await client(anotherAddress()).post('/api/auth/recovery/reset-password', reset);
    expect(answer.status).toBe(200);
  });
});

describe('fifty wrong tries from one /48', () => {
  it('use up the tries of the /48, not of the email', async () => {
    const { email, password } = await anAccount(client('192.0.2.8'));
    const statuses: number[] = [];
    for (let network = 0; network < 50; network++) {
      const api = client(`2001:db8:44:${network.toString(16)}::1`);
      statuses.push((await api.post('/api/auth/login', { email, password: 'wrong' })).status);
    }
    expect(statuses).toEqual([...Array<number>(20).fill(401), ...Array<number>(30).fill(429)]);
    expect((await client('2001:db8:45::1').post('/api/auth/login', { email, password })).status).toBe(200);
  });
});

it('a neighbour in the /24 who has used up its counters keeps nobody out at a known address or in a session', async () => {
  const [home, neighbour] = [client('203.0.113.7'), client('203.0.113.8')];
  const { email, password, token } = await anAccount(home);
  await neighbour.post('/api/auth/login', { email, password: 'wrong' });
  for (const policy of ['secret-block', 'secret-block-email', 'secret-email'])
    await setCounters(service.databaseUrl, policy, 1000);
  expectFailure(await neighbour.post('/api/auth/login', { email, password }), 'rate_limited');
  expect((await home.post('/api/auth/login', { email, password })).status).toBe(200);
  const change = { current_password: password, ...aNewSecret() };
  const changed = await neighbour.post('/api/auth/change-password', change, { token });
  expect(changed.status).toBe(200);
});
