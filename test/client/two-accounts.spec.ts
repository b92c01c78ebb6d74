import { type HealthRecordsClient, MemorySessionStore } from '@app/client';
import { offlineStore, type RowStore } from '@app/client/offline';
import { memoryRows } from '../../libs/client/src/offline/row-store';
import { aPerson, openClient, type Person } from '../support/people';
import { type SharedService, sharedService } from '../support/service';

/** Two accounts on one device, one after the other: no rows of one with the state of the other. */
let service: SharedService;
let people: Person[];

beforeAll(async () => {
  service = await sharedService();
  people = [await aPerson(service.api.url), await aPerson(service.api.url)];
});

/** One device: what it stores outlives its pages. */
class Device {
  readonly rows: RowStore = memoryRows();
  readonly session = new MemorySessionStore();
  client = this.open();

  open(): HealthRecordsClient {
    const options = { offline: offlineStore(this.rows), sessionStore: this.session, retry: { attempts: 1 } };
    return openClient(service.api.url, options);
  }

  /** The page goes without a word, in the middle of what it does. */
  crash(): void {
    this.client.sync.stop();
    this.client = this.open();
  }

  async signIn({ email, password }: Person): Promise<void> {
    await this.client.login(email, password);
    this.client.sync.stop();
  }

  /** The service ends the session, as after 30 days. */
  async expire(): Promise<void> {
    const session = this.session.read()!;
    await service.api.post('/api/auth/logout', { refresh_token: session.refreshToken });
    this.session.write(null);
    this.crash();
  }

  async names(): Promise<string[]> {
    return (await this.client.medications.list()).map(({ details }) => details.name).sort();
  }

  async add({ profileId }: Person, name: string): Promise<void> {
    await this.client.medications.create({ profileId, route: 'oral', schedule: null, details: { name } });
  }

  async text(): Promise<string> {
    const rows = (await this.rows.read(0)).rows.flat();
    return [...rows, await this.rows.readPart('account')].join('\n');
  }
}

const idOf = async (person: Person) => (await person.client.account()).id;

it('shows the family of the first account after the second one had the device', async () => {
  const [ada, eve] = people;
  const device = new Device();
  await device.signIn(ada);
  await device.add(ada, 'Ibuprofen');
  await device.client.sync.now();
  await device.expire();
  await device.signIn(eve);
  expect(await device.names()).toEqual([]);
  expect(await device.client.profiles.list()).toHaveLength(1);
  await device.expire();
  await device.signIn(ada);
  expect(await device.names()).toEqual(['Ibuprofen']);
  expect(await device.client.profiles.list()).toHaveLength(1);
  device.crash();
  await device.client.resume();
  await device.client.unlock(ada.password);
  expect(await device.names()).toEqual(['Ibuprofen']);
});

it('keeps what the first account has not sent, and sends it in order when it signs in again', async () => {
  const [ada, eve] = people;
  const device = new Device();
  await device.signIn(ada);
  const before = await device.names();
  await device.add(ada, 'Unsent 1');
  await device.expire();
  await device.signIn(eve);
  expect(device.client.sync.status.pending).toBe(0);
  await device.client.logout();
  await device.signIn(ada);
  await device.add(ada, 'Unsent 2');
  expect(await device.client.sync.now()).toMatchObject({ pending: 0, problems: [] });
  expect(await device.names()).toEqual([...before, 'Unsent 1', 'Unsent 2'].sort());
});

it('leaves nothing of an account that signs out, and nothing of the other one is lost', async () => {
  const [ada, eve] = people;
  const device = new Device();
  await device.signIn(ada);
  await device.add(ada, 'Kept');
  await device.expire();
  await device.signIn(eve);
  await device.add(eve, 'Eve’s');
  await device.client.sync.now();
  const { id: profileOfEve } = (await device.client.profiles.list())[0];
  await device.client.logout();
  const text = await device.text();
  for (const trace of [eve.email, await idOf(eve), profileOfEve]) expect(text).not.toContain(trace);
  expect(text).toContain(await idOf(ada));
  await device.signIn(ada);
  await device.client.sync.now();
  expect(await device.names()).toContain('Kept');
  await device.client.logout();
  expect(await device.text()).toBe('');
});

it.each([1, 2, 3, 4, 5, 6])(
  'ends with what each account has, in any order of events (seed %d)',
  async (seed) => {
    let state = seed;
    const pick = (count: number) => (state = (state * 48_271) % 2_147_483_647) % count;
    const device = new Device();
    const known: string[][] = [];
    for (const [at, person] of people.entries()) {
      await device.signIn(person);
      known[at] = await device.names();
      await device.expire();
    }
    let current: number | undefined;
    for (let step = 0; step < 25; step += 1) {
      const action = pick(6);
      const note = `seed ${seed}, step ${step}, action ${action}, account ${current}`;
      if (current === undefined || action === 0) {
        current = pick(2);
        await device.signIn(people[current]);
      } else if (action === 1) {
        await device.add(people[current], `${seed}.${step}`);
        known[current].push(`${seed}.${step}`);
      } else if (action === 2) await device.client.sync.now();
      else if (action === 3) {
        device.crash();
        await device.client.resume();
        await device.client.unlock(people[current].password);
        device.client.sync.stop();
      } else if (action === 4) {
        await device.expire();
        current = undefined;
      } else {
        await device.client.sync.now();
        await device.client.logout();
        current = undefined;
      }
      if (current !== undefined)
        expect([note, await device.names()]).toEqual([note, [...known[current]].sort()]);
    }
    for (const [at, person] of people.entries()) {
      await device.signIn(person);
      expect(await device.client.sync.now()).toMatchObject({ pending: 0, problems: [] });
      expect(await device.names()).toEqual([...known[at]].sort());
    }
  },
);
