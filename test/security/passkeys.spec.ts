import { randomBytes } from 'node:crypto';
import { aNewSecret, Authenticator, decodeToken, expectFailure, type Lies } from '@app/testing';
import { ClientAt, LIMITED } from '../support/clients';
import { sql } from '../support/databases';
import { type Account, anAccount } from '../support/factories';
import { until } from '../support/until';
import { WebauthnService } from '../../apps/api/src/auth/passkeys/webauthn.service';
import { forgetLimits } from '../support/limit-counters';
import { observeWork } from '../support/observed-work';
import { type ServiceHere, startServiceHere } from '../support/service-here';

const ORIGIN = 'https://records.example.org';
const WRAP = { wrapped_dek: 'wrapped', wrapped_dek_iv: 'iv', account_key_id: 'key' };
const WRONG = [401, 'invalid_credentials'];

let service: ServiceHere;
let account: Account;
let phone: Authenticator;
beforeAll(async () => (service = await startServiceHere({ ...LIMITED, WEB_ORIGIN: ORIGIN })));
afterAll(() => service.stop());
beforeEach(async () => {
  await forgetLimits(service.databaseUrl);
  account = await anAccount(service.api);
  phone = new Authenticator(ORIGIN);
});

const client = () => new ClientAt(service.api.url);
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body?.code];
const idOf = ({ token }: Pick<Account, 'token'>): string => decodeToken(token).payload.sub;
const passkeysOf = async ({ token }: Pick<Account, 'token'>) =>
  (await client().get('/api/passkeys', { token })).body;
const eventsOf = async ({ token }: Pick<Account, 'token'>): Promise<string[]> =>
  (await client().get('/api/users/me/events', { token })).body.map(({ kind }: { kind: string }) => kind);

async function optionsFor({ token, password }: Pick<Account, 'token' | 'password'>) {
  const { status, body } = await client().post(
    '/api/passkeys/options',
    { current_password: password },
    { token },
  );
  expect(status).toBe(200);
  return body;
}

async function add(owner: Account, authenticator = phone, fields: object = {}, lies: Lies = {}) {
  const { ticket, options } = await optionsFor(owner);
  const response = authenticator.create(options, lies);
  const body = { ticket, response, label: 'My phone', ...fields };
  return client().post('/api/passkeys', body, { token: owner.token });
}

async function loginOptions(from = client()) {
  const { status, body } = await from.post('/api/auth/passkey/options', {});
  expect(status).toBe(200);
  return body;
}

async function login(authenticator = phone, lies: Lies = {}, fields: object = {}, from = client()) {
  const { ticket, options } = await loginOptions(from);
  const body = { ticket, response: authenticator.get(options, lies), ...fields };
  return from.post('/api/auth/passkey/login', body);
}

