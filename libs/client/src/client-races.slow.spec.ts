import type { HealthRecordsClient } from './client';
import { clientOf, EMAIL, PASSWORD, registered } from './testing/fake-client';
import type { FakeAnswer, FakeRequest, FakeService } from './testing/fake-service';

/** A lock, a logout or another login while something is under way: the later one wins. */
let service: FakeService;
let client: HealthRecordsClient;

beforeAll(async () => {
  ({ service, client } = await registered());
});
afterEach(async () => {
  service.tamper = undefined;
  if (client.state !== 'unlocked') await client.login(EMAIL, PASSWORD);
});

/** Holds back the answers of a path until `release`. */
function holdAnswers(path: string) {
  let release = () => {};
  let arrived = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const arrival = new Promise<void>((resolve) => (arrived = resolve));
  service.tamper = async (request: FakeRequest, answer: FakeAnswer) => {
    if (request.path !== path) return answer;
    arrived();
    await held;
    return answer;
  };
  return { arrival, release };
}

/** Runs `call`, and `meanwhile` while the answer of `path` is on its way. */
async function interrupted<T>(call: () => Promise<T>, path: string, meanwhile: () => unknown): Promise<T> {
  const { arrival, release } = holdAnswers(path);
  const running = call();
  await arrival;
  const other = meanwhile();
  release();
  await Promise.allSettled([running, other]);
  return running;
}

describe('unlock', () => {
  beforeEach(() => client.lock());

  it('is undone by a lock in the meantime', async () => {
    const unlocking = interrupted(
      () => client.unlock(PASSWORD),
      '/api/users/me',
      () => client.lock(),
    );
    await expect(unlocking).rejects.toMatchObject({ code: 'locked' });
    expect(client.state).toBe('locked');
  });

  it('is undone by a logout in the meantime', async () => {
    const unlocking = interrupted(
      () => client.unlock(PASSWORD),
      '/api/users/me',
      () => client.logout(),
    );
    await expect(unlocking).rejects.toMatchObject({ code: 'session_ended' });
    expect(client.state).toBe('signed-out');
  });

  it('opens no key of one account in the session of another', async () => {
    await clientOf(service).register({ email: 'eve@example.org', password: PASSWORD, recoveryPhrase: null });
    const unlocking = interrupted(
      () => client.unlock(PASSWORD),
      '/api/users/me',
      () => client.login('eve@example.org', PASSWORD),
    );
    await expect(unlocking).rejects.toMatchObject({ name: expect.stringMatching(/Locked|SessionEnded/) });
    expect([client.email, await client.profiles.list()]).toEqual(['eve@example.org', []]);
    await client.logout();
  });
});

it('a login that a lock or a logout overtook leaves no session', async () => {
  for (const meanwhile of ['lock', 'logout'] as const) {
    const other = clientOf(service);
    const tokens = service.refreshTokens.size;
    const login = interrupted(
      () => other.login(EMAIL, PASSWORD),
      '/api/auth/login',
      () => other[meanwhile](),
    );
    await expect(login).rejects.toMatchObject({ code: 'locked' });
    expect([other.state, other.email]).toEqual(['signed-out', null]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(service.refreshTokens.size).toBe(tokens);
  }
});

it('a list gives nothing that a lock came before, and nothing of another account', async () => {
  const list = () => client.profiles.list();
  await expect(interrupted(list, '/api/profiles', () => client.lock())).rejects.toMatchObject({
    code: 'locked',
  });
  await client.unlock(PASSWORD);
  const afterLogout = interrupted(list, '/api/profiles', () => client.logout());
  await expect(afterLogout).rejects.toMatchObject({ code: 'session_ended' });
});

it('an import begun in one account does not go on in another', async () => {
  const document = await client.transfer.exportAll();
  const [profile] = document.profiles;
  const renamed = { ...profile, id: profile.id.replace(/^./, 'f') };
  const importing = interrupted(
    () => client.transfer.importAll({ ...document, profiles: [profile, renamed] }),
    '/api/profiles',
    () => client.login('eve@example.org', PASSWORD),
  );
  await expect(importing).rejects.toMatchObject({ code: expect.stringMatching(/locked|session_ended/) });
  await client.login('eve@example.org', PASSWORD);
  expect(await client.profiles.list()).toEqual([]);
  await client.logout();
});

it('a logout drops keys and tokens at once, also where the service never answers', async () => {
  const store = {
    name: 'a',
    session: null as unknown,
    read: () => store.session,
    write: (next: unknown) => void (store.session = next),
  };
  const other = clientOf(service, { sessionStore: store as never });
  await other.login(EMAIL, PASSWORD);
  const { arrival, release } = holdAnswers('/api/auth/logout');
  const leaving = other.logout();
  expect(other.state).toBe('signed-out');
  await arrival;
  expect(store.session).toBeNull();
  release();
  await leaving;
});
