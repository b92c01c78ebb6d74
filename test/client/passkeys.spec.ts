import { type HealthRecordsClientOptions, MemorySessionStore } from '@app/client';
import { offlineStore } from '../../libs/client/src/offline/offline-engine';
import { memoryRows, type RowStore } from '../../libs/client/src/offline/row-store';
import { webPasskeys } from '../../libs/client/src/passkeys';
import { Browser } from '../support/authenticator-browser';
import { aPerson, openClient, type Person } from '../support/people';
import { type SharedService, sharedService } from '../support/service';

/**
 * Passkeys of the client against the real service. The authenticator is in memory: what a browser does with one is
 * tried in `test/browser`.
 */

let service: SharedService;
let url: string;
let browser: Browser;
let rows: RowStore;
let store: MemorySessionStore;
let requests: { path: string; body: string }[];
let isOnline: boolean;

beforeAll(async () => {
  service = await sharedService();
  url = service.api.url;
});

beforeEach(() => {
  browser = new Browser();
  [rows, store, requests, isOnline] = [memoryRows(), new MemorySessionStore(), [], true];
});

const options = (more: Partial<HealthRecordsClientOptions> = {}) => ({
  sessionStore: store,
  offline: offlineStore(rows),
  passkeys: webPasskeys(browser),
  fetch: (async (input: string, init?: RequestInit) => {
    if (!isOnline) throw new TypeError('no network');
    requests.push({ path: new URL(input).pathname, body: (init?.body ?? '') as string });
    return fetch(input, init);
  }) as never,
  retry: { attempts: 1 } as never,
  ...more,
});
const device = (more?: Partial<HealthRecordsClientOptions>) => openClient(url, options(more));
const add = ({ client, password }: Person, label = 'phone') =>
  client.passkeys!.add({ currentPassword: password, label });
const somebody = () => aPerson(url, {}, options());

describe('a passkey with PRF', () => {
  it('unlocks, with the same key', async () => {
    const person = await somebody();
    expect(await add(person)).toMatchObject({ label: 'phone', canUnlock: true, lastUsedAt: null });
    person.client.lock();
    await person.client.passkeys!.unlock();
    expect(await person.client.profiles.list()).toMatchObject([{ details: { name: 'Ada' } }]);
  });

  it('unlocks after a reload without a network, also what was stored before', async () => {
    const person = await somebody();
    await person.client.sync.now();
    await add(person);
    isOnline = false;
    const next = device();
    await next.resume();
    expect(await next.passkeys!.canUnlockHere()).toBe(true);
    await next.passkeys!.unlock();
    expect(await next.profiles.list()).toMatchObject([{ details: { name: 'Ada' } }]);
    await next.logout({ force: true }).catch(() => undefined);
  });

  it('signs in and unlocks on a device that knows nothing, and from then on without a network', async () => {
    const person = await somebody();
    await add(person);
    [rows, store] = [memoryRows(), new MemorySessionStore()];
    const other = device();
    expect(await other.passkeys!.login({ deviceLabel: 'tablet' })).toEqual({
      email: person.email,
      isUnlocked: true,
    });
    expect(await other.profiles.list()).toHaveLength(1);
    other.lock();
    isOnline = false;
    await other.passkeys!.unlock();
    expect(other.state).toBe('unlocked');
    other.lock();
    // The password was never typed here: without a network nobody can say whether it is right.
    await expect(other.unlock(person.password)).rejects.toMatchObject({ code: 'network_failed' });
    isOnline = true;
    await other.unlock(person.password);
    other.lock();
    isOnline = false;
    await other.unlock(person.password);
    other.lock();
    await other.passkeys!.unlock();
    expect(other.state).toBe('unlocked');
  });

  it('unlocks without an offline store, by the list of the service', async () => {
    const person = await somebody();
    await add(person);
    const other = device({ offline: undefined as never });
    await other.resume();
    expect(await other.passkeys!.canUnlockHere()).toBe(false);
    await other.passkeys!.unlock();
    expect(other.state).toBe('unlocked');
  });

  it('still unlocks after a new password', async () => {
    const { client, password } = await somebody();
    await client.passkeys!.add({ currentPassword: password, label: 'phone' });
    await client.changePassword(password, 'another battery horse staple');
    client.lock();
    isOnline = false;
    await client.passkeys!.unlock();
    expect(client.state).toBe('unlocked');
  });

  it('asks for user verification, always, and for a fixed input', async () => {
    const person = await somebody();
    await add(person);
    person.client.lock();
    await person.client.passkeys!.unlock();
    const input = new TextEncoder().encode('health-records/v2/passkey/unlock');
    expect(browser.asked.map(({ extensions }) => extensions)).toEqual(
      Array(2).fill({ prf: { eval: { first: input } } }),
    );
    expect(browser.asked[0].authenticatorSelection).toMatchObject({ userVerification: 'required' });
    expect(browser.asked[1].userVerification).toBe('required');
  });

  it('sends nothing of PRF', async () => {
    const outputs: Buffer[] = [];
    const seen =
      <T extends { clientExtensionResults: object }>(start: (of: never) => Promise<T>) =>
      async (of: never) => {
        const answer = await start(of);
        const { prf } = answer.clientExtensionResults as { prf?: { results?: { first: ArrayBuffer } } };
        if (prf?.results) outputs.push(Buffer.from(prf.results.first.slice(0)));
        return answer;
      };
    const real = browser;
    browser = {
      startRegistration: seen(real.startRegistration as never),
      startAuthentication: seen(real.startAuthentication as never),
    } as never;
    const person = await somebody();
    await add(person);
    await person.client.logout();
    await device().passkeys!.login();
    expect(outputs).toHaveLength(2);
    const sent = requests.map(({ body }) => body).join('\n');
    expect(sent).toContain('attestationObject');
    expect(sent).toContain('"clientExtensionResults":{}');
    for (const output of outputs)
      for (const encoding of ['hex', 'base64', 'base64url'] as const)
        expect(sent).not.toContain(output.toString(encoding));
  });
});

