import { aNewSecret, tablesHolding, visible } from '@app/testing';
import { sql } from '../support/databases';
import { type Account, aCiphertext, anAccount, anEmail } from '../support/factories';
import { type SharedService, sharedService } from '../support/service';

let service: SharedService;
beforeAll(async () => (service = await sharedService()));

const WITHOUT_RECOVERY = { recovery_proof: undefined };

const me = async (token: string) => (await service.api.get('/api/users/me', { token })).body;
const login = (email: string, password: string) => service.api.post('/api/auth/login', { email, password });
const infoOf = async (email: string) =>
  (await service.api.get(`/api/auth/recovery-info?email=${email}`)).body;
const setUp = ({ token, password }: Account, body: object) =>
  service.api.post('/api/auth/recovery/setup', { current_password: password, ...body }, { token });
const verify = (email: unknown, proof: unknown) =>
  service.api.post('/api/auth/recovery/verify', { email, recovery_proof: proof });
const reset = (email: unknown, proof: unknown, secret: object = aNewSecret()) =>
  service.api.post('/api/auth/recovery/reset-password', { email, recovery_proof: proof, ...secret });
const aWrap = () => ({ recovery_wrapped_dek: aCiphertext(), recovery_wrapped_dek_iv: aCiphertext(12) });
const aProof = () => aCiphertext(32);

/** Who cannot prove a phrase: each an email and a proof. */
const UNPROVEN: Record<string, () => Promise<[email: string, proof: string]>> = {
  'a wrong proof': async () => [(await anAccount(service.api)).email, aProof()],
  'an unknown email': () => Promise.resolve([anEmail(), aProof()]),
  'recovery that is not set up': async () => [
    (await anAccount(service.api, WITHOUT_RECOVERY)).email,
    aProof(),
  ],
  'the secret of the password': async () => {
    const { email, password } = await anAccount(service.api);
    return [email, password];
  },
  'a proof that was replaced': async () => {
    const account = await anAccount(service.api);
    await setUp(account, { recovery_proof: aProof(), ...aWrap() });
    return [account.email, account.recoveryProof];
  },
};

describe('recovery/setup', () => {
  it('sets recovery up, with the wrap of registration where none is sent', async () => {
    const wrap = aWrap();
    const account = await anAccount(service.api, { ...WITHOUT_RECOVERY, ...wrap });
    const proof = aProof();
    const { status, body } = await setUp(account, { recovery_proof: proof });
    expect(status).toBe(200);
    expect(body).toEqual({ recovery_enabled: true });
    expect(await me(account.token)).toMatchObject({ recovery_enabled: true, token_version: 0, revision: 2 });
    expect(await infoOf(account.email)).toEqual(wrap);
    expect((await verify(account.email, proof)).body).toEqual({ verified: true });
  });

  it.each([
    ['for the first time', WITHOUT_RECOVERY],
    ['to replace a phrase', {}],
  ])('stores a new wrap where one is sent %s', async (_, overrides) => {
    const account = await anAccount(service.api, overrides);
    const [proof, wrap] = [aProof(), aWrap()];
    expect((await setUp(account, { recovery_proof: proof, ...wrap })).status).toBe(200);
    expect(await infoOf(account.email)).toEqual(wrap);
    expect((await verify(account.email, proof)).body).toEqual({ verified: true });
  });

  it('replaces no phrase without a new wrap: the stored one opens with the old phrase only', async () => {
    const account = await anAccount(service.api);
    const before = await infoOf(account.email);
    const { status, body } = await setUp(account, { recovery_proof: aProof() });
    expect([status, body.code, body.details[0].field]).toEqual([
      400,
      'validation_failed',
      'recovery_wrapped_dek',
    ]);
    expect(await infoOf(account.email)).toEqual(before);
    expect((await verify(account.email, account.recoveryProof)).body).toEqual({ verified: true });
  });

  it.each([
    ['recovery_wrapped_dek_iv', { recovery_wrapped_dek: aCiphertext() }],
    ['recovery_wrapped_dek', { recovery_wrapped_dek_iv: aCiphertext(12) }],
  ])('misses %s where only the other half of a wrap is sent', async (missing, half) => {
    const account = await anAccount(service.api, WITHOUT_RECOVERY);
    const { status, body } = await setUp(account, { recovery_proof: aProof(), ...half });
    expect([status, body.details?.[0].field]).toEqual([400, missing]);
    expect((await me(account.token)).recovery_enabled).toBe(false);
  });

  it('refuses a wrong current password with 403 and changes nothing', async () => {
    const account = await anAccount(service.api);
    const before = await infoOf(account.email);
    const { status, body } = await setUp(account, {
      current_password: 'wrong',
      recovery_proof: aProof(),
      ...aWrap(),
    });
    expect([status, body.code]).toEqual([403, 'current_password_wrong']);
    expect(await infoOf(account.email)).toEqual(before);
    expect((await verify(account.email, account.recoveryProof)).body).toEqual({ verified: true });
  });

  it.each(['current_password', 'recovery_proof'])('names %s when it is missing or empty', async (field) => {
    const account = await anAccount(service.api, WITHOUT_RECOVERY);
    for (const value of [undefined, '']) {
      const { status, body } = await setUp(account, { recovery_proof: aProof(), [field]: value });
      expect([value, status, body.details?.[0].field]).toEqual([value, 400, field]);
    }
  });

  it('ends no session', async () => {
    const account = await anAccount(service.api);
    await setUp(account, { recovery_proof: aProof(), ...aWrap() });
    expect((await me(account.token)).email).toBe(account.email);
    const refreshed = await service.api.post('/api/auth/refresh', { refresh_token: account.refreshToken });
    expect(refreshed.status).toBe(200);
  });

  it('keeps the proof as a hash like that of a password', async () => {
    const account = await anAccount(service.api, WITHOUT_RECOVERY);
    const proof = aProof();
    await setUp(account, { recovery_proof: proof });
    expect(await tablesHolding(service.databaseUrl, proof)).toEqual([]);
    const text = 'SELECT recovery_phrase_hash AS hash FROM accounts WHERE email = $1';
    const [{ hash }] = await sql<{ hash: string }>(service.databaseUrl, text, [account.email]);
    expect(hash).toMatch(/^\$pbkdf2-sha512\$i=1\$[\w+/]{22}\$[\w+/]{43}$/);
  });
});

