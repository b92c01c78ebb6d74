import { startService, type TestService } from '../../support/service';
import type { Device } from './device';
import { Family, SEALED, type Sealed, type Wire } from './family';
import { idOf, inRows, isFeed, notFound, tombstone } from './lies';
import { type Answer, json } from './lying-fetch';

/**
 * The service confirms what one device has changed, and shows another device the state of before. What that one writes is
 * authentic and newer, and was made without the first change.
 */
let service: TestService;
let family: Family;

beforeAll(async () => {
  service = await startService();
  family = await Family.start(service.api.url);
});
afterAll(() => service.stop());

const open: Device[] = [];
afterEach(async () => {
  for (const device of open.splice(0)) await device.leave();
});
async function aDevice(): Promise<Device> {
  const device = await family.device(true);
  open.push(device);
  return device;
}

let serial = 0;
const edit = async (device: Device, kind: Sealed, notes: string) => {
  const { client } = device;
  const id = family.subjects[kind];
  const changes = { details: { notes } };
  if (kind === 'profile') await client.profiles.update(await client.profiles.get(id), changes);
  else if (kind === 'appointment')
    await client.appointments.update(await client.appointments.get(id), changes);
  else if (kind === 'health_stat') await client.healthStats.update(await client.healthStats.get(id), changes);
  else await client.medications.update(await client.medications.get(id), changes);
  await device.sync(1);
};
const notesOf = async (device: Device, kind: Sealed) =>
  (await device.content())[`${kind} ${family.subjects[kind]}`].notes;
const sealOf = (kind: Sealed, row: Wire): string =>
  kind === 'profile' ? row.name_data : row.encrypted_data.ciphertext;

/** Changes the subject on one device while the other one is shown the records as they were before. */
async function forked(kind: Sealed, generations: number) {
  const [phone, tablet, watch] = await Promise.all([1, 2, 3].map(aDevice));
  const before = new Map<string, Wire>();
  const states = async () => {
    const profiles = [family.person.profileId, family.subjects.profile];
    const all = [
      ['profile', profiles[0]],
      ['profile', profiles[1]],
      [kind, family.subjects[kind]],
    ] as const;
    return Promise.all(all.map(async ([of, id]) => [of, id, await family.stored(of, id)] as const));
  };
  const old = await states();
  const mine = `the phone ${(serial += 1)}`;
  await edit(phone, kind, mine);
  await watch.sync(2);
  for (const [at, [of, id, row]] of (await states()).entries()) {
    if (sealOf(of, row) !== sealOf(of, old[at][2])) before.set(`${id} ${sealOf(of, row)}`, old[at][2]);
  }
  tablet.network.begin(
    inRows((row, of) => {
      if (of === 'dose') return row;
      const shown = before.get(`${idOf(of, row)} ${sealOf(of, row)}`);
      return shown ? { ...shown, revision: row.revision } : row;
    }),
  );
  await tablet.sync(1);
  let theirs = '';
  for (let generation = 0; generation < generations; generation += 1) {
    theirs = `the tablet ${(serial += 1)}`;
    await edit(tablet, kind, theirs);
  }
  expect(tablet.client.sync.status).toMatchObject({ pending: 0, problems: [] });
  tablet.network.begin(undefined);
  return { phone, tablet, watch, mine, theirs };
}

const BRANCHES = SEALED.flatMap((kind) => [1, 2, 3].map((generations) => [kind, generations] as const));

describe.each(BRANCHES)('%s, after %i writes of the other device', (kind, generations) => {
  it.each(['keep', 'discard'] as const)('is a question, and %s settles it everywhere', async (answer) => {
    const { phone, tablet, watch, mine, theirs } = await forked(kind, generations);
    await phone.sync();
    expect(await notesOf(phone, kind)).toBe(mine);
    const { problems } = phone.client.sync.status;
    expect(problems).toMatchObject([
      { recordId: family.subjects[kind], code: 'stale_revision', resolutions: ['retry', 'keep', 'discard'] },
    ]);
    await phone.client.sync.resolve(problems[0].id, answer);
    for (const device of [phone, tablet, watch, phone]) await device.sync();
    const another = await aDevice();
    const settled = answer === 'keep' ? mine : theirs;
    for (const device of [phone, tablet, watch, another]) {
      expect(await notesOf(device, kind)).toBe(settled);
      expect(device.client.sync.status).toMatchObject({ pending: 0, problems: [] });
    }
  });
});

