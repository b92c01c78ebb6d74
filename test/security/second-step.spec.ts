import { Clock } from '@app/common';
import { Housekeeping } from '@app/database';
import { aNewSecret, type Answer, Authenticator, decodeToken, expectFailure } from '@app/testing';
import { Secret, TOTP } from 'otpauth';
import { ClientAt, LIMITED } from '../support/clients';
import { sql } from '../support/databases';
import { type Account, anAccount } from '../support/factories';
import { countersOf, forgetLimits } from '../support/limit-counters';
import { type ServiceHere, startServiceHere } from '../support/service-here';
import { until } from '../support/until';

const ORIGIN = 'https://records.example.org';
const STEP_MS = 30_000;

let service: ServiceHere;
let account: Account;
/** A time that the tests move on: a code works once. */
let now: number;
beforeAll(async () => {
  service = await startServiceHere({ ...LIMITED, WEB_ORIGIN: ORIGIN });
  now = Date.now();
  jest.spyOn(service.app.get(Clock), 'now').mockImplementation(() => new Date(now));
});
afterAll(() => service.stop());
beforeEach(async () => {
  await forgetLimits(service.databaseUrl);
  account = await anAccount(service.api);
  now += 10 * STEP_MS;
});

/** The codes that only a second step has, with their statuses. */
const STATUS = { second_step_required: 403, second_step_wrong: 401, second_step_unsafe: 409 } as const;

function expectRefusal({ status, body }: Answer, code: keyof typeof STATUS): void {
  expect([status, body.code, body.error]).toEqual([STATUS[code], code, expect.stringMatching(/^\w.*\.$/)]);
}

const client = () => new ClientAt(service.api.url);
const eventsOf = async ({ token }: Pick<Account, 'token'>): Promise<string[]> =>
  (await client().get('/api/users/me/events', { token })).body.map(({ kind }: { kind: string }) => kind);
const stepUp = ({ password }: Account) => ({ current_password: password });
const login = ({ email, password }: Account, fields: object = {}, from = client()) =>
  from.post('/api/auth/login', { email, password, ...fields });
const require = (owner: Account, required: boolean) =>
  client().put('/api/users/me/second-step', { ...stepUp(owner), required }, { token: owner.token });
const stateOf = async ({ token }: Account) =>
  (await client().get('/api/users/me/second-step', { token })).body;
/** What the app shows `steps` after now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now + steps * STEP_MS });
const wrongCodeOf = (secret: string) =>
  String((Number(codeOf(secret)) + 500_000) % 1_000_000).padStart(6, '0');

async function newApp(owner: Account) {
  const { status, body } = await client().post('/api/users/me/second-step/totp', stepUp(owner), owner);
  expect(status).toBe(200);
  return body as { ticket: string; secret: string; uri: string };
}
const confirm = ({ token }: Pick<Account, 'token'>, ticket: string, code: string) =>
  client().post('/api/users/me/second-step/totp/confirm', { ticket, code }, { token });

/** @returns the secret of an app whose codes the account takes. A step later its next code is new. */
async function addApp(owner: Account): Promise<string> {
  const { ticket, secret } = await newApp(owner);
  expect((await confirm(owner, ticket, codeOf(secret))).status).toBe(204);
  now += STEP_MS;
  return secret;
}

async function addPasskey(owner: Account): Promise<Authenticator> {
  const phone = new Authenticator(ORIGIN);
  const { token } = owner;
  const { ticket, options } = (await client().post('/api/passkeys/options', stepUp(owner), { token })).body;
  const body = { ticket, response: phone.create(options), label: 'My phone' };
  expect((await client().post('/api/passkeys', body, { token })).status).toBe(201);
  return phone;
}

/** @returns what a right password gets. */
async function ask(owner: Account) {
  const answer = await login(owner);
  expectRefusal(answer, 'second_step_required');
  return answer.body as { ticket: string; methods: string[]; passkey_options?: any };
}
const second = (body: object, from = client()) => from.post('/api/auth/second-step', body);