describe('a passkey that cannot unlock', () => {
  it('signs in, and the password unlocks', async () => {
    browser = new Browser('no');
    const person = await somebody();
    expect(await add(person)).toMatchObject({ canUnlock: false });
    await person.client.logout();
    const next = device();
    expect(await next.passkeys!.login()).toEqual({ email: person.email, isUnlocked: false });
    expect(next.state).toBe('locked');
    await expect(next.passkeys!.unlock()).rejects.toMatchObject({ code: 'passkey_unavailable' });
    await next.unlock(person.password);
    expect(next.state).toBe('unlocked');
  });

  it('is asked once more where its creation gives no result', async () => {
    browser = new Browser('without a result at creation');
    const person = await somebody();
    expect(await add(person)).toMatchObject({ canUnlock: true });
    expect(browser.asked).toHaveLength(2);
    person.client.lock();
    await person.client.passkeys!.unlock();
  });

  it.each(['UnknownError', 'NotSupportedError'])('is made without PRF after %s', async (name) => {
    browser.fails = [name];
    const person = await somebody();
    expect(await add(person)).toMatchObject({ canUnlock: false });
    expect(browser.asked).toHaveLength(2);
    expect(browser.asked[1].extensions).not.toHaveProperty('prf');
  });

  it.each([
    ['NotAllowedError', 'passkey_cancelled'],
    ['InvalidStateError', 'passkey_exists'],
  ])('tells %s as %s, and adds nothing', async (name, code) => {
    browser.fails = [name];
    const person = await somebody();
    await expect(add(person)).rejects.toMatchObject({ code });
    expect(await person.client.passkeys!.list()).toEqual([]);
  });
});

