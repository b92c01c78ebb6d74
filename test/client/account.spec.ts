import { generateRecoveryPhrase, MemorySessionStore } from '@app/client';
import { resignToken } from '@app/testing';
import { anEmail } from '../support/factories';
import { aPerson, aPersonWithPhrase, openClient } from '../support/people';
import { Proxy } from '../support/proxy';
import { type SharedService, sharedService } from '../support/service';

/** The client library against the real service: everything around password, phrase and session. */
const NEXT_PASSWORD = 'another battery horse staple';
let service: SharedService;
let url: string;
beforeAll(async () => {
  service = await sharedService();
  url = service.api.url;
});

describe('an account', () => {
  it('is registered with profile and phrase, and opens on another device', async () => {
    const { client, email, password } = await aPersonWithPhrase(url);
    expect(client.state).toBe('unlocked');
    expect(await client.account()).toMatchObject({ email, recoveryEnabled: true });
    const other = openClient(url);
    await other.login(email, password);
    expect(await other.profiles.list()).toMatchObject([
      { kind: 'human', relationship: 'self', details: { name: 'Ada' }, altered: [], revision: 1 },
    ]);
  });

  it('is registered without profile and phrase', async () => {
    const client = openClient(url);
    await client.register({ email: anEmail(), password: NEXT_PASSWORD, recoveryPhrase: null });
    expect(await client.account()).toMatchObject({ recoveryEnabled: false });
    expect(await client.profiles.list()).toEqual([]);
  });

  it('is registered once for an email', async () => {
    const { email, password } = await aPerson(url);
    const again = openClient(url).register({ email: email.toUpperCase(), password, recoveryPhrase: null });
    await expect(again).rejects.toMatchObject({ code: 'email_taken' });
  });

  it('opens for its email in any case, and for no other password', async () => {
    const { email, password } = await aPerson(url);
    const client = openClient(url);
    await client.login(` ${email.toUpperCase()} `, password);
    expect(client.state).toBe('unlocked');
    const wrong = openClient(url).login(email, `${password}!`);
    await expect(wrong).rejects.toMatchObject({ code: 'password_wrong' });
  });

  it('locks, and unlocks with its password only', async () => {
    const { client, password } = await aPerson(url);
    client.lock();
    await expect(client.profiles.list()).rejects.toMatchObject({ code: 'locked' });
    await expect(client.unlock('wrong password')).rejects.toMatchObject({ code: 'password_wrong' });
    await client.unlock(password);
    expect(await client.profiles.list()).toHaveLength(1);
  });

  it('is taken up after a reload, locked', async () => {
    const sessionStore = new MemorySessionStore();
    const { email, password } = await aPerson(url, {}, { sessionStore });
    const reloaded = openClient(url, { sessionStore });
    expect([await reloaded.resume(), reloaded.state]).toEqual([email, 'locked']);
    await reloaded.unlock(password);
    expect(await reloaded.profiles.list()).toHaveLength(1);
  });

  it('is deleted with its password only', async () => {
    const { client, email, password } = await aPerson(url);
    await expect(client.deleteAccount('wrong password')).rejects.toMatchObject({ code: 'password_wrong' });
    await client.deleteAccount(password);
    expect(client.state).toBe('signed-out');
    await expect(openClient(url).login(email, password)).rejects.toMatchObject({
      code: 'password_wrong',
    });
  });
});

describe('a new password', () => {
  it('opens what the old one opened, here and on other devices; the old one opens nothing', async () => {
    const { client, email, password, profileId } = await aPerson(url);
    const other = openClient(url);
    await other.login(email, password);
    await client.changePassword(password, NEXT_PASSWORD);
    expect((await client.profiles.get(profileId)).details.name).toBe('Ada');
    await expect(other.profiles.list()).rejects.toMatchObject({ code: 'session_ended' });
    expect(other.state).toBe('signed-out');
    await expect(other.login(email, password)).rejects.toMatchObject({ code: 'password_wrong' });
    await other.login(email, NEXT_PASSWORD);
    expect((await other.profiles.get(profileId)).details.name).toBe('Ada');
  });

  it('needs the current one', async () => {
    const { client } = await aPerson(url);
    const change = client.changePassword('wrong password', NEXT_PASSWORD);
    await expect(change).rejects.toMatchObject({ code: 'password_wrong' });
    expect(await client.profiles.list()).toHaveLength(1);
  });
});