describe('a second step', () => {
  it('by an app: the secret is shown once, a right code confirms it, and a sign-in asks for a code', async () => {
    const { ticket, secret, uri } = await newApp(account);
    expect(uri).toContain(`secret=${secret}`);
    expect(decodeURIComponent(uri)).toContain(`otpauth://totp/Health Records:${account.email}?`);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(await stateOf(account)).toEqual({ required: false, totp: false });
    expectRefusal(await confirm(account, ticket, wrongCodeOf(secret)), 'second_step_wrong');
    expect((await confirm(account, ticket, codeOf(secret))).status).toBe(204);
    expect((await confirm(account, ticket, codeOf(secret))).status).toBe(204);
    expect(await stateOf(account)).toEqual({ required: false, totp: true });
    expect((await login(account)).status).toBe(200);
    expect((await require(account, true)).body).toEqual({ required: true, totp: true });

    const asked = await ask(account);
    expect(asked).toEqual({
      error: expect.any(String),
      code: 'second_step_required',
      request_id: expect.any(String),
      ticket: expect.any(String),
      methods: ['totp'],
    });
    const before = await eventsOf(account);
    expect(before).toEqual(['second_step_on', 'login', 'registered']);
    const body = { ticket: asked.ticket, code: codeOf(secret, 1), device_label: 'Phone' };
    const answer = await second(body);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(Object.keys((await loginWithout()).body).sort());
    const { token } = answer.body;
    expect((await client().get('/api/auth/sessions', { token })).body[0]).toMatchObject({
      current: true,
      device_label: 'Phone',
    });
    expect(await eventsOf(account)).toEqual(['login', ...before]);
  });

  it('by a passkey, also by one that gives no handle', async () => {
    const phone = await addPasskey(account);
    await require(account, true);
    const { ticket, methods, passkey_options: options } = await ask(account);
    expect(methods).toEqual(['passkey']);
    expect(options).toMatchObject({
      rpId: 'records.example.org',
      userVerification: 'required',
      allowCredentials: [{ id: phone.id, transports: ['internal'], type: 'public-key' }],
    });
    const response = phone.get(options);
    const bare = { ...response, response: { ...response.response, userHandle: null } };
    expect((await second({ ticket, response: bare })).status).toBe(200);
    // The ticket has worked.
    expectRefusal(await second({ ticket, response }), 'second_step_wrong');
  });

  it('is not asked of a sign-in with a passkey', async () => {
    const phone = await addPasskey(account);
    await require(account, true);
    const { ticket, options } = (await client().post('/api/auth/passkey/options', {})).body;
    const answer = await client().post('/api/auth/passkey/login', { ticket, response: phone.get(options) });
    expect(answer.status).toBe(200);
  });

  it('remembers a device that asks for it, and knows it again', async () => {
    const secret = await addApp(account);
    await require(account, true);
    const { body } = await second({
      ...(await ask(account)),
      ...{ error: undefined, code: codeOf(secret), methods: undefined, request_id: undefined },
      remember_device: true,
    });
    expect(body.device_token).toEqual(expect.any(String));
    now += STEP_MS;
    const { ticket } = await ask(account);
    const again = await second({ ticket, code: codeOf(secret), device_token: body.device_token });
    expect(again.body).not.toHaveProperty('device_token');
    const { token } = again.body;
    expect((await client().get('/api/users/me/device-tokens', { token })).body).toMatchObject([
      { current: true },
    ]);
  });

  it.each([
    ['nothing', {}],
    ['a code and a passkey', { code: '123456', response: new Authenticator(ORIGIN) }],
    ['five digits', { code: '12345' }],
    ['a number', { code: 123456 }],
  ])('refuses %s', async (_name, fields) => {
    await addPasskey(account);
    await require(account, true);
    const { ticket, passkey_options: options } = await ask(account);
    const response = 'response' in fields ? { response: fields.response.get(options) } : {};
    expectFailure(await second({ ticket, ...fields, ...response }), 'validation_failed');
  });

  /** An account that nobody has told to ask. */
  async function loginWithout() {
    return login(await anAccount(service.api));
  }

  it('leaves a sign-in without one as it was, to the byte and to the statement', async () => {
    const { body } = await loginWithout();
    expect(Object.keys(body)).toEqual(['token', 'refresh_token', 'wrapped_dek', 'wrapped_dek_iv']);
  });
});

