import { randomBytes } from 'node:crypto';
import { PasswordHasher } from '@app/security';
import { aNewSecret, type Answer, type Api, expectFailure } from '@app/testing';
import { ClientAt, LIMITED } from '../support/clients';
import { sql } from '../support/databases';
import { type Account, aCiphertext, anAccount, anEmail, aRegistration } from '../support/factories';
import { countersOf, endWindows, forgetLimits, setCounters } from '../support/limit-counters';
import { type ServiceHere, startServiceHere } from '../support/service-here';

let service: ServiceHere;
beforeAll(async () => (service = await startServiceHere(LIMITED)));
afterAll(() => service.stop());
beforeEach(() => forgetLimits(service.databaseUrl));

const client = (address?: string) => new ClientAt(service.api.url, address);

/** Addresses in /64s of one network that nobody else has: of a /56 for two hexadecimal digits, of a /48 for four. */
function neighbours(digits: 2 | 4): () => string {
  const site = randomBytes(4 - digits / 2).toString('hex');
  const [third, fourth] = [site.slice(0, 4), site.slice(4)];
  let count = 16 ** (digits - 1);
  return () => `2001:db8:${third}:${fourth}${(count++).toString(16)}::1`;
}
const login = (api: Api, email: string, password = aCiphertext(32)) =>
  api.post('/api/auth/login', { email, password });

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The table of the requirements, once more: policy, points, window, a request that counts, its status. */
const POLICIES: [string, number, number, () => () => Promise<Answer>, number][] = [
  ['secret', 5, 15 * MINUTE, () => login.bind(null, client(), anEmail()), 401],
  [
    'secret-address',
    100,
    DAY,
    () => {
      const api = client();
      return () => login(api, anEmail());
    },
    401,
  ],
  [
    'secret-email',
    50,
    DAY,
    () => {
      const email = anEmail();
      return () => login(client(), email);
    },
    401,
  ],
  [
    'secret-site',
    300,
    DAY,
    () => {
      const networks = neighbours(2);
      return () => login(client(networks()), anEmail());
    },
    401,
  ],
  [
    'secret-block',
    1000,
    DAY,
    () => {
      const networks = neighbours(4);
      return () => login(client(networks()), anEmail());
    },
    401,
  ],
  [
    'secret-block-email',
    20,
    DAY,
    () => {
      const [networks, email] = [neighbours(4), anEmail()];
      return () => login(client(networks()), email);
    },
    401,
  ],
  [
    'register',
    500,
    HOUR,
    () => {
      const api = client();
      return () => api.post('/api/auth/register', aRegistration());
    },
    201,
  ],
  [
    'prelogin',
    600,
    HOUR,
    () => {
      const api = client();
      return () => api.post('/api/auth/prelogin', { email: anEmail() });
    },
    200,
  ],
  [
    'recovery-info',
    600,
    HOUR,
    () => {
      const api = client();
      return () => api.get(`/api/auth/recovery-info?email=${anEmail()}`);
    },
    200,
  ],
  [
    'recovery-info',
    600,
    HOUR,
    () => {
      const api = client();
      return () => api.post('/api/auth/recovery-info', { email: anEmail() });
    },
    200,
  ],
  [
    'passkey',
    600,
    HOUR,
    () => {
      const api = client();
      return () => api.post('/api/auth/passkey/options', {});
    },
    200,
  ],
];

it('refused tries of ever new emails leave no row behind, so that they cannot fill the disk', async () => {
  const api = client();
  await login(api, anEmail());
  await setCounters(service.databaseUrl, 'secret-address', 100);
  const rows = () => sql(service.databaseUrl, 'SELECT count(*)::int FROM rate_limits');
  const before = await rows();
  for (let count = 0; count < 5; count++) expectFailure(await login(api, anEmail()), 'rate_limited');
  expect(await rows()).toEqual(before);
});

