import { type HealthRecordsClient } from './client';
import { clientOf, EMAIL, PASSWORD, PHRASE } from './testing/fake-client';
import { FakeService } from './testing/fake-service';
import { MemorySessionStore } from './http/session-store';
import { generateRecoveryPhrase } from './crypto/recovery-phrase';

const NEXT_PASSWORD = 'another battery horse';
let service: FakeService;
let client: HealthRecordsClient;
let store: MemorySessionStore;
let profileId: string;

/** One account for the whole file, since key derivation is slow. Every test must leave `PASSWORD` valid. */
beforeAll(async () => {
  service = new FakeService();
  store = new MemorySessionStore();
  client = clientOf(service, { sessionStore: store });
  await client.register({
    email: ` ${EMAIL} `,
    password: PASSWORD,
    recoveryPhrase: PHRASE,
    profile: { kind: 'human', relationship: 'self', details: { name: 'Ada Canary' } },
  });
  profileId = (await client.profiles.list())[0].id;
});

afterEach(() => {
  service.intercept = undefined;
  service.tamper = undefined;
  service.falseKdf = {};
});

it('registers with a profile and recovery, and sends no secret', () => {
  const { body } = service.calls('POST /api/auth/register')[0];
  expect(body).toMatchObject({ email: EMAIL, default_profile_kind: 'human', default_profile_id: profileId });
  expect(Buffer.from(body.password as string, 'base64')).toHaveLength(32);
  expect(Buffer.from(body.recovery_wrapped_dek as string, 'base64')).toHaveLength(48);
  expect(body.recovery_wrapped_dek).not.toBe(body.wrapped_dek);
  for (const secret of [PASSWORD, 'winner', 'Canary']) expect(service.wire).not.toContain(secret);
});

it('logs in on another device and reads what was written', async () => {
  const other = clientOf(service);
  const events: string[] = [];
  other.on('unlocked', ({ email }) => events.push(email));
  await other.login(EMAIL, PASSWORD);
  expect((await other.profiles.list())[0]).toMatchObject({ details: { name: 'Ada Canary' }, altered: [] });
  expect([other.state, other.email, events]).toEqual(['unlocked', EMAIL, [EMAIL]]);
});

it('lets the service refuse a wrong password at login', async () => {
  const other = clientOf(service);
  await expect(other.login(EMAIL, 'wrong password')).rejects.toMatchObject({ code: 'password_wrong' });
  expect(other.state).toBe('signed-out');
});

it('locks, refuses to work locked, and unlocks with the right password only', async () => {
  const events: string[] = [];
  const end = client.on('locked', () => events.push('locked'));
  client.lock();
  end();
  expect([client.state, events]).toEqual(['locked', ['locked']]);
  await expect(client.profiles.list()).rejects.toMatchObject({ code: 'locked' });
  await expect(client.unlock('wrong password')).rejects.toMatchObject({ code: 'password_wrong' });
  expect(client.state).toBe('locked');
  await client.unlock(PASSWORD);
  expect((await client.profiles.list()).map((each) => each.id)).toEqual([profileId]);
});

it('refuses a label of a device that the service would refuse, before anything is sent', async () => {
  const other = clientOf(service);
  const before = service.requests.length;
  const options = { deviceLabel: 'x'.repeat(65) };
  for (const call of [
    other.login(EMAIL, PASSWORD, options),
    other.recover(EMAIL, PHRASE, PASSWORD, options),
    other.register({ email: 'x@example.org', password: PASSWORD, recoveryPhrase: null, ...options }),
  ]) {
    await expect(call).rejects.toMatchObject({ code: 'invalid_argument' });
  }
  expect(service.requests).toHaveLength(before);
});

it('takes up the session after a reload, locked until the password is given', async () => {
  const page = clientOf(service, { sessionStore: store });
  expect([page.state, await page.resume(), page.state]).toEqual(['signed-out', EMAIL, 'locked']);
  await page.unlock(PASSWORD);
  expect(page.state).toBe('unlocked');
  expect(JSON.stringify(store.read())).not.toContain(PASSWORD);
});

it('takes up the session once for calls at the same time, as a page in strict mode makes them', async () => {
  const page = clientOf(service, { sessionStore: store });
  expect(await Promise.all([page.resume(), page.resume()])).toEqual([EMAIL, EMAIL]);
  expect([page.state, await page.resume()]).toEqual(['locked', EMAIL]);
});

it.each([
  [{ iterations: 1000 }],
  [{ iterations: 599_999 }],
  [{ iterations: 2 ** 31 }],
  [{ kdf: 'pbkdf2-sha1' }],
  [{ salt: 'AAAA' }],
])('refuses a key derivation of %p, before it sends anything of the password', async (parameters) => {
  service.falseKdf = parameters;
  const before = service.requests.length;
  await expect(clientOf(service).login(EMAIL, PASSWORD)).rejects.toMatchObject({ code: 'kdf_refused' });
  expect(service.requests.slice(before).map((each) => each.path)).toEqual(['/api/auth/prelogin']);
});

