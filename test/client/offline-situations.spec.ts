import { type HealthRecordsClient, historyOf, MemorySessionStore, OutboxNotEmptyError } from '@app/client';
import { offlineStore, type RowStore } from '@app/client/offline';
import { memoryRows } from '../../libs/client/src/offline/row-store';
import { forEachTest } from '../support/devices';
import { openClient, type Person } from '../support/people';
import type { Proxy } from '../support/proxy';
import { startService } from '../support/service';

const QUOTA = 25;
const NEXT_PASSWORD = 'another battery horse';

/** What happens around a device with an outbox, one row of the README's table each: "Offline". */
let proxy: Proxy;
let person: Person;
let rows: RowStore;
let session: MemorySessionStore;
let phone: HealthRecordsClient;
let tablet: HealthRecordsClient;

forEachTest(
  (devices) => ({ proxy, person, phone, tablet } = devices),
  () => {
    [rows, session] = [memoryRows(), new MemorySessionStore()];
    return onPhone();
  },
  () => startService({ QUOTA_RECORDS: String(QUOTA) }),
);

/** The options of every tab of the phone, and of the phone after a restart. */
function onPhone() {
  return { offline: offlineStore(rows), sessionStore: session, retry: { attempts: 1 } };
}

/** Holds what comes to it until it is opened. */
function aGate() {
  let [reach, open] = [() => {}, () => {}];
  const isReached = new Promise<void>((resolve) => (reach = resolve));
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  const hold = () => {
    reach();
    return isOpen;
  };
  return { isReached, hold, open: () => open() };
}

/** Another tab of the phone, or the phone after a restart: locked. */
async function anotherTab(): Promise<HealthRecordsClient> {
  const tab = openClient(proxy.url, onPhone());
  await tab.resume();
  tab.sync.stop();
  return tab;
}

const medication = (name = 'Ibuprofen', profileId = person.profileId) => ({
  profileId,
  route: 'oral',
  schedule: null,
  details: { name },
});
const aPet = async (name: string) =>
  (await phone.profiles.create({ kind: 'pet', relationship: 'pet', details: { name, species: 'dog' } })).id;
const namesOn = async (device: HealthRecordsClient) =>
  (await device.medications.list()).map(({ details }) => details.name).sort();
const sync = async (...devices: HealthRecordsClient[]) => {
  for (const device of devices) await device.sync.now();
};
const nothingWaits = { pending: 0, problems: [] };
const onlyProblem = (device: HealthRecordsClient) => {
  expect(device.sync.status.problems).toHaveLength(1);
  return device.sync.status.problems[0];
};

it('two tabs of one account have one outbox, and each write is sent once', async () => {
  const other = await anotherTab();
  await other.unlock(person.password);
  proxy.isCut = true;
  const names = Array.from({ length: 8 }, (_, at) => `Medicine ${at}`);
  await Promise.all(names.map((name, at) => (at % 2 ? phone : other).medications.create(medication(name))));
  expect([await namesOn(phone), await namesOn(other)]).toEqual([names, names]);
  proxy.isCut = false;
  proxy.requests.length = 0;
  await Promise.all([phone.sync.now(), other.sync.now()]);
  expect(proxy.calls('POST /api/medications')).toHaveLength(names.length);
  await sync(phone, other, tablet);
  expect([phone.sync.status, other.sync.status]).toMatchObject([nothingWaits, nothingWaits]);
  expect(await namesOn(tablet)).toEqual(names);

  // A tab that is closed while its write is under way leaves it to the other one.
  let arrived = () => {};
  const isUnderWay = new Promise<void>((resolve) => (arrived = resolve));
  proxy.tamper = ({ method }, answer) => {
    if (method !== 'POST') return answer;
    arrived();
    throw new Error('cut');
  };
  await other.medications.create(medication('Medicine 8'));
  const lost = other.sync.now();
  await isUnderWay;
  other.close();
  proxy.tamper = undefined;
  await lost.catch(() => undefined);
  await sync(phone, tablet);
  expect(phone.sync.status).toMatchObject(nothingWaits);
  expect(await namesOn(tablet)).toEqual([...names, 'Medicine 8']);
});

it('a record moved to two profiles is in one of them, and the other one is in its history', async () => {
  const [rex, tom] = [await aPet('Rex'), await aPet('Tom')];
  const { id } = await phone.medications.create(medication());
  await sync(phone, tablet);
  await tablet.medications.update(await tablet.medications.get(id), { profileId: tom });
  await phone.medications.update(await phone.medications.get(id), { profileId: rex });
  await sync(tablet, phone, tablet);
  for (const device of [phone, tablet]) {
    const [merged, ...others] = await device.medications.list();
    expect(others).toEqual([]);
    const [first, second] = [merged.profileId, historyOf(merged)[0].value];
    expect([first, second].sort()).toEqual([rex, tom].sort());
    expect(historyOf(merged)).toMatchObject([{ field: 'profileId' }]);
    expect(await device.medications.list({ profileId: first })).toEqual([merged]);
  }
  const [merged] = await phone.medications.list();
  const [lost] = historyOf(merged);
  await phone.medications.takeBack(merged, lost);
  await sync(phone, tablet);
  expect(await tablet.medications.list({ profileId: lost.value as string })).toHaveLength(1);
});

