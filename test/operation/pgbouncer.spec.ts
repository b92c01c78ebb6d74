import { randomUUID } from 'node:crypto';
import { ServiceConfig } from '@app/config';
import { Database } from '@app/database';
import { Client } from 'pg';
import { Api, expectFailure } from '@app/testing';
import { createApp } from '../../apps/api/src/configure-app';
import { MIGRATIONS } from '../../libs/database/src/migrations';
import { createDatabase, dropDatabase, setTimeouts, sql, urlOf } from '../support/databases';
import { aHealthStat, anAccount, aProfile } from '../support/factories';
import { PgBouncer, pgBouncerProgram } from '../support/pgbouncer';
import { TEST_ENVIRONMENT } from '../support/service';
import { type ServiceHere, startServiceHere } from '../support/service-here';
import { until } from '../support/until';
import { collectStatements } from './statements';
import { aWholeDay } from './whole-day';

/** Fewer connections to PostgreSQL than one service opens to PgBouncer. */
const POOL_SIZE = 3;
/** Whoever waits for a connection from somebody who waits for one too is not saved by a time-out. */
const FOR_EVER = 0;
const SERVICES = 10;
const AT_ONCE = 30;
/** The places that the queue of hashes has for clients that their account knows. It refuses more on a slow machine. */
const SIGN_INS = 20;

const program = pgBouncerProgram();
const describeThroughPgBouncer = program ? describe : describe.skip;

