import { randomUUID } from 'node:crypto';
import { type Answer, type Api, decodeToken, expectFailure, signToken } from '@app/testing';
import { Database } from '@app/database';
import { Client } from 'pg';
import { BreakableLink } from '../support/breakable-link';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { aCiphertext, aHealthStat, anAccount, anEmail, aProfile, aRegistration } from '../support/factories';
import { type ServiceHere, startServiceHere } from '../support/service-here';
import { until } from '../support/until';

/** A service whose way to its database a test can break. */
async function startBehindLink(settings = '', broken = false) {
  const databaseUrl = await createDatabase();
  const { link, url } = await BreakableLink.to(databaseUrl);
  if (broken) link.cut();
  const service = await startServiceHere({ DATABASE_URL: url + settings });
  const stop = async () => {
    await service.stop();
    await link.close();
    await dropDatabase(databaseUrl);
  };
  return { ...service, databaseUrl, link, stop };
}

/** Holds a lock on the account of a token until it is released. */
async function hold(databaseUrl: string, token: string) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [decodeToken(token).payload.sub]);
  return async () => {
    await client.query('ROLLBACK');
    await client.end();
  };
}

/** Waits until this many statements of the service wait for a lock. */
async function untilWaiting(databaseUrl: string, count: number): Promise<void> {
  const text = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await until('statements wait for a lock', async () => (await sql(databaseUrl, text)).length >= count);
}

/** One request of each sort. */
function requestsOf(api: Api, token: string): (() => Promise<Answer>)[] {
  const email = anEmail();
  const id = randomUUID();
  const blob = { encrypted_data: aCiphertext() };
  const secret = { email, password: aCiphertext(32) };
  const paths = ['users/me', 'users/me/events', 'auth/sessions', 'profiles', 'medications', 'appointments'];
  return [
    ...[...paths, 'health-stats', `profiles/${id}`, `medications/${id}/adherence`].map(
      (path) => () => api.get(`/api/${path}`, { token }),
    ),
    () => api.get('/readyz'),
    () => api.post('/api/auth/register', aRegistration()),
    () => api.post('/api/auth/login', secret),
    () => api.post('/api/auth/prelogin', { email }),
    () => api.get(`/api/auth/recovery-info?email=${email}`),
    () => api.post('/api/auth/recovery/verify', { email, recovery_proof: 'x' }),
    () => api.post('/api/auth/logout-all', undefined, { token }),
    () => api.post('/api/users/me/delete', { current_password: 'x' }, { token }),
    () => api.post('/api/profiles', { wrapped_profile_dek: 'x' }, { token }),
    () => api.post('/api/health-stats', { profile_id: id, ...blob }, { token }),
    () => api.put(`/api/health-stats/${id}`, blob, { token }),
    () => api.delete(`/api/health-stats/${id}`, undefined, { token }),
    () => api.post(`/api/medications/${id}/log`, { taken: true }, { token }),
    () => api.post('/api/interactions/check', { medications: [] }, { token }),
  ];
}

describe('a database that is away', () => {
  it('at the start: the service is up, answers 503 with Retry-After to everything, and recovers by itself', async () => {
    const service = await startBehindLink('', true);
    try {
      const now = Math.floor(Date.now() / 1000);
      const sub = randomUUID();
      const token = signToken({
        header: { alg: 'HS256', typ: 'at+jwt', jti: `${randomUUID()}.x` },
        payload: { sub, user_id: sub, email: anEmail(), token_version: 0, iat: now, exp: now + 900 },
      });
      expect((await service.api.get('/healthz')).status).toBe(200);
      for (const request of requestsOf(service.api, token))
        expectFailure(await request(), 'database_unavailable');
      service.link.mend();
      await until('the service is ready', async () => (await service.api.get('/readyz')).status === 200);
      const account = await anAccount(service.api);
      expect((await service.api.get('/api/profiles', { token: account.token })).status).toBe(200);
    } finally {
      await service.stop();
    }
  });

  it('in the middle of work: 503, then everything as before, and the pool is not poisoned', async () => {
    const service = await startBehindLink();
    try {
      const { token, refreshToken } = await anAccount(service.api);
      const profileId = await aProfile(service.api, token);
      for (let round = 1; round <= 5; round++) {
        const work = Array.from({ length: 30 }, (_, index) =>
          index % 2
            ? service.api.get('/api/health-stats', { token })
            : service.api.post(
                '/api/health-stats',
                { profile_id: profileId, encrypted_data: 'x' },
                { token },
              ),
        );
        await Promise.race(work);
        service.link.cut();
        for (const answer of await Promise.all(work))
          if (answer.status >= 300) expectFailure(answer, 'database_unavailable');
        for (const request of requestsOf(service.api, token))
          expectFailure(await request(), 'database_unavailable');
        service.link.mend();
        const reads = await Promise.all(
          Array.from({ length: 30 }, () => service.api.get('/api/health-stats', { token })),
        );
        expect([round, reads.map(({ status }) => status)]).toEqual([round, Array(30).fill(200)]);
      }
      expect((await service.api.post('/api/auth/refresh', { refresh_token: refreshToken })).status).toBe(200);
    } finally {
      await service.stop();
    }
  });

  it('between two statements of a transaction: 503, and the process lives', async () => {
    const service = await startBehindLink();
    const { email, password, token } = await anAccount(service.api);
    const release = await hold(service.databaseUrl, token);
    try {
      const login = service.api.post('/api/auth/login', { email, password });
      await untilWaiting(service.databaseUrl, 1);
      service.link.cut();
      expectFailure(await login, 'database_unavailable');
      service.link.mend();
      await release();
      expect((await service.api.post('/api/auth/login', { email, password })).status).toBe(200);
      const idle = service.app.get(Database).transaction(async (transaction) => {
        await transaction.query({ name: 'one', text: 'SELECT 1' }, []);
        service.link.cut();
        await until('the link is cut', async () =>
          service.app
            .get(Database)
            .query({ name: 'one', text: 'SELECT 1' }, [])
            .then(
              () => false,
              () => true,
            ),
        );
        await transaction.query({ name: 'one', text: 'SELECT 1' }, []);
      });
      await expect(idle).rejects.toMatchObject({ code: 'database_unavailable' });
      service.link.mend();
      expect((await service.api.get('/readyz')).status).toBe(200);
    } finally {
      await service.stop();
    }
  });

  it('and says nothing: what waits for an answer is told 503, new connections work', async () => {
    const service = await startBehindLink('?query_timeout=3000');
    try {
      const { token } = await anAccount(service.api);
      service.link.stall();
      expectFailure(await service.api.get('/api/profiles', { token }), 'database_unavailable');
      await until(
        'reads work',
        async () => (await service.api.get('/api/profiles', { token })).status === 200,
      );
    } finally {
      await service.stop();
    }
  });
});

