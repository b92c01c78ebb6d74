import { Client } from 'pg';
import { type Answer, CONTRACT_STATUS, expectFailure, type FailureCode, resignToken } from '@app/testing';
import { BreakableLink } from '../support/breakable-link';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { aCiphertext, anAccount, anEmail, aProfile, aRegistration } from '../support/factories';
import { type ServiceHere, startServiceHere } from '../support/service-here';
import { HealthStatsRepository } from '../../apps/api/src/health-stats/health-stats.repository';

/** Written down once more: clients show these to people. */
/** The name of the limit in the details of a refusal. */
const LIMITS: Record<string, string | undefined> = { overloaded: 'database' };

const SENTENCES: Partial<Record<FailureCode, string>> = {
  malformed_json: 'The request body is not valid JSON.',
  token_missing: 'Please sign in: this request carries no access token.',
  token_invalid: 'Please sign in again: the access token is not valid.',
  token_expired: 'The access token has expired.',
  token_revoked: 'This session has ended. Please sign in again.',
  invalid_credentials: 'The email or the secret is not right.',
  refresh_token_invalid: 'This session has ended. Please sign in again.',
  current_password_wrong: 'The current password is not right.',
  not_found: 'There is nothing here under this address.',
  email_taken: 'An account with this email exists already.',
  id_taken: 'A record with this id exists already.',
  idempotency_conflict: 'This Idempotency-Key was used before with another request.',
  revision_mismatch: 'The record has changed since it was read. Read it again, then repeat the change.',
  unsupported_media_type: 'The request body must be JSON (Content-Type: application/json).',
  internal: 'Something went wrong on our side. Please try again later.',
  database_unavailable: 'The service cannot reach its storage at the moment. Please try again shortly.',
  overloaded: 'The service is busy at the moment. Please try again shortly.',
};

let service: ServiceHere;
beforeAll(async () => (service = await startServiceHere()));
afterAll(() => service.stop());
afterEach(() => jest.restoreAllMocks());

const aBody = () => ({ wrapped_profile_dek: aCiphertext() });

