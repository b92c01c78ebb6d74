import { MemorySessionStore } from '../http/session-store';
import type { Json } from '../json';
import { offlineStore } from '../offline/offline-engine';
import { memoryRows, type RowStore } from '../offline/row-store';
import { clientOf, EMAIL, PASSWORD, PHRASE } from '../testing/fake-client';
import { FakeService, type FakeAnswer } from '../testing/fake-service';
import { olderAccount } from '../testing/older-account';

/** A sign-in by a route of a module. Its answer is that of a login; the fake service's login stands for the route. */
const OTHER = 'eve@example.org';
const OLDER = 'old@example.org';
let service: FakeService;
let rows: RowStore;
let store: MemorySessionStore;

beforeEach(async () => {
  service = new FakeService();
  for (const email of [EMAIL, OTHER])
    await clientOf(service).register({ email, password: PASSWORD, recoveryPhrase: null });
  [rows, store] = [memoryRows(), new MemorySessionStore()];
});

const device = () => clientOf(service, { sessionStore: store, offline: offlineStore(rows) });
const members = ({ body }: FakeAnswer) => body as Record<string, unknown>;
const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
};
const mismatch = { code: 'account_mismatch' };

async function answerFor(email: string) {
  const foreign = new MemorySessionStore();
  await clientOf(service, { sessionStore: foreign }).login(email, PASSWORD);
  const { accessToken, refreshToken } = foreign.read()!;
  return { token: accessToken, refresh_token: refreshToken };
}

function tamperWithMe(change: Record<string, unknown>): void {
  service.tamper = (request, answer) =>
    request.path === '/api/users/me' ? { ...answer, body: { ...members(answer), ...change } } : answer;
}

it('starts a locked session, and the vault password opens it, also after a wrong one', async () => {
  const client = device();
  expect(await client.acceptSignIn(await answerFor(EMAIL))).toBe(EMAIL);
  expect([client.state, client.email]).toEqual(['locked', EMAIL]);
  await expect(client.unlock('not this one')).rejects.toMatchObject({ code: 'password_wrong' });
  await client.unlock(PASSWORD);
  expect([client.state, (await client.account()).email]).toEqual(['unlocked', EMAIL]);
});

it('stores the session, so that another page of the device continues it', async () => {
  await device().acceptSignIn(await answerFor(EMAIL));
  expect(await device().resume()).toBe(EMAIL);
});

it.each<Json>([null, {}, 'text', { token: 'a.b.c', refresh_token: 'a.b.c' }])(
  'refuses %j',
  async (answer) => {
    const client = device();
    await expect(client.acceptSignIn(answer)).rejects.toMatchObject({ code: 'protocol_violation' });
    expect([client.state, store.read()]).toEqual(['signed-out', null]);
  },
);

it('refuses tokens of two accounts', async () => {
  const { token } = await answerFor(EMAIL);
  const { refresh_token } = await answerFor(OTHER);
  await expect(device().acceptSignIn({ token, refresh_token })).rejects.toMatchObject(mismatch);
  expect(store.read()).toBeNull();
});

it('refuses an account that is not that of the tokens, and ends them', async () => {
  const answer = await answerFor(EMAIL);
  tamperWithMe({ id: service.accounts.get(OTHER)!.id });
  await expect(device().acceptSignIn(answer)).rejects.toMatchObject(mismatch);
  await until(() => !service.refreshTokens.has(answer.refresh_token));
  expect(store.read()).toBeNull();
});

it('gives way to a login that came between, and ends its own tokens', async () => {
  const answer = await answerFor(OTHER);
  const client = device();
  const accepting = client.acceptSignIn(answer);
  const login = client.login(EMAIL, PASSWORD);
  await expect(accepting).rejects.toMatchObject({ code: 'locked' });
  await login;
  await until(() => !service.refreshTokens.has(answer.refresh_token));
  expect(client.email).toBe(EMAIL);
});

it('opens no older wrap that this device knows as the key of another account', async () => {
  await olderAccount(service, { email: OLDER, password: PASSWORD, phrase: PHRASE });
  // It stays as it is: a raise of its cost would bind the wrap to the account.
  service.intercept = ({ path }) =>
    path === '/api/auth/change-password'
      ? { status: 503, body: { error: 'No.', code: 'read_only' } }
      : undefined;
  await device().login(OLDER, PASSWORD);
  const { wrapped_dek, wrapped_dek_iv } = service.accounts.get(OLDER)!;
  const client = device();
  const answer = await answerFor(OTHER);
  tamperWithMe({ email: OLDER, wrapped_dek, wrapped_dek_iv });
  await client.acceptSignIn(answer);
  await expect(client.unlock(PASSWORD)).rejects.toMatchObject(mismatch);
  expect(client.state).toBe('locked');
});
