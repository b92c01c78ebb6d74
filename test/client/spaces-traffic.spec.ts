import { MemorySessionStore } from '@app/client';
import { offlineStore } from '@app/client/offline';
import { memoryRows } from '../../libs/client/src/offline/row-store';
import { aCircle, anotherDevice, aSharer, type Sharer } from '../support/sharers';
import { Proxy } from '../support/proxy';
import { type SharedService, sharedService } from '../support/service';

/** What shared profiles load, ask and send: as little as they need, and nothing that tells more. */
let loaded = 0;
jest.mock('../../libs/client/src/spaces/formats/x-wing-suite', () => {
  loaded += 1;
  return jest.requireActual<object>('../../libs/client/src/spaces/formats/x-wing-suite');
});

let service: SharedService;
let proxy: Proxy;
let ada: Sharer;
beforeAll(async () => {
  service = await sharedService();
  proxy = await Proxy.start(service.api.url);
});
afterAll(() => proxy.stop());
beforeEach(() => proxy.mend());

const rows = memoryRows();
const sessionStore = new MemorySessionStore();
const options = { offline: offlineStore(rows), sessionStore, retry: { attempts: 1 } };

it('an account that shares nothing loads no code for it, and asks once', async () => {
  ada = await aSharer(proxy.url, options);
  await ada.client.sync.now();
  await ada.client.profiles.list();
  await ada.client.sync.now();
  expect(proxy.calls('GET /api/spaces')).toHaveLength(1);
  expect(proxy.calls('GET /api/users/me/keys')).toHaveLength(0);
  expect(proxy.calls('GET /api/trust-book')).toHaveLength(0);
  expect(loaded).toBe(0);
});

it('a device without a network opens a shared profile after a reload, and needs no X-Wing for it', async () => {
  await aCircle(ada);
  await ada.client.sync.now();
  expect(loaded).toBe(1);
  await ada.client.medications.create({
    profileId: ada.profileId,
    route: 'oral',
    schedule: null,
    details: { name: 'Warfarin' },
  });
  await ada.client.sync.now();
  ada.client.close();
  proxy.isCut = true;
  await jest.isolateModulesAsync(async () => {
    const { HealthRecordsClient } = await import('@app/client');
    const { offlineStore: storeOf } = await import('@app/client/offline');
    const { sharedProfiles } = await import('@app/client/spaces');
    const { deviceInteractionEngine } = await import('@app/client/interactions/device-engine');
    const client = new HealthRecordsClient({
      baseUrl: proxy.url,
      ...options,
      offline: storeOf(rows),
      spaces: sharedProfiles(),
      interactionEngine: deviceInteractionEngine,
    });
    await client.resume();
    await client.unlock(ada.password);
    client.sync.stop();
    const [medicine] = await client.medications.list({ profileId: ada.profileId });
    expect(medicine.details.name).toBe('Warfarin');
    expect(await client.spaces!.list()).toMatchObject([{ state: 'member', profileId: ada.profileId }]);
    client.close();
  });
  expect(loaded).toBe(1);
});

it('there is no directory: nobody is looked up, neither by an email nor by an account', async () => {
  const [eva, ben] = [await aSharer(proxy.url), await aSharer(proxy.url)];
  proxy.requests.length = 0;
  await aCircle(eva, [[ben, 'editor']]);
  await ben.spaces.get(eva.profileId);
  await (await anotherDevice(proxy.url, ben)).spaces.get(eva.profileId);
  const { requests } = proxy;
  const sent = requests.map(({ url, text }) => `${url} ${text}`).join('\n');
  // The email of the device's own sign-in apart.
  expect(sent).not.toContain(eva.email);
  const asked = requests.map(({ url }) => url).join('\n');
  for (const id of [eva.id, ben.id]) expect(asked).not.toContain(id);
  const keys = requests.filter(({ method, path }) => method === 'GET' && path.includes('keys'));
  expect(new Set(keys.map(({ url }) => url))).toEqual(new Set(['/api/users/me/keys']));
});

it('attack 21: neither names nor secrets of links are in the traffic', async () => {
  const [eva, ben] = [await aSharer(proxy.url), await aSharer(proxy.url)];
  proxy.requests.length = 0;
  const heard: string[] = [];
  proxy.tamper = (_request, answer) => {
    heard.push(answer.text);
    return answer;
  };
  const { id } = await eva.spaces.share(eva.profileId, 'Evangelina Canary');
  const made = await eva.spaces.invite(id, 'viewer');
  await ben.spaces.accept(await ben.spaces.openInvitation(made.fragment), 'Benedict Canary');
  await eva.spaces.confirm(id, made.id, true);
  await ben.spaces.get(eva.profileId);
  const secret = Buffer.from(made.fragment, 'base64url').subarray(33);
  const all = [...proxy.requests.map(({ url, text }) => url + text), ...heard].join('\n');
  for (const canary of [
    'Canary',
    made.fragment,
    secret.toString('base64'),
    secret.toString('hex'),
    secret.toString('base64url'),
  ])
    expect(all).not.toContain(canary);
});
