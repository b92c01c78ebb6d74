import { expectFailure, type FailureCode } from '@app/testing';
import { BreakableLink } from '../support/breakable-link';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { anAccount } from '../support/factories';
import { startService, type TestService } from '../support/service';
import { until } from '../support/until';

describe('what orchestrators and people ask of the service', () => {
  let service: TestService;
  beforeAll(async () => (service = await startService()));
  afterAll(() => service.stop());

  it.each([
    ['/healthz', { status: 'ok' }],
    ['/readyz', { status: 'ok', epoch: expect.stringMatching(/^[0-9a-f]{12}$/) }],
  ])('answers %s without a token', async (path, content) => {
    const { status, body, headers } = await service.api.get(path);
    expect([status, body]).toEqual([200, content]);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('keeps them out of the /api prefix', async () => {
    for (const path of ['/api/healthz', '/api/readyz'])
      expectFailure(await service.api.get(path), 'not_found');
  });

  it('is alive but not ready while the database is away, and ready again with it', async () => {
    const databaseUrl = await createDatabase();
    const { link, url } = await BreakableLink.to(databaseUrl);
    const behind = await startService({ DATABASE_URL: url });
    try {
      const { token } = await anAccount(behind.api);
      link.cut();
      expectFailure(await behind.api.get('/readyz'), 'database_unavailable');
      expectFailure(await behind.api.get('/api/profiles', { token }), 'database_unavailable');
      expect((await behind.api.get('/healthz')).status).toBe(200);
      link.mend();
      expect((await behind.api.get('/readyz')).status).toBe(200);
      expect((await behind.api.get('/api/profiles', { token })).status).toBe(200);
    } finally {
      await behind.stop();
      await link.close();
      await dropDatabase(databaseUrl);
    }
  });

  it('is ready while the database is read-only, and says that writes fail', async () => {
    const own = await startService();
    const name = new URL(own.databaseUrl).pathname.slice(1);
    const setReadOnly = async (value: 'on' | 'off') => {
      await sql(service.databaseUrl, `ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
      await sql(
        service.databaseUrl,
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
        [name],
      );
    };
    const readiness = async () => {
      const { status, body } = await own.api.get('/readyz');
      return [status, body.writes];
    };
    try {
      await setReadOnly('on');
      await until('writes fail', async () => String(await readiness()) === '200,failing');
      await setReadOnly('off');
      await until('writes work', async () => String(await readiness()) === '200,');
    } finally {
      await own.stop();
    }
  });

  it('is not ready, and no more than that, while the database refuses connections', async () => {
    const own = await startService();
    const name = new URL(own.databaseUrl).pathname.slice(1);
    const admit = (allow: boolean) =>
      sql(service.databaseUrl, `ALTER DATABASE ${name} ALLOW_CONNECTIONS ${allow}`);
    try {
      await admit(false);
      await sql(
        service.databaseUrl,
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
        [name],
      );
      expectFailure(await own.api.get('/readyz'), 'database_unavailable');
      await admit(true);
      // Not at once behind a pooler, which may refuse one more before it tries again.
      await until('it is ready', async () => (await own.api.get('/readyz')).status === 200);
    } finally {
      await admit(true);
      await own.stop();
    }
  });

  it('is not ready while a migration is missing', async () => {
    const own = await startService();
    try {
      const [last] = await sql<{ id: number; timestamp: string; name: string }>(
        own.databaseUrl,
        'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING *',
      );
      expectFailure(await own.api.get('/readyz'), 'database_unavailable');
      await sql(own.databaseUrl, 'INSERT INTO migrations VALUES ($1, $2, $3)', Object.values(last));
      expect((await own.api.get('/readyz')).status).toBe(200);
    } finally {
      await own.stop();
    }
  });

  it('serves Swagger UI at /api/docs', async () => {
    const { status, headers, text } = await service.api.get('/api/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(text).toMatch(/swagger-ui/);
    const script = /src="([^"]*swagger-ui-bundle\.js)"/.exec(text)![1];
    const asset = await service.api.get(new URL(script, `${service.api.url}/api/docs`).pathname);
    expect([asset.status, asset.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/javascript/),
    ]);
  });

  it.each<[string, string, FailureCode]>([
    ['Range', 'bytes=999999999-', 'validation_failed'],
    ['If-Match', '"x"', 'revision_mismatch'],
    ['If-Unmodified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT', 'revision_mismatch'],
  ])(
    'refuses a file of Swagger UI under a condition that does not hold: %s: %s',
    async (name, value, code) => {
      const headers = { [name]: value };
      expectFailure(await service.api.get('/api/docs/swagger-ui.css', { headers }), code);
    },
  );

  it('serves the OpenAPI document, with every route of the specification', async () => {
    const { status, body } = await service.api.get('/api/openapi.json');
    expect([status, body.openapi]).toEqual([200, expect.stringMatching(/^3\./)]);
    const routes = Object.entries<object>(body.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes).toEqual(expect.arrayContaining(SPECIFIED));
  });
});

const SPECIFIED = [
  'POST /api/auth/register',
  'POST /api/auth/prelogin',
  'POST /api/auth/login',
  'POST /api/auth/refresh',
  'POST /api/auth/logout',
  'POST /api/auth/change-password',
  'GET /api/auth/recovery-info',
  'POST /api/auth/recovery/setup',
  'POST /api/auth/recovery/verify',
  'POST /api/auth/recovery/reset-password',
  'GET /api/users/me',
  'PUT /api/users/me',
  'POST /api/users/me/delete',
  'GET /api/profiles',
  'POST /api/profiles',
  'GET /api/profiles/{id}',
  'PUT /api/profiles/{id}',
  'DELETE /api/profiles/{id}',
  'GET /api/medications',
  'POST /api/medications',
  'GET /api/medications/{id}',
  'POST /api/medications/{id}',
  'POST /api/medications/{id}/delete',
  'POST /api/medications/{id}/log',
  'GET /api/medications/{id}/log',
  'POST /api/medications/{id}/log/{dose_id}/delete',
  'GET /api/medications/{id}/adherence',
  'GET /api/appointments',
  'POST /api/appointments',
  'GET /api/appointments/{id}',
  'POST /api/appointments/{id}',
  'POST /api/appointments/{id}/delete',
  'GET /api/health-stats',
  'POST /api/health-stats',
  'GET /api/health-stats/{id}',
  'PUT /api/health-stats/{id}',
  'DELETE /api/health-stats/{id}',
  'POST /api/interactions/check',
  'POST /api/interactions/check-new',
  'POST /api/interactions/resolve',
  'GET /api/interactions/knowledge-base',
];