describeThroughPgBouncer('through PgBouncer in transaction mode', () => {
  let pgBouncer: PgBouncer;
  let databaseUrl: string;
  let environment: Record<string, string>;
  beforeEach(async () => {
    pgBouncer = await PgBouncer.start(program!, urlOf('postgres'), POOL_SIZE, FOR_EVER);
    databaseUrl = await createDatabase();
    environment = { DATABASE_URL: pgBouncer.urlTo(databaseUrl), DATABASE_PREPARED: 'off' };
  });
  afterEach(async () => {
    await pgBouncer.stop();
    await dropDatabase(databaseUrl);
  });

  /** A service that a test needs, and what it does with it. */
  async function withService(work: (service: ServiceHere) => Promise<void>): Promise<void> {
    const service = await startServiceHere(environment);
    try {
      await work(service);
    } finally {
      await service.stop();
    }
  }

  it('a whole day goes as it should, with limits, and leaves no state in a session', async () => {
    environment.RATE_LIMITS = 'on';
    const endOfStatements = collectStatements();
    await withService(({ api }) => aWholeDay(api));
    const statements = endOfStatements();
    expect(statements.length).toBeGreaterThan(80);
    const ofSession = /^\s*(SET|LISTEN|PREPARE|DECLARE|DISCARD|CREATE TEMP)|pg_(try_)?advisory_lock/i;
    expect(statements.filter(({ name, text }) => name !== undefined || ofSession.test(text))).toEqual([]);
  });

  it('without DATABASE_PREPARED=off the start fails, and says what to set', async () => {
    const settings = { ...TEST_ENVIRONMENT, DATABASE_URL: environment.DATABASE_URL };
    await expect(createApp(new ServiceConfig(settings))).rejects.toThrow(
      'a PgBouncer refuses parameters of the service (set DATABASE_PREPARED=off, see docs/production.md)',
    );
  });

  it(`${SERVICES} services that start at once all come up, and migrate once`, async () => {
    const empty = await createDatabase(false);
    const url = pgBouncer.urlTo(empty);
    const config = new ServiceConfig({ ...TEST_ENVIRONMENT, ...environment, DATABASE_URL: url });
    const apps = await Promise.all(Array.from({ length: SERVICES }, () => createApp(config)));
    try {
      for (const app of apps) {
        await app.listen(0, '127.0.0.1');
        expect((await new Api(await app.getUrl()).get('/readyz')).status).toBe(200);
      }
      const migrated = await sql<{ name: string }>(empty, 'SELECT name FROM migrations ORDER BY id');
      expect(migrated.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name));
    } finally {
      await Promise.all(apps.map((app) => app.close()));
      await dropDatabase(empty);
    }
  });

  it('of many refreshes with one token one wins, and of many creates with one key one is made', () =>
    withService(async ({ api }) => {
      const { token, refreshToken } = await anAccount(api);
      const storm = () => api.post('/api/auth/refresh', { refresh_token: refreshToken });
      const refreshed = await Promise.all(Array.from({ length: AT_ONCE }, storm));
      expect(refreshed.map(({ status }) => status).sort()).toEqual([200, ...Array(AT_ONCE - 1).fill(401)]);
      const body = { profile_id: await aProfile(api, token), encrypted_data: 'x' };
      const headers = { 'Idempotency-Key': randomUUID() };
      const create = () => api.post('/api/health-stats', body, { token, headers });
      const created = await Promise.all(Array.from({ length: AT_ONCE }, create));
      expect(created.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(201));
      expect(new Set(created.map(({ body: { id } }) => id as string)).size).toBe(1);
      expect((await api.get('/api/health-stats', { token })).body).toHaveLength(1);
    }));

  it('sign-ins at once each have their transaction to themselves', () =>
    withService(async ({ api }) => {
      const { token, email, password } = await anAccount(api);
      const signIn = () => api.post('/api/auth/login', { email, password });
      const answers = await Promise.all(Array.from({ length: SIGN_INS }, signIn));
      expect(answers.map(({ status }) => status)).toEqual(Array(SIGN_INS).fill(200));
      expect((await api.get('/api/auth/sessions', { token })).body).toHaveLength(5);
      expect((await api.get('/api/users/me/events', { token })).body).toHaveLength(SIGN_INS + 1);
    }));

  it('PgBouncer is killed and comes back: 503, then everything as before', () =>
    withService(async ({ api }) => {
      const { token } = await anAccount(api);
      const profileId = await aProfile(api, token);
      for (let round = 0; round < 3; round++) {
        const body = { profile_id: profileId, encrypted_data: 'x' };
        const creates = Array.from({ length: AT_ONCE }, () => api.post('/api/health-stats', body, { token }));
        await Promise.race(creates);
        await pgBouncer.kill();
        for (const answer of await Promise.all(creates))
          if (answer.status !== 201) expectFailure(answer, 'database_unavailable');
        expectFailure(await api.get('/readyz'), 'database_unavailable');
        await pgBouncer.start();
        const reads = Array.from({ length: AT_ONCE }, () => api.get('/api/profiles', { token }));
        expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(200));
      }
    }));

  it('PostgreSQL ends every session of PgBouncer: 503 at most, then everything as before', () =>
    withService(async ({ api }) => {
      const { token } = await anAccount(api);
      const end =
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
      const reads = Array.from({ length: AT_ONCE }, () => api.get('/api/profiles', { token }));
      await Promise.race(reads);
      await sql(databaseUrl, end);
      for (const answer of await Promise.all(reads))
        if (answer.status !== 200) expectFailure(answer, 'database_unavailable');
      await until('reads work', async () => (await api.get('/api/profiles', { token })).status === 200);
    }));

  /** Holds every account until it is released. */
  async function holdAccounts(): Promise<() => Promise<void>> {
    const blocker = new Client({ connectionString: databaseUrl });
    await blocker.connect();
    await blocker.query('BEGIN; SELECT FROM accounts FOR UPDATE');
    return () => blocker.end();
  }

  it('time-outs that the operator sets hold: what waits too long for a lock is 503 overloaded', async () => {
    await setTimeouts(databaseUrl, { lock_timeout: '1s', statement_timeout: '4s' });
    await withService(async ({ api, app }) => {
      const { email, password } = await anAccount(api);
      const release = await holdAccounts();
      expectFailure(await api.post('/api/auth/login', { email, password }), 'overloaded');
      await release();
      expect((await api.post('/api/auth/login', { email, password })).status).toBe(200);
      const slow = { name: 'slow', text: 'SELECT pg_sleep(60)' };
      await expect(app.get(Database).query(slow, [])).rejects.toMatchObject({ code: 'overloaded' });
    });
  });

  it('without them the service gives up by itself: 503, then everything as before', async () => {
    environment.DATABASE_URL += '?query_timeout=3000';
    await withService(async ({ api }) => {
      const { email, password } = await anAccount(api);
      const release = await holdAccounts();
      const signIn = () => api.post('/api/auth/login', { email, password });
      // More than PgBouncer has connections.
      const answers = await Promise.all(Array.from({ length: 2 * POOL_SIZE }, signIn));
      for (const answer of answers) expectFailure(answer, 'database_unavailable');
      await release();
      await until('sign-in works', async () => (await signIn()).status === 200);
    });
  });

  it.each(['Asia/Kolkata', 'Europe/Berlin', 'America/St_Johns'])(
    'timestamps are right where PostgreSQL’s own time zone is %s',
    async (zone) => {
      await setTimeouts(databaseUrl, { TimeZone: zone });
      await withService(async ({ api }) => {
        const before = Date.now();
        const { token } = await anAccount(api);
        const profileId = await aProfile(api, token);
        for (const instant of ['2026-07-01T00:00:00.120Z', '1850-01-01T12:00:00.000Z']) {
          const { id, ...made } = await aHealthStat(api, token, profileId, { recorded_at: instant });
          expect(made.recorded_at).toBe(instant);
          expect(Math.abs(Date.parse(made.created_at as string) - before)).toBeLessThan(60_000);
          const read = (await api.get(`/api/health-stats/${id}`, { token })).body;
          expect(read).toEqual({ id, ...made });
        }
        const first = await api.get('/api/health-stats?limit=1', { token });
        const next = /<([^>]+)>/.exec(first.headers.get('link')!)![1];
        const { body } = await api.get(next, { token });
        expect(body.map((row: { recorded_at: string }) => row.recorded_at)).toEqual([
          '1850-01-01T12:00:00.000Z',
        ]);
      });
    },
  );
});