/** One way to each failure of the contract's table. */
const WAYS: Record<FailureCode, () => Promise<Answer>> = {
  validation_failed: async () => {
    const { token } = await anAccount(service.api);
    return service.api.post('/api/profiles', { kind: 'plant' }, { token });
  },
  malformed_json: async () => {
    const { token } = await anAccount(service.api);
    return service.api.post('/api/profiles', '{', { token });
  },
  token_missing: () => service.api.get('/api/profiles'),
  token_invalid: () => service.api.get('/api/profiles', { token: 'x.y.z' }),
  token_expired: async () => {
    const { token } = await anAccount(service.api);
    return service.api.get('/api/profiles', { token: resignToken(token, { payload: { exp: 1 } }) });
  },
  token_revoked: async () => {
    const { token, password } = await anAccount(service.api);
    await service.api.post('/api/users/me/delete', { current_password: password }, { token });
    return service.api.get('/api/profiles', { token });
  },
  invalid_credentials: () =>
    service.api.post('/api/auth/login', { email: anEmail(), password: aCiphertext() }),
  refresh_token_invalid: () => service.api.post('/api/auth/refresh', { refresh_token: 'x' }),
  current_password_wrong: async () => {
    const { token } = await anAccount(service.api);
    return service.api.post('/api/users/me/delete', { current_password: 'x' }, { token });
  },
  account_suspended: async () => {
    const { email, password } = await anAccount(service.api);
    await sql(service.databaseUrl, 'UPDATE accounts SET suspended_at = now() WHERE email = $1', [email]);
    return service.api.post('/api/auth/login', { email, password });
  },
  erasure_held: async () => {
    const { email, token, password } = await anAccount(service.api);
    await sql(service.databaseUrl, 'UPDATE accounts SET held_at = now() WHERE email = $1', [email]);
    return service.api.post('/api/users/me/delete', { current_password: password }, { token });
  },
  not_found: async () => {
    const { token } = await anAccount(service.api);
    return service.api.get('/api/profiles/me', { token });
  },
  email_taken: async () => {
    const { email } = await anAccount(service.api);
    return service.api.post('/api/auth/register', aRegistration({ email }));
  },
  id_taken: async () => {
    const { token } = await anAccount(service.api);
    const body = { ...aBody(), profile_id: await aProfile(service.api, token) };
    return service.api.post('/api/profiles', body, { token });
  },
  idempotency_conflict: async () => {
    const { token } = await anAccount(service.api);
    const options = { token, headers: { 'Idempotency-Key': 'k' } };
    await service.api.post('/api/profiles', aBody(), options);
    return service.api.post('/api/profiles', aBody(), options);
  },
  quota_exceeded: () =>
    onAnother({ QUOTA_RECORDS: '1' }, async ({ api }) => {
      const { token } = await anAccount(api);
      await aProfile(api, token);
      return api.post('/api/profiles', aBody(), { token });
    }),
  revision_mismatch: async () => {
    const { token } = await anAccount(service.api);
    const path = `/api/profiles/${await aProfile(service.api, token)}`;
    return service.api.put(path, { kind: 'pet' }, { token, headers: { 'If-Match': '"9"' } });
  },
  payload_too_large: async () => {
    const { token } = await anAccount(service.api);
    return service.api.post('/api/profiles', { wrapped_profile_dek: 'x'.repeat(4097) }, { token });
  },
  unsupported_media_type: () =>
    service.api.post('/api/auth/login', 'email=a', { headers: { 'Content-Type': 'text/plain' } }),
  rate_limited: () =>
    onAnother({ RATE_LIMITS: 'on' }, async ({ api }) => {
      const { email } = await anAccount(api);
      for (;;) {
        const answer = await api.post('/api/auth/login', { email, password: 'wrong' });
        if (answer.status !== 401) return answer;
      }
    }),
  internal: async () => {
    const { token } = await anAccount(service.api);
    const cause = new TypeError('secret cause of ana@example.org');
    const repository = service.app.get(HealthStatsRepository, { strict: false });
    jest.spyOn(repository, 'list').mockRejectedValue(cause);
    return service.api.get('/api/health-stats', { token });
  },
  database_unavailable: async () => {
    const databaseUrl = await createDatabase();
    const { link, url } = await BreakableLink.to(databaseUrl);
    try {
      return await onAnother({ DATABASE_URL: url }, async ({ api }) => {
        const { token } = await anAccount(api);
        link.cut();
        return api.get('/api/profiles', { token });
      });
    } finally {
      await link.close();
      await dropDatabase(databaseUrl);
    }
  },
  storage_low: () =>
    onAnother({ STORAGE_LIMIT: '1' }, ({ api }) => api.post('/api/auth/register', aRegistration())),
  overloaded: async () => {
    const blocker = new Client({ connectionString: service.databaseUrl });
    await blocker.connect();
    try {
      return await onAnother({ DATABASE_URL: `${service.databaseUrl}?lock_timeout=100` }, async ({ api }) => {
        const { token } = await anAccount(api);
        await blocker.query('BEGIN; LOCK TABLE profiles IN SHARE MODE');
        return api.post('/api/profiles', aBody(), { token });
      });
    } finally {
      await blocker.end();
    }
  },
};

async function onAnother(
  environment: Record<string, string>,
  ask: (other: ServiceHere) => Promise<Answer>,
): Promise<Answer> {
  const other = await startServiceHere(environment);
  try {
    return await ask(other);
  } finally {
    await other.stop();
  }
}

