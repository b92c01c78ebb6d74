import * as crypto from 'node:crypto';
import { availableParallelism } from 'node:os';
import { PasswordHasher } from '@app/security';
import { aNewSecret, type Answer, type Api, expectFailure, visible } from '@app/testing';
import { anAddress, ClientAt, LIMITED } from '../support/clients';
import { type Account, aCiphertext, anAccount, anEmail, aRegistration } from '../support/factories';
import { countersOf, forgetLimits } from '../support/limit-counters';
import { type ServiceHere, startServiceHere } from '../support/service-here';
import { until } from '../support/until';

jest.mock('node:crypto', () => {
  const actual = jest.requireActual<typeof crypto>('node:crypto');
  return { ...actual, pbkdf2: jest.fn(actual.pbkdf2) };
});

const actual = jest.requireActual<typeof crypto>('node:crypto');
const pbkdf2 = jest.mocked(crypto.pbkdf2);
const PLACES = Math.max(1, Math.floor(availableParallelism() / 2));
/** As many strangers as are hashed or wait for it at most. */
const ROOM = PLACES + 50;

let service: ServiceHere;
let hasher: PasswordHasher;
beforeAll(async () => {
  service = await startServiceHere(LIMITED);
  hasher = service.app.get(PasswordHasher, { strict: false });
});
afterAll(() => service.stop());
beforeEach(() => forgetLimits(service.databaseUrl));
afterEach(() => pbkdf2.mockReset().mockImplementation(actual.pbkdf2));

const client = (address?: string) => new ClientAt(service.api.url, address);
const login = (api: Api, email = anEmail(), password = aCiphertext(32)) =>
  api.post('/api/auth/login', { email, password });

/** Derivations that go on when they are released. */
function holdDerivations(): () => void {
  const pending: (() => void)[] = [];
  let isReleased = false;
  pbkdf2.mockImplementation((...args: Parameters<typeof actual.pbkdf2>) => {
    const go = () => actual.pbkdf2(...args);
    if (isReleased) go();
    else pending.push(go);
  });
  return () => {
    isReleased = true;
    for (const go of pending.splice(0)) go();
  };
}

/** Wrong logins that fill every place, each for another email; their answers come after `release`. */
async function aFlood(addressOf: () => string) {
  const release = holdDerivations();
  const answers = Array.from({ length: ROOM }, () => login(client(addressOf())));
  // One place for each hash that runs; all others wait. Counters say nothing of it: they are taken before.
  await until('every place is taken', async () => hasher.waiting === ROOM - PLACES);
  return { answers, release };
}

const fromOnePlace = () => {
  const address = anAddress();
  return () => address;
};

const statusesOf = async (answers: Promise<Answer>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);

type Ask = (api: Api, account: Account, device_token?: string) => Promise<Answer>;

/** Each request that needs a hash and may come from a stranger. */
const HASHED: [string, Ask, number][] = [
  [
    'login',
    (api, { email, password }, device_token) =>
      api.post('/api/auth/login', { email, password, device_token }),
    200,
  ],
  ['register', (api) => api.post('/api/auth/register', aRegistration()), 201],
  [
    'recovery/verify',
    (api, { email, recoveryProof }, device_token) =>
      api.post('/api/auth/recovery/verify', { email, recovery_proof: recoveryProof, device_token }),
    200,
  ],
  [
    'recovery/reset-password',
    (api, { email, recoveryProof }, device_token) =>
      api.post('/api/auth/recovery/reset-password', {
        email,
        recovery_proof: recoveryProof,
        device_token,
        ...aNewSecret(),
      }),
    200,
  ],
];

/** Each request of a session that needs a hash. */
const STEP_UPS: [string, Ask, number][] = [
  [
    'change-password',
    (api, { token, password }) =>
      api.post('/api/auth/change-password', { current_password: password, ...aNewSecret() }, { token }),
    200,
  ],
  [
    'users/me/delete',
    (api, { token, password }) => api.post('/api/users/me/delete', { current_password: password }, { token }),
    204,
  ],
];