describe.each(POLICIES)('the limit "%s"', (policy, points, windowSeconds, aRequest, status) => {
  it(`lets ${points} through in ${windowSeconds} s and refuses the next with 429, Retry-After and RateLimit`, async () => {
    const request = aRequest();
    expect((await request()).status).toBe(status);
    expect(await countersOf(service.databaseUrl, policy)).toMatchObject([{ points: 1 }]);
    await setCounters(service.databaseUrl, policy, points - 1);
    expect((await request()).status).toBe(status);
    const refused = await request();
    expectFailure(refused, 'rate_limited');
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(windowSeconds - 60);
    expect(seconds).toBeLessThanOrEqual(windowSeconds);
    expect(refused.headers.get('ratelimit-policy')).toBe(`"${policy}";q=${points};w=${windowSeconds}`);
    expect(refused.headers.get('ratelimit')).toBe(`"${policy}";r=0;t=${seconds}`);
  });

  it('is over when its window is', async () => {
    const request = aRequest();
    await request();
    await setCounters(service.databaseUrl, policy, points);
    expect((await request()).status).toBe(429);
    await endWindows(service.databaseUrl, policy);
    expect((await request()).status).toBe(status);
    expect(await countersOf(service.databaseUrl, policy)).toMatchObject([{ points: 1 }]);
  });

  it('does not count what it refuses, and keeps its window', async () => {
    const request = aRequest();
    await request();
    await setCounters(service.databaseUrl, policy, points);
    for (let count = 0; count < 3; count++) expect((await request()).status).toBe(429);
    const [counter] = await countersOf(service.databaseUrl, policy);
    if (policy.startsWith('secret')) expect(counter.points).toBe(points);
    expect(counter.secondsLeft).toBeLessThanOrEqual(windowSeconds);
  });
});

/** Each way in which a secret is tried, wrong by default. */
const ATTEMPTS: [string, (api: Api, account: Account, secret?: string) => Promise<Answer>, number][] = [
  ['login', (api, { email }, secret) => login(api, email, secret), 401],
  [
    'recovery/verify',
    (api, { email }, proof = aCiphertext(32)) =>
      api.post('/api/auth/recovery/verify', { email, recovery_proof: proof }),
    200,
  ],
  [
    'recovery/reset-password',
    (api, { email }, proof = aCiphertext(32)) =>
      api.post('/api/auth/recovery/reset-password', { email, recovery_proof: proof, ...aNewSecret() }),
    401,
  ],
  ...(
    [
      ['POST', '/api/auth/change-password', aNewSecret],
      ['PUT', '/api/users/me', () => ({ email: anEmail(), ...aNewSecret() })],
      ['POST', '/api/users/me/delete', () => ({})],
      ['POST', '/api/auth/recovery/setup', () => ({ recovery_proof: aCiphertext(32) })],
    ] as const
  ).map(([method, path, body]): (typeof ATTEMPTS)[number] => [
    path,
    (api, { token }, secret = aCiphertext(32)) =>
      api.call(method, path, { current_password: secret, ...body() }, { token }),
    403,
  ]),
];

describe.each(ATTEMPTS)('%s', (_, attempt, wrong) => {
  it('is refused after five wrong secrets, also with the right one, and hashes nothing then', async () => {
    const api = client();
    const account = await anAccount(api);
    for (let count = 1; count <= 5; count++)
      expect([count, (await attempt(api, account)).status]).toEqual([count, wrong]);
    const verify = jest.spyOn(service.app.get(PasswordHasher), 'verify');
    for (const secret of [undefined, account.password, account.recoveryProof])
      expectFailure(await attempt(api, account, secret), 'rate_limited');
    expect(verify).not.toHaveBeenCalled();
    verify.mockRestore();
  });

  it('counts with all the others: what is spent elsewhere is spent here', async () => {
    const api = client();
    const account = await anAccount(api);
    for (const [, other] of ATTEMPTS.slice(0, 5)) await other(api, account);
    expectFailure(await attempt(api, account), 'rate_limited');
  });
});