describe('a failure', () => {
  it.each(Object.keys(CONTRACT_STATUS) as FailureCode[])(
    'is answered in the contract’s shape: %s',
    async (code) => {
      const answer = await WAYS[code]();
      expectFailure(answer, code);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      if (SENTENCES[code]) {
        const { request_id } = answer.body;
        const details = LIMITS[code] && [{ field: 'limit', message: LIMITS[code] }];
        expect(answer.body).toEqual({
          error: SENTENCES[code],
          code,
          request_id,
          ...(details && { details }),
        });
      }
    },
  );

  it('names each field that breaks a rule, and says the first in its sentence', async () => {
    const { token } = await anAccount(service.api);
    const body = { kind: 'plant', relationship: '', name_iv: 1, x: 1 };
    const answer = await service.api.post('/api/profiles', body, { token });
    expectFailure(
      answer,
      'validation_failed',
      ...['kind', 'relationship', 'wrapped_profile_dek', 'name_iv', 'x'],
    );
    const [first, ...more] = answer.body.details;
    expect(answer.body.error).toBe(`The request is not valid: ${first.message}, and ${more.length} more.`);
    for (const { field, message } of answer.body.details) expect(message.startsWith(`${field} `)).toBe(true);
  });

  it('never repeats what was sent', async () => {
    const { token } = await anAccount(service.api);
    const value = 'warfarin-of-ana';
    const sent = [
      service.api.post('/api/profiles', { ...aBody(), kind: value }, { token }),
      service.api.post('/api/profiles', `{"kind":"${value}",}`, { token }),
      service.api.post('/api/profiles', aBody(), {
        token,
        headers: { 'Idempotency-Key': `${value} ` + 'é' },
      }),
      service.api.get(`/api/profiles/${value}`, { token }),
      service.api.get(`/api/profiles?cursor=${value}`, { token }),
      service.api.get(`/api/${value}`, { token }),
      service.api.get('/api/profiles', { token: value }),
    ];
    for (const { status, text } of await Promise.all(sent)) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).not.toContain('warfarin');
    }
  });

  it('cuts the name of an unknown field, which may be anything', async () => {
    const { token } = await anAccount(service.api);
    const body = { ...aBody(), [`<script>\n\u{1f436}${'x'.repeat(1000)}`]: 1 };
    const answer = await service.api.post('/api/profiles', body, { token });
    expectFailure(answer, 'validation_failed');
    expect(answer.body.details[0].field).toMatch(/^[\x20-\x7e]{64}…$/);
  });

  it('of the token says which kind it is, for clients that go by the header', async () => {
    const challengeOf = async (token?: string) =>
      (await service.api.get('/api/profiles', { token })).headers.get('www-authenticate');
    expect(await challengeOf()).toBe('Bearer');
    expect(await challengeOf('x.y.z')).toBe('Bearer error="invalid_token"');
    expectFailure(
      await service.api.get('/api/profiles', { headers: { Authorization: 'Basic YTpi' } }),
      'token_missing',
    );
  });

  it('has an id of its own, whatever id the client sends', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { body } = await service.api.get('/api/profiles', { headers: { 'X-Request-Id': 'mine' } });
        return body.request_id;
      }),
    );
    expect(new Set(ids).size).toBe(20);
    expect(ids).not.toContain('mine');
  });

  it.each([
    '/api',
    '/api/',
    '/api/nothing',
    '/api/profiles/x/y',
    '/API/profiles',
    '/api/%',
    '/%c0%ae',
    `/${'x'.repeat(5000)}`,
  ])('is a 404 where there is no such route: %s', async (path) => {
    const { token } = await anAccount(service.api);
    expectFailure(await service.api.get(path, { token }), 'not_found');
  });

  it.each(['PATCH', 'OPTIONS', 'PROPFIND'])('is a 404 where there is no such method: %s', async (method) => {
    const { token } = await anAccount(service.api);
    expectFailure(await service.api.call(method, '/api/profiles', undefined, { token }), 'not_found');
  });

  it('leaves a transaction nothing to clean up', async () => {
    const { email } = await anAccount(service.api);
    await service.api.post('/api/auth/register', aRegistration({ email, default_profile_wrapped_dek: 'x' }));
    const open = await sql(
      service.databaseUrl,
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );
    expect(open).toEqual([]);
  });
});
