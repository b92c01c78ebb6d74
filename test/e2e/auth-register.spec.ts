import { randomUUID } from 'node:crypto';
import { tablesHolding } from '@app/testing';
import { sql } from '../support/databases';
import { aBlob, aCiphertext, anAccount, anEmail, aRegistration } from '../support/factories';
import { startService, type TestService } from '../support/service';

const REQUIRED = [
  'email',
  'password',
  'wrapped_dek',
  'wrapped_dek_iv',
  'recovery_wrapped_dek',
  'recovery_wrapped_dek_iv',
];

/** A code point, then what NFKC and lower case make of it. */
const EMAIL_FORMS = [
  ['upper case', 'ANA', 'ana'],
  ['full-width letters', '\uff21\uff4e\uff21', 'ana'],
  ['a ligature', 'ste\ufb03', 'steffi'],
  ['the Kelvin sign', '\u212aim', 'kim'],
  ['a combining accent', 'jose\u0301', 'jos\u00e9'],
] as const;

describe('register', () => {
  let service: TestService;
  beforeAll(async () => (service = await startService()));
  afterAll(() => service.stop());

  const register = (body: unknown) => service.api.post('/api/auth/register', body);
  const profilesOf = async (token: string) => (await service.api.get('/api/profiles', { token })).body;

  it('answers 201 with exactly the four fields of the authentication response', async () => {
    const registration = aRegistration();
    const { status, body } = await register(registration);
    expect(status).toBe(201);
    expect(body).toEqual({
      token: expect.any(String),
      refresh_token: expect.any(String),
      wrapped_dek: registration.wrapped_dek,
      wrapped_dek_iv: registration.wrapped_dek_iv,
    });
  });

  it('signs the new account in', async () => {
    const registration = aRegistration();
    const { body } = await register(registration);
    const me = await service.api.get('/api/users/me', { token: body.token });
    expect(me.body.email).toBe(registration.email);
    expect((await service.api.post('/api/auth/refresh', { refresh_token: body.refresh_token })).status).toBe(
      200,
    );
  });

  it('stores how the secret was derived, and refuses a secret of another salt', async () => {
    const registration = aRegistration();
    const prelogin = async () =>
      (await service.api.post('/api/auth/prelogin', { email: registration.email })).body;
    const told = await prelogin();
    const new_kdf = { kdf: 'pbkdf2-sha256', iterations: 1_100_000 };
    const salt = Buffer.alloc(16, 7).toString('base64');
    const refused = await register({ ...registration, new_kdf: { ...new_kdf, salt } });
    expect([refused.status, refused.body.details?.[0].field]).toEqual([400, 'new_kdf']);
    expect((await register({ ...registration, new_kdf: { ...new_kdf, salt: told.salt } })).status).toBe(201);
    expect(await prelogin()).toEqual({ ...told, iterations: 1_100_000 });
  });

  it('gives the account the id that the client has made, once, also after its erasure', async () => {
    const [first, second, third] = [aRegistration(), aRegistration(), aRegistration()];
    const account_id = randomUUID();
    const { body } = await register({ ...first, account_id });
    expect((await service.api.get('/api/users/me', { token: body.token })).body.id).toBe(account_id);
    expect((await register({ ...second, account_id })).body.code).toBe('id_taken');
    const erasure = { current_password: first.password };
    await service.api.post('/api/users/me/delete', erasure, { token: body.token });
    const after = await register({ ...second, account_id });
    expect([after.status, after.body.code]).toEqual([409, 'id_taken']);
    expect((await register({ ...third, account_id: 'x' })).body.details[0].field).toBe('account_id');
    expect((await register(second)).status).toBe(201);
  });

  it('takes the fields that the specification names and needs no other', async () => {
    const body = Object.fromEntries(
      Object.entries(aRegistration()).filter(([name]) => REQUIRED.includes(name)),
    );
    expect(Object.keys(body)).toHaveLength(REQUIRED.length);
    const { status, body: answer } = await register(body);
    expect(status).toBe(201);
    const me = await service.api.get('/api/users/me', { token: answer.token });
    expect(me.body.recovery_enabled).toBe(false);
  });

  it('sets recovery up at once where a recovery proof is sent', async () => {
    const { token, email, recoveryProof } = await anAccount(service.api);
    expect((await service.api.get('/api/users/me', { token })).body.recovery_enabled).toBe(true);
    const proof = { email, recovery_proof: recoveryProof };
    expect((await service.api.post('/api/auth/recovery/verify', proof)).body).toEqual({ verified: true });
  });

  it.each(REQUIRED)('names %s when it is missing, null, empty or no string', async (field) => {
    for (const value of [undefined, null, '', 7, ['a'], { a: 'a' }]) {
      const { status, body } = await register(aRegistration({ [field]: value }));
      expect({ value, status, code: body.code }).toEqual({ value, status: 400, code: 'validation_failed' });
      expect(body.details.map((detail: { field: string }) => detail.field)).toEqual([field]);
    }
  });

  it('names every bad field of one request', async () => {
    const { body } = await register(aRegistration({ email: 'nobody', password: '', wrapped_dek: undefined }));
    const fields = body.details.map((detail: { field: string }) => detail.field);
    expect(fields.sort()).toEqual(['email', 'password', 'wrapped_dek']);
  });

  it.each(['iv', 'recovery_phrase', 'default_profile_name', 'constructor'])(
    'refuses the unknown field %s by its name and makes no account',
    async (field) => {
      const registration = aRegistration({ [field]: 'anything' });
      const { status, body } = await register(registration);
      expect([status, body.code, body.details[0].field]).toEqual([400, 'validation_failed', field]);
      expect(body.error).toContain(field);
      expect(await tablesHolding(service.databaseUrl, registration.email as string)).toEqual([]);
    },
  );

  it.each([
    ['no @', 'ana.example.org'],
    ['two @', 'ana@home@example.org'],
    ['nothing before the @', '@example.org'],
    ['nothing after the @', 'ana@'],
    ['a line break', 'ana\n@example.org'],
    ['255 characters', `${'a'.repeat(243)}@example.org`],
  ])('refuses an email with %s', async (_, email) => {
    const { status, body } = await register(aRegistration({ email }));
    expect([status, body.details?.[0].field]).toEqual([400, 'email']);
  });

  it('takes an email of 254 characters and a secret of 1024', async () => {
    const email = `${anEmail().slice(0, 12)}${'a'.repeat(230)}@example.org`;
    expect(email).toHaveLength(254);
    expect((await register(aRegistration({ email, password: 's'.repeat(1024) }))).status).toBe(201);
    const tooLong = await register(aRegistration({ password: 's'.repeat(1025) }));
    expect([tooLong.status, tooLong.body.details[0].field]).toEqual([400, 'password']);
  });

  it.each(EMAIL_FORMS)('takes an email with %s for its normal form', async (_, form, normal) => {
    const rest = anEmail();
    const { token, password } = await anAccount(service.api, { email: ` ${form}${rest}\t` });
    expect((await service.api.get('/api/users/me', { token })).body.email).toBe(normal + rest);
    for (const email of [normal + rest, form + rest, `\u3000${form}${rest.toUpperCase()} `]) {
      expect((await service.api.post('/api/auth/login', { email, password })).status).toBe(200);
      const taken = await register(aRegistration({ email }));
      expect([taken.status, taken.body.code]).toEqual([409, 'email_taken']);
    }
  });

  it('refuses a taken email and leaves its account alone', async () => {
    const { email, password } = await anAccount(service.api);
    const second = aRegistration({ email });
    expect((await register(second)).status).toBe(409);
    expect((await service.api.post('/api/auth/login', { email, password })).status).toBe(200);
    const withSecond = { email, password: second.password };
    expect((await service.api.post('/api/auth/login', withSecond)).status).toBe(401);
  });

  it('gives an email to exactly one of many who ask for it at once', async () => {
    const email = anEmail();
    const answers = await Promise.all(Array.from({ length: 10 }, () => register(aRegistration({ email }))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  describe('with a default profile', () => {
    it('makes no profile without a wrapped key, whatever else is sent', async () => {
      const { token } = await anAccount(service.api, {
        default_profile_id: randomUUID(),
        default_profile_wrapped_dek_iv: aCiphertext(12),
        default_profile_kind: 'pet',
        default_profile_relationship: 'cat',
        default_profile_name_data: aBlob(),
        default_profile_name_iv: aCiphertext(12),
      });
      expect(await profilesOf(token)).toEqual([]);
    });

    it('makes a profile with the defaults from a wrapped key alone', async () => {
      const dek = aCiphertext();
      const { token } = await anAccount(service.api, { default_profile_wrapped_dek: dek });
      const me = (await service.api.get('/api/users/me', { token })).body;
      expect(await profilesOf(token)).toEqual([
        {
          profile_id: expect.any(String),
          owner_account_id: me.id,
          kind: 'human',
          relationship: 'self',
          wrapped_profile_dek: dek,
          wrapped_profile_dek_iv: '',
          name_data: '',
          name_iv: '',
          created_at: expect.any(String),
          updated_at: expect.any(String),
          revision: 1,
        },
      ]);
    });

    it('keeps every default_profile_* field', async () => {
      const sent = {
        default_profile_id: randomUUID(),
        default_profile_wrapped_dek: aCiphertext(),
        default_profile_wrapped_dek_iv: aCiphertext(12),
        default_profile_kind: 'pet',
        default_profile_relationship: 'cat',
        default_profile_name_data: aBlob(),
        default_profile_name_iv: aCiphertext(12),
      };
      const { token } = await anAccount(service.api, sent);
      const [profile, ...others] = await profilesOf(token);
      expect(others).toEqual([]);
      expect(profile).toMatchObject({
        profile_id: sent.default_profile_id,
        wrapped_profile_dek: sent.default_profile_wrapped_dek,
        wrapped_profile_dek_iv: sent.default_profile_wrapped_dek_iv,
        kind: 'pet',
        relationship: 'cat',
        name_data: sent.default_profile_name_data,
        name_iv: sent.default_profile_name_iv,
      });
    });

    it('returns the name to the byte', async () => {
      const name = '{ "b": 1.50, "1": 1e400, "a": "\\u0000" }';
      const registration = aRegistration({ default_profile_wrapped_dek: aCiphertext() });
      const text = `${JSON.stringify(registration).slice(0, -1)},"default_profile_name_data":${name}}`;
      const { body } = await register(text);
      expect((await service.api.get('/api/profiles', { token: body.token })).text).toContain(
        `"name_data":${name}`,
      );
    });

    it.each([
      ['default_profile_id', 'not-a-uuid'],
      ['default_profile_wrapped_dek', ''],
      ['default_profile_wrapped_dek_iv', 7],
      ['default_profile_kind', 'robot'],
      ['default_profile_relationship', ''],
      ['default_profile_relationship', 'r'.repeat(65)],
      ['default_profile_name_data', {}],
      ['default_profile_name_data', 7],
      ['default_profile_name_iv', null],
    ])('refuses %s = %j and makes no account', async (field, value) => {
      const registration = aRegistration({ default_profile_wrapped_dek: aCiphertext(), [field]: value });
      const { status, body } = await register(registration);
      expect([status, body.details?.[0].field]).toEqual([400, field]);
      expect(await tablesHolding(service.databaseUrl, registration.email as string)).toEqual([]);
    });

    it('leaves no account behind when the profile cannot be stored', async () => {
      const constraint = `CHECK (relationship <> 'cannot be stored')`;
      await sql(service.databaseUrl, `ALTER TABLE profiles ADD CONSTRAINT refuse_in_test ${constraint}`);
      const profile = { default_profile_wrapped_dek: aCiphertext() };
      const registration = aRegistration({ ...profile, default_profile_relationship: 'cannot be stored' });
      const { status, body } = await register(registration);
      expect([status, body.code]).toEqual([500, 'internal']);
      expect(await tablesHolding(service.databaseUrl, registration.email as string)).toEqual([]);
      expect(await tablesHolding(service.databaseUrl, registration.wrapped_dek as string)).toEqual([]);
      expect((await register({ ...registration, default_profile_relationship: 'self' })).status).toBe(201);
      expect(await tablesHolding(service.databaseUrl, registration.email as string)).toEqual([
        'accounts',
        'logins',
      ]);
    });
  });
});
