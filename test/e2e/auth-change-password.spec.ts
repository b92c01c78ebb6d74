import { aNewSecret, decodeToken } from '@app/testing';
import { type Account, aCiphertext, anAccount, anEmail, aProfile } from '../support/factories';
import { type SharedService, sharedService } from '../support/service';

/** What changes the secret: the two operations are one, but for the email. */
const OPERATIONS = [
  { name: 'change-password', method: 'POST', path: '/api/auth/change-password', email: () => undefined },
  { name: 'PUT users/me', method: 'PUT', path: '/api/users/me', email: anEmail },
];

describe.each(OPERATIONS)('$name', ({ method, path, email: newEmail }) => {
  let service: SharedService;
  beforeAll(async () => (service = await sharedService()));

  const aBody = (account: Account) => ({
    current_password: account.password,
    email: newEmail(),
    ...aNewSecret(),
  });
  const change = (account: Account, body: object) =>
    service.api.call(method, path, body, { token: account.token });
  const login = (email: string, password: string) => service.api.post('/api/auth/login', { email, password });
  const me = (token: string) => service.api.get('/api/users/me', { token });
  const refresh = (token: string) => service.api.post('/api/auth/refresh', { refresh_token: token });

  it('answers 200 with fresh tokens and the new wrap, and nothing else', async () => {
    const account = await anAccount(service.api);
    const body = aBody(account);
    const answer = await change(account, body);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      token: expect.any(String),
      refresh_token: expect.any(String),
      wrapped_dek: body.new_wrapped_dek,
      wrapped_dek_iv: body.new_wrapped_dek_iv,
    });
    expect((await me(answer.body.token)).status).toBe(200);
    expect((await refresh(answer.body.refresh_token)).status).toBe(200);
  });

  it('raises the token version, the revision and the time of change by one step', async () => {
    const account = await anAccount(service.api);
    const before = (await me(account.token)).body;
    const { body } = await change(account, aBody(account));
    const { body: after, headers } = await me(body.token);
    expect(after).toMatchObject({
      id: before.id,
      token_version: 1,
      revision: 2,
      created_at: before.created_at,
    });
    expect(after.updated_at > before.updated_at).toBe(true);
    expect(headers.get('etag')).toBe('"2"');
    expect(decodeToken(body.token).payload.token_version).toBe(1);
    expect(decodeToken(body.refresh_token).payload.token_version).toBe(1);
  });

  it('makes the new secret the only one', async () => {
    const account = await anAccount(service.api);
    const body = aBody(account);
    const email = body.email ?? account.email;
    await change(account, body);
    const answer = await login(email, body.new_password);
    expect(answer.body).toMatchObject({
      wrapped_dek: body.new_wrapped_dek,
      wrapped_dek_iv: body.new_wrapped_dek_iv,
    });
    expect((await login(email, account.password)).status).toBe(401);
  });

  it('ends every older token of the account at once', async () => {
    const account = await anAccount(service.api);
    const other = (await login(account.email, account.password)).body;
    await change(account, aBody(account));
    for (const token of [account.token, other.token]) {
      const { status, body } = await me(token);
      expect([status, body.code]).toEqual([401, 'token_revoked']);
    }
    for (const token of [account.refreshToken, other.refresh_token]) {
      const { status, body } = await refresh(token);
      expect([status, body.code]).toEqual([401, 'refresh_token_invalid']);
    }
  });

  it('leaves one device signed in, the one that made the change', async () => {
    const account = await anAccount(service.api);
    await login(account.email, account.password);
    const { body } = await change(account, aBody(account));
    const sessions = (await service.api.get('/api/auth/sessions', { token: body.token })).body;
    expect(sessions.map((session: { current: boolean }) => session.current)).toEqual([true]);
  });

  it('leaves other accounts and the records of this one alone', async () => {
    const [account, other] = [await anAccount(service.api), await anAccount(service.api)];
    const profile = await aProfile(service.api, account.token);
    const { body } = await change(account, aBody(account));
    expect((await service.api.get(`/api/profiles/${profile}`, { token: body.token })).status).toBe(200);
    expect((await me(other.token)).status).toBe(200);
    expect((await refresh(other.refreshToken)).status).toBe(200);
  });

  it('raises the cost of the key derivation, which prelogin then tells, and refuses one that is too low', async () => {
    const account = await anAccount(service.api);
    const prelogin = async (email: string) => (await service.api.post('/api/auth/prelogin', { email })).body;
    const body = aBody(account);
    const email = body.email ?? account.email;
    const before = await prelogin(email);
    for (const wrong of [
      { kdf: 'pbkdf2-sha256', iterations: 599_999 },
      { kdf: 'pbkdf2-sha256', iterations: 10_000_001 },
      { kdf: 'pbkdf2-sha256', iterations: 600_000 },
      { kdf: 'pbkdf2-sha256', iterations: 999_999 },
      { kdf: 'scrypt', iterations: 1_000_000 },
      { kdf: 'pbkdf2-sha256', iterations: 1_000_000, salt: 'AAAA' },
      '600000',
    ]) {
      const refused = await change(account, { ...body, new_kdf: wrong });
      expect([refused.status, refused.body.details?.[0].field]).toEqual([400, 'new_kdf']);
    }
    expect([before.iterations, await prelogin(email)]).toEqual([1_000_000, before]);
    const raised = { kdf: 'pbkdf2-sha256', iterations: 1_100_000 };
    const { status } = await change(account, { ...body, new_kdf: raised });
    expect([status, await prelogin(email)]).toEqual([200, { ...before, ...raised }]);
    const recovery = { email, recovery_proof: account.recoveryProof, ...aNewSecret() };
    const further = { ...raised, iterations: 1_200_000 };
    const lowered = { kdf: raised.kdf, iterations: 1_099_999 };
    const refused = await service.api.post('/api/auth/recovery/reset-password', {
      ...recovery,
      new_kdf: lowered,
    });
    expect([refused.status, refused.body.details?.[0].field]).toEqual([400, 'new_kdf']);
    await service.api.post('/api/auth/recovery/reset-password', { ...recovery, new_kdf: further });
    expect(await prelogin(email)).toEqual({ ...before, ...further });
  });

  it('never lowers the cost of the account, also without new_kdf, and takes no secret of a false salt', async () => {
    const account = await anAccount(service.api);
    const prelogin = async (email: string) => (await service.api.post('/api/auth/prelogin', { email })).body;
    const costly = { kdf: 'pbkdf2-sha256', iterations: 1_300_000 };
    const raised = { current_password: account.password, ...aNewSecret(), new_kdf: costly };
    const { body: session } = await service.api.post('/api/auth/change-password', raised, {
      token: account.token,
    });
    const owner = { ...account, token: session.token as string, password: raised.new_password };
    const body = aBody(owner);
    const email = body.email ?? account.email;
    const { salt } = await prelogin(email);
    const falseSalt = Buffer.alloc(16, 7).toString('base64');
    const refused = [
      { ...costly, iterations: 1_299_999 },
      { ...costly, salt: falseSalt },
    ];
    // The email moves to the cost of a new account, and the cost of this one is higher.
    for (const new_kdf of body.email === undefined ? refused : [undefined, ...refused]) {
      const answer = await change(owner, { ...body, new_kdf });
      expect([answer.status, answer.body.details?.[0].field]).toEqual([400, 'new_kdf']);
    }
    expect(await prelogin(account.email)).toMatchObject({ iterations: 1_300_000 });
    expect((await login(account.email, owner.password)).status).toBe(200);
    expect((await change(owner, { ...body, new_kdf: { ...costly, salt } })).status).toBe(200);
    expect(await prelogin(email)).toEqual({ ...costly, salt });
    expect((await login(email, body.new_password)).status).toBe(200);
  });

  it('leaves the recovery wrap and the recovery proof valid', async () => {
    const wrap = { recovery_wrapped_dek: aCiphertext(), recovery_wrapped_dek_iv: aCiphertext(12) };
    const account = await anAccount(service.api, wrap);
    const body = aBody(account);
    await change(account, body);
    const email = body.email ?? account.email;
    const info = await service.api.get(`/api/auth/recovery-info?email=${encodeURIComponent(email)}`);
    expect(info.body).toEqual(wrap);
    const proof = { email, recovery_proof: account.recoveryProof };
    expect((await service.api.post('/api/auth/recovery/verify', proof)).body).toEqual({ verified: true });
    const reset = { ...proof, ...aNewSecret() };
    expect((await service.api.post('/api/auth/recovery/reset-password', reset)).status).toBe(200);
  });

  it('refuses a wrong current password with 403 and changes nothing', async () => {
    const account = await anAccount(service.api);
    const before = (await me(account.token)).body;
    const { status, body, headers } = await change(account, { ...aBody(account), current_password: 'wrong' });
    expect([status, body.code]).toEqual([403, 'current_password_wrong']);
    expect(headers.get('www-authenticate')).toBeNull();
    expect((await me(account.token)).body).toEqual(before);
    expect((await login(account.email, account.password)).status).toBe(200);
  });

  it.each(['current_password', 'new_password', 'new_wrapped_dek', 'new_wrapped_dek_iv'])(
    'names %s when it is missing or empty, and changes nothing',
    async (field) => {
      const account = await anAccount(service.api);
      for (const value of [undefined, '', null]) {
        const { status, body } = await change(account, { ...aBody(account), [field]: value });
        expect([value, status, body.details?.[0].field]).toEqual([value, 400, field]);
      }
      expect((await me(account.token)).body.token_version).toBe(0);
    },
  );

  it('refuses an unknown field by its name and changes nothing', async () => {
    const account = await anAccount(service.api);
    const { status, body } = await change(account, {
      ...aBody(account),
      recovery_wrapped_dek: aCiphertext(),
    });
    expect([status, body.details[0].field]).toEqual([400, 'recovery_wrapped_dek']);
    expect((await me(account.token)).status).toBe(200);
  });

  it('lets exactly one of several at once change the secret', async () => {
    const account = await anAccount(service.api);
    const bodies = Array.from({ length: 5 }, () => aBody(account));
    const answers = await Promise.all(bodies.map((body) => change(account, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
    const winner = answers.findIndex(({ status }) => status === 200);
    for (const [index, { email, new_password: password }] of bodies.entries()) {
      const { status } = await login(email ?? account.email, password);
      expect([index, status]).toEqual([index, index === winner ? 200 : 401]);
    }
  });
});