it('a record moved to a profile that was deleted elsewhere stays, and the person decides', async () => {
  const rex = await aPet('Rex');
  const { id } = await phone.medications.create(medication());
  await sync(phone, tablet);
  const moveOffline = async () =>
    phone.medications.update(await phone.medications.get(id), { profileId: rex });
  await moveOffline();
  await tablet.profiles.delete(rex);
  await sync(tablet, phone);
  const problem = onlyProblem(phone);
  expect(problem).toMatchObject({ recordId: id, code: 'deleted_elsewhere' });
  await phone.sync.resolve(problem.id, 'discard');
  expect(phone.sync.status).toMatchObject(nothingWaits);
  expect(await phone.medications.list({ profileId: person.profileId })).toHaveLength(1);

  const tom = await aPet('Tom');
  await sync(phone, tablet);
  await phone.medications.update(await phone.medications.get(id), { profileId: tom });
  await tablet.profiles.delete(tom);
  await sync(tablet, phone);
  await phone.sync.resolve(onlyProblem(phone).id, 'keep');
  await sync(phone, phone, tablet);
  expect(phone.sync.status).toMatchObject(nothingWaits);
  expect((await tablet.profiles.get(tom)).details.name).toBe('Tom');
  expect(await tablet.medications.list()).toMatchObject([{ id, profileId: tom }]);
});

it('a reached quota keeps the write here, sends the others, and takes it when there is room', async () => {
  const { id } = await phone.medications.create(medication('First'));
  for (let count = 3; count <= QUOTA; count += 1) await phone.medications.logDose(id, { taken: true });
  await sync(phone);
  expect(phone.sync.status).toMatchObject(nothingWaits);
  await phone.medications.create(medication('One too many'));
  await phone.medications.update(await phone.medications.get(id), { details: { notes: 'still sent' } });
  await sync(phone, tablet);
  const problem = onlyProblem(phone);
  expect(problem).toMatchObject({ kind: 'medication', code: 'quota_exceeded' });
  expect(await namesOn(phone)).toEqual(['First', 'One too many']);
  expect(await tablet.medications.list()).toMatchObject([{ details: { notes: 'still sent' } }]);
  const [dose] = await phone.medications.doses(id);
  await phone.medications.deleteDose(id, dose.id);
  await sync(phone);
  await phone.sync.resolve(problem.id, 'retry');
  await sync(phone, tablet);
  expect(phone.sync.status).toMatchObject(nothingWaits);
  expect(await namesOn(tablet)).toEqual(['First', 'One too many']);
});

it('a new password opens at once without a network, and the old one does not', async () => {
  await phone.medications.create(medication());
  await phone.changePassword(person.password, NEXT_PASSWORD);
  proxy.isCut = true;
  phone.lock();
  await expect(phone.unlock(person.password)).rejects.toMatchObject({ code: 'password_wrong' });
  await phone.unlock(NEXT_PASSWORD);
  expect(await namesOn(phone)).toEqual(['Ibuprofen']);
});

it('a password changed elsewhere ends the session; the outbox arrives after the next login', async () => {
  await phone.medications.create(medication());
  const reasons: string[] = [];
  phone.on('session-ended', ({ reason }) => reasons.push(reason));
  await tablet.changePassword(person.password, NEXT_PASSWORD);
  await phone.sync.now().catch(() => undefined);
  expect([phone.state, reasons]).toEqual(['signed-out', ['refresh_refused']]);
  await expect(phone.logout()).rejects.toThrow(OutboxNotEmptyError);
  await expect(phone.login(person.email, person.password)).rejects.toMatchObject({ code: 'password_wrong' });
  await phone.login(person.email, NEXT_PASSWORD);
  await sync(phone, tablet);
  expect(phone.sync.status).toMatchObject(nothingWaits);
  expect(await namesOn(tablet)).toEqual(['Ibuprofen']);
});

it('an account erased elsewhere ends the session; what this device has stays until a forced sign-out', async () => {
  await phone.medications.create(medication());
  await tablet.deleteAccount(person.password);
  expect(await tablet.sync.now()).toMatchObject({ state: 'idle', pending: 0 });
  await phone.sync.now().catch(() => undefined);
  expect(phone.state).toBe('signed-out');
  await expect(phone.logout()).rejects.toMatchObject({ code: 'outbox_not_empty', pending: 1 });
  expect((await rows.read(0)).rows).not.toEqual([]);
  await phone.logout({ force: true });
  expect((await rows.read(0)).rows).toEqual([]);
});

