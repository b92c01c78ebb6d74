import { randomUUID } from 'node:crypto';
import { aNewSecret, aRegistration, decodeToken, expectFailure } from '@app/testing';
import { anAccount, aProfile } from '../support/factories';
import { ops } from '../support/ops';
import { startService, type TestService } from '../support/service';

let open: TestService;
const others: TestService[] = [];
beforeAll(async () => (open = await startService()));
afterAll(async () => {
  for (const each of others) await each.stop();
  await open.stop();
});

/** Another service on the same database. */
async function withSettings(settings: Record<string, string>): Promise<TestService> {
  const service = await startService({ DATABASE_URL: open.databaseUrl, ...settings });
  others.push(service);
  return service;
}

const outcome = ({ status, body }: { status: number; body: any }) => [status, body?.code];

describe('SIGNUPS', () => {
  it('closed: nobody registers, with a known email or an unknown one', async () => {
    const { email, password } = await anAccount(open.api);
    const { api } = await withSettings({ SIGNUPS: 'closed' });
    for (const body of [aRegistration(), aRegistration({ email })])
      expect(outcome(await api.post('/api/auth/register', body))).toEqual([403, 'signups_closed']);
    expect((await api.post('/api/auth/login', { email, password })).status).toBe(200);
  });

  it('invite: a code opens one registration, and a failed one gives it back', async () => {
    const { email } = await anAccount(open.api);
    const { api, databaseUrl } = await withSettings({ SIGNUPS: 'invite' });
    const register = (body: object) => api.post('/api/auth/register', { ...aRegistration(), ...body });
    for (const known of [{}, { email }]) {
      expect(outcome(await register(known))).toEqual([403, 'invite_required']);
      expect(outcome(await register({ ...known, invite_code: 'aaaaa-bbbbb' }))).toEqual([
        403,
        'invite_invalid',
      ]);
    }
    const { code } = (await ops({ DATABASE_URL: databaseUrl }, 'invite')).result;
    expect(outcome(await register({ email, invite_code: code }))).toEqual([409, 'email_taken']);
    const both = await Promise.all([0, 1].map(() => register({ invite_code: code.toUpperCase() })));
    expect(both.map(outcome).sort()).toEqual([
      [201, undefined],
      [403, 'invite_invalid'],
    ]);
    expect(outcome(await open.api.post('/api/auth/register', aRegistration({ invite_code: 'x' })))).toEqual([
      201,
      undefined,
    ]);
  });
});

describe('READ_ONLY=on', () => {
  it('lets people sign in and read, and refuses every other write', async () => {
    const { email, password, token } = await anAccount(open.api);
    const id = await aProfile(open.api, token);
    const { api } = await withSettings({ READ_ONLY: 'on' });
    const login = await api.post('/api/auth/login', { email, password });
    const refreshed = await api.post('/api/auth/refresh', { refresh_token: login.body.refresh_token });
    const read = await api.get(`/api/profiles/${id}`, { token });
    const check = await api.post('/api/interactions/check', { medications: [] }, { token });
    expect([login, refreshed, read, check].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const writes = [
      () => api.post('/api/auth/register', aRegistration()),
      () => api.post('/api/profiles', { wrapped_profile_dek: 'x' }, { token }),
      () => api.put(`/api/profiles/${id}`, { relationship: 'dog' }, { token }),
      () => api.delete(`/api/profiles/${id}`, undefined, { token }),
      () => api.post('/api/auth/device-token', undefined, { token }),
      () => api.post('/api/users/me/delete', { current_password: password }, { token }),
    ];
    for (const write of writes) {
      const answer = await write();
      expect([...outcome(answer), answer.headers.get('retry-after')]).toEqual([503, 'read_only', '60']);
    }
    expect((await open.api.get(`/api/profiles/${id}`, { token })).body).toEqual(read.body);
  });

  it('lets people put a thief out: end a session, all sessions, change and reset the password', async () => {
    const { api } = await withSettings({ READ_ONLY: 'on' });
    const account = await anAccount(open.api);
    const signIn = async (password: string) =>
      (await api.post('/api/auth/login', { email: account.email, password })).body;
    const thief = await signIn(account.password);
    const { jti } = decodeToken(thief.refresh_token).header;
    const { token } = account;
    const ended = await api.delete(`/api/auth/sessions/${jti.split('.')[0]}`, undefined, { token });
    expect(ended.status).toBe(204);
    expectFailure(await api.get('/api/profiles', { token: thief.token }), 'token_revoked');
    const next = aNewSecret();
    const changed = await api.post(
      '/api/auth/change-password',
      { current_password: account.password, ...next },
      { token },
    );
    expect(changed.status).toBe(200);
    expectFailure(await api.get('/api/profiles', { token }), 'token_revoked');
    const left = await signIn(next.new_password);
    expect((await api.post('/api/auth/logout-all', undefined, { token: left.token })).status).toBe(204);
    expectFailure(await api.get('/api/profiles', { token: left.token }), 'token_revoked');
    const proof = { email: account.email, recovery_proof: account.recoveryProof };
    const reset = await api.post('/api/auth/recovery/reset-password', { ...proof, ...aNewSecret() });
    expect(reset.status).toBe(200);
  });
});

describe('JWT_SECRET_PREVIOUS', () => {
  const OLD = 'a secret of the tests, at least 32 bytes';
  const NEW = 'the secret that follows it, as long as that';

  it('replaces the secret replica by replica, in two rounds, without a single 401', async () => {
    const rounds: Record<string, string>[] = [
      { JWT_SECRET: OLD },
      { JWT_SECRET: OLD, JWT_SECRET_PREVIOUS: NEW },
      { JWT_SECRET: NEW, JWT_SECRET_PREVIOUS: OLD },
    ];
    const { email, password } = await anAccount(open.api);
    const body = { email, password };
    const settled: { token: string; refresh_token: string }[] = [
      (await open.api.post('/api/auth/login', body)).body,
    ];
    for (let round = 1; round < rounds.length; round++) {
      // A replica of the round before and one of this round, at the same time.
      const replicas = [await withSettings(rounds[round - 1]), await withSettings(rounds[round])];
      for (const replica of replicas) settled.push((await replica.api.post('/api/auth/login', body)).body);
      for (const { api } of replicas)
        for (const { token } of settled) expect((await api.get('/api/users/me', { token })).status).toBe(200);
      for (const each of settled.splice(0)) {
        const headers = { 'Idempotency-Key': randomUUID() };
        const [answer, repeat] = await Promise.all(
          replicas.map(({ api }) =>
            api.post('/api/auth/refresh', { refresh_token: each.refresh_token }, { headers }),
          ),
        );
        // The answer was lost, and the other replica, which signs with the other secret, gets the repeat.
        expect([answer.status, repeat.status]).toEqual([200, 200]);
        expect(decodeToken(repeat.body.refresh_token).header.jti).toBe(
          decodeToken(answer.body.refresh_token).header.jti,
        );
        settled.push(answer.body);
      }
    }
    const last = await withSettings({ JWT_SECRET: NEW });
    const { body: fresh } = await others.at(-2)!.api.post('/api/auth/login', body);
    expect((await last.api.get('/api/users/me', { token: fresh.token })).status).toBe(200);
    await expect(withSettings({ JWT_SECRET: OLD })).rejects.toThrow('JWT_SECRET is not the secret');
  });
});
