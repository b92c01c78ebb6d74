import type { Device } from './device';
import { medication, PATHS, SEALED, type Family, type Kind, type Sealed, type Wire } from './family';
import {
  error,
  flipped,
  isFeed,
  isWrite,
  lost,
  notFound,
  portal,
  storedBut,
  tombstone,
  withCiphertext,
  writesGet,
} from './lies';
import type { Row, Written } from './bench';
import { html, json, type Answer, type Lie } from './lying-fetch';

const QUESTION = ['deleted_elsewhere', 'deletion_unproven', 'not_found', 'withheld'];
const offline = ['offline'] as const;
let serial = 0;

/** Answers a create as `refuse` does, and puts a deletion of its id into the feed. */
function deletesTheCreate(refuse: () => Answer): Lie {
  let id: string | undefined;
  return async (asked, pass) => {
    if (isWrite(asked) && asked.sent?.id) {
      id ??= asked.sent.id;
      return refuse();
    }
    const answer = await pass();
    if (!id || !isFeed(asked)) return answer;
    const page = JSON.parse(answer.text);
    return json(200, { ...page, changes: [...page.changes, tombstone('medication', id)] });
  };
}

/** Changes the subject, as a person does. */
const edit = async ({ client }: Device, { subjects }: Family, kind: Kind): Promise<Written> => {
  const notes = `note ${(serial += 1)}`;
  const changes = { details: { notes } };
  const id = subjects[kind];
  if (kind === 'profile') await client.profiles.update(await client.profiles.get(id), changes);
  else if (kind === 'appointment')
    await client.appointments.update(await client.appointments.get(id), changes);
  else if (kind === 'health_stat') await client.healthStats.update(await client.healthStats.get(id), changes);
  else await client.medications.update(await client.medications.get(id), changes);
  return { [`${kind} ${id}`]: { notes } };
};

/** Enters a medicine that nobody else has. */
const enter = async ({ client }: Device, { person }: Family): Promise<Written> => {
  const name = `Medicine ${(serial += 1)}`;
  const entered = medication(person.profileId, name, 'at night');
  const { id } = await client.medications.create(entered);
  const { profileId, route, schedule, details } = entered;
  return { [`medication ${id}`]: { ...details, profileId, route, schedule } };
};

/** A dose that is counted once. */
const take = async ({ client }: Device, { subjects }: Family): Promise<Written> => {
  const dose = await client.medications.logDose(subjects.medication, { taken: true });
  return { [`dose ${dose.id}`]: { taken: true, medicationId: subjects.medication } };
};

/** Deletes a medicine that was entered for this. */
const remove = async ({ client, network }: Device, { person }: Family): Promise<Written> => {
  const { lie } = network;
  network.begin(undefined);
  const { id } = await client.medications.create(
    medication(person.profileId, `Old ${(serial += 1)}`, 'never'),
  );
  await client.sync.now();
  network.begin(lie);
  await client.medications.delete(await client.medications.get(id));
  return { [`medication ${id}`]: null };
};

const LIED: [what: string, tell: () => Lie][] = [
  ...(
    [
      ['an empty object', () => json(200, {})],
      ['an empty list', () => json(200, [])],
      ['null', () => json(200, null)],
      ['204', () => ({ status: 204, headers: {}, text: '' })],
      ['201 with nothing', () => ({ status: 201, headers: {}, text: '' })],
      ['a portal’s page', () => portal()],
      ['a portal’s JSON', () => json(200, { status: 'ok' })],
      ['404 in HTML', () => html(404)],
      ['404 of another code', () => error(404, 'no_such_route')],
      ['410 in HTML', () => html(410)],
      ['400 in HTML', () => html(400)],
      ['409 in HTML', () => html(409)],
      ['412 in HTML', () => html(412)],
      ['413 in HTML', () => html(413)],
      ['403 of a portal', () => html(403)],
      ['500', () => error(500, 'internal')],
      ['503 for 34 days', () => error(503, 'overloaded', { 'retry-after': '3000000' })],
      ['a cut connection', () => lost()],
    ] as [string, () => Answer][]
  ).map(([what, answer]): [string, () => Lie] => [`${what}, and nothing is stored`, writesGet(answer)]),
  ...(
    [
      ['an empty object', () => json(200, {})],
      ['204', () => ({ status: 204, headers: {}, text: '' })],
      ['404 in HTML', () => html(404)],
      ['500', () => error(500, 'internal')],
      ['502 in HTML', () => html(502)],
      ['a cut connection', () => lost()],
      ['half of the answer', (real: Answer) => ({ ...real, text: real.text.slice(0, real.text.length / 2) })],
      ['the revision -1', (real: Answer) => changed(real, (row) => ({ ...row, revision: -1 }))],
      ['another id', (real: Answer) => changed(real, (row) => ({ ...row, id: other, profile_id: other }))],
      ['a flipped bit', (real: Answer) => changed(real, flip)],
    ] as [string, (real: Answer) => Answer][]
  ).map(([what, answer]): [string, () => Lie] => [
    `${what}, and it is stored`,
    storedBut((_asked, real) => answer(real)),
  ]),
];