describe('a service that lies', () => {
  const lie = (change: (body: Record<string, unknown>) => object) => {
    const tampering = async (input: string, init?: RequestInit) => {
      const answer = await fetch(input, init);
      if (!/passkeys$|passkey\/login$/.test(new URL(input).pathname) || answer.status >= 400) return answer;
      const body = (await answer.json()) as Record<string, unknown>;
      const changed = Array.isArray(body) ? body.map((each) => change(each as never)) : change(body);
      return new Response(JSON.stringify(changed), answer);
    };
    return { fetch: tampering as never };
  };

  it('moves the wrap of another account here: nothing opens, and the password is offered', async () => {
    await add(await somebody());
    const { body } = requests.findLast((each) => each.path === '/api/passkeys' && each.body)!;
    const { wrapped_dek, wrapped_dek_iv, account_key_id } = JSON.parse(body) as Record<string, string>;
    [rows, store] = [memoryRows(), new MemorySessionStore()];
    await add(await somebody());
    rows = memoryRows();
    const lied = device(lie((body) => ({ ...body, wrapped_dek, wrapped_dek_iv, account_key_id })));
    await lied.resume();
    await expect(lied.passkeys!.unlock()).rejects.toMatchObject({ code: 'passkey_cannot_unlock' });
    expect(lied.state).toBe('locked');
  });

  it('names another account key: the wrap does not open', async () => {
    const person = await somebody();
    await add(person);
    const account_key_id = Buffer.alloc(16).toString('base64');
    rows = memoryRows();
    const lied = device(lie((body) => ({ ...body, account_key_id })));
    await lied.resume();
    await expect(lied.passkeys!.unlock()).rejects.toMatchObject({ code: 'passkey_cannot_unlock' });
    const again = device(
      lie((body) => ({ ...body, passkey: { ...(body.passkey as object), account_key_id } })),
    );
    expect(await again.passkeys!.login()).toMatchObject({ isUnlocked: false });
  });

  it('drops the wrap of a new passkey: the person learns it', async () => {
    const person = await somebody();
    const empty = { wrapped_dek: null, wrapped_dek_iv: null, account_key_id: null };
    const lied = device(lie((body) => ({ ...body, ...empty })));
    await lied.resume();
    await lied.unlock(person.password);
    const adding = lied.passkeys!.add({ currentPassword: person.password, label: 'phone' });
    await expect(adding).rejects.toMatchObject({ code: 'protocol_violation' });
    expect(await lied.passkeys!.canUnlockHere()).toBe(false);
  });

  it.each([
    ['hides the passkey that is removed', () => []],
    [
      'calls it another one',
      (listed: Record<string, unknown>[]) => listed.map((each) => ({ ...each, credential_id: 'AAAA' })),
    ],
  ])('%s: it unlocks no more on this device', async (_lie, change) => {
    const person = await somebody();
    const { id } = await add(person);
    const answered = async (input: string, init?: RequestInit) => {
      const answer = await fetch(input, init);
      const isList = init?.method === 'GET' && input.endsWith('/api/passkeys');
      return isList
        ? new Response(JSON.stringify(change((await answer.json()) as Record<string, unknown>[])), answer)
        : answer;
    };
    const lied = device({ fetch: answered as never });
    await lied.resume();
    await lied.unlock(person.password);
    expect(await lied.passkeys!.canUnlockHere()).toBe(true);
    await lied.passkeys!.remove(id, person.password);
    expect(await lied.passkeys!.canUnlockHere()).toBe(false);
  });

  it('asks for no user verification: the client asks for it all the same', async () => {
    const person = await somebody();
    await add(person);
    const weak = async (input: string, init?: RequestInit) => {
      const answer = await fetch(input, init);
      if (!input.endsWith('/passkey/options')) return answer;
      const body = (await answer.json()) as { options: object };
      return new Response(
        JSON.stringify({ ...body, options: { ...body.options, userVerification: 'discouraged' } }),
        answer,
      );
    };
    expect(await device({ fetch: weak as never }).passkeys!.login()).toMatchObject({ isUnlocked: true });
    expect(browser.asked.at(-1)!.userVerification).toBe('required');
  });
});

describe('the list', () => {
  it('is renamed and removed, and what is removed unlocks no more', async () => {
    const person = await somebody();
    const { id } = await add(person);
    const { passkeys } = person.client;
    expect(await passkeys!.rename(id, 'old phone')).toMatchObject({ id, label: 'old phone' });
    expect(await passkeys!.list()).toMatchObject([{ id, label: 'old phone' }]);
    await expect(passkeys!.remove(id, 'not this one')).rejects.toMatchObject({ code: 'password_wrong' });
    await passkeys!.remove(id, person.password);
    expect(await passkeys!.list()).toEqual([]);
    expect(await passkeys!.canUnlockHere()).toBe(false);
  });

  it('is forgotten on this device also where it is removed while locked', async () => {
    const person = await somebody();
    const { id } = await add(person);
    person.client.lock();
    await person.client.passkeys!.remove(id, person.password);
    expect(await person.client.passkeys!.canUnlockHere()).toBe(false);
    await expect(person.client.passkeys!.unlock()).rejects.toMatchObject({ code: 'passkey_unavailable' });
  });

  it('adds nothing with a wrong password, and does not ask the browser', async () => {
    const { client } = await somebody();
    const adding = client.passkeys!.add({ currentPassword: 'not this one', label: 'phone' });
    await expect(adding).rejects.toMatchObject({ code: 'password_wrong' });
    expect(browser.asked).toEqual([]);
  });

  it('adds nothing while locked', async () => {
    const person = await somebody();
    person.client.lock();
    await expect(add(person)).rejects.toMatchObject({ code: 'locked' });
  });

  it('is not there without the option', async () => {
    expect((await aPerson(url)).client.passkeys).toBeUndefined();
  });
});

it('does not unlock after a lock in the meantime', async () => {
  const person = await somebody();
  await add(person);
  person.client.lock();
  const unlocking = outcome(person.client.passkeys!.unlock());
  person.client.lock();
  expect(await unlocking).toMatchObject({ code: 'locked' });
  expect(person.client.state).toBe('locked');
});

it('does not unlock after a sign-out in the meantime', async () => {
  const person = await somebody();
  await add(person);
  person.client.lock();
  const unlocking = outcome(person.client.passkeys!.unlock());
  await person.client.logout();
  expect(await unlocking).toMatchObject({ code: 'session_ended' });
  expect(person.client.state).toBe('signed-out');
});

/** The error, where one came. */
function outcome(result: Promise<unknown>): Promise<unknown> {
  return result.catch((error: unknown) => error);
}
