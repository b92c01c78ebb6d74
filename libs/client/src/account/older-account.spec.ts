import { MemorySessionStore } from '../http/session-store';
import { offlineStore } from '../offline/offline-engine';
import { memoryRows, type RowStore } from '../offline/row-store';
import { clientOf, EMAIL, PASSWORD, PHRASE } from '../testing/fake-client';
import { FakeService, fakeToken, type FakeAnswer } from '../testing/fake-service';
import { olderAccount } from '../testing/older-account';

/** Accounts that older clients have made: 600,000 rounds, and wraps that name no account. */
const NEXT = 'another battery horse staple';
const OTHER = 'eve@example.org';
const CHANGE = 'POST /api/auth/change-password';
let service: FakeService;
let rows: RowStore;
let store: MemorySessionStore;

beforeEach(async () => {
  service = new FakeService();
  await olderAccount(service, { email: EMAIL, password: PASSWORD, phrase: PHRASE });
  [rows, store] = [memoryRows(), new MemorySessionStore()];
});

const account = () => service.accounts.get(EMAIL)!;
const device = () => clientOf(service, { sessionStore: store, offline: offlineStore(rows) });
const kept = async () => JSON.parse((await rows.readPart('account')) ?? 'null') as Record<string, any> | null;
const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
};
const isRaised = () => account().kdf?.iterations === 1_000_000;
const members = ({ body }: FakeAnswer) => body as Record<string, unknown>;

it('is raised once after a sign-in, whose session goes on, and its password and phrase stay', async () => {
  const before = account().wrapped_dek;
  const phone = device();
  await phone.login(EMAIL, PASSWORD);
  await until(isRaised);
  expect(account().wrapped_dek).not.toBe(before);
  expect((await phone.account()).id).toBe(account().id);
  await clientOf(service).login(EMAIL, PASSWORD);
  await clientOf(service).login(EMAIL, PASSWORD);
  expect(service.calls(CHANGE)).toHaveLength(1);
  expect(await clientOf(service).verifyRecoveryPhrase(EMAIL, PHRASE)).toBe(true);
  // An unlock without a network has the new cost and the new wrap.
  expect(await kept()).toMatchObject({
    kdf: { iterations: 1_000_000 },
    wrapped: { wrapped: account().wrapped_dek },
  });
  phone.lock();
  service.intercept = () => ({ status: 503, body: {} });
  await phone.unlock(PASSWORD);
  expect(phone.state).toBe('unlocked');
});

it('stays signed in where it cannot be raised, and is raised the next time', async () => {
  service.intercept = ({ path }) =>
    CHANGE.endsWith(path) ? { status: 503, body: { error: 'No.', code: 'read_only' } } : undefined;
  const phone = device();
  await phone.login(EMAIL, PASSWORD);
  await until(() => service.calls(CHANGE).length > 0);
  await expect(phone.changePassword(PASSWORD, NEXT)).rejects.toMatchObject({ code: 'read_only' });
  expect([phone.state, isRaised()]).toEqual(['unlocked', false]);
  service.intercept = undefined;
  await device().login(EMAIL, PASSWORD);
  await until(isRaised);
});

it('is raised before a change of the password that comes at once, and neither is lost', async () => {
  const phone = device();
  await phone.login(EMAIL, PASSWORD);
  await phone.changePassword(PASSWORD, NEXT);
  expect([service.calls(CHANGE).length, isRaised()]).toEqual([2, true]);
  await clientOf(service).login(EMAIL, NEXT);
});

it('takes no cost from a false prelogin in the background: the right password stays right', async () => {
  service.tamper = (request, answer) => {
    if (request.path === '/api/auth/login')
      service.falseKdf = { iterations: 9_000_000, salt: 'A'.repeat(24) };
    return answer;
  };
  await device().login(EMAIL, PASSWORD);
  await until(isRaised);
  service.tamper = undefined;
  service.falseKdf = {};
  await clientOf(service).login(EMAIL, PASSWORD);
});

it('is bound after a recovery, too', async () => {
  const phone = device();
  await phone.recover(EMAIL, PHRASE, NEXT);
  await phone.setRecoveryPhrase(NEXT, PHRASE);
  expect(service.calls(CHANGE)).toHaveLength(1);
  // The new words name the account: there is nothing to bind any more.
  await clientOf(service).recover(EMAIL, PHRASE, PASSWORD);
  expect(service.calls(CHANGE)).toHaveLength(1);
  await clientOf(service).login(EMAIL, PASSWORD);
});

describe('with the older wrap, and the tokens of another account', () => {
  const lie = (accountId: string, wrap: Record<string, unknown>) => {
    service.tamper = (request, answer) => {
      if (answer.status >= 300) return answer;
      const tokens = ['access', 'refresh'].map((kind) => fakeToken(accountId, kind, 77));
      if (request.path === '/api/auth/login')
        return { ...answer, body: { ...wrap, token: tokens[0], refresh_token: tokens[1] } };
      return answer;
    };
    service.intercept = ({ path, headers }) =>
      path === '/api/users/me' && headers.get('Authorization')?.includes('-77')
        ? { status: 200, body: { ...members({ status: 200, body: account() }), ...wrap, id: accountId } }
        : undefined;
  };

  beforeEach(async () => {
    await clientOf(service).register({ email: OTHER, password: PASSWORD, recoveryPhrase: null });
  });

  it('a sign-in is refused on a device that has seen the account before', async () => {
    const { wrapped_dek, wrapped_dek_iv } = account();
    const [older, before] = [{ wrapped_dek, wrapped_dek_iv }, { ...account() }];
    await device().login(EMAIL, PASSWORD);
    await until(isRaised);
    store.write(null);
    // The service shows the account as it was before the raise.
    service.accounts.set(EMAIL, { ...before });
    lie(String(service.accounts.get(OTHER)!.id), older);
    await expect(device().login(EMAIL, PASSWORD)).rejects.toMatchObject({ code: 'account_mismatch' });
    expect([store.read(), (await kept())!.id]).toEqual([null, before.id]);
    // An honest restore is the same account, and is not refused.
    service.tamper = service.intercept = undefined;
    await device().login(EMAIL, PASSWORD);
    await until(isRaised);
  });

  it('a sign-in is refused everywhere once the account was raised', async () => {
    await device().login(EMAIL, PASSWORD);
    await until(isRaised);
    const { wrapped_dek, wrapped_dek_iv } = account();
    lie(String(service.accounts.get(OTHER)!.id), { wrapped_dek, wrapped_dek_iv });
    await expect(clientOf(service).login(EMAIL, PASSWORD)).rejects.toMatchObject({ code: 'tampered' });
  });
});
