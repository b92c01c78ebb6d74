import { createHash } from 'node:crypto';
import { Database } from '@app/database';
import { PasswordHasher, RateLimits } from '@app/security';
import { type Api, decodeToken, expectFailure, tablesHolding } from '@app/testing';
import { BreakableLink } from '../support/breakable-link';
import { anAddress, ClientAt, LIMITED } from '../support/clients';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { aCiphertext, anAccount, anEmail, aRegistration } from '../support/factories';
import { countersOf } from '../support/limit-counters';
import { type ServiceHere, startServiceHere } from '../support/service-here';

const login = (api: Api, email: string, password = aCiphertext(32)) =>
  api.post('/api/auth/login', { email, password });

describe('two replicas on one database', () => {
  let replicas: [ServiceHere, ServiceHere];
  let databaseUrl: string;
  beforeAll(async () => {
    databaseUrl = await createDatabase();
    const start = () => startServiceHere({ ...LIMITED, DATABASE_URL: databaseUrl });
    replicas = [await start(), await start()];
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.stop();
    await dropDatabase(databaseUrl);
  });
  afterEach(() => jest.restoreAllMocks());

  const attack = (email: () => string, address: () => string) =>
    Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        login(new ClientAt(replicas[index % 2].api.url, address()), email()),
      ),
    );
  const hashes = () => {
    const spies = replicas.map(({ app }) => jest.spyOn(app.get(PasswordHasher), 'verify'));
    return () => spies.map((spy) => spy.mock.calls.length);
  };

  it.each([
    ['a known email', async () => (await anAccount(replicas[0].api)).email],
    ['an unknown email', async () => anEmail()],
  ])('let exactly 5 of 50 parallel wrong passwords for %s through to the hasher', async (_, anEmailOf) => {
    const email = await anEmailOf();
    const address = anAddress();
    const count = hashes();
    const answers = await attack(
      () => email,
      () => address,
    );
    const [first, second] = count();
    expect(first + second).toBe(5);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(45);
    for (const replica of replicas)
      expectFailure(await login(new ClientAt(replica.api.url, address), email), 'rate_limited');
  });

  it('let exactly 50 of 100 parallel wrong passwords from as many addresses through to the hasher', async () => {
    const email = anEmail();
    const count = hashes();
    const answers = [...(await attack(() => email, anAddress)), ...(await attack(() => email, anAddress))];
    const [first, second] = count();
    expect(first + second).toBe(50);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(50);
  });

  it('let a family in that signs in on both at once', async () => {
    const address = anAddress();
    const { email, password } = await anAccount(new ClientAt(replicas[0].api.url, address));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        login(new ClientAt(replicas[index % 2].api.url, address), email, password),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  });
});

