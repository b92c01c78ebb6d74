import { randomUUID } from 'node:crypto';
import { aBlob, aRegistration } from '@app/testing';
import { ClientAt, LIMITED } from '../support/clients';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { anAccount, anEmail, aProfile } from '../support/factories';
import { ops as run, type OpsOutcome } from '../support/ops';
import { startService, type TestService } from '../support/service';

let service: TestService;
beforeAll(async () => (service = await startService(LIMITED)));
afterAll(() => service.stop());

const ops = (...args: string[]): Promise<OpsOutcome> => run({ DATABASE_URL: service.databaseUrl }, ...args);
const client = () => new ClientAt(service.api.url);

describe('a command of the operator', () => {
  it('shows the state of the database', async () => {
    const { code, result } = await ops('status');
    expect([code, result.pending_migrations]).toEqual([0, []]);
    expect(result.epoch).toBe((await client().get('/readyz')).body.epoch);
  });

  it('names what is wrong with its use, by the exit code 2', async () => {
    for (const args of [['no-such-command'], ['erase'], ['invite', '--days', '0'], ['unlock']])
      expect([args, (await ops(...args)).code]).toEqual([args, 2]);
    expect((await ops('--help')).code).toBe(0);
  });

  it.each([['erase'], ['end-sessions']])(
    '%s does nothing without a yes, and tells an unknown email',
    async (name) => {
      const { email, token } = await anAccount(client());
      const { code, errors } = await ops(name, email);
      expect([code, errors]).toEqual([2, expect.stringContaining('--yes')]);
      expect((await client().get('/api/users/me', { token })).status).toBe(200);
      expect((await ops(name, anEmail(), '--yes')).code).toBe(3);
    },
  );

  it('needs the migrations', async () => {
    const url = await createDatabase(false);
    const { code, errors } = await run({ DATABASE_URL: url }, 'accounts');
    expect([code, errors]).toEqual([1, expect.stringContaining('run the command migrate first')]);
    expect((await run({ DATABASE_URL: url }, 'migrate')).result.migrations.length).toBeGreaterThan(4);
    expect((await run({ DATABASE_URL: url }, 'accounts')).result).toEqual({ accounts: [] });
    await dropDatabase(url);
  });
});

describe('accounts', () => {
  it('shows what an account stores, by email and in the list', async () => {
    const { email, token } = await anAccount(client());
    await aProfile(client(), token);
    const { result } = await ops('accounts', ` ${email.toUpperCase()}`);
    expect(result).toMatchObject({ email, records: 1, sessions: 1 });
    expect(result.bytes).toBeGreaterThan(0);
    const list = (await ops('accounts', '--limit', '1000')).result.accounts;
    expect(list).toContainEqual(result);
    expect((await ops('accounts', anEmail())).code).toBe(3);
  });
});

describe('an erasure', () => {
  const ERASURES: Record<
    string,
    (account: { email: string; token: string; password: string }) => Promise<unknown>
  > = {
    'by the route': ({ token, password }) =>
      client().post('/api/users/me/delete', { current_password: password }, { token }),
    'by ops': ({ email }) => ops('erase', email, '--yes'),
    'by SQL': ({ email }) => sql(service.databaseUrl, 'DELETE FROM accounts WHERE email = $1', [email]),
  };

  it.each(Object.entries(ERASURES))('%s takes the email along, and is remembered', async (_, erase) => {
    const account = await anAccount(client());
    const { id } = (await client().get('/api/users/me', { token: account.token })).body;
    await erase(account);
    expect((await client().get('/api/users/me', { token: account.token })).status).toBe(401);
    const again = await client().post('/api/auth/register', aRegistration({ email: account.email }));
    expect(again.status).toBe(201);
    expect(await sql(service.databaseUrl, 'SELECT 1 FROM erasures WHERE account_id = $1', [id])).toHaveLength(
      1,
    );
    expect((await ops('verify')).code).toBe(0);
  });
});

