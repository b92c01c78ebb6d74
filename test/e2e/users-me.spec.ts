import { aNewSecret } from '@app/testing';
import { type Account, anAccount, anEmail, aProfile, aRegistration } from '../support/factories';
import { type SharedService, sharedService } from '../support/service';

let service: SharedService;
beforeAll(async () => (service = await sharedService()));

const me = (token: string) => service.api.get('/api/users/me', { token });
const login = (email: string, password: string) => service.api.post('/api/auth/login', { email, password });
const saltOf = async (email: string) => (await service.api.post('/api/auth/prelogin', { email })).body.salt;

describe('GET users/me', () => {
  it('answers exactly what the contract names', async () => {
    const registration = aRegistration({ recovery_proof: undefined });
    const { token } = await anAccount(service.api, registration);
    const { status, body, headers } = await me(token);
    expect(status).toBe(200);
    expect(headers.get('etag')).toBe('"1"');
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      email: registration.email,
      email_verified: false,
      recovery_enabled: false,
      token_version: 0,
      wrapped_dek: registration.wrapped_dek,
      wrapped_dek_iv: registration.wrapped_dek_iv,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
      revision: 1,
    });
  });
});

describe('GET users/me/usage', () => {
  it('counts what the account stores beside what it may store, and nothing of others', async () => {
    const { token } = await anAccount(service.api);
    const usage = async () => (await service.api.get('/api/users/me/usage', { token })).body;
    // What an account may store grows from 16 MiB on its first day.
    const { max_bytes, ...empty } = await usage();
    expect(empty).toEqual({ records: 0, bytes: 0, max_records: 1_000_000 });
    expect(Math.floor(max_bytes / 1024 ** 2)).toBe(16);
    await aProfile(service.api, token, { wrapped_profile_dek: 'x'.repeat(100) });
    await aProfile(service.api, (await anAccount(service.api)).token);
    const { records, bytes } = await usage();
    expect([records, bytes >= 100 && bytes < 1000]).toEqual([1, true]);
  });
});

describe('PUT users/me', () => {
  const update = ({ token, password }: Account, email: unknown, overrides: object = {}) => {
    const body = { email, current_password: password, ...aNewSecret(), ...overrides };
    return service.api.put('/api/users/me', body, { token });
  };

  it('gives the account the new email, in its normal form', async () => {
    const account = await anAccount(service.api);
    const email = anEmail();
    const { body } = await update(account, `  ${email.toUpperCase()}`, { new_password: 'new' });
    expect((await me(body.token)).body.email).toBe(email);
    expect((await login(email, 'new')).status).toBe(200);
  });

  it('makes the old email unusable, and free again', async () => {
    const account = await anAccount(service.api);
    const { body } = await update(account, anEmail(), { new_password: 'new' });
    expect((await login(account.email, account.password)).status).toBe(401);
    expect((await login(account.email, 'new')).status).toBe(401);
    const stranger = await anAccount(service.api, { email: account.email });
    expect((await me(stranger.token)).body.id).not.toBe((await me(body.token)).body.id);
  });

  it('derives the salt from the new email, as prelogin has told before', async () => {
    const account = await anAccount(service.api);
    const email = anEmail();
    const [oldSalt, newSalt] = [await saltOf(account.email), await saltOf(email)];
    await update(account, email);
    expect(await saltOf(email)).toBe(newSalt);
    expect(await saltOf(account.email)).toBe(oldSalt);
  });

  it('refuses the email of another account and changes nothing', async () => {
    const [account, other] = [await anAccount(service.api), await anAccount(service.api)];
    const before = (await me(account.token)).body;
    const { status, body } = await update(account, other.email.toUpperCase());
    expect([status, body.code]).toEqual([409, 'email_taken']);
    expect((await me(account.token)).body).toEqual(before);
    expect((await login(account.email, account.password)).status).toBe(200);
    expect((await login(other.email, other.password)).status).toBe(200);
    expect(
      (await service.api.post('/api/auth/refresh', { refresh_token: account.refreshToken })).status,
    ).toBe(200);
  });

  it('takes the email that the account has already, and changes the secret alone', async () => {
    const account = await anAccount(service.api);
    const salt = await saltOf(account.email);
    const { status } = await update(account, account.email.toUpperCase(), { new_password: 'new' });
    expect(status).toBe(200);
    expect((await login(account.email, 'new')).status).toBe(200);
    expect(await saltOf(account.email)).toBe(salt);
  });

  it('gives an email to exactly one of two accounts that ask for it at once', async () => {
    const accounts = [await anAccount(service.api), await anAccount(service.api)];
    const email = anEmail();
    const answers = await Promise.all(accounts.map((account) => update(account, email)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const loser = accounts[answers.findIndex(({ status }) => status === 409)];
    expect((await me(loser.token)).body.email).toBe(loser.email);
  });

  it('lets two accounts neither swap emails nor lose them', async () => {
    const [first, second] = [await anAccount(service.api), await anAccount(service.api)];
    const answers = await Promise.all([update(first, second.email), update(second, first.email)]);
    expect(answers.map(({ status }) => status)).toEqual([409, 409]);
    for (const { email, password } of [first, second])
      expect((await login(email, password)).status).toBe(200);
  });

  it.each([undefined, null, '', 'nobody', 7])('names email when it is %p', async (email) => {
    const account = await anAccount(service.api);
    const { status, body } = await update(account, email);
    expect([status, body.details?.[0].field]).toEqual([400, 'email']);
    expect((await me(account.token)).body.token_version).toBe(0);
  });
});
