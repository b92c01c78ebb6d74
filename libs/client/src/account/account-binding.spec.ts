import { KeyValueSessionStore } from '../http/key-value-session-store';
import { MemorySessionStore } from '../http/session-store';
import { offlineStore } from '../offline/offline-engine';
import { memoryRows, type RowStore } from '../offline/row-store';
import { clientOf, EMAIL, PASSWORD, PHRASE } from '../testing/fake-client';
import { FakeService, fakeToken, type FakeAnswer } from '../testing/fake-service';

/** What one device takes for its account, where the service or something before it answers with another one's. */
const OTHER = 'eve@example.org';
let service: FakeService;
let rows: RowStore;
let store: MemorySessionStore;

beforeEach(async () => {
  service = new FakeService();
  for (const email of [EMAIL, OTHER])
    await clientOf(service).register({ email, password: PASSWORD, recoveryPhrase: null });
  [rows, store] = [memoryRows(), new MemorySessionStore()];
});

const idOf = (email: string) => String(service.accounts.get(email)!.id);
const device = () => clientOf(service, { sessionStore: store, offline: offlineStore(rows) });
const kept = async () => JSON.parse((await rows.readPart('account')) ?? 'null') as Record<string, any> | null;
const members = (answer: FakeAnswer) => answer.body as Record<string, unknown>;
const mismatch = { code: 'account_mismatch' };

/** The tokens of the other account, valid ones. */
async function foreignTokens() {
  const foreign = new MemorySessionStore();
  await clientOf(service, { sessionStore: foreign }).login(OTHER, PASSWORD);
  const { accessToken, refreshToken } = foreign.read()!;
  return { token: accessToken, refresh_token: refreshToken };
}

/** Answers of one path get other members. */
function tamperWith(path: string, change: Record<string, unknown>): void {
  service.tamper = (request, answer) =>
    request.path === path && answer.status < 300
      ? { ...answer, body: { ...members(answer), ...change } }
      : answer;
}

describe('a sign-in', () => {
  it.each(['both tokens', 'the access token', 'the refresh token'])(
    'with %s of another account is refused, and nothing is stored',
    async (which) => {
      const { token, refresh_token } = await foreignTokens();
      const change = { token, refresh_token } as Record<string, string>;
      if (which === 'the access token') delete change.refresh_token;
      if (which === 'the refresh token') delete change.token;
      tamperWith('/api/auth/login', change);
      const client = device();
      const code = which === 'both tokens' ? 'tampered' : 'account_mismatch';
      await expect(client.login(EMAIL, PASSWORD)).rejects.toMatchObject({ code });
      expect([client.state, store.read(), await kept()]).toEqual(['signed-out', null, null]);
    },
  );

  it('with the key of another account is refused', async () => {
    const { wrapped_dek, wrapped_dek_iv } = service.accounts.get(OTHER)!;
    tamperWith('/api/auth/login', { wrapped_dek, wrapped_dek_iv });
    await expect(device().login(EMAIL, PASSWORD)).rejects.toMatchObject({ code: 'tampered' });
    expect([store.read(), await kept()]).toEqual([null, null]);
  });

  it.each(['', 'x', 'a.b.c', 'access-1', `${'x'.repeat(40)}.e30.x`])(
    'with a token that names no account is no answer of the service: %j',
    async (token) => {
      tamperWith('/api/auth/login', { token });
      await expect(device().login(EMAIL, PASSWORD)).rejects.toMatchObject({ code: 'protocol_violation' });
    },
  );
});

describe('a refresh', () => {
  it('with tokens of another account is refused, and the session goes on with its own', async () => {
    const client = device();
    await client.login(EMAIL, PASSWORD);
    const tokens = await foreignTokens();
    const mine = service.accessTokens;
    mine.delete(store.read()!.accessToken);
    tamperWith('/api/auth/refresh', tokens);
    await expect(client.account()).rejects.toMatchObject(mismatch);
    expect(store.read()).toMatchObject({ accountId: idOf(EMAIL), email: EMAIL });
    service.tamper = undefined;
    expect((await client.account()).id).toBe(idOf(EMAIL));
  });

  it('never mixes the accounts of a change of the password', async () => {
    const client = device();
    await client.login(EMAIL, PASSWORD);
    tamperWith('/api/auth/change-password', await foreignTokens());
    await expect(client.changePassword(PASSWORD, 'another battery horse')).rejects.toMatchObject(mismatch);
    expect(store.read()).toMatchObject({ accountId: idOf(EMAIL) });
  });
});