describe('end-sessions', () => {
  it("ends every token of the account and nobody else's", async () => {
    const [ana, ben] = [await anAccount(client()), await anAccount(client())];
    const { email, password } = ana;
    const { body } = await client().post('/api/auth/login', { email, password });
    const refresh = { refresh_token: body.refresh_token };
    expect((await ops('end-sessions', ana.email, '--yes')).code).toBe(0);
    expect((await client().get('/api/users/me', { token: ana.token })).body.code).toBe('token_revoked');
    expect((await client().post('/api/auth/refresh', refresh)).status).toBe(401);
    expect((await client().get('/api/users/me', { token: ben.token })).status).toBe(200);
    expect((await client().post('/api/auth/login', { email, password })).status).toBe(200);
  });
});

describe('unlock', () => {
  it('lets in whom wrong tries have shut out', async () => {
    const { email, password } = await anAccount(client());
    const stranger = client();
    const login = (secret: string) => stranger.post('/api/auth/login', { email, password: secret });
    for (let count = 0; count < 5; count++) expect((await login(randomUUID())).status).toBe(401);
    expect((await login(password)).status).toBe(429);
    expect((await ops('unlock', '--email', anEmail(), '--address', stranger.address)).code).toBe(0);
    expect((await login(password)).status).toBe(429);
    const { result } = await ops('unlock', '--email', email, '--address', stranger.address);
    expect(result.forgotten_counters).toBeGreaterThan(0);
    expect((await login(password)).status).toBe(200);
  });
});

describe('verify', () => {
  it('finds counts that differ from the records, and mends them', async () => {
    const { token } = await anAccount(client());
    await aProfile(client(), token);
    await sql(service.databaseUrl, 'UPDATE account_usage SET records = records + 3');
    const found = await ops('verify');
    expect([found.code, found.result.usage_differs > 0]).toEqual([3, true]);
    const mended = await ops('verify', '--mend');
    expect([mended.code, mended.result.mended]).toEqual([0, found.result.usage_differs]);
  });
});

describe('housekeeping', () => {
  it('deletes what has expired', async () => {
    await sql(
      service.databaseUrl,
      `INSERT INTO invites (code_hash, expires_at, uses_left) VALUES ('x', now() - interval '1 day', 1)`,
    );
    expect((await ops('housekeeping')).code).toBe(0);
    expect(await sql(service.databaseUrl, 'SELECT 1 FROM invites')).toEqual([]);
  });

  it('forgets the idempotency keys of creates after a day, and no others, and no client hears of it', async () => {
    const api = client();
    const { token } = await anAccount(api);
    const body = { profile_id: await aProfile(api, token), encrypted_data: aBlob() };
    const create = (key: string) =>
      api.post('/api/health-stats', body, { token, headers: { 'Idempotency-Key': key } });
    const { id: old } = (await create('old')).body;
    const { id: fresh } = (await create('fresh')).body;
    const age = (id: string, hours: number) =>
      sql(
        service.databaseUrl,
        `UPDATE health_stats SET created_at = now() - interval '${hours} hours' WHERE id = $1`,
        [id],
      );
    await age(old, 25);
    await age(fresh, 23);
    const { cursor } = (await api.get('/api/sync', { token })).body;
    expect((await ops('housekeeping')).code).toBe(0);
    const kept = await sql(
      service.databaseUrl,
      'SELECT id FROM health_stats WHERE idempotency_key IS NOT NULL AND idempotency_body IS NOT NULL AND id = ANY ($1)',
      [[old, fresh]],
    );
    expect(kept).toEqual([{ id: fresh }]);
    expect((await api.get(`/api/sync?cursor=${cursor}`, { token })).body.changes).toEqual([]);
    expect((await create('fresh')).body.id).toBe(fresh);
    expect((await create('old')).body.id).not.toBe(old);
  });
});

describe('new-epoch', () => {
  it('is told by the running service', async () => {
    const { result } = await ops('new-epoch', '--yes');
    expect((await client().get('/readyz')).body.epoch).toBe(result.epoch);
  });
});