it('does not take up a session whose key was exchanged', async () => {
  service.tamper = (_request, answer) => {
    const body = answer.body as { wrapped_dek?: string };
    return body?.wrapped_dek
      ? { ...answer, body: { ...body, wrapped_dek: Buffer.alloc(48).toString('base64') } }
      : answer;
  };
  const other = clientOf(service);
  await expect(other.login(EMAIL, PASSWORD)).rejects.toMatchObject({ code: 'tampered' });
  expect(other.state).toBe('signed-out');
});

it('does not take the recovery wrap for the password wrap', async () => {
  const account = service.accounts.get(EMAIL)!;
  service.tamper = (request, answer) =>
    request.path === '/api/auth/login'
      ? {
          ...answer,
          body: {
            ...(answer.body as object),
            wrapped_dek: account.recovery_wrapped_dek,
            wrapped_dek_iv: account.recovery_wrapped_dek_iv,
          },
        }
      : answer;
  await expect(clientOf(service).login(EMAIL, PASSWORD)).rejects.toMatchObject({ code: 'tampered' });
});

it('changes the password: other sessions end, the data stays readable, the phrase stays valid', async () => {
  const other = clientOf(service);
  await other.login(EMAIL, PASSWORD);
  const ended: string[] = [];
  other.on('session-ended', ({ reason }) => ended.push(reason));

  await expect(client.changePassword('wrong password', NEXT_PASSWORD)).rejects.toMatchObject({
    code: 'password_wrong',
  });
  expect(service.calls('POST /api/auth/change-password')).toHaveLength(0);
  await client.changePassword(PASSWORD, NEXT_PASSWORD);
  expect((await client.profiles.list())[0].details.name).toBe('Ada Canary');
  await expect(other.profiles.list()).rejects.toMatchObject({ code: 'session_ended' });
  expect([ended, other.state]).toEqual([['refresh_refused'], 'signed-out']);

  const device = clientOf(service);
  await device.recover(EMAIL, ` ${PHRASE.toUpperCase()}\n`, PASSWORD);
  expect((await device.profiles.list())[0].details.name).toBe('Ada Canary');
  await client.login(EMAIL, PASSWORD);
});

it('raises the cost of the key derivation with a new secret, and never lowers it again', async () => {
  const email = 'cost@example.org';
  const costly = clientOf(service, { kdfIterations: 1_100_000 });
  await costly.register({ email, password: PASSWORD, recoveryPhrase: PHRASE });
  const cost = () => service.accounts.get(email)!.kdf?.iterations;
  expect(cost()).toBe(1_100_000);
  await clientOf(service, { kdfIterations: 1_200_000 }).login(email, PASSWORD);
  while (cost() !== 1_200_000) await new Promise((resolve) => setTimeout(resolve, 5));
  await costly.login(email, PASSWORD);
  await costly.changePassword(PASSWORD, NEXT_PASSWORD);
  expect(cost()).toBe(1_200_000);
  // An older client, or one with other options, keeps it, also where the new email has a lower one.
  const other = clientOf(service);
  await other.login(email, NEXT_PASSWORD);
  await other.changeEmail('cost2@example.org', NEXT_PASSWORD);
  expect(service.calls('PUT /api/users/me').at(-1)!.body.new_kdf).toMatchObject({ iterations: 1_200_000 });
  await clientOf(service).recover('cost2@example.org', PHRASE, PASSWORD);
  await clientOf(service).login('cost2@example.org', PASSWORD);
  expect(() => clientOf(service, { kdfIterations: 1000 })).toThrow(/kdfIterations/);
  // The fake service ends the sessions of all accounts with any new secret.
  await client.login(EMAIL, PASSWORD);
});

it.each(['password1', 'Summer2026!', 'Tr0ub4dor&3', 'lovelace lovelace'])(
  'refuses %p as a new secret everywhere',
  async (weak) => {
    const before = service.requests.length;
    const email = 'lovelace@example.org';
    for (const call of [
      clientOf(service).register({ email, password: weak, recoveryPhrase: null }),
      clientOf(service).recover(email, PHRASE, weak),
      client.changePassword(PASSWORD, weak),
      client.transfer.exportEncrypted({ password: weak }),
    ]) {
      await expect(call).rejects.toMatchObject({ code: 'secret_weak', guessesLog10: expect.any(Number) });
    }
    expect(service.requests).toHaveLength(before);
  },
);

