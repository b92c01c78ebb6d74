import { tablesHolding, visible } from '@app/testing';
import { sql } from '../support/databases';
import { aCiphertext, anAccount, anEmail, aRegistration } from '../support/factories';
import { type SharedService, sharedService, startService, type TestService } from '../support/service';

describe('prelogin', () => {
  let service: SharedService;
  beforeAll(async () => (service = await sharedService()));

  const prelogin = (email: string) => service.api.post('/api/auth/prelogin', { email });

  it('answers how to derive the secret', async () => {
    const { status, body } = await prelogin(anEmail());
    expect(status).toBe(200);
    expect(body).toEqual({ kdf: 'pbkdf2-sha256', iterations: 1_000_000, salt: expect.any(String) });
    const salt = Buffer.from(body.salt, 'base64');
    expect(salt.toString('base64')).toBe(body.salt);
    expect(salt).toHaveLength(16);
  });

  it('answers the same at every call, before and after the account exists, and once it is gone', async () => {
    const email = anEmail();
    const before = visible(await prelogin(email));
    expect(visible(await prelogin(email))).toEqual(before);
    const { token, password } = await anAccount(service.api, { email });
    expect(visible(await prelogin(email))).toEqual(before);
    await service.api.post('/api/users/me/delete', { current_password: password }, { token });
    expect(visible(await prelogin(email))).toEqual(before);
  });

  it('answers the same for every form of one email', async () => {
    const email = anEmail();
    const { body } = await prelogin(email);
    for (const form of [email.toUpperCase(), `  ${email}\n`, email.replace('@', '\uff20')]) {
      expect((await prelogin(form)).body).toEqual(body);
    }
  });

  it('gives each email another salt', async () => {
    const salts = await Promise.all(
      Array.from({ length: 20 }, async () => (await prelogin(anEmail())).body.salt),
    );
    expect(new Set(salts).size).toBe(20);
  });

  it('stores with the account what it has answered', async () => {
    const { email } = await anAccount(service.api);
    const { body } = await prelogin(email);
    const [login] = await sql(
      service.databaseUrl,
      'SELECT kdf, kdf_iterations, kdf_salt FROM logins WHERE email = $1',
      [email],
    );
    expect(login).toEqual({ kdf: body.kdf, kdf_iterations: body.iterations, kdf_salt: body.salt });
  });

  it('answers with the stored parameters where they are not those of today', async () => {
    const { email } = await anAccount(service.api);
    await sql(
      service.databaseUrl,
      `UPDATE logins SET kdf_iterations = 100, kdf_salt = 'old' WHERE email = $1`,
      [email],
    );
    expect((await prelogin(email)).body).toMatchObject({ iterations: 100, salt: 'old' });
  });
});

describe('login', () => {
  let service: SharedService;
  beforeAll(async () => (service = await sharedService()));

  const login = (email: string, password: string) => service.api.post('/api/auth/login', { email, password });

  it('answers 200 with exactly the four fields of the authentication response', async () => {
    const registration = aRegistration();
    await anAccount(service.api, registration);
    const { status, body } = await login(registration.email as string, registration.password as string);
    expect(status).toBe(200);
    expect(body).toEqual({
      token: expect.any(String),
      refresh_token: expect.any(String),
      wrapped_dek: registration.wrapped_dek,
      wrapped_dek_iv: registration.wrapped_dek_iv,
    });
    expect((await service.api.get('/api/users/me', { token: body.token })).status).toBe(200);
  });

  it('cannot be told apart for a wrong secret and an unknown email', async () => {
    const { email } = await anAccount(service.api);
    const wrongSecret = visible(await login(email, aCiphertext(32)));
    const unknownEmail = visible(await login(anEmail(), aCiphertext(32)));
    expect(wrongSecret).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    expect(unknownEmail).toEqual(wrongSecret);
  });

  it('compares the secret as it was sent', async () => {
    const { email, password } = await anAccount(service.api, { password: ' Secret\u212a ' });
    for (const other of ['Secret\u212a', ' secret\u212a ', ' SecretK ', ' Secret\u212a']) {
      expect([other, (await login(email, other)).status]).toEqual([other, 401]);
    }
    expect((await login(email, password)).status).toBe(200);
  });

  it.each(['email', 'password'])('names %s when it is missing', async (field) => {
    const { status, body } = await service.api.post('/api/auth/login', {
      email: anEmail(),
      password: 'p',
      [field]: undefined,
    });
    expect([status, body.code, body.details[0].field]).toEqual([400, 'validation_failed', field]);
  });

  it('refuses an unknown field by its name', async () => {
    const { email, password } = await anAccount(service.api);
    const { status, body } = await service.api.post('/api/auth/login', {
      email,
      password,
      remember_me: true,
    });
    expect([status, body.details[0].field]).toEqual([400, 'remember_me']);
  });
});

