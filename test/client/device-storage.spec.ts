import { type HealthRecordsClient, MemorySessionStore, type SyncStatus } from '@app/client';
import { offlineStore, type RowStore } from '@app/client/offline';
import { memoryRows } from '../../libs/client/src/offline/row-store';
import { aPhoneAndATablet } from '../support/devices';
import { openClient, type Person } from '../support/people';
import { type SharedService, sharedService } from '../support/service';

/** What a storage of the device throws, and the code that a page gets. */
const REFUSALS = [
  ['a full disk of a browser', new DOMException('', 'QuotaExceededError'), 'device_full'],
  ['a full disk of Node', Object.assign(new Error(), { code: 'ENOSPC' }), 'device_full'],
  ['a lost database', new DOMException('', 'InvalidStateError'), 'device_storage_failed'],
] as const;

let service: SharedService;
let person: Person;
let phone: HealthRecordsClient;
let tablet: HealthRecordsClient;
let session: MemorySessionStore;
/** What the storage throws, and at which of its steps. */
let refusal: Error | undefined;
let refused: (keyof RowStore)[] = [];
let refusedRows: RegExp;
let reads = 0;

beforeAll(async () => {
  service = await sharedService();
});
beforeEach(async () => {
  refusal = undefined;
  refusedRows = /./;
  session = new MemorySessionStore();
  ({ person, phone, tablet } = await aPhoneAndATablet(service.api.url, {
    offline: offlineStore(refusingRows()),
    sessionStore: session,
  }));
});

/** Rows in memory that refuse what the test says. */
function refusingRows(): RowStore {
  const rows = memoryRows();
  const step = <T>(name: keyof RowStore, run: () => Promise<T>): Promise<T> =>
    refusal !== undefined && refused.includes(name) ? Promise.reject(refusal) : run();
  return {
    read: (after) => {
      reads += 1;
      return step('read', () => rows.read(after));
    },
    write: (changed, expected) =>
      changed.some(([key]) => refusedRows.test(key))
        ? step('write', () => rows.write(changed, expected))
        : rows.write(changed, expected),
    readPart: (name) => step('readPart', () => rows.readPart(name)),
    writePart: (name, text) => step('writePart', () => rows.writePart(name, text)),
    clear: (prefix) => step('clear', () => rows.clear(prefix)),
  };
}

const add = () =>
  phone.medications.create({
    profileId: person.profileId,
    route: 'oral',
    schedule: null,
    details: { name: 'Ibuprofen' },
  });

const failure = (code: string) => ({
  state: 'failed',
  failure: expect.objectContaining({ code }) as unknown,
});

it.each(REFUSALS)(
  'a write and %s: an error of the library, and the state says it',
  async (_, thrown, code) => {
    await phone.sync.now();
    const states: SyncStatus[] = [];
    phone.on('sync', (status) => states.push(status));
    [refusal, refused] = [thrown, ['write']];
    await expect(add()).rejects.toMatchObject({ name: 'DeviceStorageError', code, cause: thrown });
    expect(phone.sync.status).toMatchObject({ ...failure(code), pending: 0 });
    expect(states.at(-1)).toMatchObject(failure(code));
    await expect(phone.sync.now()).rejects.toMatchObject({ code });
    expect(phone.sync.status).toMatchObject(failure(code));

    refusal = undefined;
    const { id } = await add();
    await phone.sync.now();
    expect(phone.sync.status).toMatchObject({ state: 'idle', failure: null, pending: 0, problems: [] });
    await tablet.sync.now();
    expect((await tablet.medications.get(id)).details.name).toBe('Ibuprofen');
  },
);

it('a write that the service has, and the device cannot note: it waits, and is no question for a person', async () => {
  await phone.sync.now();
  const { id } = await add();
  // The confirmation removes the entry of the outbox.
  [refusal, refused, refusedRows] = [REFUSALS[0][1], ['write'], / (outbox|record) /];
  await expect(phone.sync.now()).rejects.toMatchObject({ code: 'device_full' });
  expect(phone.sync.status).toMatchObject({ ...failure('device_full'), pending: 1, problems: [] });
  refusal = undefined;
  await phone.sync.now();
  expect(phone.sync.status).toMatchObject({ state: 'idle', pending: 0, problems: [] });
  await tablet.sync.now();
  expect((await tablet.medications.list({ profileId: person.profileId })).map((each) => each.id)).toEqual([
    id,
  ]);
});

it('a write that is refused while a sync runs: that sync does not end as idle', async () => {
  await phone.sync.now();
  const running = phone.sync.now();
  [refusal, refused, refusedRows] = [REFUSALS[0][1], ['write'], / outbox /];
  await expect(add()).rejects.toMatchObject({ code: 'device_full' });
  await expect(running).rejects.toMatchObject({ code: 'device_full' });
  expect(phone.sync.status).toMatchObject(failure('device_full'));
});

it('a store that does not open: the records are an error, and the state says it', async () => {
  phone.lock();
  await phone.unlock(person.password);
  [refusal, refused] = [REFUSALS[2][1], ['read']];
  await expect(phone.medications.list()).rejects.toMatchObject({ code: 'device_storage_failed' });
  await phone.sync.now().catch(() => undefined);
  expect(phone.sync.status).toMatchObject(failure('device_storage_failed'));
  refusal = undefined;
  expect(await phone.medications.list()).toEqual([]);
  await phone.sync.now();
  expect(phone.sync.status).toMatchObject({ state: 'idle', failure: null });
});

it('a sign-out whose copy stays on the device says so', async () => {
  await phone.sync.now();
  [refusal, refused] = [REFUSALS[2][1], ['clear']];
  await expect(phone.logout()).rejects.toMatchObject({ code: 'device_storage_failed' });
  expect(phone.state).toBe('signed-out');
  expect(session.read()).toBeNull();
});

it('a session that cannot be stored is none', async () => {
  const full = Object.assign(new MemorySessionStore(), {
    write: () => Promise.reject(REFUSALS[0][1]),
  });
  const client = openClient(service.api.url, { sessionStore: full });
  await expect(client.login(person.email, person.password)).rejects.toMatchObject({ code: 'device_full' });
  expect([client.state, client.email]).toEqual(['signed-out', null]);
});

it('reads its storage as often for many doses as for one', async () => {
  await phone.sync.now();
  const { id } = await add();
  const readsOfList = async () => {
    const before = reads;
    await phone.medications.doses(id);
    return reads - before;
  };
  await phone.medications.logDose(id, { taken: true });
  const ofOne = await readsOfList();
  for (let dose = 0; dose < 20; dose += 1) await phone.medications.logDose(id, { taken: true });
  expect(await readsOfList()).toBe(ofOne);
});