it('changes the email, and everything that hangs on its salt', async () => {
  await client.changeEmail('lovelace@example.org', PASSWORD);
  expect(client.email).toBe('lovelace@example.org');
  const other = clientOf(service);
  await other.login('lovelace@example.org', PASSWORD);
  expect((await other.profiles.list())[0].details.name).toBe('Ada Canary');
  await expect(clientOf(service).login(EMAIL, PASSWORD)).rejects.toMatchObject({
    code: 'password_wrong',
  });
  await clientOf(service).recover('lovelace@example.org', PHRASE, PASSWORD);
  await client.login('lovelace@example.org', PASSWORD);
  await client.changeEmail(EMAIL, PASSWORD);
});

it('recovers with nothing but the right phrase of the right account', async () => {
  const other = clientOf(service);
  const another = await generateRecoveryPhrase();
  await expect(other.recover(EMAIL, another, NEXT_PASSWORD)).rejects.toMatchObject({
    code: 'recovery_failed',
  });
  await expect(other.recover('eve@example.org', PHRASE, NEXT_PASSWORD)).rejects.toMatchObject({
    code: 'recovery_failed',
  });
  await expect(other.recover(EMAIL, PHRASE.replace('wave', 'wavy'), NEXT_PASSWORD)).rejects.toMatchObject({
    code: 'phrase_unknown_word',
  });
  expect(
    service.calls('POST /api/auth/recovery/reset-password').every(({ text }) => !text.includes('winner')),
  ).toBe(true);
  await client.login(EMAIL, PASSWORD);
});

it('replaces the phrase: the new one opens, the old one does not', async () => {
  const next = await generateRecoveryPhrase();
  await expect(client.setRecoveryPhrase('wrong password', next)).rejects.toMatchObject({
    code: 'password_wrong',
  });
  await client.setRecoveryPhrase(PASSWORD, next);
  const other = clientOf(service);
  expect(await other.verifyRecoveryPhrase(EMAIL, next)).toBe(true);
  expect(await other.verifyRecoveryPhrase(EMAIL, PHRASE)).toBe(false);
  await expect(other.recover(EMAIL, PHRASE, PASSWORD)).rejects.toMatchObject({ code: 'recovery_failed' });
  await other.recover(EMAIL, next, PASSWORD);
  expect((await other.profiles.list())[0].details.name).toBe('Ada Canary');
  await client.login(EMAIL, PASSWORD);
  await client.setRecoveryPhrase(PASSWORD, PHRASE);
});

it('reports the account, refuses short passwords and odd emails before anything is sent', async () => {
  expect(await client.account()).toMatchObject({ email: EMAIL, recoveryEnabled: true });
  const before = service.requests.length;
  const base = { email: 'x@example.org', password: PASSWORD, recoveryPhrase: null };
  for (const wrong of [{ password: 'seven77' }, { password: 'lone \ud800 surrogate' }, { email: 'x' }]) {
    await expect(clientOf(service).register({ ...base, ...wrong })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  }
  expect(service.requests).toHaveLength(before);
});

it('goes without recovery where none is wanted, and nothing opens the wrap that is stored', async () => {
  const other = clientOf(service);
  await other.register({ email: 'eve@example.org', password: PASSWORD, recoveryPhrase: null });
  expect(service.calls('POST /api/auth/register').at(-1)!.body).not.toHaveProperty('recovery_proof');
  await expect(clientOf(service).recover('eve@example.org', PHRASE, PASSWORD)).rejects.toMatchObject({
    code: 'recovery_failed',
  });
  expect(await other.profiles.list()).toEqual([]);
  await expect(other.deleteAccount('wrong password')).rejects.toMatchObject({ code: 'password_wrong' });
  await other.deleteAccount(PASSWORD);
  expect([other.state, service.accounts.has('eve@example.org')]).toEqual(['signed-out', false]);
});

it('logs out: tokens gone here and there', async () => {
  const ended: string[] = [];
  client.on('session-ended', ({ reason }) => ended.push(reason));
  await client.logout();
  expect([client.state, client.email, store.read(), ended]).toEqual([
    'signed-out',
    null,
    null,
    ['logged_out'],
  ]);
  await expect(client.profiles.list()).rejects.toMatchObject({ code: 'session_ended' });
});

it('loads the engine once, checks on the device and sends no name', async () => {
  const check = jest.fn(() => []);
  const factory = jest.fn(() => ({ check, checkNew: () => [], resolve: () => [] }));
  const device = clientOf(service, { interactionEngine: factory });
  const before = service.requests.length;
  await Promise.all([1, 2, 3].map(() => device.interactions.check({ medications: ['Warfarin', 'Aspirin'] })));
  expect([factory.mock.calls.length, check.mock.calls.length]).toEqual([1, 3]);
  expect(factory).toHaveBeenCalledWith({ version: 'test' });
  expect(service.requests.slice(before).map((each) => each.method + each.path + each.text)).toEqual([
    'GET/api/interactions/knowledge-base',
  ]);
  service.intercept = (request) => {
    expect(request.headers.get('If-None-Match')).toBe('"kb-1"');
    return { status: 304 };
  };
  expect(await device.interactions.refresh()).toBe(false);
});