describe('a passkey', () => {
  it('is made for a ticket, signs in, and brings its wrap along', async () => {
    const added = await add(account, phone, WRAP);
    expect(added.status).toBe(201);
    expect(added.body).toEqual({
      id: expect.any(String),
      credential_id: phone.id,
      label: 'My phone',
      transports: ['internal'],
      backed_up: true,
      ...WRAP,
      created_at: expect.any(String),
      last_used_at: null,
    });
    const { status, body } = await login(phone, {}, { device_label: 'Phone' });
    expect(status).toBe(200);
    expect(body).toEqual({
      token: expect.any(String),
      refresh_token: expect.any(String),
      wrapped_dek: expect.any(String),
      wrapped_dek_iv: expect.any(String),
      passkey: { id: added.body.id, ...WRAP },
    });
    expect((await client().get('/api/users/me', { token: body.token })).body.id).toBe(idOf(account));
    const sessions = (await client().get('/api/auth/sessions', { token: body.token })).body;
    expect(sessions[0]).toMatchObject({ current: true, device_label: 'Phone' });
    expect(await eventsOf(account)).toEqual(['passkey_login', 'passkey_added', 'registered']);
    expect(await passkeysOf(account)).toEqual([{ ...added.body, last_used_at: expect.any(String) }]);
  });

  it('asks for a verified user, no attestation, and names what there is already', async () => {
    await add(account);
    const { options } = await optionsFor(account);
    expect(options).toMatchObject({
      rp: { id: 'records.example.org' },
      user: { id: Buffer.from(idOf(account).replaceAll('-', ''), 'hex').toString('base64url') },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      excludeCredentials: [{ id: phone.id, transports: ['internal'], type: 'public-key' }],
    });
    const { options: forLogin } = await loginOptions();
    expect(forLogin).toMatchObject({ rpId: 'records.example.org', userVerification: 'required' });
    expect(forLogin.allowCredentials ?? []).toEqual([]);
  });

  it('gets another name, or another wrap, which is whole', async () => {
    const { id } = (await add(account)).body;
    const put = (body: object, path = `/api/passkeys/${id}`) =>
      client().put(path, body, { token: account.token });
    expect((await put({ label: 'Tablet' })).body).toMatchObject({ label: 'Tablet', wrapped_dek: null });
    expect((await put(WRAP)).body).toMatchObject({ label: 'Tablet', ...WRAP });
    for (const part of [{ wrapped_dek: 'x' }, { wrapped_dek: 'x', account_key_id: 'y' }, {}])
      expectFailure(await put(part), 'validation_failed');
    for (const unknown of ['x', '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c11'])
      expectFailure(await put({ label: 'x' }, `/api/passkeys/${unknown}`), 'not_found');
  });

  it('is removed with the password, and signs in no more', async () => {
    const { id } = (await add(account)).body;
    const remove = (current_password: string) =>
      client().post(`/api/passkeys/${id}/delete`, { current_password }, { token: account.token });
    expectFailure(await remove('wrong'), 'current_password_wrong');
    expect((await remove(account.password)).status).toBe(204);
    expectFailure(await remove(account.password), 'not_found');
    expect(codeOf(await login())).toEqual(WRONG);
    expect(await passkeysOf(account)).toEqual([]);
    expect(await eventsOf(account)).toEqual(expect.arrayContaining(['passkey_removed', 'passkey_added']));
  });

  it('is the same after a repeat of its request, and one event', async () => {
    const { ticket, options } = await optionsFor(account);
    const body = { ticket, response: phone.create(options), label: 'My phone' };
    const send = () => client().post('/api/passkeys', body, { token: account.token });
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(await eventsOf(account)).toEqual(['passkey_added', 'registered']);
  });

  it('is one of ten at most, also of many at once', async () => {
    const made = [];
    for (let count = 0; count < 12; count++) {
      const { ticket, options } = await optionsFor(account);
      made.push({ ticket, response: new Authenticator(ORIGIN).create(options), label: `${count}` });
    }
    const send = (body: object) => client().post('/api/passkeys', body, { token: account.token });
    const codes = (await Promise.all(made.map(send))).map(({ status }) => status).sort();
    expect(codes).toEqual([...Array<number>(10).fill(201), 409, 409]);
    const { token, password } = account;
    const next = await client().post('/api/passkeys/options', { current_password: password }, { token });
    expect(codeOf(next)).toEqual([409, 'passkeys_exceeded']);
  });

  it('needs the present password for its options', async () => {
    const { token } = account;
    const answer = await client().post('/api/passkeys/options', { current_password: 'wrong' }, { token });
    expectFailure(answer, 'current_password_wrong');
  });

  it('is gone with its account', async () => {
    await add(account);
    const { token, password } = account;
    await client().post('/api/users/me/delete', { current_password: password }, { token });
    expect(
      await sql(service.databaseUrl, 'SELECT 1 FROM passkeys WHERE account_id = $1', [idOf(account)]),
    ).toEqual([]);
    expect(codeOf(await login())).toEqual(WRONG);
  });

  it('stays when all devices are signed out and the password changes, and the ticket for a new one does not', async () => {
    await add(account);
    const { ticket, options } = await optionsFor(account);
    const change = { current_password: account.password, ...aNewSecret() };
    const { body } = await client().post('/api/auth/change-password', change, { token: account.token });
    const second = { ticket, response: new Authenticator(ORIGIN).create(options), label: 'x' };
    expect(codeOf(await client().post('/api/passkeys', second, { token: body.token }))).toEqual(WRONG);
    await client().post('/api/auth/logout-all', {}, { token: body.token });
    expect((await login()).status).toBe(200);
  });
});