it.each(['accessToken', 'refreshToken', 'accountId'] as const)(
  'a stored session whose %s is another account’s is not continued',
  async (member) => {
    const client = device();
    await client.login(EMAIL, PASSWORD);
    const area = new Map<string, string>();
    const session = store.read()!;
    const value = member === 'accountId' ? idOf(OTHER) : fakeToken(idOf(OTHER), 'access', 99);
    const stored = new KeyValueSessionStore({
      getItem: (key) => area.get(key) ?? null,
      setItem: (key, text) => area.set(key, text),
      removeItem: (key) => area.delete(key),
    });
    await stored.write(session);
    expect(await clientOf(service, { sessionStore: stored }).resume()).toBe(EMAIL);
    await stored.write({ ...session, [member]: value });
    expect(await clientOf(service, { sessionStore: stored }).resume()).toBeNull();
  },
);

describe('an unlock', () => {
  it('by the service is refused with the account of another person', async () => {
    await clientOf(service, { sessionStore: store }).login(EMAIL, PASSWORD);
    const client = device();
    await client.resume();
    const { id, wrapped_dek, wrapped_dek_iv } = service.accounts.get(OTHER)!;
    for (const change of [{ id }, { id, wrapped_dek, wrapped_dek_iv }]) {
      tamperWith('/api/users/me', change);
      await expect(client.unlock(PASSWORD)).rejects.toMatchObject(mismatch);
    }
    tamperWith('/api/users/me', { wrapped_dek, wrapped_dek_iv });
    await expect(client.unlock(PASSWORD)).rejects.toMatchObject({ code: 'password_wrong' });
    expect([client.state, await kept()]).toEqual(['locked', null]);
    service.tamper = undefined;
    await client.unlock(PASSWORD);
    expect(await kept()).toMatchObject({ id: idOf(EMAIL), email: EMAIL });
  });

  it('needs no word of the service, and takes none while the password opens what the device keeps', async () => {
    const client = device();
    await client.login(EMAIL, PASSWORD);
    const before = await kept();
    tamperWith('/api/auth/prelogin', { iterations: 700_000 });
    client.lock();
    service.requests.length = 0;
    await client.unlock(PASSWORD);
    expect(service.requests.filter(({ path }) => /prelogin|users.me/.test(path))).toEqual([]);
    expect(await kept()).toEqual(before);
  });

  it.each([1, 599_999, 700_000, 10_000_001])(
    'heals where the device keeps parameters that open nothing: %d rounds',
    async (iterations) => {
      const client = device();
      await client.login(EMAIL, PASSWORD);
      const account = (await kept())!;
      const poisoned = { ...account, kdf: { ...account.kdf, iterations } };
      await rows.writePart('account', JSON.stringify(poisoned));
      client.lock();
      await expect(client.unlock('wrong password')).rejects.toMatchObject({ code: 'password_wrong' });
      expect(await kept()).toEqual(poisoned);
      await client.unlock(PASSWORD);
      expect(await kept()).toEqual(account);
    },
  );

  it('does not take what the device keeps of another account', async () => {
    await device().login(OTHER, PASSWORD);
    const others = (await kept())!;
    store.write(null);
    const client = device();
    await client.login(EMAIL, PASSWORD);
    client.lock();
    await rows.writePart('account', JSON.stringify({ ...others, email: EMAIL }));
    await client.unlock(PASSWORD);
    expect(await kept()).toMatchObject({ id: idOf(EMAIL) });
  });

  it('stores nothing of a session that ended in the meantime', async () => {
    await clientOf(service, { sessionStore: store }).login(EMAIL, PASSWORD);
    const client = device();
    await client.resume();
    service.tamper = async (request, answer) => {
      if (request.path === '/api/users/me') await client.logout({ force: true }).catch(() => undefined);
      return answer;
    };
    await expect(client.unlock(PASSWORD)).rejects.toMatchObject({ code: 'session_ended' });
    expect([client.state, await kept(), (await rows.read(0)).rows]).toEqual(['signed-out', null, []]);
  });
});