describe('a new email', () => {
  it('takes the password along, although its salt is another', async () => {
    const { client, email, password, profileId } = await aPerson(url);
    const next = anEmail();
    await client.changeEmail(next, password);
    expect([client.email, (await client.account()).email]).toEqual([next, next]);
    const other = openClient(url);
    await expect(other.login(email, password)).rejects.toMatchObject({ code: 'password_wrong' });
    await other.login(next, password);
    expect((await other.profiles.get(profileId)).details.name).toBe('Ada');
  });

  it('of somebody else is refused and changes nothing', async () => {
    const [{ client, email, password }, { email: taken }] = [await aPerson(url), await aPerson(url)];
    await expect(client.changeEmail(taken, password)).rejects.toMatchObject({ code: 'email_taken' });
    expect([client.email, (await client.account()).email]).toEqual([email, email]);
  });
});

describe('the recovery phrase', () => {
  it('typed carelessly sets a new password, and ends every older session', async () => {
    const { client, email, password, phrase, profileId } = await aPersonWithPhrase(url);
    const device = openClient(url);
    await device.recover(email, ` ${phrase.toUpperCase().replaceAll(' ', ' \r\n')}.`, NEXT_PASSWORD);
    expect((await device.profiles.get(profileId)).details.name).toBe('Ada');
    await expect(client.profiles.list()).rejects.toMatchObject({ code: 'session_ended' });
    await expect(openClient(url).login(email, password)).rejects.toMatchObject({
      code: 'password_wrong',
    });
  });

  it('survives a new password and a new email', async () => {
    const { client, password, phrase, profileId } = await aPersonWithPhrase(url);
    const email = anEmail();
    await client.changePassword(password, NEXT_PASSWORD);
    await client.changeEmail(email, NEXT_PASSWORD);
    const device = openClient(url);
    await device.recover(email, phrase, password);
    expect((await device.profiles.get(profileId)).details.name).toBe('Ada');
  });

  it('is replaced by a new one: the old one then opens nothing', async () => {
    const { client, email, password, phrase } = await aPersonWithPhrase(url);
    const next = await generateRecoveryPhrase();
    await client.setRecoveryPhrase(password, next);
    expect(await client.verifyRecoveryPhrase(email, phrase)).toBe(false);
    expect(await client.verifyRecoveryPhrase(email, next)).toBe(true);
    const device = openClient(url);
    await expect(device.recover(email, phrase, NEXT_PASSWORD)).rejects.toMatchObject({
      code: 'recovery_failed',
    });
    expect(await client.profiles.list()).toHaveLength(1);
    await device.recover(email, next, NEXT_PASSWORD);
    expect(await device.profiles.list()).toHaveLength(1);
  });

  it('is set by somebody who went without', async () => {
    const { client, email, password } = await aPerson(url);
    const phrase = await generateRecoveryPhrase();
    await client.setRecoveryPhrase(password, phrase);
    expect(await client.account()).toMatchObject({ recoveryEnabled: true });
    const device = openClient(url);
    await device.recover(email, phrase, NEXT_PASSWORD);
    expect(await device.profiles.list()).toHaveLength(1);
  });

  it('of nobody, of somebody else and of an account without one fail alike', async () => {
    const phrase = await generateRecoveryPhrase();
    const [{ email: other }, { email: without }] = [await aPersonWithPhrase(url), await aPerson(url)];
    for (const email of [anEmail(), other, without]) {
      const recovery = openClient(url).recover(email, phrase, NEXT_PASSWORD);
      await expect(recovery).rejects.toMatchObject({ code: 'recovery_failed' });
    }
  });
});