describe('an attack', () => {
  beforeEach(async () => void (await add(account)));

  it.each<[string, Lies]>([
    ['another origin', { origin: 'https://records.example.com' }],
    ['another relying party', { rpId: 'example.org' }],
    ['another challenge', { challenge: randomBytes(32).toString('base64url') }],
    ['an empty challenge', { challenge: '' }],
    ['another type', { type: 'webauthn.create' }],
    ['no verified user', { isUserVerified: false }],
    ['another signature', { signature: randomBytes(70).toString('base64url') }],
    ['an unknown handle', { userHandle: randomBytes(16).toString('base64url') }],
    ['a handle that is no id', { userHandle: 'AAAA' }],
    ['an unknown credential', { id: randomBytes(16).toString('base64url') }],
  ])('with %s is refused', async (_name, lies) => {
    expect(codeOf(await login(phone, lies))).toEqual(WRONG);
    expect(await passkeysOf(account)).toEqual([expect.objectContaining({ last_used_at: null })]);
    expect((await login()).status).toBe(200);
  });

  it.each<[string, Lies]>([
    ['another origin', { origin: 'https://records.example.com' }],
    ['another relying party', { rpId: 'example.org' }],
    ['another challenge', { challenge: randomBytes(32).toString('base64url') }],
    ['another type', { type: 'webauthn.get' }],
    ['no verified user', { isUserVerified: false }],
  ])('with %s adds nothing', async (_name, lies) => {
    expect(codeOf(await add(account, new Authenticator(ORIGIN), {}, lies))).toEqual(WRONG);
    expect(await passkeysOf(account)).toHaveLength(1);
  });

  it('is an event of the owner, once for a network and an hour', async () => {
    const stranger = client();
    for (let count = 0; count < 3; count++) await login(phone, { signature: 'AAAA' }, {}, stranger);
    await until('the event counts all three', async () => {
      const { body } = await client().get('/api/users/me/events', { token: account.token });
      const failed = body.filter(({ kind }: { kind: string }) => kind === 'login_failed');
      return failed.length === 1 && failed[0].count === 3;
    });
  });

  it('with a counter that goes back, or stands still, is refused', async () => {
    const key = new Authenticator(ORIGIN, 5);
    await add(account, key);
    expect((await login(key)).status).toBe(200);
    for (const counter of [6, 5, 0]) expect(codeOf(await login(key, { counter }))).toEqual(WRONG);
    expect((await login(key)).status).toBe(200);
  });

  it('with 50 parallel uses of one answer wins once', async () => {
    const { ticket, options } = await loginOptions();
    const body = { ticket, response: phone.get(options) };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => client().post('/api/auth/passkey/login', body)),
    );
    const statuses = answers.map(({ status }) => status).filter((status) => status !== 503);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(new Set(statuses)).toEqual(new Set([200, 401]));
    const sessions = (await client().get('/api/auth/sessions', { token: account.token })).body;
    expect(sessions).toHaveLength(2);
  });

  it('with an older ticket is refused after a newer one was used', async () => {
    const older = await loginOptions();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await login()).status).toBe(200);
    const body = { ticket: older.ticket, response: phone.get(older.options) };
    expect(codeOf(await client().post('/api/auth/passkey/login', body))).toEqual(WRONG);
  });

  it('with a ticket that is too old is refused', async () => {
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now - 301_000);
    const { ticket, options } = await loginOptions().finally(() => clock.mockRestore());
    const body = { ticket, response: phone.get(options) };
    expect(codeOf(await client().post('/api/auth/passkey/login', body))).toEqual(WRONG);
  });

  it('with the ticket of another account, purpose or kind is refused', async () => {
    const other = await anAccount(service.api);
    const theirs = await optionsFor(other);
    const mine = await optionsFor(account);
    const forLogin = await loginOptions();
    const tablet = new Authenticator(ORIGIN);
    const created = (ticket: string, challenge: string) => ({
      ticket,
      label: 'x',
      response: tablet.create({ ...mine.options, challenge }),
    });
    for (const [ticket, challenge] of [
      [theirs.ticket, theirs.options.challenge],
      [forLogin.ticket, forLogin.options.challenge],
      [account.token, ''],
      ['x', ''],
    ]) {
      const answer = await client().post('/api/passkeys', created(ticket, challenge), {
        token: account.token,
      });
      expect(codeOf(answer)).toEqual(WRONG);
    }
    const used = { ...forLogin.options, challenge: mine.options.challenge };
    const login = { ticket: mine.ticket, response: phone.get(used) };
    expect(codeOf(await client().post('/api/auth/passkey/login', login))).toEqual(WRONG);
    const asToken = await client().get('/api/users/me', { token: mine.ticket });
    expectFailure(asToken, 'token_invalid');
    expect(await passkeysOf(account)).toHaveLength(1);
  });

  it('of another account sees, changes and removes nothing', async () => {
    const [{ id }] = await passkeysOf(account);
    const thief = await anAccount(service.api);
    const { token, password } = thief;
    expect(await passkeysOf(thief)).toEqual([]);
    expectFailure(await client().put(`/api/passkeys/${id}`, { label: 'x' }, { token }), 'not_found');
    const body = { current_password: password };
    expectFailure(await client().post(`/api/passkeys/${id}/delete`, body, { token }), 'not_found');
    // The same credential in another account is another passkey: its handle names the account.
    expect((await add(thief, phone)).status).toBe(201);
    expect(idOf((await login()).body)).toBe(idOf(thief));
    expect(await passkeysOf(account)).toEqual([expect.objectContaining({ id, last_used_at: null })]);
  });

  it('with the key of a stranger is refused, under the names of the passkey and under its own', async () => {
    const stranger = new Authenticator(ORIGIN);
    expect((await add(await anAccount(service.api), stranger)).status).toBe(201);
    const userHandle = Buffer.from(idOf(account).replaceAll('-', ''), 'hex').toString('base64url');
    for (const lies of [{ userHandle, id: phone.id }, { userHandle }])
      expect(codeOf(await login(stranger, lies))).toEqual(WRONG);
    expect((await login()).status).toBe(200);
  });

  it('with another key for a stored credential replaces nothing', async () => {
    const impostor = new Authenticator(ORIGIN);
    Object.defineProperty(impostor, 'id', { value: phone.id });
    expect(codeOf(await add(account, impostor))).toEqual(WRONG);
    expect((await login()).status).toBe(200);
  });

  it('from an ended session neither adds, changes nor removes', async () => {
    const { ticket, options } = await optionsFor(account);
    const [{ id }] = await passkeysOf(account);
    const { token, password } = account;
    const [session] = (await client().get('/api/auth/sessions', { token })).body;
    expect((await client().delete(`/api/auth/sessions/${session.id}`, undefined, { token })).status).toBe(
      204,
    );
    const body = { ticket, response: new Authenticator(ORIGIN).create(options), label: 'x' };
    for (const answer of [
      await client().post('/api/passkeys', body, { token }),
      await client().put(`/api/passkeys/${id}`, { label: 'x' }, { token }),
      await client().post(`/api/passkeys/${id}/delete`, { current_password: password }, { token }),
    ])
      expectFailure(answer, 'token_revoked');
  });

  it.each([
    ['added', (secret: object) => add(account, new Authenticator(ORIGIN), secret)],
    ['used', (secret: object) => login(phone, {}, secret)],
  ])(
    'on itself, a page that posts the results of PRF, is told so when a passkey is %s',
    async (_name, send) => {
      const secret = randomBytes(32).toString('base64url');
      const withPrf = { clientExtensionResults: { prf: { results: { first: secret } } } };
      const { options } = await loginOptions();
      const answer = await send({ response: { ...phone.get(options), ...withPrf } });
      expectFailure(answer, 'validation_failed');
      expect(JSON.stringify(answer.body)).not.toContain(secret);
    },
  );

  it.each<[string, unknown]>([
    ['nothing', {}],
    ['a text', 'x'],
    ['no id', { type: 'public-key', response: {} }],
    ['two ids', { rawId: 'AAAA' }],
    ['no base64url', { response: { clientDataJSON: '%' } }],
    ['another type', { type: 'password' }],
    ['a list of extensions', { clientExtensionResults: [] }],
  ])('with %s as the answer is a broken rule', async (_name, change) => {
    const { ticket, options } = await loginOptions();
    const whole = phone.get(options);
    const response =
      typeof change === 'object' && Object.keys(change!).length ? { ...whole, ...change } : change;
    expectFailure(await client().post('/api/auth/passkey/login', { ticket, response }), 'validation_failed');
  });

  it('learns nothing from the work: an unknown passkey costs the statements of a known one', async () => {
    const work = async (lies: Lies) => {
      const { ticket, options } = await loginOptions();
      const body = { ticket, response: phone.get(options, lies) };
      const login = () => client().post('/api/auth/passkey/login', body);
      const { answer, statements, hashes } = await observeWork(service.app, login);
      return [...codeOf(answer), statements, hashes];
    };
    const known = await work({ signature: 'AAAA' });
    expect(await work({ id: 'AAAA' })).toEqual(known);
    expect(await work({ userHandle: randomBytes(16).toString('base64url') })).toEqual(known);
  });
});