describe('nobody is locked out', () => {
  const lonely = () => anAccount(service.api, { recovery_proof: undefined });

  it('a second step needs a step, and a phrase or another step', async () => {
    expectRefusal(await require(account, true), 'second_step_unsafe');
    const withoutPhrase = await lonely();
    await addApp(withoutPhrase);
    expectRefusal(await require(withoutPhrase, true), 'second_step_unsafe');
    await addPasskey(withoutPhrase);
    expect((await require(withoutPhrase, true)).status).toBe(200);
  });

  it('what must stay cannot be taken away before it is switched off', async () => {
    const owner = await lonely();
    const { token } = owner;
    await addApp(owner);
    await addPasskey(owner);
    await require(owner, true);
    const removeApp = () => client().post('/api/users/me/second-step/totp/delete', stepUp(owner), { token });
    const [{ id }] = (await client().get('/api/passkeys', { token })).body;
    const removePasskey = () => client().post(`/api/passkeys/${id}/delete`, stepUp(owner), { token });
    expectRefusal(await removeApp(), 'second_step_unsafe');
    expectRefusal(await removePasskey(), 'second_step_unsafe');
    expect(await stateOf(owner)).toEqual({ required: true, totp: true });
    expect((await require(owner, false)).body.required).toBe(false);
    expect([(await removeApp()).status, (await removePasskey()).status]).toEqual([204, 204]);
    expect(await stateOf(owner)).toEqual({ required: false, totp: false });
    expect((await login(owner)).status).toBe(200);
  });

  it('of two removals at once, one is refused', async () => {
    const owner = await anAccount(service.api);
    const { token } = owner;
    await addApp(owner);
    await addPasskey(owner);
    await require(owner, true);
    const [{ id }] = (await client().get('/api/passkeys', { token })).body;
    const answers = await Promise.all([
      client().post('/api/users/me/second-step/totp/delete', stepUp(owner), { token }),
      client().post(`/api/passkeys/${id}/delete`, stepUp(owner), { token }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  });

  it('the phrase switches it off and forgets the app; passkeys stay', async () => {
    await addApp(account);
    await addPasskey(account);
    await require(account, true);
    const reset = { email: account.email, recovery_proof: account.recoveryProof, ...aNewSecret() };
    expect((await client().post('/api/auth/recovery/reset-password', reset)).status).toBe(200);
    const answer = await login({ ...account, password: reset.new_password });
    expect(answer.status).toBe(200);
    const { token } = answer.body;
    expect(await stateOf({ ...account, token })).toEqual({ required: false, totp: false });
    expect((await client().get('/api/passkeys', { token })).body).toHaveLength(1);
    expect(await eventsOf({ token })).toEqual(expect.arrayContaining(['second_step_off', 'recovery_used']));
  });

  it('every change asks for the password', async () => {
    const { token } = account;
    const wrong = { current_password: 'wrong' };
    for (const answer of [
      await client().post('/api/users/me/second-step/totp', wrong, { token }),
      await client().post('/api/users/me/second-step/totp/delete', wrong, { token }),
      await client().put('/api/users/me/second-step', { ...wrong, required: false }, { token }),
    ])
      expectFailure(answer, 'current_password_wrong');
  });
});

describe('attacks', () => {
  it('5: a code works once, also of 50 at the same time, and an older one never', async () => {
    const secret = await addApp(account);
    await require(account, true);
    const code = codeOf(secret);
    const { ticket } = await ask(account);
    const answers = await Promise.all(Array.from({ length: 50 }, () => second({ ticket, code })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect([...new Set(statuses)].sort()).toEqual([200, 401, 429]);
    await forgetLimits(service.databaseUrl);
    expectRefusal(await second({ ticket, code }), 'second_step_wrong');
    expectRefusal(await second({ ticket, code: codeOf(secret, -1) }), 'second_step_wrong');
    expect((await second({ ticket, code: codeOf(secret, 1) })).status).toBe(200);
  });

  it('5: two steps apart is too far', async () => {
    const secret = await addApp(account);
    await require(account, true);
    const { ticket } = await ask(account);
    expectRefusal(await second({ ticket, code: codeOf(secret, 2) }), 'second_step_wrong');
    expectRefusal(await second({ ticket, code: codeOf(secret, -2) }), 'second_step_wrong');
  });

  it('5: the sixth wrong code is refused with 429, also a right one, and a passkey still signs in', async () => {
    const secret = await addApp(account);
    const phone = await addPasskey(account);
    await require(account, true);
    const { ticket, passkey_options: options } = await ask(account);
    for (let tries = 0; tries < 5; tries++)
      expectRefusal(await second({ ticket, code: wrongCodeOf(secret) }), 'second_step_wrong');
    const refused = await second({ ticket, code: codeOf(secret) });
    expectFailure(refused, 'rate_limited');
    expect(refused.headers.get('ratelimit-policy')).toBe('"secret-second";q=5;w=900');
    expect((await second({ ticket, response: phone.get(options) })).status).toBe(200);
    await until('the event', async () => (await eventsOf(account)).includes('second_step_failed'));
  });

  it('6: the ticket is no token, and what skips the second step is refused', async () => {
    const secret = await addApp(account);
    const { body: old } = await login(account, { remember_device: true });
    await require(account, true);
    const { ticket } = await ask(account);
    expectFailure(await client().get('/api/users/me', { token: ticket }), 'token_invalid');
    const refresh = await client().post('/api/auth/refresh', { refresh_token: ticket });
    expectFailure(refresh, 'refresh_token_invalid');
    // A device token opens nothing.
    expectRefusal(await login(account, { device_token: old.device_token }), 'second_step_required');
    // Tickets of other purposes and of other accounts.
    const other = await anAccount(service.api);
    const otherSecret = await addApp(other);
    await require(other, true);
    const { ticket: ofOther } = await ask(other);
    expectRefusal(await second({ ticket: ofOther, code: codeOf(secret) }), 'second_step_wrong');
    expect((await second({ ticket: ofOther, code: codeOf(otherSecret) })).status).toBe(200);
    const { ticket: ofTotp } = await newApp(account);
    const { ticket: ofPasskey } = (await client().post('/api/auth/passkey/options', {})).body;
    for (const wrong of [ofTotp, ofPasskey, old.token, old.refresh_token, 'x', `${ticket.slice(0, -4)}AAAA`])
      expectFailure(await second({ ticket: wrong, code: codeOf(secret) }), 'invalid_credentials');
    expectFailure(await confirm(account, ticket, codeOf(secret)), 'invalid_credentials');
    const { ticket: ofOthersTotp, secret: othersTotp } = await newApp(other);
    expectFailure(await confirm(account, ofOthersTotp, codeOf(othersTotp)), 'invalid_credentials');
    // A session of before cannot switch it off without the password.
    const change = { email: account.email, ...aNewSecret(), current_password: 'wrong' };
    expectFailure(
      await client().put('/api/users/me', change, { token: old.token }),
      'current_password_wrong',
    );
  });

  it('6: a ticket dies with the password, and with the second step', async () => {
    const secret = await addApp(account);
    await require(account, true);
    const { ticket } = await ask(account);
    const change = { ...stepUp(account), ...aNewSecret() };
    const { body } = await client().post('/api/auth/change-password', change, { token: account.token });
    expectFailure(await second({ ticket, code: codeOf(secret) }), 'invalid_credentials');
    const changed = { ...account, token: body.token, password: change.new_password };
    const { ticket: next } = await ask(changed);
    expect((await require(changed, false)).status).toBe(200);
    expectFailure(await second({ ticket: next, code: codeOf(secret) }), 'invalid_credentials');
    expect((await login(changed)).status).toBe(200);
  });

  it('6: a passkey of another account, and one that does not verify the person, are no second step', async () => {
    const phone = await addPasskey(account);
    await require(account, true);
    const strange = await addPasskey(await anAccount(service.api));
    const { ticket, passkey_options: options } = await ask(account);
    for (const response of [
      strange.get(options),
      phone.get(options, { isUserVerified: false }),
      phone.get(options, { challenge: 'AAAA' }),
      phone.get(options, { origin: 'https://evil.example' }),
    ])
      expectRefusal(await second({ ticket, response }), 'second_step_wrong');
    expect((await second({ ticket, response: phone.get(options) })).status).toBe(200);
  });

  it('7: strangers without the password use up none of its tries', async () => {
    const secret = await addApp(account);
    await require(account, true);
    for (let tries = 0; tries < 60; tries++) await second({ ticket: 'x', code: '123456' });
    expect(await countersOf(service.databaseUrl, 'secret-second')).toEqual([]);
    const { ticket } = await ask(account);
    expect((await second({ ticket, code: codeOf(secret) })).status).toBe(200);
    expect(await countersOf(service.databaseUrl, 'secret-second')).toEqual([]);
  });

  it('8: the database has no secret of an app, and one moved to another account opens nothing', async () => {
    const secret = await addApp(account);
    await require(account, true);
    const bytes = Buffer.from(Secret.fromBase32(secret).buffer);
    const rows = await sql<{ account_id: string; secret: Buffer }>(
      service.databaseUrl,
      'SELECT account_id, secret FROM totp_factors',
    );
    for (const row of rows) expect(row.secret.includes(bytes)).toBe(false);
    const mover = await anAccount(service.api);
    await addPasskey(mover);
    await require(mover, true);
    const id = decodeToken(mover.token).payload.sub;
    const own = decodeToken(account.token).payload.sub;
    await sql(
      service.databaseUrl,
      `INSERT INTO totp_factors SELECT $1, created_at, secret, 0 FROM totp_factors WHERE account_id = $2`,
      [id, own],
    );
    const { ticket, methods } = await ask(mover);
    expect(methods).toEqual(['passkey']);
    expectRefusal(await second({ ticket, code: codeOf(secret) }), 'second_step_wrong');
  });
});

it('a new SECOND_STEP_SECRET opens what the former one has sealed, and seals it anew', async () => {
  const [former, present] = ['former', 'present'].map((name) => name.repeat(8));
  const start = (settings: object, databaseUrl?: string) =>
    startServiceHere({ ...settings, ...(databaseUrl && { DATABASE_URL: databaseUrl }) });
  const before = await start({ SECOND_STEP_SECRET: former });
  const owner = await anAccount(before.api);
  const made = (await before.api.post('/api/users/me/second-step/totp', stepUp(owner), owner)).body;
  const codeNow = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(made.secret) }).generate({
      timestamp: Date.now() + steps * STEP_MS,
    });
  const confirmed = { ticket: made.ticket, code: codeNow(-1) };
  await before.api.post('/api/users/me/second-step/totp/confirm', confirmed, owner);
  await before.api.put('/api/users/me/second-step', { ...stepUp(owner), required: true }, owner);
  const { databaseUrl } = before;
  await expect(start({ SECOND_STEP_SECRET: present }, databaseUrl)).rejects.toThrow(
    /SECOND_STEP_SECRET is not/,
  );

  const after = await start(
    { SECOND_STEP_SECRET: present, SECOND_STEP_SECRET_PREVIOUS: former },
    databaseUrl,
  );
  const { email, password } = owner;
  const { ticket } = (await after.api.post('/api/auth/login', { email, password })).body;
  expect((await after.api.post('/api/auth/second-step', { ticket, code: codeNow(0) })).status).toBe(200);
  expect(await after.app.get(Housekeeping).run()).toBe(true);
  await after.stop();

  const last = await start({ SECOND_STEP_SECRET: present }, databaseUrl);
  const asked = (await last.api.post('/api/auth/login', { email, password })).body;
  const answer = await last.api.post('/api/auth/second-step', { ticket: asked.ticket, code: codeNow(1) });
  await last.stop();
  await before.stop();
  expect(answer.status).toBe(200);
});