it('the end of all sessions or of the account asks first where writes wait, and leaves nothing here', async () => {
  await phone.medications.create(medication());
  await expect(phone.logoutEverywhere()).rejects.toThrow(OutboxNotEmptyError);
  await expect(phone.deleteAccount(person.password)).rejects.toThrow(OutboxNotEmptyError);
  expect([phone.state, await namesOn(phone)]).toEqual(['unlocked', ['Ibuprofen']]);
  proxy.isCut = true;
  await expect(phone.logoutEverywhere({ force: true })).rejects.toMatchObject({ code: 'network_failed' });
  expect([phone.state, await namesOn(phone)]).toEqual(['unlocked', ['Ibuprofen']]);
  proxy.isCut = false;
  await phone.logoutEverywhere({ force: true });
  const nothing = async () => {
    expect(phone.state).toBe('signed-out');
    expect([(await rows.read(0)).rows, await rows.readPart('account')]).toEqual([[], undefined]);
  };
  await nothing();
  await phone.login(person.email, person.password);
  await phone.medications.create(medication());
  await phone.deleteAccount(person.password, { force: true });
  await nothing();
});

it('a sign-out sends first what waits, also after a try without a network; then nothing is left here', async () => {
  await phone.medications.create(medication());
  proxy.isCut = true;
  expect(await phone.sync.now()).toMatchObject({ state: 'offline', pending: 1, problems: [] });
  await expect(phone.logout()).rejects.toThrow(OutboxNotEmptyError);
  proxy.isCut = false;
  expect(await phone.sync.now()).toMatchObject(nothingWaits);
  await phone.logout();
  expect([(await rows.read(0)).rows, await rows.readPart('account')]).toEqual([[], undefined]);
  await sync(tablet);
  expect(await namesOn(tablet)).toEqual(['Ibuprofen']);
});

it.each(['an answer', 'a page on its way into the store'])(
  'a sign-out during the first download: %s does not fill the emptied store',
  async (held) => {
    const gate = aGate();
    const emptied = memoryRows();
    let isPageOnItsWay = false;
    const read: RowStore['read'] = async (after) => {
      if (isPageOnItsWay) {
        isPageOnItsWay = false;
        await gate.hold();
      }
      return emptied.read(after);
    };
    proxy.tamper = async ({ path }, answer) => {
      if (path !== '/api/sync') return answer;
      if (held === 'an answer') await gate.hold();
      else isPageOnItsWay = true;
      return answer;
    };
    const fresh = openClient(proxy.url, { offline: offlineStore({ ...emptied, read }) });
    await fresh.login(person.email, person.password);
    const syncing = fresh.sync.now();
    await gate.isReached;
    await fresh.logout({ force: true });
    gate.open();
    await syncing;
    expect([(await emptied.read(0)).rows, await emptied.readPart('account')]).toEqual([[], undefined]);
  },
);

it('evicted storage: the cache is filled again, and an unlock needs a network', async () => {
  await phone.medications.create(medication('Stored'));
  await sync(phone);
  proxy.isCut = true;
  await phone.medications.create(medication('Unsent'));
  await rows.clear('');
  await expect(phone.medications.list()).rejects.toMatchObject({ code: 'network_failed' });
  phone.lock();
  await expect(phone.unlock(person.password)).rejects.toMatchObject({ code: 'network_failed' });
  proxy.isCut = false;
  await phone.unlock(person.password);
  expect(await namesOn(phone)).toEqual(['Stored']);
  await sync(phone);
  proxy.isCut = true;
  const restarted = await anotherTab();
  await restarted.unlock(person.password);
  expect(await namesOn(restarted)).toEqual(['Stored']);
});

it('checks all that a profile takes without a network, after a restart, and tells how old the knowledge is', async () => {
  await phone.medications.create(medication('Warfarin'));
  await phone.interactions.refresh();
  const { knowledgeFetchedAt } = phone.interactions;
  proxy.isCut = true;
  const restarted = await anotherTab();
  await restarted.unlock(person.password);
  await restarted.medications.create(medication('Ibuprofen'));
  proxy.requests.length = 0;
  const findings = await restarted.checkInteractionsOf(person.profileId);
  expect(findings.map(({ kind, medications }) => [kind, [...medications].sort()])).toContainEqual([
    'interaction',
    ['Ibuprofen', 'Warfarin'],
  ]);
  expect(restarted.interactions.knowledgeFetchedAt).toBe(knowledgeFetchedAt);
  expect(proxy.requests.filter(({ text }) => /warfarin|ibuprofen/i.test(text))).toEqual([]);
});