it('without the address of the page there are no passkeys, and a sentence says so', async () => {
  const { token, password } = account;
  await add(account);
  const { ticket, options } = await loginOptions();
  const off = jest.replaceProperty<any, string>(service.app.get(WebauthnService), 'origin', undefined);
  const answers = [
    await client().post('/api/auth/passkey/options', {}),
    await client().post('/api/auth/passkey/login', { ticket, response: phone.get(options) }),
    await client().post('/api/passkeys/options', { current_password: password }, { token }),
  ];
  off.restore();
  expect(answers.map(codeOf)).toEqual(answers.map(() => [403, 'passkeys_off']));
  expect(answers[0].body.error).toMatch(/^This service takes no passkeys/);
});

it('a ticket outlives a change of JWT_SECRET, as long as the former one is known', async () => {
  const [former, present] = ['former', 'present'].map((name) => name.repeat(8));
  const before = await startServiceHere({ WEB_ORIGIN: ORIGIN, JWT_SECRET: former });
  const post = (path: string, body: object, token?: string) => before.api.post(path, body, { token });
  const { token, password } = await anAccount(before.api);
  const made = (await post('/api/passkeys/options', { current_password: password }, token)).body;
  const response = phone.create(made.options);
  expect(
    (await post('/api/passkeys', { ...made, response, label: 'x', options: undefined }, token)).status,
  ).toBe(201);
  const { ticket, options } = (await post('/api/auth/passkey/options', {})).body;
  const after = await startServiceHere({
    DATABASE_URL: before.databaseUrl,
    WEB_ORIGIN: ORIGIN,
    JWT_SECRET: present,
    JWT_SECRET_PREVIOUS: former,
  });
  const answer = await after.api.post('/api/auth/passkey/login', { ticket, response: phone.get(options) });
  await after.stop();
  await before.stop();
  expect(answer.status).toBe(200);
});