it('the phone learns of each further state of the branch', async () => {
  const { phone, tablet, watch, mine } = await forked('medication', 2);
  await phone.sync(2);
  await edit(tablet, 'medication', 'the tablet goes on');
  await phone.sync(2);
  expect(await notesOf(phone, 'medication')).toBe(mine);
  expect([...phone.told]).toEqual(['stale_revision']);
  const [{ id }] = phone.client.sync.status.problems;
  await phone.client.sync.resolve(id, 'discard');
  for (const device of [phone, tablet, watch]) await device.sync();
  expect(await notesOf(phone, 'medication')).toBe('the tablet goes on');
});

it('a change that waits is sent after the answer', async () => {
  const { phone, tablet, watch, mine } = await forked('medication', 2);
  const id = family.subjects.medication;
  const record = await phone.client.medications.get(id);
  await phone.client.medications.update(record, { details: { prescriber: 'Dr. Who' } });
  await phone.sync();
  const [problem] = phone.client.sync.status.problems;
  await phone.client.sync.resolve(problem.id, 'keep');
  for (const device of [phone, tablet, watch]) await device.sync();
  for (const device of [phone, tablet, watch]) {
    expect(device.client.sync.status).toMatchObject({ pending: 0, problems: [] });
    const { details } = await device.client.medications.get(id);
    expect(details).toMatchObject({ notes: mine, prescriber: 'Dr. Who' });
  }
});

describe('a change that is hidden behind the newest revision', () => {
  /** Shows the tablet the subject as it was before the phone has changed it. The head is shown as it is. */
  async function hidden(kind: Sealed) {
    const [phone, tablet] = [await aDevice(), await aDevice()];
    const old = await family.stored(kind);
    const mine = `the phone ${(serial += 1)}`;
    await edit(phone, kind, mine);
    const newest = await family.stored(kind);
    const lie = inRows((row, of) =>
      of === kind && sealOf(of, row) === sealOf(kind, newest) ? { ...old, revision: row.revision } : row,
    );
    return { tablet, mine, lie };
  }
  const LISTED = SEALED.filter((kind) => kind !== 'profile');

  it.each(LISTED)('%s: is found once the service is honest', async (kind) => {
    const { tablet, mine, lie } = await hidden(kind);
    tablet.network.begin(lie);
    await tablet.sync();
    expect([...tablet.told]).toEqual(['rolled_back']);
    tablet.network.begin(undefined);
    await tablet.sync();
    expect(await notesOf(tablet, kind)).toBe(mine);
    expect(tablet.client.sync.status.problems).toEqual([]);
  });

  it.each(LISTED)('%s: is no deletion', async (kind) => {
    const { tablet, mine } = await hidden(kind);
    const id = family.subjects[kind];
    // The change is left out, and then the service says that the record was deleted.
    const page = async (pass: () => Promise<Answer>) => {
      const answer = await pass();
      const feed = JSON.parse(answer.text) as Wire;
      const changes = feed.changes.filter((each: Wire) => each.id !== id);
      return json(200, { ...feed, changes: [...changes, tombstone(kind, id)] });
    };
    tablet.network.begin((asked, pass) => {
      if (asked.method === 'GET' && asked.path.endsWith(`/${id}`)) return notFound();
      return isFeed(asked) ? page(pass) : pass();
    });
    await tablet.sync();
    expect((await tablet.content())[`${kind} ${id}`]).toBeDefined();
    expect(tablet.told.size).toBeGreaterThan(0);
    tablet.network.begin(undefined);
    await tablet.sync();
    expect(await notesOf(tablet, kind)).toBe(mine);
    expect(tablet.client.sync.status.problems).toEqual([]);
  });
});