describe('right secrets', () => {
  it('cost nothing, however many', async () => {
    const api = client();
    const { email, password } = await anAccount(api);
    for (let count = 1; count <= 8; count++)
      expect([count, (await login(api, email, password)).status]).toEqual([count, 200]);
    for (const policy of ['secret', 'secret-address', 'secret-email']) {
      for (const { points } of await countersOf(service.databaseUrl, policy)) expect(points).toBe(0);
    }
  });

  it('do not wipe out the wrong ones before them', async () => {
    const api = client();
    const { email, password } = await anAccount(api);
    for (let count = 0; count < 4; count++) await login(api, email);
    expect((await login(api, email, password)).status).toBe(200);
    expect((await login(api, email)).status).toBe(401);
    expectFailure(await login(api, email, password), 'rate_limited');
  });

  it('of a family at once are all let in', async () => {
    const api = client();
    const { email, password } = await anAccount(api);
    const answers = await Promise.all(Array.from({ length: 30 }, () => login(api, email, password)));
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
    expect((await login(api, email, password)).status).toBe(200);
  });

  it('of step-ups cost nothing either', async () => {
    const api = client();
    const account = await anAccount(api);
    for (let count = 1; count <= 7; count++) {
      const body = {
        current_password: account.password,
        recovery_proof: aCiphertext(32),
        recovery_wrapped_dek: aCiphertext(),
        recovery_wrapped_dek_iv: aCiphertext(12),
      };
      const answer = await api.post('/api/auth/recovery/setup', body, { token: account.token });
      expect([count, answer.status]).toEqual([count, 200]);
    }
  });

  it('cost nothing where the service was too busy to look', async () => {
    const api = client();
    const { email, password } = await anAccount(api);
    const hasher = service.app.get(PasswordHasher);
    const verify = jest.spyOn(hasher, 'verify').mockRejectedValue(new Error('busy'));
    for (let count = 0; count < 7; count++) expect((await login(api, email, password)).status).toBe(500);
    verify.mockRestore();
    expect((await login(api, email, password)).status).toBe(200);
  });
});

describe('an email under attack from everywhere', () => {
  const attack = async (email: string) => {
    await login(client(), email);
    await setCounters(service.databaseUrl, 'secret-email', 50);
  };

  it('is closed to strangers, also with the right secret, but not to an address that has signed in of late', async () => {
    const home = client();
    const { email, password } = await anAccount(home);
    await attack(email);
    expectFailure(await login(client(), email, password), 'rate_limited');
    expect((await login(home, email, password)).status).toBe(200);
    expect((await login(home, email)).status).toBe(401);
  });

  it('is closed again to an address that has not signed in for 30 days', async () => {
    const home = client();
    const { email, password } = await anAccount(home);
    await attack(email);
    const age = (days: number) =>
      sql(service.databaseUrl, `UPDATE known_addresses SET last_login_at = now() - interval '1 day' * $1`, [
        days,
      ]);
    await age(29.9);
    expect((await login(home, email, password)).status).toBe(200);
    await age(30.1);
    expectFailure(await login(home, email, password), 'rate_limited');
  });

  it('is open to no address for having signed in to another account', async () => {
    const stranger = client();
    await anAccount(stranger);
    const { email, password } = await anAccount(client());
    await attack(email);
    expectFailure(await login(stranger, email, password), 'rate_limited');
  });

  it('takes no more points of an address that it refuses', async () => {
    const { email } = await anAccount(client());
    await attack(email);
    const api = client();
    for (let count = 0; count < 3; count++) await login(api, email);
    expect((await login(api, anEmail())).status).toBe(401);
    const ofAddress = await countersOf(service.databaseUrl, 'secret-address');
    // The attacker's own, and the one of the unknown email.
    expect(ofAddress.map(({ points }) => points).sort()).toEqual([1, 1]);
  });
});
