import { ServiceConfig } from '@app/config';
import { PasswordHasher } from '@app/security';
import { aNewSecret, type Answer, type Api, visible } from '@app/testing';
import { ClientAt, LIMITED } from '../support/clients';
import { createDatabase, dropDatabase } from '../support/databases';
import { aCiphertext, anAccount, anEmail } from '../support/factories';
import { observeWork } from '../support/observed-work';
import { TEST_ENVIRONMENT } from '../support/service';
import { type ServiceHere, startServiceHere } from '../support/service-here';

let service: ServiceHere;
beforeAll(async () => (service = await startServiceHere(LIMITED)));
afterAll(() => service.stop());

type Ask = (api: Api, email: string) => Promise<Answer>;

/** What a stranger can ask about an email: the status of every answer, and the hashes that it costs. */
const QUESTIONS: [string, Ask, number, number][] = [
  ['prelogin', (api, email) => api.post('/api/auth/prelogin', { email }), 200, 0],
  ['login', (api, email) => api.post('/api/auth/login', { email, password: aCiphertext(32) }), 401, 1],
  ['recovery-info', (api, email) => api.get(`/api/auth/recovery-info?email=${email}`), 200, 0],
  ['recovery-info by its body', (api, email) => api.post('/api/auth/recovery-info', { email }), 200, 0],
  [
    'recovery/verify',
    (api, email) => api.post('/api/auth/recovery/verify', { email, recovery_proof: aCiphertext(32) }),
    200,
    1,
  ],
  [
    'recovery/reset-password',
    (api, email) =>
      api.post('/api/auth/recovery/reset-password', {
        email,
        recovery_proof: aCiphertext(32),
        ...aNewSecret(),
      }),
    401,
    1,
  ],
];

/** Emails of every sort; each account of a different past. */
const SORTS: [string, (home: Api) => Promise<string>][] = [
  ['no account', () => Promise.resolve(anEmail())],
  ['an account', async (home) => (await anAccount(home)).email],
  [
    'an account without recovery',
    async (home) => (await anAccount(home, { recovery_proof: undefined })).email,
  ],
  [
    'an erased account',
    async (home) => {
      const { email, password, token } = await anAccount(home);
      await home.post('/api/users/me/delete', { current_password: password }, { token });
      return email;
    },
  ],
];

/** An answer without the values that are each email's own. */
function shape(answer: Answer): object {
  const { body, ...rest } = visible(answer) as { body: Record<string, unknown> };
  const lengths = Object.entries(body).map(([name, value]) =>
    /salt|wrapped/.test(name) ? [name, String(value).length] : [name, value],
  );
  return { ...rest, body: lengths };
}

describe.each(QUESTIONS)('%s', (_, ask, status, hashes) => {
  it('answers, works and counts the same for every sort of email, at home and from afar', async () => {
    const seen: unknown[] = [];
    for (const [, anEmailOf] of SORTS) {
      const home = new ClientAt(service.api.url);
      const email = await anEmailOf(home);
      for (const api of [home, new ClientAt(service.api.url)]) {
        const { answer, ...work } = await observeWork(service.app, () => ask(api, email));
        seen.push({ shape: shape(answer), ...work });
      }
    }
    expect(seen[0]).toMatchObject({ shape: { status }, hashes });
    expect((seen[0] as { statements: string[] }).statements.length).toBeGreaterThan(0);
    for (const [index, other] of seen.entries()) expect([index, other]).toEqual([index, seen[0]]);
  });

  it('works the same where a limit refuses', async () => {
    const seen: unknown[] = [];
    for (const [, anEmailOf] of SORTS) {
      const email = await anEmailOf(new ClientAt(service.api.url));
      const api = new ClientAt(service.api.url);
      for (let count = 0; count < 5; count++) await ask(api, email);
      const { answer, ...work } = await observeWork(service.app, () => ask(api, email));
      seen.push({ status: answer.status, code: answer.body.code, ...work });
    }
    expect(seen[0]).toMatchObject(hashes ? { status: 429, hashes: 0 } : { status });
    for (const [index, other] of seen.entries()) expect([index, other]).toEqual([index, seen[0]]);
  });
});