describe('recovery/verify', () => {
  it('is true for the proof of the phrase, under any form of the email', async () => {
    const { email, recoveryProof } = await anAccount(service.api);
    const { status, body } = await verify(email.toUpperCase(), recoveryProof);
    expect([status, body]).toEqual([200, { verified: true }]);
  });

  it('is false alike for whoever cannot prove the phrase', async () => {
    const answers: object[] = [];
    for (const who of Object.values(UNPROVEN)) answers.push(visible(await verify(...(await who()))));
    expect(answers[0]).toMatchObject({ status: 200, body: { verified: false } });
    expect(answers).toEqual(Array(Object.keys(UNPROVEN).length).fill(answers[0]));
  });

  it('changes nothing', async () => {
    const { email, recoveryProof, token } = await anAccount(service.api);
    const before = await me(token);
    await verify(email, recoveryProof);
    await verify(email, 'wrong');
    expect(await me(token)).toEqual(before);
  });
});

describe('recovery/reset-password', () => {
  it('answers that it is done, and the new secret and wrap are the only ones', async () => {
    const { email, password, recoveryProof } = await anAccount(service.api);
    const secret = aNewSecret();
    const { status, body } = await reset(email, recoveryProof, secret);
    expect([status, body]).toEqual([200, { password_reset: true }]);
    const signedIn = await login(email, secret.new_password);
    expect(signedIn.body).toMatchObject({
      wrapped_dek: secret.new_wrapped_dek,
      wrapped_dek_iv: secret.new_wrapped_dek_iv,
    });
    expect(await me(signedIn.body.token)).toMatchObject({ token_version: 1, revision: 2 });
    expect((await login(email, password)).status).toBe(401);
  });

  it('ends every token of the account', async () => {
    const { email, password, recoveryProof, ...first } = await anAccount(service.api);
    const second = (await login(email, password)).body;
    await reset(email, recoveryProof);
    for (const token of [first.token, second.token]) expect((await me(token)).code).toBe('token_revoked');
    for (const token of [first.refreshToken, second.refresh_token]) {
      const { status, body } = await service.api.post('/api/auth/refresh', { refresh_token: token });
      expect([status, body.code]).toEqual([401, 'refresh_token_invalid']);
    }
  });

  it('leaves no device signed in', async () => {
    const { email, recoveryProof } = await anAccount(service.api);
    const secret = aNewSecret();
    await reset(email, recoveryProof, secret);
    const { token } = (await login(email, secret.new_password)).body;
    expect((await service.api.get('/api/auth/sessions', { token })).body).toHaveLength(1);
  });

  it('leaves the phrase valid, and other accounts alone', async () => {
    const other = await anAccount(service.api);
    const { email, recoveryProof } = await anAccount(service.api);
    const wrap = await infoOf(email);
    await reset(email, recoveryProof);
    expect(await infoOf(email)).toEqual(wrap);
    expect((await reset(email, recoveryProof)).status).toBe(200);
    expect((await me(other.token)).token_version).toBe(0);
  });

  it('is refused alike for whoever cannot prove the phrase', async () => {
    const answers: object[] = [];
    for (const who of Object.values(UNPROVEN)) answers.push(visible(await reset(...(await who()))));
    expect(answers[0]).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    expect(answers).toEqual(Array(Object.keys(UNPROVEN).length).fill(answers[0]));
  });

  it('changes nothing when it is refused', async () => {
    const { email, token, password } = await anAccount(service.api);
    const before = await me(token);
    await reset(email, 'wrong');
    expect(await me(token)).toEqual(before);
    expect((await login(email, password)).status).toBe(200);
  });

  it.each(['email', 'recovery_proof', 'new_password', 'new_wrapped_dek', 'new_wrapped_dek_iv'])(
    'names %s when it is missing or empty, and changes nothing',
    async (field) => {
      const { email, recoveryProof, token } = await anAccount(service.api);
      for (const value of [undefined, '', null]) {
        const body = { email, recovery_proof: recoveryProof, ...aNewSecret(), [field]: value };
        const answer = await service.api.post('/api/auth/recovery/reset-password', body);
        expect([value, answer.status, answer.body.details?.[0].field]).toEqual([value, 400, field]);
      }
      expect((await me(token)).token_version).toBe(0);
    },
  );

  it('leaves one secret when several come at once, that of one who was told so', async () => {
    const { email, recoveryProof } = await anAccount(service.api);
    const secrets = Array.from({ length: 6 }, aNewSecret);
    const answers = await Promise.all(secrets.map((secret) => reset(email, recoveryProof, secret)));
    const done = answers.filter(({ status }) => status === 200).length;
    expect(answers.filter(({ body }) => body.code === 'invalid_credentials')).toHaveLength(6 - done);
    const logins = await Promise.all(secrets.map((secret) => login(email, secret.new_password)));
    const winners = logins.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    const index = logins.indexOf(winners[0]);
    expect(answers[index].status).toBe(200);
    expect(winners[0].body.wrapped_dek).toBe(secrets[index].new_wrapped_dek);
    expect((await me(winners[0].body.token)).token_version).toBe(done);
  });
});