describe('a new secret', () => {
  const NEXT = 'another battery horse staple';
  const FALSE = [{ iterations: 700_000 }, { iterations: 9_000_000 }, { salt: 'B'.repeat(24) }];
  const isRight = async (email: string, password: string) => {
    service.falseKdf = {};
    await clientOf(service).login(email, password);
  };

  it.each(FALSE)(
    'of a registration is right for ever, or refused at once: prelogin tells %j',
    async (told) => {
      const email = 'new@example.org';
      service.falseKdf = told;
      const done = clientOf(service).register({ email, password: PASSWORD, recoveryPhrase: PHRASE });
      if (told.salt) {
        await expect(done).rejects.toMatchObject({ code: 'validation_failed' });
        expect(service.accounts.has(email)).toBe(false);
      } else {
        await done;
        expect(service.accounts.get(email)!.kdf).toMatchObject({ iterations: 1_000_000 });
        await isRight(email, PASSWORD);
      }
    },
  );

  it.each(FALSE)('of a new email is right for ever, or refused at once: prelogin tells %j', async (told) => {
    const client = device();
    await client.login(EMAIL, PASSWORD);
    service.tamper = ({ path, body }, answer) =>
      path === '/api/auth/prelogin' && body.email === 'moved@example.org'
        ? { ...answer, body: { ...members(answer), ...told } }
        : answer;
    const done = client.changeEmail('moved@example.org', PASSWORD);
    if (told.salt) await expect(done).rejects.toMatchObject({ code: 'validation_failed' });
    else await done;
    service.tamper = undefined;
    await isRight(told.salt ? EMAIL : 'moved@example.org', PASSWORD);
  });

  it.each(FALSE)('of a recovery is right for ever, or refused at once: prelogin tells %j', async (told) => {
    const email = 'forgetful@example.org';
    await clientOf(service).register({ email, password: PASSWORD, recoveryPhrase: PHRASE });
    service.falseKdf = told;
    const done = clientOf(service).recover(email, PHRASE, NEXT);
    if (told.salt) await expect(done).rejects.toMatchObject({ code: 'validation_failed' });
    else await done.catch(() => undefined);
    await isRight(email, told.salt ? PASSWORD : NEXT);
  });
});

describe('a new account', () => {
  it('has the id that follows from its key, and wraps that open for it alone', async () => {
    const { wrapped_dek, wrapped_dek_iv, id, recovery_wrapped_dek, recovery_wrapped_dek_iv } =
      service.accounts.get(EMAIL)!;
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([wrapped_dek, recovery_wrapped_dek].map((wrap) => String(wrap).length)).toEqual([64, 64]);
    expect([wrapped_dek_iv, recovery_wrapped_dek_iv].map((iv) => String(iv).length)).toEqual([16, 16]);
    expect(service.calls('GET /api/users/me')).toHaveLength(0);
  });

  it('is not registered under another id', async () => {
    tamperWith('/api/auth/register', await foreignTokens());
    const client = device();
    const registration = { email: 'third@example.org', password: PASSWORD, recoveryPhrase: null };
    await expect(client.register(registration)).rejects.toMatchObject(mismatch);
    expect([client.state, store.read(), await kept()]).toEqual(['signed-out', null, null]);
  });

  it('refuses its wrap with the tokens of another account, whatever /users/me says', async () => {
    const { wrapped_dek, wrapped_dek_iv } = service.accounts.get(EMAIL)!;
    const change = { ...(await foreignTokens()), wrapped_dek, wrapped_dek_iv };
    service.tamper = (request, answer) => {
      const lies: Record<string, object> = {
        '/api/auth/login': change,
        '/api/users/me': { id: idOf(OTHER), wrapped_dek, wrapped_dek_iv },
      };
      return { ...answer, body: { ...members(answer), ...lies[request.path] } };
    };
    await expect(device().login(EMAIL, PASSWORD)).rejects.toMatchObject({ code: 'tampered' });
    expect([store.read(), await kept()]).toEqual([null, null]);
  });
});