describe('a right secret', () => {
  it('costs one hash, like a wrong one', async () => {
    const api = new ClientAt(service.api.url);
    const { email, password, recoveryProof } = await anAccount(api);
    const login = await observeWork(service.app, () => api.post('/api/auth/login', { email, password }));
    expect([login.answer.status, login.hashes]).toEqual([200, 1]);
    const verify = await observeWork(service.app, () =>
      api.post('/api/auth/recovery/verify', { email, recovery_proof: recoveryProof }),
    );
    expect([verify.answer.body, verify.hashes]).toEqual([{ verified: true }, 1]);
  });
});

describe('decoys', () => {
  const decoysOf = async (api: Api, email: string) => [
    (await api.post('/api/auth/prelogin', { email })).body,
    (await api.get(`/api/auth/recovery-info?email=${email}`)).body,
  ];

  it('are the same on every replica and after every restart, and others under another secret', async () => {
    const databaseUrl = await createDatabase();
    const email = anEmail();
    try {
      const environment = { DATABASE_URL: databaseUrl };
      const [first, second] = [await startServiceHere(environment), await startServiceHere(environment)];
      const decoys = await decoysOf(first.api, email);
      expect(await decoysOf(second.api, email)).toEqual(decoys);
      await first.stop();
      await second.stop();
      const restarted = await startServiceHere(environment);
      expect(await decoysOf(restarted.api, email)).toEqual(decoys);
      await restarted.stop();
      const [salt, wrap] = await decoysOf(service.api, email);
      expect([salt, wrap]).toEqual(decoys);
      const other = await startServiceHere({ DECOY_SECRET: 'not the one that the others have, but long' });
      const [otherSalt, otherWrap] = await decoysOf(other.api, email);
      expect(otherSalt.salt).not.toBe(salt.salt);
      expect(otherWrap.recovery_wrapped_dek).not.toBe(wrap.recovery_wrapped_dek);
      await other.stop();
    } finally {
      await dropDatabase(databaseUrl);
    }
  });

  it.each(['JWT_SECRET', 'DECOY_SECRET'])('do not start in production without %s', (name) => {
    const production = {
      ...TEST_ENVIRONMENT,
      NODE_ENV: 'production',
      DATABASE_URL: 'postgres://127.0.0.1/records',
      SIGNUPS: 'open',
      RATE_LIMITS: 'on',
      PASSWORD_HASH_ITERATIONS: '',
    };
    expect(() => new ServiceConfig(production)).not.toThrow();
    expect(() => new ServiceConfig({ ...production, [name]: '' })).toThrow(
      `${name} must be given in production`,
    );
  });

  it('do not start with another secret than the database was set up with', async () => {
    const databaseUrl = await createDatabase();
    try {
      const first = await startServiceHere({ DATABASE_URL: databaseUrl });
      await first.stop();
      const other = startServiceHere({
        DATABASE_URL: databaseUrl,
        DECOY_SECRET: 'not the one that the database has seen before',
      });
      await expect(other).rejects.toThrow(/DECOY_SECRET is not the secret/);
    } finally {
      await dropDatabase(databaseUrl);
    }
  });
});

describe('the hasher', () => {
  const HERE = '192.0.2.1';

  it('takes as long for a hash of cheaper days as for none', async () => {
    const secret = aCiphertext(32);
    const cheap = await new PasswordHasher(new ServiceConfig(TEST_ENVIRONMENT)).hash(secret, HERE);
    const hasher = new PasswordHasher(
      new ServiceConfig({ ...TEST_ENVIRONMENT, PASSWORD_HASH_ITERATIONS: '400000' }),
    );
    const timeOf = async (stored: string | null) => {
      const begin = process.cpuUsage();
      await hasher.verify(aCiphertext(32), stored, HERE);
      const { user, system } = process.cpuUsage(begin);
      return user + system;
    };
    await timeOf(null);
    const none = await timeOf(null);
    expect(await timeOf(cheap)).toBeGreaterThan(none / 3);
    expect(await hasher.verify(secret, cheap, HERE)).toBe(true);
    expect(hasher.isOutdated(cheap)).toBe(true);
  });
});