describe('a stored secret', () => {
  let service: TestService;
  let dearer: TestService;
  beforeAll(async () => {
    service = await startService({ PASSWORD_HASH_ITERATIONS: '1' });
    dearer = await startService({ PASSWORD_HASH_ITERATIONS: '2', DATABASE_URL: service.databaseUrl });
  });
  afterAll(async () => {
    await dearer.stop();
    await service.stop();
  });

  const hashOf = async (email: string): Promise<string> => {
    const text = 'SELECT password_hash FROM accounts WHERE email = $1';
    const rows = await sql<{ password_hash: string }>(service.databaseUrl, text, [email]);
    return rows[0].password_hash;
  };

  it('is one self-describing string: PBKDF2-HMAC-SHA-512, 16 bytes of salt, 32 of output', async () => {
    const { email } = await anAccount(service.api);
    const [, name, cost, salt, hash] = (await hashOf(email)).split('$');
    expect([name, cost]).toEqual(['pbkdf2-sha512', 'i=1']);
    expect(Buffer.from(salt, 'base64')).toHaveLength(16);
    expect(Buffer.from(hash, 'base64')).toHaveLength(32);
  });

  it('has a salt of its own for each account', async () => {
    const { email, password } = await anAccount(service.api);
    const other = await anAccount(service.api, { password });
    expect(await hashOf(other.email)).not.toBe(await hashOf(email));
  });

  it('is nowhere in the database as it was sent', async () => {
    const { password, recoveryProof, email } = await anAccount(service.api);
    expect(await tablesHolding(service.databaseUrl, email)).toEqual(['accounts', 'logins']);
    expect(await tablesHolding(service.databaseUrl, password)).toEqual([]);
    expect(await tablesHolding(service.databaseUrl, recoveryProof)).toEqual([]);
  });

  it('is hashed again at the higher cost by a login, and not by a failed one', async () => {
    const { email, password } = await anAccount(service.api);
    const before = await hashOf(email);
    expect((await dearer.api.post('/api/auth/login', { email, password: 'wrong' })).status).toBe(401);
    expect(await hashOf(email)).toBe(before);
    expect((await dearer.api.post('/api/auth/login', { email, password })).status).toBe(200);
    expect(await hashOf(email)).toMatch(/^\$pbkdf2-sha512\$i=2\$/);
  });

  it('is still right once it is hashed again, and never hashed at a lower cost', async () => {
    const { email, password, token } = await anAccount(service.api);
    await dearer.api.post('/api/auth/login', { email, password });
    const raised = await hashOf(email);
    expect((await service.api.post('/api/auth/login', { email, password })).status).toBe(200);
    expect((await service.api.post('/api/auth/login', { email, password: 'wrong' })).status).toBe(401);
    expect(await hashOf(email)).toBe(raised);
    expect((await service.api.get('/api/users/me', { token })).body).toMatchObject({
      token_version: 0,
      revision: 1,
    });
  });

  it('is hashed again by several logins at once, all of which succeed', async () => {
    const { email, password } = await anAccount(service.api);
    const logins = Array.from({ length: 5 }, () => dearer.api.post('/api/auth/login', { email, password }));
    expect((await Promise.all(logins)).map(({ status }) => status)).toEqual(Array(5).fill(200));
  });
});
