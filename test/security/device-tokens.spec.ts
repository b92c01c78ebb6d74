import { randomUUID as aUuid } from 'node:crypto';
import { Housekeeping } from '@app/database';
import { aNewSecret, decodeToken, expectFailure, tablesHolding, visible } from '@app/testing';
import { ClientAt, LIMITED } from '../support/clients';
import { sql } from '../support/databases';
import { type Account, aCiphertext, anAccount, anEmail, aRegistration } from '../support/factories';
import { forgetLimits, setCounters } from '../support/limit-counters';
import { observeWork } from '../support/observed-work';
import { type ServiceHere, startServiceHere } from '../support/service-here';

let service: ServiceHere;
beforeAll(async () => (service = await startServiceHere(LIMITED)));
afterAll(() => service.stop());
beforeEach(() => forgetLimits(service.databaseUrl));

const client = (address?: string) => new ClientAt(service.api.url, address);

/** A device token for the device of the account's session. */
async function aDevice({ token, password }: Pick<Account, 'token' | 'password'>): Promise<string> {
  const body = { current_password: password };
  const answer = await client().post('/api/auth/device-token', body, { token });
  expect(answer.status).toBe(201);
  return answer.body.device_token;
}

/** Signs in on another device that is to be remembered. */
async function signIn(
  { email, password }: Pick<Account, 'email' | 'password'>,
  fields: Record<string, unknown> = { remember_device: true },
) {
  const { status, body } = await client().post('/api/auth/login', { email, password, ...fields });
  expect(status).toBe(200);
  return body;
}

const devicesOf = async (token: string) =>
  (await client().get('/api/users/me/device-tokens', { token })).body;
const eventsOf = async (token: string): Promise<string[]> =>
  (await client().get('/api/users/me/events', { token })).body.map(({ kind }: { kind: string }) => kind);

const loginFrom = (
  api: ClientAt,
  { email, password }: Pick<Account, 'email' | 'password'>,
  device_token?: string,
) => api.post('/api/auth/login', { email, password, device_token });

/** Uses up what strangers may try, so that only known ones come in. */
async function attack(email: string): Promise<void> {
  await loginFrom(client(), { email, password: 'wrong' });
  await setCounters(service.databaseUrl, 'secret-email', 50);
}

/** Whether a login with this token, from a network that nobody knows, is let in while the email is under attack. */
async function isKnown(account: Account, device: string): Promise<boolean> {
  await attack(account.email);
  const { status } = await loginFrom(client(), account, device);
  expect([200, 429]).toContain(status);
  return status === 200;
}

const credentials = ({ email, password }: Account) => ({ email, password });
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const A_DEVICE = {
  id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  created_at: INSTANT,
  last_used_at: INSTANT,
};
const idOf = ({ token }: Pick<Account, 'token'>): string => decodeToken(token).payload.sub;