const other = '0192f0c1-0000-7000-8000-00000000000f';
const flip = (row: Wire): Wire =>
  row.encrypted_data
    ? withCiphertext('medication', row, (text) => flipped(text))
    : { ...row, taken: !row.taken };
function changed(real: Answer, change: (row: Wire) => Wire): Answer {
  return real.text === '' ? real : { ...real, text: JSON.stringify(change(JSON.parse(real.text))) };
}

const ACTS: [string, Row['act']][] = [
  ['a change', edit],
  ['a new medicine', enter],
  ['a dose', take],
  ['a deletion', remove],
];

/** An older state that answers an update, whatever is asked. */
const refusedWithAnOlderState = (family: Family, kind: Kind): Lie => {
  const id = family.subjects[kind];
  const older = (revision: number) => ({ ...family.older[kind as Sealed], revision });
  return async (asked, pass) => {
    const isSubject = asked.path === `${PATHS[kind as Sealed]}/${id}`;
    const next = family.newest[kind as Sealed].revision + 1;
    if (isSubject && asked.method === 'GET') return json(200, older(next), { etag: `"${next}"` });
    if (isSubject && isWrite(asked)) return error(412, 'revision_mismatch');
    return pass();
  };
};

/** What the service answers to writes. */
export const WRITES: Row[] = [
  ...LIED.flatMap(([what, tell], at) =>
    // A dose and a deletion are sent as a create and a change are: each lie meets one of them.
    [ACTS[0], ACTS[1], ACTS[2 + (at % 2)]].map(([title, act]): Row => ({
      lie: `to ${title}: ${what}`,
      tell,
      act,
      kinds: ['medication'],
      on: offline,
      answer: 'retry',
    })),
  ),
  {
    lie: '412 to a change, and an older authentic state',
    tell: refusedWithAnOlderState,
    act: edit,
    kinds: SEALED,
    on: offline,
    told: ['rolled_back', 'stale_revision'],
  },
  {
    lie: '412 to a change, and an older state until the change is sent again',
    tell: (family, kind) => {
      const lie = refusedWithAnOlderState(family, kind);
      let times = 0;
      return (asked, pass) => (isWrite(asked) && (times += 1) > 1 ? pass() : lie(asked, pass));
    },
    act: edit,
    kinds: SEALED,
    on: offline,
    told: [],
  },
  {
    lie: '404 of its own to a change of what exists',
    tell: writesGet(() => notFound()),
    act: edit,
    kinds: SEALED,
    on: offline,
    told: QUESTION,
    answer: 'retry',
  },
  {
    lie: '503 to a create, then a deletion of its id',
    tell: () => deletesTheCreate(() => error(503, 'overloaded')),
    act: enter,
    kinds: ['medication'],
    on: offline,
    told: ['offline', 'overloaded'],
  },
  {
    lie: 'a create that is lost, and a deletion of its id',
    tell: () => deletesTheCreate(lost),
    act: enter,
    kinds: ['medication'],
    on: offline,
    told: ['offline', 'network_failed'],
  },
];
