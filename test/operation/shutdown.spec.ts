import { Client } from 'pg';
import { expectFailure } from '@app/testing';
import { startBuiltService } from '../support/built-service';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { anAccount, aProfile } from '../support/factories';
import { until } from '../support/until';

/** Fewer than the pool has connections: others must be answered meanwhile. */
const CREATES = 6;

describe('SIGTERM under load', () => {
  let databaseUrl: string;
  beforeAll(async () => (databaseUrl = await createDatabase()));
  afterAll(() => dropDatabase(databaseUrl));

  const cleanUp: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const step of cleanUp.splice(0)) await step();
  });

  /** A service with creates of as many accounts in the middle of their work, which go on when `release` is called. */
  async function underLoad(environment: Record<string, string>) {
    const service = await startBuiltService({
      DATABASE_URL: `${databaseUrl}?lock_timeout=25000`,
      ...environment,
    });
    cleanUp.push(() => service.end('SIGKILL'));
    const people: { token: string; profileId: string }[] = [];
    for (let count = 0; count < CREATES; count++) {
      const { token } = await anAccount(service.api);
      people.push({ token, profileId: await aProfile(service.api, token) });
    }
    const blocker = new Client({ connectionString: databaseUrl });
    blocker.on('error', () => undefined);
    await blocker.connect();
    cleanUp.push(() => blocker.end());
    await blocker.query('BEGIN');
    await blocker.query('SELECT * FROM account_usage FOR UPDATE');
    const creates = people.map(({ token, profileId }) =>
      service.api.post('/api/health-stats', { profile_id: profileId, encrypted_data: 'x' }, { token }),
    );
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await until('all creates wait', async () => (await sql(databaseUrl, waiting)).length >= CREATES);
    const release = () => blocker.query('ROLLBACK');
    const stored = async () =>
      (
        await sql<{ id: string }>(databaseUrl, 'SELECT id FROM health_stats WHERE profile_id = ANY ($1)', [
          people.map(({ profileId }) => profileId),
        ])
      ).map(({ id }) => id);
    return { service, api: service.api, token: people[0].token, creates, release, stored };
  }

  it('takes no new connections, finishes every request that it has begun, and ends with 0', async () => {
    const { api, service, creates, release, stored } = await underLoad({});
    const ended = service.end('SIGTERM');
    await until('no connection is taken', () =>
      api.get('/healthz').then(
        () => false,
        () => true,
      ),
    );
    await release();
    const answers = await Promise.all(creates);
    expect(answers.map(({ status }) => status)).toEqual(Array(CREATES).fill(201));
    expect(await ended).toBe(0);
    expect((await stored()).sort()).toEqual(answers.map(({ body }) => body.id as string).sort());
  });

  it('turns /readyz first, and works on during SHUTDOWN_DELAY_SECONDS', async () => {
    const { api, service, token, creates, release } = await underLoad({ SHUTDOWN_DELAY_SECONDS: '300' });
    void service.end('SIGTERM');
    await until('/readyz says no', async () => (await api.get('/readyz')).status !== 200);
    expectFailure(await api.get('/readyz'), 'overloaded');
    for (const [path, status] of [
      ['/healthz', 200],
      ['/readyz', 503],
      ['/', 200],
      ['/api/docs', 200],
      ['/api/profiles', 401],
      ['/nowhere', 404],
      ['/api/nowhere', 404],
      ['/%ff', 404],
    ] as const) {
      const { status: found, headers } = await api.get(path);
      expect([path, found, headers.get('connection')]).toEqual([path, status, 'close']);
    }
    expect((await api.get('/api/profiles', { token })).status).toBe(200);
    await release();
    // These requests have come before.
    for (const { status, headers } of await Promise.all(creates))
      expect([status, headers.get('connection')]).toEqual([201, 'close']);
    expect(await service.end('SIGINT')).toBe(1);
  });

  it('ends by itself after SHUTDOWN_DELAY_SECONDS, not before', async () => {
    const service = await startBuiltService({ DATABASE_URL: databaseUrl, SHUTDOWN_DELAY_SECONDS: '1' });
    cleanUp.push(() => service.end('SIGKILL'));
    const begin = performance.now();
    expect(await service.end('SIGTERM')).toBe(0);
    expect(performance.now() - begin).toBeGreaterThanOrEqual(1_000);
  });

  it('ends at once where it is told a second time', async () => {
    const { service, creates } = await underLoad({});
    void service.end('SIGTERM');
    const outcomes = Promise.allSettled(creates);
    expect(await service.end('SIGINT')).toBe(1);
    expect((await outcomes).map(({ status }) => status)).toEqual(Array(CREATES).fill('rejected'));
  });
});
