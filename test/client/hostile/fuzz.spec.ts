import { randomInt } from 'node:crypto';
import { startService, type TestService } from '../../support/service';
import type { Device } from './device';
import { Family, type Kind, medication, SEALED, type Sealed, type Wire } from './family';
import { idOf, inRows, isWrite } from './lies';
import { json, type Lie } from './lying-fetch';
import { FEED } from './rows-feed';
import { READS } from './rows-reads';
import { WRITES } from './rows-writes';

/**
 * Two devices write, and a service lies at random to each. In the end it is honest: both show what a new device shows, or
 * hold a question, and every text that was written is in a record, in its history or in a question.
 * `FUZZ_SEED=7 npx jest test/client/hostile/fuzz` repeats a run; `TEST_LONG=1` takes 10,000 steps, others each time.
 */
const STEPS = 200;
const CHAPTERS = Number(process.env.FUZZ_CHAPTERS ?? (process.env.TEST_LONG ? 50 : 2));
const SEED = Number(process.env.FUZZ_SEED ?? (process.env.TEST_LONG ? randomInt(1, 2 ** 30) : 7));
let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Lies that need an answer of a person are in the table. These heal by themselves. */
const LIES = [...READS, ...FEED, ...WRITES].filter(
  ({ answer, lie }) => !answer && !/100,000|10,000|slow|megabyte/.test(lie),
);

/** The device is shown all records as they are now, whatever others write: what it writes is made without that. */
async function frozen(family: Family): Promise<Lie> {
  const rows = new Map<string, Wire>();
  for (const kind of SEALED) {
    for (const id of [family.subjects[kind], idOf(kind, family.others[kind])])
      rows.set(id, await family.stored(kind, id));
  }
  const tell = inRows((row, kind) => {
    const shown = rows.get(idOf(kind, row));
    return shown ? { ...shown, revision: row.revision } : row;
  });
  return async (asked, pass) => {
    if (!isWrite(asked)) return tell(asked, pass);
    const answer = await pass();
    // What the device has written itself, it is shown.
    if (answer.status === 200 && answer.text !== '') {
      const stored = JSON.parse(answer.text) as Wire;
      rows.set(stored.id ?? stored.profile_id, stored);
      return json(200, stored, answer.headers);
    }
    return answer;
  };
}

/** Writes a text into a field that stands alone, or into one of a unit. What was there is kept. */
async function write({ client }: Device, family: Family, kind: Sealed, inUnit: boolean, text: string) {
  const id = family.subjects[kind];
  const append = (details: any, field: string) => ({
    details: { [field]: `${details[field] ?? ''} ${text}` },
  });
  if (kind === 'profile') {
    const profile = await client.profiles.get(id);
    const allergies = [...(profile.details.allergies ?? []), { text }];
    await client.profiles.update(
      profile,
      inUnit ? { details: { allergies } } : append(profile.details, 'notes'),
    );
  } else if (kind === 'medication') {
    const record = await client.medications.get(id);
    await client.medications.update(record, append(record.details, inUnit ? 'instructions' : 'notes'));
  } else if (kind === 'health_stat') {
    const record = await client.healthStats.get(id);
    await client.healthStats.update(record, append(record.details, inUnit ? 'device' : 'note'));
  } else {
    const record = await client.appointments.get(id);
    await client.appointments.update(record, append(record.details, 'notes'));
  }
}

/** All that a device shows of the records, with histories and questions. */
async function textOf({ client }: Device): Promise<string> {
  const lists = [
    await client.profiles.list(),
    await client.medications.list(),
    await client.appointments.list(),
    await client.healthStats.list(),
  ];
  const shown = lists.flat().map(({ id, details, ...each }: any) => {
    const { profileId, route, schedule, status, recordedAt, relationship } = each;
    return { id, details, profileId, route, schedule, status, recordedAt, relationship };
  });
  return JSON.stringify(shown.sort((a, b) => (a.id < b.id ? -1 : 1)));
}

/** Made without the other change: by as many generations or more, or by fewer. */
const BRANCHED = ['stale_revision', 'rolled_back'];

const problemsOf = (devices: Device[]) =>
  devices.flatMap((device) => device.client.sync.status.problems.map((problem) => ({ device, problem })));

async function settle(devices: Device[]) {
  for (let round = 0; round < 4; round += 1) for (const device of devices) await device.sync(1);
}

async function play(seed: number): Promise<void> {
  let state = seed;
  const pick = (count: number) => (state = (state * 48_271) % 2_147_483_647) % count;
  const family = await Family.start(service.api.url);
  const devices = [await family.device(true), await family.device(true)];
  const written: string[] = [];
  const past: string[] = [];

  for (let step = 0; step < STEPS; step += 1) {
    const at = pick(2);
    const device = devices[at];
    const action = pick(20);
    const text = `text-${step}.`;
    const kind = SEALED[pick(SEALED.length)];
    if (action === 0) {
      const created = medication(family.person.profileId, text, 'daily');
      await device.client.medications.create(created).then(
        () => written.push(text),
        () => undefined,
      );
    } else if (action < 8) {
      // A device that was signed out, or whose first listing was cut, refuses.
      await write(device, family, kind, pick(2) === 0, text).then(
        () => written.push(text),
        () => undefined,
      );
      past.push(`${at}: ${text} ${kind}`);
    } else if (action < 12) await device.sync(1);
    else if (action < 14) {
      past.push(`${at}: frozen`);
      device.network.begin(await frozen(family));
      await device.sync(1);
    } else if (action < 17) {
      const row = LIES[pick(LIES.length)];
      const of: Kind = row.kinds[pick(row.kinds.length)];
      past.push(`${at}: ${row.lie} (${of})`);
      device.network.begin(row.tell(family, of));
      await device.sync(1);
    } else {
      past.push(`${at}: honest`);
      device.network.begin(undefined);
      if (pick(4) === 0) await family.look();
    }
  }

  const note = `FUZZ_SEED=${seed}: ${past.join('; ')}`;
  for (const device of devices) device.network.begin(undefined);
  // Only a new start finds out that an old profile was shown under the newest revision.
  for (const device of devices) await device.reload();
  await settle(devices);
  // Only what was written without the other change is a question.
  const codes = problemsOf(devices).map(({ problem }) => problem.code);
  expect({ note, codes }).toEqual({ note, codes: codes.filter((code) => BRANCHED.includes(code)) });
  const before = await Promise.all(devices.map(textOf));
  const lost = written.filter((text) => before.every((shown) => !shown.includes(text)));
  expect({ note, lost }).toEqual({ note, lost: [] });
  for (let times = 0; times < 3; times += 1) {
    for (const { device, problem } of problemsOf(devices))
      await device.client.sync.resolve(problem.id, pick(2) === 0 ? 'keep' : 'discard');
    await settle(devices);
  }
  const statuses = devices.map(({ client: { sync } }) => [sync.status.pending, sync.status.problems]);
  expect({ note, statuses }).toEqual({ note, statuses: devices.map(() => [0, []]) });
  const other = await family.device(true);
  const [ours, ...others] = await Promise.all([...devices, other].map(textOf));
  for (const theirs of others) expect({ note, text: theirs }).toEqual({ note, text: ours });
  if (codes.length === 0)
    expect({ note, lost: written.filter((text) => !ours.includes(text)) }).toEqual({ note, lost: [] });
  for (const device of [...devices, other]) await device.leave();
}

it.each(Array.from({ length: CHAPTERS }, (_, at) => SEED + at))(
  `loses nothing that was written (FUZZ_SEED=%i, ${STEPS} steps)`,
  play,
  300_000,
);