describe('a device token', () => {
  it('is 32 random bytes, stored as a hash only', async () => {
    const account = await anAccount(client());
    const [one, other] = [await aDevice(account), await aDevice(account)];
    expect(one).not.toBe(other);
    expect(Buffer.from(one, 'base64url')).toHaveLength(32);
    const bytes = Buffer.from(one, 'base64url').toString('hex');
    for (const text of [one, bytes]) expect(await tablesHolding(service.databaseUrl, text)).toEqual([]);
  });

  it('is told to the owner, each one', async () => {
    const account = await anAccount(client());
    for (let count = 0; count < 2; count++) await aDevice(account);
    expect(await eventsOf(account.token)).toEqual(['device_remembered', 'device_remembered', 'registered']);
  });

  it('needs the current password and a session that lives', async () => {
    const account = await anAccount(client());
    const { token, password } = account;
    const ask = (body?: object) => client().post('/api/auth/device-token', body, { token });
    expectFailure(await ask(), 'validation_failed', 'current_password');
    expectFailure(await ask({ current_password: 'wrong' }), 'current_password_wrong');
    expect(await devicesOf(token)).toEqual([]);
    await client().post('/api/auth/logout-all', undefined, { token });
    expectFailure(await ask({ current_password: password }), 'token_revoked');
  });

  it('comes with a registration and a login that ask for it, and with no other', async () => {
    const registration = aRegistration({ remember_device: true, device_label: 'Phone' });
    const registered = (await client().post('/api/auth/register', registration)).body;
    const account = registration as { email: string; password: string };
    expect(await signIn(account, {})).not.toHaveProperty('device_token');
    expect(await signIn(account, { remember_device: false })).not.toHaveProperty('device_token');
    const tablet = await signIn(account, { remember_device: true, device_label: 'Tablet' });
    expect(await devicesOf(tablet.token)).toEqual([
      { ...A_DEVICE, device_label: 'Tablet', current: true },
      { ...A_DEVICE, device_label: 'Phone', current: false },
    ]);
    const whole = { ...account, token: registered.token } as Account;
    for (const { device_token } of [registered, tablet])
      expect(await isKnown(whole, device_token)).toBe(true);
  });

  it('is replaced where a known device asks again', async () => {
    const account = await anAccount(client());
    const first = await signIn(account);
    const second = await signIn(account, { remember_device: true, device_token: first.device_token });
    expect(await devicesOf(second.token)).toMatchObject([{ current: true }]);
    expect(await isKnown(account, second.device_token)).toBe(true);
    expect(await isKnown(account, first.device_token)).toBe(false);
  });

  it('is in the list with its label and last use, and ends alone, as an event', async () => {
    const account = await anAccount(client());
    const [one, other] = [await signIn(account), await signIn(account)];
    const [last, first] = await devicesOf(account.token);
    await client().post('/api/auth/login', { ...credentials(account), device_token: one.device_token });
    expect((await devicesOf(account.token)).map(({ id }: { id: string }) => id)).toEqual([first.id, last.id]);
    const end = (id: string, token = account.token) =>
      client().delete(`/api/users/me/device-tokens/${id}`, undefined, { token });
    const stranger = await anAccount(client());
    expectFailure(await end(first.id, stranger.token), 'not_found');
    for (const id of ['x', aUuid()]) expectFailure(await end(id), 'not_found');
    expect((await end(first.id)).status).toBe(204);
    expectFailure(await end(first.id), 'not_found');
    expect(await isKnown(account, one.device_token)).toBe(false);
    expect(await isKnown(account, other.device_token)).toBe(true);
    expect((await eventsOf(account.token)).filter((kind) => kind === 'device_forgotten')).toHaveLength(1);
  });

  it('ends with the session of its device that is ended from the list, not with a sign-out', async () => {
    const account = await anAccount(client());
    const [lost, mine] = [await signIn(account), await signIn(account)];
    const { jti } = decodeToken(lost.token).header;
    const path = `/api/auth/sessions/${jti.split('.')[0]}`;
    expect((await client().delete(path, undefined, { token: account.token })).status).toBe(204);
    await client().post('/api/auth/logout', { refresh_token: mine.refresh_token });
    expect(await isKnown(account, lost.device_token)).toBe(false);
    expect(await isKnown(account, mine.device_token)).toBe(true);
  });

  it('lets the device in from any network while strangers have used up what an email may take', async () => {
    const account = await anAccount(client());
    const device = await aDevice(account);
    expect(await isKnown(account, device)).toBe(true);
    expect((await loginFrom(client('2001:db8:9::1'), account, device)).status).toBe(200);
    expectFailure(await loginFrom(client(), account), 'rate_limited');
  });

  it('lets the device in from a network whose own budgets are used up', async () => {
    const account = await anAccount(client());
    const device = await aDevice(account);
    const crowded = client();
    for (let count = 0; count < 5; count++) await loginFrom(crowded, { ...account, password: 'wrong' });
    for (const policy of ['secret-address', 'secret-block', 'secret-block-email'])
      await setCounters(service.databaseUrl, policy, 2000);
    expectFailure(await loginFrom(crowded, account), 'rate_limited');
    expect((await loginFrom(crowded, account, device)).status).toBe(200);
  });

  it('has five wrong tries of its own from all networks, and takes none from others', async () => {
    const account = await anAccount(client());
    const [lost, mine] = [await aDevice(account), await aDevice(account)];
    const wrong = { ...account, password: aCiphertext(32) };
    for (let count = 1; count <= 5; count++)
      expect([count, (await loginFrom(client(), wrong, lost)).status]).toEqual([count, 401]);
    const refused = await loginFrom(client(), account, lost);
    expectFailure(refused, 'rate_limited');
    expect(refused.headers.get('ratelimit-policy')).toBe('"secret-device";q=5;w=900');
    for (const device of [mine, undefined])
      expect((await loginFrom(client(), account, device)).status).toBe(200);
  });

  it('has fifty wrong tries a day together with the other devices of the account', async () => {
    const account = await anAccount(client());
    const devices = [await aDevice(account), await aDevice(account)];
    await loginFrom(client(), { ...account, password: 'wrong' }, devices[0]);
    await setCounters(service.databaseUrl, 'secret-device-day', 50);
    for (const device of devices) {
      const refused = await loginFrom(client(), account, device);
      expect(refused.headers.get('ratelimit-policy')).toBe('"secret-device-day";q=50;w=86400');
    }
  });

  it.each([
    ['that is made up', () => Promise.resolve(aCiphertext(32))],
    ['of another account', async () => aDevice(await anAccount(client()))],
  ])('%s counts as none, costs the same and looks the same', async (_, aToken) => {
    const [account, unknown] = [await anAccount(client()), anEmail()];
    for (const email of [account.email, unknown]) await attack(email);
    const device_token = await aToken();
    const seen = [];
    for (const [email, given] of [
      [account.email, undefined],
      [account.email, device_token],
      [unknown, device_token],
    ]) {
      const api = client();
      const body = { email, password: 'wrong', device_token: given };
      const login = await observeWork(service.app, () => api.post('/api/auth/login', body));
      const proof = { email, recovery_proof: 'wrong', device_token: given };
      const verify = await observeWork(service.app, () => api.post('/api/auth/recovery/verify', proof));
      const status = login.answer.body.code;
      seen.push({
        login: { ...login, answer: status },
        verify: { ...verify, answer: visible(verify.answer) },
      });
    }
    expect(seen[0]).toMatchObject({ login: { answer: 'rate_limited', hashes: 0 }, verify: { hashes: 1 } });
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
    expectFailure(await loginFrom(client(), account, device_token), 'rate_limited');
  });

  it.each(['', 7, null, {}, 'x'.repeat(256)])('is refused by name when it is %p', async (device_token) => {
    const { email, password, recoveryProof } = await anAccount(client());
    const api = client();
    const recovery = { email, recovery_proof: recoveryProof, device_token };
    for (const answer of [
      await api.post('/api/auth/login', { email, password, device_token }),
      await api.post('/api/auth/recovery/verify', recovery),
      await api.post('/api/auth/recovery/reset-password', { ...recovery, ...aNewSecret() }),
    ])
      expectFailure(answer, 'validation_failed', 'device_token');
  });

  it('serves recovery, too, where the network has used up its tries', async () => {
    const account = await anAccount(client());
    const { email, recoveryProof } = account;
    const device_token = await aDevice(account);
    const crowded = client();
    const proof = { email, recovery_proof: recoveryProof };
    for (let count = 0; count < 5; count++)
      await crowded.post('/api/auth/recovery/verify', { email, recovery_proof: 'wrong' });
    expectFailure(await crowded.post('/api/auth/recovery/verify', proof), 'rate_limited');
    const known = { ...proof, device_token };
    expect((await crowded.post('/api/auth/recovery/verify', known)).body).toEqual({ verified: true });
    const reset = await crowded.post('/api/auth/recovery/reset-password', { ...known, ...aNewSecret() });
    expect(reset.status).toBe(200);
  });

  it.each([
    ['ends the tokens of all other devices', {}, false],
    ['or keeps them, where the request says so', { forget_devices: false }, true],
  ])('a change of the password %s', async (_, fields, isKept) => {
    const account = await anAccount(client());
    const [own, other] = [await aDevice(account), await signIn(account)];
    const secret = aNewSecret();
    const change = { current_password: account.password, ...secret, ...fields };
    const changed = await client().post('/api/auth/change-password', change, { token: account.token });
    expect(changed.status).toBe(200);
    const current = (await devicesOf(changed.body.token)).filter(
      (each: { current: boolean }) => each.current,
    );
    expect(current).toHaveLength(1);
    const owner = { ...account, password: secret.new_password };
    expect(await isKnown(owner, own)).toBe(true);
    expect(await isKnown(owner, other.device_token)).toBe(isKept);
  });

  it('outlives a recovery, not logout-all', async () => {
    const account = await anAccount(client());
    const device = await aDevice(account);
    const secret = aNewSecret();
    const proof = { email: account.email, recovery_proof: account.recoveryProof };
    const reset = await client().post('/api/auth/recovery/reset-password', { ...proof, ...secret });
    expect(reset.status).toBe(200);
    const owner = { ...account, password: secret.new_password };
    expect(await isKnown(owner, device)).toBe(true);
    const { body } = await loginFrom(client(), owner, device);
    expect((await client().post('/api/auth/logout-all', undefined, { token: body.token })).status).toBe(204);
    expect(await isKnown(owner, device)).toBe(false);
  });

  it('gives way to the tenth after it, unless it was used meanwhile, and the owner hears of it', async () => {
    const account = await anAccount(client());
    const [used, unused] = [await aDevice(account), await aDevice(account)];
    await sql(service.databaseUrl, `UPDATE device_tokens SET last_used_at = now() - interval '1 hour'`);
    expect(await isKnown(account, used)).toBe(true);
    const later: string[] = [];
    for (let count = 0; count < 9; count++) later.push(await aDevice(account));
    expect(await devicesOf(account.token)).toHaveLength(10);
    expect((await eventsOf(account.token)).slice(0, 2).sort()).toEqual([
      'device_forgotten',
      'device_remembered',
    ]);
    expect(await isKnown(account, unused)).toBe(false);
    for (const device of [used, later[0], later[8]]) expect(await isKnown(account, device)).toBe(true);
  });

  it('ends 180 days after its last use, and housekeeping forgets it', async () => {
    const account = await anAccount(client());
    const device = await aDevice(account);
    const age = (days: number) =>
      sql(
        service.databaseUrl,
        `UPDATE device_tokens SET last_used_at = now() - $2 * interval '1 day' WHERE account_id = $1`,
        [idOf(account), days],
      );
    const stored = () =>
      sql(service.databaseUrl, 'SELECT 1 FROM device_tokens WHERE account_id = $1', [idOf(account)]);
    await age(179);
    await service.app.get(Housekeeping).run();
    // Each use counts anew.
    for (const days of [179, 179]) {
      await age(days);
      expect(await isKnown(account, device)).toBe(true);
    }
    await service.app.get(Housekeeping).run();
    expect(await stored()).toHaveLength(1);
    await age(181);
    expect(await isKnown(account, device)).toBe(false);
    await service.app.get(Housekeeping).run();
    expect(await stored()).toEqual([]);
  });

  it('is erased with its account', async () => {
    const account = await anAccount(client());
    await aDevice(account);
    const body = { current_password: account.password };
    const { status } = await client().post('/api/users/me/delete', body, { token: account.token });
    expect(status).toBe(204);
    const left = await sql(service.databaseUrl, 'SELECT 1 FROM device_tokens WHERE account_id = $1', [
      idOf(account),
    ]);
    expect(left).toEqual([]);
  });
});
