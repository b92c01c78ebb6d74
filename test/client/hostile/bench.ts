import { isDeepStrictEqual } from 'node:util';
import type { Content, Device } from './device';
import type { Family, Kind } from './family';
import type { Lie } from './lying-fetch';

/** What the person writes while the service lies: what each record must hold then; `null` for one that is deleted. */
export type Written = Record<string, Record<string, unknown> | null>;

/** One line of the table. */
export interface Row {
  lie: string;
  tell: (family: Family, kind: Kind) => Lie;
  /** Each kind is a test of its own. */
  kinds: readonly Kind[];
  /** Default: a device with a cache, and one without. */
  on?: readonly ('offline' | 'online')[];
  /** Done on the device while the service lies. */
  act?: (device: Device, family: Family, kind: Kind) => Promise<Written>;
  /** One of these codes must reach the person with a cache. None: nothing needs to be said. `quiet`: nothing may be said. */
  told?: readonly string[] | 'quiet';
  toldOnline?: readonly string[] | 'quiet';
  /** The problem stays a question after the lie, and the person answers so. Default: everything heals by itself. */
  answer?: 'retry' | 'keep' | 'discard';
  /** A session without a cache that has just begun cannot know. */
  isBlindAnew?: true;
  /** The service did it for good: what the truth is then. */
  after?: (family: Family, kind: Kind) => Written;
}

/** Plays one line on one device, and compares what is seen with the truth at each stage. */
export async function play(row: Row, kind: Kind, on: 'offline' | 'online', family: Family): Promise<void> {
  const device = await family.device(on === 'offline');
  try {
    await playOn(device, row, kind, on, family);
  } finally {
    await device.leave();
  }
}

async function playOn(
  device: Device,
  row: Row,
  kind: Kind,
  on: 'offline' | 'online',
  family: Family,
): Promise<void> {
  const before = await family.truth();
  device.told.clear();
  device.network.begin(row.tell(family, kind));
  const written = (await row.act?.(device, family, kind)) ?? {};
  const truth = withWritten(before, written);

  await device.sync();
  expectNothingFalse('while it lies', device, await device.content(), truth, before);
  if (!(row.isBlindAnew && on === 'online') && (await device.reload())) {
    await device.sync();
    expectNothingFalse('after a reload', device, await device.content(), truth, before);
  }
  const told = on === 'offline' ? row.told : (row.toldOnline ?? row.told);
  if (told === 'quiet') expect([...device.told]).toEqual([]);
  else if (told && told.length > 0)
    expect([...device.told]).toEqual(expect.arrayContaining([expect.stringMatching(oneOf(told))]));
  expect([...device.told].filter((code) => /^raw |^protocol_bug/.test(code))).toEqual([]);

  device.network.begin(undefined);
  // A session without a cache holds what it has once seen against every later answer.
  if (device.client.state !== 'unlocked' || on === 'online') expect(await device.reload()).toBe(true);
  await device.sync();
  if (row.answer) {
    for (const { id } of device.client.sync.status.problems) await device.client.sync.resolve(id, row.answer);
    await device.sync();
  }
  expect(device.client.sync.status).toMatchObject({ pending: 0, problems: [] });
  const end = withWritten(truth, row.after?.(family, kind) ?? {});
  const healed = await device.content();
  expect({ stage: 'honest again', content: healed }).toEqual({ stage: 'honest again', content: end });
  expect({ stage: 'another device', content: await family.truth() }).toEqual({
    stage: 'another device',
    content: end,
  });
  if (row.act || row.answer) {
    const other = await family.device(true);
    expect({ stage: 'a new device', content: await other.content() }).toEqual({
      stage: 'a new device',
      content: end,
    });
    await other.leave();
  }
}

const oneOf = (codes: readonly string[]) => new RegExp(`^(${codes.join('|')})$`);

/** What is shown is the last good state, what this device wrote, or nothing where the person was told so. */
function expectNothingFalse(
  stage: string,
  device: Device,
  shown: Content,
  truth: Content,
  before: Content,
): void {
  for (const [key, value] of Object.entries(shown)) {
    const isRight = [truth[key], before[key]].some((each) => isDeepStrictEqual(each, value));
    if (!isRight)
      expect({ stage, key, value }).toEqual({ stage, key, value: truth[key] ?? 'no such record' });
  }
  const absent = Object.keys(truth).filter((key) => !(key in shown) && key in before);
  const isAbsenceKnown = !device.hasCache && device.told.size > 0;
  if (!isAbsenceKnown) expect({ stage, absent }).toEqual({ stage, absent: [] });
}

function withWritten(content: Content, written: Written): Content {
  const after = { ...content };
  for (const [key, value] of Object.entries(written)) {
    if (value === null) delete after[key];
    else after[key] = { ...after[key], ...value };
  }
  return after;
}
