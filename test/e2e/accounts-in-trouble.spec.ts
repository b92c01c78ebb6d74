import { aBlob, aNewSecret, aRegistration, expectFailure } from '@app/testing';
import { ClientAt, LIMITED } from '../support/clients';
import { sql } from '../support/databases';
import { type Account, aCiphertext, aMedication, anAccount, anEmail, aProfile } from '../support/factories';
import { ops as run, type OpsOutcome } from '../support/ops';
import { startService, type TestService } from '../support/service';

let service: TestService;
beforeAll(async () => (service = await startService(LIMITED)));
afterAll(() => service.stop());

const ops = (...args: string[]): Promise<OpsOutcome> => run({ DATABASE_URL: service.databaseUrl }, ...args);
const client = () => new ClientAt(service.api.url);
const signIn = ({ email, password }: Pick<Account, 'email' | 'password'>) =>
  client().post('/api/auth/login', { email, password });
const kindsOf = async (account: Account) => {
  const { token } = (await signIn(account)).body;
  const events = (await client().get('/api/users/me/events', { token })).body as {
    kind: string;
    origin: unknown;
  }[];
  for (const { kind, origin } of events) if (kind.startsWith('operator_')) expect(origin).toBeNull();
  return events.map(({ kind }) => kind).filter((kind) => !['login', 'registered'].includes(kind));
};
const HOLD = ['--by', 'Court of Example', '--why', 'case 7'];

describe('a suspended account', () => {
  it('has no session, and nobody signs in to it until it is resumed', async () => {
    const recovery_proof = aCiphertext(32);
    const account = await anAccount(client(), { recovery_proof });
    expect((await ops('suspend', account.email)).code).toBe(2);
    expect((await ops('suspend', account.email, '--yes')).result).toEqual({ suspended: true });
    expect((await client().get('/api/users/me', { token: account.token })).body.code).toBe('token_revoked');
    const refresh = { refresh_token: account.refreshToken };
    expectFailure(await client().post('/api/auth/refresh', refresh), 'refresh_token_invalid');
    expectFailure(await signIn(account), 'account_suspended');
    const reset = { email: account.email, recovery_proof, ...aNewSecret(), new_password: 'other' };
    expectFailure(await client().post('/api/auth/recovery/reset-password', reset), 'account_suspended');
    expect((await ops('suspend', account.email, '--yes')).errors).toContain('suspended already');
    expect((await ops('accounts', account.email)).result.suspended_at).toMatch(/Z$/);

    expect((await ops('resume', account.email)).result).toEqual({ resumed: true });
    expect((await ops('resume', account.email)).errors).toContain('not suspended');
    expect((await signIn(account)).status).toBe(200);
    expect(await kindsOf(account)).toEqual(['operator_resumed', 'operator_suspended']);
  });

  it('tells strangers nothing: a wrong secret is answered as for an unknown email', async () => {
    const account = await anAccount(client());
    await ops('suspend', account.email, '--yes');
    const answers = [
      await signIn({ email: account.email, password: aCiphertext(32) }),
      await signIn({ email: anEmail(), password: aCiphertext(32) }),
    ].map(({ status, body }) => ({ status, ...body, request_id: undefined }));
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0].code).toBe('invalid_credentials');
    const reset = { email: account.email, recovery_proof: 'x', ...aNewSecret(), new_password: 'other' };
    expectFailure(await client().post('/api/auth/recovery/reset-password', reset), 'invalid_credentials');
    // An email stays taken.
    expectFailure(
      await client().post('/api/auth/register', aRegistration({ email: account.email })),
      'email_taken',
    );
  });
});