describe('one replica', () => {
  let service: ServiceHere;
  beforeAll(async () => (service = await startServiceHere(LIMITED)));
  afterAll(() => service.stop());
  afterEach(() => jest.restoreAllMocks());

  it('consumes alike for a known and an unknown email', async () => {
    const { email } = await anAccount(new ClientAt(service.api.url));
    const trail = async (tried: string) => {
      const api = new ClientAt(service.api.url);
      const before = (await countersOf(service.databaseUrl, 'secret-email')).length;
      const statuses: [number, string | null][] = [];
      for (let count = 0; count < 7; count++) {
        const { status, headers } = await login(api, tried);
        statuses.push([status, headers.get('ratelimit')?.split(';t=')[0] ?? null]);
      }
      const counters = await countersOf(service.databaseUrl, 'secret-email');
      return { statuses, counters: counters.length - before };
    };
    const unknown = await trail(anEmail());
    expect(await trail(email)).toEqual(unknown);
    expect(unknown.statuses.map(([status]) => status)).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });

  it('counts every form of an email as one', async () => {
    const api = new ClientAt(service.api.url);
    const email = anEmail();
    const forms = [email.toUpperCase(), ` ${email}`, email.replace('@', '\uff20'), email, `${email}\n`];
    for (const form of forms) expect((await login(api, form)).status).toBe(401);
    expectFailure(await login(api, email), 'rate_limited');
  });

  it('names neither addresses nor emails in the table, not even as plain hashes', async () => {
    const address = anAddress();
    const email = anEmail();
    await login(new ClientAt(service.api.url, address), email);
    expect((await countersOf(service.databaseUrl, 'secret')).length).toBeGreaterThan(0);
    const plain = [address, email, `${address}\0${email}`];
    const hashes = plain.flatMap((text) =>
      ['sha1', 'sha256', 'sha512'].flatMap((algorithm) =>
        (['base64', 'base64url', 'hex'] as const).map((encoding) =>
          createHash(algorithm).update(text).digest(encoding),
        ),
      ),
    );
    expect(await tablesHolding(service.databaseUrl, 'secret-email:')).toEqual(['rate_limits']);
    for (const text of [address, email, ...hashes])
      expect(await tablesHolding(service.databaseUrl, text)).toEqual([]);
  });

  it('makes other keys from another secret', async () => {
    const other = await startServiceHere({
      ...LIMITED,
      DECOY_SECRET: 'not the one that the others have, but long',
    });
    try {
      const [address, email] = [anAddress(), anEmail()];
      const keys: string[] = [];
      for (const { api, databaseUrl } of [service, other]) {
        await sql(databaseUrl, 'DELETE FROM rate_limits');
        await login(new ClientAt(api.url, address), email);
        keys.push(...(await countersOf(databaseUrl, 'secret')).map(({ key }) => key));
      }
      expect(new Set(keys).size).toBe(2);
    } finally {
      await other.stop();
    }
  });

  it('limits an account to 3,000 requests a minute, in memory, and no other account', async () => {
    const api = new ClientAt(service.api.url);
    const [busy, quiet] = [await anAccount(api), await anAccount(api)];
    const read = (token: string) => api.get('/api/profiles', { token });
    const first = await read(busy.token);
    expect(first.headers.get('ratelimit-policy')).toBe('"account";q=3000;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"account";r=2999;t=\d+$/);
    // Most of them without their requests.
    const limits = service.app.get(RateLimits);
    const busyId = decodeToken(busy.token).payload.sub as string;
    for (let count = 1; count < 2990; count++) await limits.takeFromAccount(busyId);
    for (let left = 9; left >= 0; left--) {
      const { status, headers } = await read(busy.token);
      expect([status, headers.get('ratelimit')]).toEqual([
        200,
        expect.stringMatching(`^"account";r=${left};`),
      ]);
    }
    const query = jest.spyOn(service.app.get(Database), 'query');
    const refused = await read(busy.token);
    expectFailure(refused, 'rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(query).not.toHaveBeenCalled();
    expect((await read(quiet.token)).status).toBe(200);
  });

  it('never limits what orchestrators ask', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const { headers } = await service.api.get(path);
      expect(headers.get('ratelimit')).toBeNull();
    }
  });
});

describe('without its database', () => {
  it('lets nobody try anything, and hashes nothing', async () => {
    const databaseUrl = await createDatabase();
    const { link, url } = await BreakableLink.to(databaseUrl);
    const service = await startServiceHere({ ...LIMITED, DATABASE_URL: url });
    try {
      const { email, password, recoveryProof } = await anAccount(service.api);
      link.cut();
      const hasher = service.app.get(PasswordHasher);
      const spies = [jest.spyOn(hasher, 'verify'), jest.spyOn(hasher, 'hash')];
      const { api } = service;
      const tries = [
        () => login(api, email, password),
        () => api.post('/api/auth/recovery/verify', { email, recovery_proof: recoveryProof }),
        () => api.post('/api/auth/register', aRegistration()),
        () => api.post('/api/auth/prelogin', { email }),
        () => api.get(`/api/auth/recovery-info?email=${email}`),
      ];
      for (const attempt of tries) expectFailure(await attempt(), 'database_unavailable');
      for (const spy of spies) expect(spy).not.toHaveBeenCalled();
      link.mend();
      expect((await login(api, email, password)).status).toBe(200);
    } finally {
      await service.stop();
      await link.close();
      await dropDatabase(databaseUrl);
    }
  });
});