describe('a session', () => {
  it('is listed with the label of its device, and ended from another', async () => {
    const { client, email, password } = await aPerson(url, { deviceLabel: 'Laptop' });
    const phone = openClient(url);
    await phone.login(email, password, { deviceLabel: 'Phone' });
    const [first, second] = await phone.sessions.list({ pageSize: 1 });
    expect([first, second]).toMatchObject([
      { deviceLabel: 'Phone', current: true },
      { deviceLabel: 'Laptop', current: false },
    ]);
    await phone.sessions.end(second.id);
    expect((await phone.sessions.list()).map((each) => each.id)).toEqual([first.id]);
    await expect(phone.sessions.end(second.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(client.profiles.list()).rejects.toMatchObject({ code: 'session_ended' });
  });

  it('that was ended elsewhere is over at its next call', async () => {
    const sessionStore = new MemorySessionStore();
    const { client, email, password } = await aPerson(url, {}, { sessionStore });
    const reasons: string[] = [];
    client.on('session-ended', ({ reason }) => reasons.push(reason));
    const phone = openClient(url);
    await phone.login(email, password);
    await phone.sessions.end((await phone.sessions.list()).find((each) => !each.current)!.id);
    await expect(client.profiles.list()).rejects.toMatchObject({ code: 'session_ended' });
    expect([reasons, client.state, sessionStore.read()]).toEqual([['refresh_refused'], 'signed-out', null]);
  });

  it('ends with its logout', async () => {
    const sessionStore = new MemorySessionStore();
    const { client } = await aPerson(url, {}, { sessionStore });
    const { refreshToken } = sessionStore.read()!;
    await client.logout();
    expect([client.state, sessionStore.read()]).toEqual(['signed-out', null]);
    const { status } = await service.api.post('/api/auth/refresh', { refresh_token: refreshToken });
    expect(status).toBe(401);
  });

  it('ends everywhere at once', async () => {
    const { client, email, password } = await aPerson(url);
    const phone = openClient(url);
    await phone.login(email, password);
    await phone.logoutEverywhere();
    expect(phone.state).toBe('signed-out');
    await expect(client.profiles.list()).rejects.toMatchObject({ code: 'session_ended' });
    await client.login(email, password);
    expect(await client.sessions.list()).toHaveLength(1);
  });

  it('is refreshed once for ten requests that meet an expired access token', async () => {
    const proxy = await Proxy.start(url);
    try {
      const sessionStore = new MemorySessionStore();
      const { client } = await aPerson(proxy.url, {}, { sessionStore });
      expireAccessToken(sessionStore);
      const lists = await Promise.all(Array.from({ length: 10 }, () => client.medications.list()));
      expect(lists).toEqual(Array(10).fill([]));
      expect(proxy.calls('POST /api/auth/refresh')).toHaveLength(1);
      expect(proxy.calls('GET /api/medications')).toHaveLength(20);
    } finally {
      await proxy.stop();
    }
  });
});

it('the events of an account tell what happened to its credentials, newest first', async () => {
  const { client, email, password } = await aPersonWithPhrase(url);
  await openClient(url)
    .login(email, 'wrong password')
    .catch(() => undefined);
  await openClient(url).login(email, password);
  await client.changePassword(password, NEXT_PASSWORD);
  const events = await client.securityEvents.list({ pageSize: 2 });
  const kinds = events.map((each) => each.kind);
  expect(kinds[0]).toBe('password_changed');
  expect([...kinds].sort()).toEqual(['login', 'login_failed', 'password_changed', 'registered']);
  expect(new Set(events.map((each) => each.origin)).size).toBe(1);
});

/** As if fifteen minutes had passed. */
function expireAccessToken(store: MemorySessionStore): void {
  const session = store.read()!;
  store.write({ ...session, accessToken: resignToken(session.accessToken, { payload: { exp: 1_000_000 } }) });
}