describe('a hold', () => {
  it('lets an erasure of the operator wait, says for whom and why, and ends', async () => {
    const account = await anAccount(client());
    expect((await ops('hold', account.email)).errors).toContain('--by and --why');
    expect((await ops('hold', account.email, '--by', ' ', '--why', 'x')).code).toBe(2);
    expect((await ops('hold', account.email, ...HOLD)).result).toEqual({ held: true });
    const { code, errors } = await ops('erase', account.email, '--yes');
    expect([code, errors]).toEqual([1, expect.stringContaining('for Court of Example: case 7.')]);
    expect((await ops('accounts', account.email)).result).toMatchObject({
      held_by: 'Court of Example',
      held_why: 'case 7',
    });
    expect((await ops('hold', account.email, '--release', '--yes')).result).toEqual({
      released: true,
      erased: false,
    });
    expect((await ops('hold', account.email, '--release', '--yes')).errors).toContain('not held');
    expect(await kindsOf(account)).toEqual(['operator_released', 'operator_held']);
    expect((await ops('erase', account.email, '--yes')).code).toBe(0);
  });

  it('notes that the owner wants to be erased, and does it when the hold ends', async () => {
    const account = await anAccount(client());
    const remove = () =>
      client().post('/api/users/me/delete', { current_password: account.password }, { token: account.token });
    await ops('hold', account.email, ...HOLD);
    expectFailure(await remove(), 'erasure_held');
    expect(await kindsOf(account)).toEqual(['erasure_asked', 'operator_held']);
    expect((await ops('accounts', account.email)).result.erasure_asked_at).toMatch(/Z$/);
    const { result } = await ops('hold', account.email, '--release', '--yes');
    expect(result).toEqual({ released: true, erased: true });
    expect((await signIn(account)).status).toBe(401);
    expect((await ops('verify')).code).toBe(0);
  });
});

describe('end-sessions', () => {
  it('leaves an event that the owner sees', async () => {
    const account = await anAccount(client());
    await ops('end-sessions', account.email, '--yes');
    expect(await kindsOf(account)).toEqual(['operator_ended_sessions']);
  });
});

describe('export', () => {
  it('prints all that is held about one account, opened or proven by nothing in it', async () => {
    const [ana, ben] = [await anAccount(client()), await anAccount(client())];
    const profile = await aProfile(client(), ana.token);
    const { id: medication } = await aMedication(client(), ana.token, profile);
    const dose = { taken: true };
    await client().post(`/api/medications/${medication}/log`, dose, { token: ana.token });
    const stats = [];
    for (let count = 0; count < 3; count++)
      stats.push(
        (
          await client().post(
            '/api/health-stats',
            { profile_id: profile, encrypted_data: aBlob() },
            { token: ana.token, headers: { 'Idempotency-Key': `k${count}` } },
          )
        ).body,
      );
    await aProfile(client(), ben.token);
    await ops('hold', ana.email, ...HOLD);

    const { code, result } = await ops('export', ana.email);
    expect(code).toBe(0);
    const { tables } = result;
    expect(tables.accounts).toEqual([
      expect.objectContaining({ email: ana.email, held_by: 'Court of Example' }),
    ]);
    const number = (name: string) => tables[name].length as number;
    expect(['logins', 'sessions', 'profiles', 'medications', 'doses', 'health_stats'].map(number)).toEqual([
      1, 1, 1, 1, 1, 3,
    ]);
    expect(tables.security_events.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      'operator_exported',
      'operator_held',
      'registered',
    ]);
    const blobs = tables.health_stats.map((row: { encrypted_data: string }) =>
      JSON.parse(row.encrypted_data),
    );
    expect(blobs).toEqual(expect.arrayContaining(stats.map(({ encrypted_data: blob }) => blob)));
    const text = JSON.stringify(result);
    expect(text).not.toContain(ben.email);
    const [secrets] = await sql<Record<string, string>>(
      service.databaseUrl,
      `SELECT a.password_hash, encode(s.token_hash, 'hex') AS token FROM accounts a JOIN sessions s ON s.account_id = a.id
        WHERE a.email = $1`,
      [ana.email],
    );
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
    // Every table of accounts is in it.
    const owned = await sql<{ name: string }>(
      service.databaseUrl,
      `SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'account_id'`,
    );
    expect(Object.keys(tables).sort()).toEqual(['accounts', ...owned.map(({ name }) => name)].sort());
    expect((await ops('export', anEmail())).code).toBe(3);
    expect(await kindsOf(ana)).toEqual(['operator_exported', 'operator_held']);
  });
});