describe('while strangers from everywhere keep every place for hashing', () => {
  it.each(HASHED)(
    '%s is told to come back, loses no point, and succeeds afterwards',
    async (_, ask, status) => {
      const account = await anAccount(client());
      const api = client();
      const { answers, release } = await aFlood(anAddress);
      const before = await countersOf(service.databaseUrl, 'secret');
      for (const answer of await Promise.all([ask(api, account), ask(api, account)])) {
        expectFailure(answer, 'overloaded');
        expect(answer.headers.get('retry-after')).toBe('5');
      }
      const taken = (await countersOf(service.databaseUrl, 'secret')).filter(({ points }) => points > 0);
      expect(taken.map(({ key }) => key).sort()).toEqual(before.map(({ key }) => key).sort());
      release();
      expect(await statusesOf(answers)).toEqual(Array(ROOM).fill(401));
      expect((await ask(api, account)).status).toBe(status);
    },
  );

  const known = HASHED.filter(([path]) => path !== 'register');

  it.each([
    ...known.map(([path, ask, status]) => [`${path} on a known device`, ask, status, 'device'] as const),
    ...known.map(([path, ask, status]) => [`${path} from a known address`, ask, status, 'address'] as const),
    ...STEP_UPS.map(([path, ask, status]) => [`${path} in a session`, ask, status, 'session'] as const),
  ])('%s has a place', async (_, ask, status, knownBy) => {
    const home = client();
    const account = await anAccount(home);
    const { email, password } = account;
    const { body } = await home.post('/api/auth/login', { email, password, remember_device: true });
    const { answers, release } = await aFlood(anAddress);
    const device = knownBy === 'device' ? body.device_token : undefined;
    const mine = ask(knownBy === 'address' ? home : client(), account, device);
    expectFailure(await login(client()), 'overloaded');
    release();
    expect((await mine).status).toBe(status);
    expect(await statusesOf(answers)).toEqual(Array(ROOM).fill(401));
  });

  it('a known and an unknown email are told the same', async () => {
    const { email } = await anAccount(client());
    const { answers, release } = await aFlood(anAddress);
    const told = await Promise.all([login(client(), email), login(client(), anEmail())]);
    expect(visible(told[0])).toMatchObject({ status: 503 });
    expect(visible(told[1])).toEqual(visible(told[0]));
    release();
    await Promise.all(answers);
  });

  it('who has used up the limit is told that', async () => {
    const [api, email] = [client(), anEmail()];
    for (let count = 0; count < 5; count++) await login(api, email);
    const { answers, release } = await aFlood(anAddress);
    const hashes = pbkdf2.mock.calls.length;
    expectFailure(await login(api, email), 'rate_limited');
    expect(pbkdf2).toHaveBeenCalledTimes(hashes);
    release();
    await Promise.all(answers);
  });

  it('every other route is answered', async () => {
    const api = client();
    const { token, email, refreshToken } = await anAccount(api);
    const { answers, release } = await aFlood(anAddress);
    const others = [
      api.get('/api/users/me', { token }),
      api.get('/api/profiles', { token }),
      api.post('/api/auth/prelogin', { email }),
      api.get(`/api/auth/recovery-info?email=${email}`),
      api.post('/api/auth/refresh', { refresh_token: refreshToken }),
      api.get('/readyz'),
    ];
    expect(await statusesOf(others)).toEqual(Array(others.length).fill(200));
    release();
    await Promise.all(answers);
  });
});

describe('a flood from one place', () => {
  it("stands in nobody else's way: a person from another one signs in", async () => {
    const { email, password } = await anAccount(client());
    const { answers, release } = await aFlood(fromOnePlace());
    const mine = login(client(), email, password);
    const refused = await Promise.race(answers);
    expectFailure(refused, 'overloaded');
    release();
    expect((await mine).status).toBe(200);
    const statuses = await statusesOf(answers);
    expect(statuses.filter((status) => status === 401)).toHaveLength(ROOM - 1);
    expect(statuses.filter((status) => status === 503)).toHaveLength(1);
  });

  it('stands in its own', async () => {
    const address = fromOnePlace();
    const { answers, release } = await aFlood(address);
    expectFailure(await login(client(address())), 'overloaded');
    release();
    expect(await statusesOf(answers)).toEqual(Array(ROOM).fill(401));
  });

  it.each([
    ['many /64s of one /48', (count: number) => `2001:db8:71:${count.toString(16)}::1`],
    ['many addresses of one /24', (count: number) => `203.0.113.${count}`],
  ])('may be %s: a stranger from another one signs in', async (_, addressOf) => {
    const { email, password } = await anAccount(client());
    let count = 0;
    const { answers, release } = await aFlood(() => addressOf(count++));
    const more = Array.from({ length: 19 }, () => login(client(addressOf(count++))));
    const mine = login(client(), email, password);
    // One makes room for it.
    expectFailure(await Promise.race(answers), 'overloaded');
    // Who comes after the release finds a place: on a busy machine, one of them might.
    let refused = 0;
    for (const answer of [...answers, ...more]) void answer.then(() => (refused += 1));
    await until('all others are refused', async () => Promise.resolve(refused === 20));
    release();
    expect((await mine).status).toBe(200);
    const statuses = [...(await statusesOf(answers)), ...(await statusesOf(more))];
    expect(statuses.filter((status) => status === 503)).toHaveLength(20);
  });
});