describe('a database that is in a bad way', () => {
  let service: ServiceHere;
  beforeAll(async () => {
    const databaseUrl = await createDatabase();
    service = await startServiceHere({
      DATABASE_URL: `${databaseUrl}?lock_timeout=500&statement_timeout=4000`,
    });
  });
  afterAll(() => service.stop());

  it('because a lock is held for too long: 503 overloaded, then all is well', async () => {
    const { email, password, token } = await anAccount(service.api);
    const release = await hold(service.databaseUrl, token);
    expectFailure(await service.api.post('/api/auth/login', { email, password }), 'overloaded');
    await release();
    expect((await service.api.post('/api/auth/login', { email, password })).status).toBe(200);
  });

  it('because a statement takes too long: 503 overloaded, then all is well', async () => {
    const slow = { name: 'slow', text: 'SELECT pg_sleep(60)' };
    await expect(service.app.get(Database).query(slow, [])).rejects.toMatchObject({ code: 'overloaded' });
    expect((await service.api.get('/readyz')).status).toBe(200);
  });

  it.each([
    ['53100', 'database_unavailable', 'the disk is full'],
    ['53200', 'database_unavailable', 'it is out of memory'],
    ['53300', 'database_unavailable', 'it has no connection left'],
    ['57P03', 'database_unavailable', 'it is starting'],
    ['58030', 'database_unavailable', 'its disk fails'],
    ['25006', 'database_unavailable', 'it is read-only'],
    ['40001', 'overloaded', 'it cannot serialise, again and again'],
  ] as [string, 'database_unavailable' | 'overloaded', string][])(
    'with %s: %s since %s; nothing half-done, and reads go on',
    async (state, code) => {
      const { token } = await anAccount(service.api);
      const profileId = await aProfile(service.api, token);
      await sql(
        service.databaseUrl,
        `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${state}'; END $$`,
      );
      await sql(
        service.databaseUrl,
        'CREATE TRIGGER fail AFTER INSERT ON health_stats EXECUTE FUNCTION fail()',
      );
      try {
        const refused = await service.api.post(
          '/api/health-stats',
          { profile_id: profileId, encrypted_data: 'x' },
          { token },
        );
        expectFailure(refused, code);
        expect((await service.api.get('/api/health-stats', { token })).body).toEqual([]);
      } finally {
        await sql(service.databaseUrl, 'DROP FUNCTION fail CASCADE');
      }
      await aHealthStat(service.api, token, profileId);
    },
  );

  it('because two transactions are in each other’s way: both succeed, one of them at a later try', async () => {
    await sql(
      service.databaseUrl,
      'CREATE TABLE pair (id int PRIMARY KEY, n int); INSERT INTO pair VALUES (1, 0), (2, 0)',
    );
    await sql(
      service.databaseUrl,
      `ALTER DATABASE ${new URL(service.databaseUrl).pathname.slice(1)} SET deadlock_timeout = '50ms'`,
    );
    const patient = await startServiceHere({ DATABASE_URL: service.databaseUrl.split('?')[0] });
    const database = patient.app.get(Database);
    let attempts = 0;
    let arrived = 0;
    let open: () => void;
    const bothHoldOne = new Promise<void>((resolve) => (open = resolve));
    const raise = { name: 'raise', text: 'UPDATE pair SET n = n + 1 WHERE id = $1' };
    const both = (order: number[]) =>
      database.transaction(async (transaction) => {
        attempts++;
        await transaction.query(raise, [order[0]]);
        if (++arrived === 2) open();
        await bothHoldOne;
        await transaction.query(raise, [order[1]]);
      });
    try {
      await Promise.all([both([1, 2]), both([2, 1])]);
      // On a busy machine the second try can meet the other transaction once more.
      expect(attempts).toBeGreaterThanOrEqual(3);
      expect(await sql(service.databaseUrl, 'SELECT n FROM pair')).toEqual([{ n: 2 }, { n: 2 }]);
    } finally {
      await patient.stop();
    }
  });
});
