import fc from 'fast-check';
import { newId } from '../../ids';
import { entryOf, newSpacePerson, signAfter, type SpacePerson } from '../../testing/space-people';
import type { SpaceRole } from '../space-types';
import {
  checkSignature,
  circleCodeOf,
  readRoster,
  signRoster,
  type Roster,
  type RosterContent,
  type RosterMember,
} from './roster';
import { checkRosterStep } from './roster-rules';

const base64 = (length: number, fill = 0) => Buffer.alloc(length, fill).toString('base64');
const [KEY, NEXT_KEY] = [base64(16, 1), base64(16, 2)];

/** Two owners, an editor and a carer; and somebody who does not belong to them. */
const people: Record<'ada' | 'ben' | 'eve' | 'carl' | 'new', SpacePerson> = {} as never;
const entries: Record<keyof typeof people, RosterMember> = {} as never;
let first: Roster;
let second: Roster;

beforeAll(async () => {
  for (const name of ['ada', 'ben', 'eve', 'carl', 'new'] as const) people[name] = await newSpacePerson();
  const roles = { ada: 'owner', ben: 'owner', eve: 'editor', carl: 'carer', new: 'viewer' } as const;
  for (const name of Object.keys(roles) as (keyof typeof roles)[])
    entries[name] = await entryOf(people[name], roles[name]);
  const { ada } = people;
  first = await signRoster(
    {
      ...{ v: 1, space: newId(), profile: newId(), version: 1, previous: '', epoch: 1, key: KEY, due: false },
      ...{ members: [entries.ada], by: ada.own.account },
    },
    ada.own,
    ada.account,
  );
  second = await signAfter(first, ada, { members: [entries.ada, entries.ben, entries.eve, entries.carl] });
});

type Name = keyof typeof people;
const NEW_KEY = () => ({ epoch: 2, key: NEXT_KEY });
const others = (...gone: Name[]) =>
  second.content.members.filter(({ account }) => gone.every((name) => entries[name].account !== account));
const changed = (name: Name, changes: Partial<RosterMember>) => [
  ...others(name),
  { ...entries[name], ...changes },
];
const as = (name: Name, role: SpaceRole) => changed(name, { role });
const otherKeys = (name: Name) => changed(name, { signing: entries.new.signing });

type Planted = [what: string, by: Name, changes: () => Partial<RosterContent>];

it('reads what it has signed, with the hash of the JSON', async () => {
  const [json] = first.text.split('.');
  const bytes = Buffer.from(json, 'base64');
  expect(Object.keys(JSON.parse(bytes.toString()))).toEqual(
    'v space profile version previous epoch key due members by'.split(' '),
  );
  expect(Object.keys(JSON.parse(bytes.toString()).members[0])).toEqual(
    'account role sharing signing'.split(' '),
  );
  expect(first.hash).toBe(Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('base64'));
  expect(await readRoster(first.text)).toEqual(first);
  await checkSignature(first);
  await checkRosterStep(first, second);
});

it.each<Planted>([
  ['adds somebody', 'ben', () => ({ members: [...others(), entries.new] })],
  ['adds an owner', 'ben', () => ({ members: [...others(), { ...entries.new, role: 'owner' }] })],
  ['raises somebody', 'ada', () => ({ members: as('carl', 'owner') })],
  ['removes a member with a new key', 'ada', () => ({ members: others('eve'), ...NEW_KEY() })],
  ['lowers a member with a new key', 'ada', () => ({ members: as('eve', 'viewer'), ...NEW_KEY() })],
  ['makes a new key by choice', 'ada', () => NEW_KEY()],
  ['owes a new key', 'ada', () => ({ due: true })],
  ['leaves, and owes the others a new key', 'ada', () => ({ members: others('ada'), due: true })],
  ['lowers itself', 'ada', () => ({ members: as('ada', 'viewer'), due: true })],
  ['has new keys', 'ada', () => ({ members: otherKeys('ada') })],
  ['has new keys and makes a new profile key', 'ada', () => ({ members: otherKeys('ada'), ...NEW_KEY() })],
])('takes it when an owner %s', async (_what, by, changes) => {
  await checkRosterStep(second, await signAfter(second, people[by], changes()));
});

it.each<Planted>([
  ['leaves', 'eve', () => ({ members: others('eve'), due: true })],
  ['lowers itself', 'eve', () => ({ members: as('eve', 'viewer'), due: true })],
  ['has new keys', 'carl', () => ({ members: otherKeys('carl'), due: true })],
  ['changes nothing', 'carl', () => ({ due: true })],
])('takes it when a member who is not an owner %s', async (_what, by, changes) => {
  await checkRosterStep(second, await signAfter(second, people[by], changes()));
});

const PLANTED: [rule: number, ...Planted][] = [
  [1, 'a later version', 'ada', () => ({ version: 4 })],
  [1, 'the same version', 'ada', () => ({ version: 2, previous: base64(32) })],
  [1, 'another space', 'ada', () => ({ space: newId() })],
  [1, 'another profile', 'ada', () => ({ profile: newId() })],
  [1, 'another one before it', 'ada', () => ({ previous: first.hash })],
  [2, 'the signature of somebody who is not a member', 'new', () => ({})],
  [2, 'the signature of a member in the name of another', 'carl', () => ({ by: entries.ada.account })],
  [2, 'a signature by the keys that it brings along', 'new', () => usurped()],
  [3, 'an epoch left out', 'ada', () => ({ epoch: 3, key: NEXT_KEY })],
  [3, 'an epoch of before', 'ada', () => ({ epoch: 1, key: NEXT_KEY })],
  [3, 'a new epoch with the old key', 'ada', () => ({ epoch: 2 })],
  [3, 'another key in the same epoch', 'ada', () => ({ key: NEXT_KEY })],
  [3, 'a new key that is owed at once', 'ada', () => ({ ...NEW_KEY(), due: true })],
  [4, 'an editor who adds somebody', 'eve', () => ({ members: [...others(), entries.new], due: true })],
  [4, 'an editor who removes somebody', 'eve', () => ({ members: others('carl'), due: true })],
  [4, 'an editor who removes an owner', 'eve', () => ({ members: others('ben'), due: true })],
  [4, 'an editor who raises itself', 'eve', () => ({ members: as('eve', 'owner'), due: true })],
  [4, 'an editor who raises another', 'eve', () => ({ members: as('carl', 'editor'), due: true })],
  [4, 'an editor who makes a new key', 'eve', () => NEW_KEY()],
  [4, 'an editor who leaves and owes nothing', 'eve', () => ({ members: others('eve') })],
  [4, 'a carer who gives another new keys', 'carl', () => ({ members: otherKeys('eve'), due: true })],
  [4, 'a carer with new keys who owes nothing', 'carl', () => ({ members: otherKeys('carl') })],
  [5, 'an owner who removes an owner', 'ada', () => ({ members: others('ben'), ...NEW_KEY() })],
  [5, 'an owner who lowers an owner', 'ada', () => ({ members: as('ben', 'editor'), ...NEW_KEY() })],
  [5, 'a removal without a new key', 'ada', () => ({ members: others('eve') })],
  [5, 'a removal that owes a new key', 'ada', () => ({ members: others('eve'), due: true })],
  [5, 'a lower role without a new key', 'ada', () => ({ members: as('eve', 'carer') })],
  [5, 'an owner who leaves and makes the next key', 'ada', () => ({ members: others('ada'), ...NEW_KEY() })],
  [5, 'an owner who leaves and owes nothing', 'ada', () => ({ members: others('ada') })],
  [
    5,
    'an owner who lowers itself and makes the next key',
    'ada',
    () => ({ members: as('ada', 'editor'), ...NEW_KEY() }),
  ],
  [5, 'an owner who lowers itself and owes nothing', 'ada', () => ({ members: as('ada', 'editor') })],
  [6, 'an owner who gives a member other keys', 'ada', () => ({ members: otherKeys('eve') })],
  [6, 'an owner who gives an owner other keys', 'ada', () => ({ members: otherKeys('ben') })],
  [6, 'other keys to seal to', 'ada', () => ({ members: changed('eve', { sharing: entries.new.sharing }) })],
];

/** The service takes the place of an owner, and signs with what it has put there. */
const usurped = () => ({
  members: changed('ada', { signing: entries.new.signing }),
  by: entries.ada.account,
});

it.each(PLANTED)('refuses by rule %i: %s (attacks 5, 6, 11)', async (rule, _what, by, changes) => {
  const planted = await signAfter(second, people[by], changes());
  await expect(checkRosterStep(second, planted)).rejects.toMatchObject({
    name: 'RosterRefusedError',
    code: 'roster_refused',
    rule,
    record: { kind: 'space', id: second.content.space },
  });
});

it('is not relieved of a new key that is owed, but by a new key', async () => {
  const owed = await signAfter(second, people.eve, { members: others('eve'), due: true });
  const after = (changes: Partial<RosterContent>) => signAfter(owed, people.ada, changes);
  await expect(checkRosterStep(owed, await after({ due: false }))).rejects.toMatchObject({ rule: 3 });
  await checkRosterStep(owed, await after({ due: true, members: [...owed.content.members, entries.new] }));
  await checkRosterStep(owed, await after({ due: false, ...NEW_KEY() }));
});

it('does not let in again who has left, by its own signature', async () => {
  const left = await signAfter(second, people.eve, { members: others('eve'), due: true });
  const back = await signAfter(left, people.eve, { members: second.content.members, due: true });
  await expect(checkRosterStep(left, back)).rejects.toMatchObject({ rule: 2 });
});

it('refuses an older one, and a second one of one version (attack 6)', async () => {
  const third = await signAfter(second, people.ada, { members: [...others(), entries.new] });
  const twin = await signAfter(second, people.ada, NEW_KEY());
  await checkRosterStep(second, third);
  await checkRosterStep(second, twin);
  for (const served of [first, second, third, twin])
    await expect(checkRosterStep(third, served)).rejects.toMatchObject({ rule: 1 });
  expect(circleCodeOf(third)).toMatch(/^\d{5}( \d{5}){5}$/);
  expect(circleCodeOf(third)).not.toBe(circleCodeOf(twin));
});

it('takes a first one by its own keys, and no later one so', async () => {
  const { ada, new: service } = people;
  await expect(checkSignature(second)).rejects.toMatchObject({ rule: 1 });
  const forged = await signRoster({ ...first.content }, service.own, service.account);
  await expect(checkSignature(forged)).rejects.toMatchObject({ rule: 2 });
  const outsider = await signRoster({ ...first.content, by: newId() }, ada.own, ada.account);
  await expect(checkSignature(outsider)).rejects.toMatchObject({ rule: 2 });
});

/** What a hostile service or a hostile owner could write, signed or not. */
const MALFORMED: [string, (json: Record<string, any>) => unknown][] = [
  ['another v', (json) => ({ ...json, v: 2 })],
  [
    'no owner',
    (json) => ({ ...json, members: json.members.map((each: object) => ({ ...each, role: 'editor' })) }),
  ],
  ['no members', (json) => ({ ...json, members: [] })],
  ['an account twice', (json) => ({ ...json, members: [json.members[0], ...json.members] })],
  ['members in another order', (json) => ({ ...json, members: json.members.toReversed() })],
  ['17 members', (json) => ({ ...json, members: many(json.members[0], 17) })],
  ['an unknown role', (json) => ({ ...json, members: [{ ...json.members[0], role: 'admin' }] })],
  ['a short key', (json) => ({ ...json, members: [{ ...json.members[0], signing: base64(31) }] })],
  ['a short hash', (json) => ({ ...json, members: [{ ...json.members[0], sharing: base64(31) }] })],
  ['an id in capital letters', (json) => ({ ...json, by: json.by.toUpperCase() })],
  ['version 0', (json) => ({ ...json, version: 0 })],
  ['half a version', (json) => ({ ...json, version: 1.5 })],
  ['no previous one', (json) => ({ ...json, previous: '' })],
  ['a short key id', (json) => ({ ...json, key: base64(15) })],
  ['epoch 0', (json) => ({ ...json, epoch: 0 })],
  ['due as text', (json) => ({ ...json, due: 'false' })],
  ['a list', (json) => [json]],
];

const many = (member: object, count: number) =>
  Array.from({ length: count }, newId)
    .sort()
    .map((account) => ({ ...member, account }));

it.each(MALFORMED)('refuses by rule 1 what is no roster: %s', async (_what, change) => {
  const [json, signature] = second.text.split('.');
  const text = JSON.stringify(change(JSON.parse(Buffer.from(json, 'base64').toString())));
  const planted = `${Buffer.from(text).toString('base64')}.${signature}`;
  await expect(readRoster(planted)).rejects.toMatchObject({ code: 'roster_refused', rule: 1 });
});

it('refuses what is one byte too long or short, or has another form (attack 18)', async () => {
  const [json, signature] = second.text.split('.');
  const long = Buffer.alloc(6100, ' ').toString('base64');
  const wrong = ['', '.', json, `${json}.`, `.${signature}`, `${second.text}.`, `${second.text}A`];
  const more = [
    `${json}.${signature.slice(4)}`,
    `${long}.${signature}`,
    `${json}\n.${signature}`,
    `${json}.${signature}.${signature}`,
  ];
  const notUtf8 = `${Buffer.from([0xff]).toString('base64')}.${signature}`;
  for (const text of [...wrong, ...more, notUtf8])
    await expect(readRoster(text)).rejects.toMatchObject({ code: 'roster_refused', rule: 1 });
});

it('has room for 16 members', async () => {
  const members = many(entries.ada, 15);
  const full = await signAfter(first, people.ada, { members: [...members, entries.ada] as RosterMember[] });
  expect(full.content.members).toHaveLength(16);
  expect(full.text.length).toBeLessThan(8192);
});

it('takes no roster with a bit changed', async () => {
  const length = Buffer.from(second.text.split('.')[0], 'base64').length;
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: (length + 64) * 8 - 1 }), async (bit) => {
      const parts = second.text.split('.').map((part) => Buffer.from(part, 'base64'));
      const joined = Buffer.concat(parts);
      joined[bit >> 3] ^= 1 << (bit & 7);
      const [json, signature] = [joined.subarray(0, length), joined.subarray(length)];
      const text = `${json.toString('base64')}.${signature.toString('base64')}`;
      const taken = readRoster(text).then((roster) => checkRosterStep(first, roster));
      await expect(taken).rejects.toMatchObject({ code: 'roster_refused' });
    }),
    { numRuns: 150 },
  );
});

/** Whatever a member signs, who is not an owner: nobody else comes, goes, or gets another role or key. */
it('lets a member who is not an owner change nobody else', async () => {
  const names = ['ada', 'ben', 'eve', 'carl', 'new'] as const;
  const arbitrary = fc.record({
    by: fc.constantFrom('eve' as const, 'carl' as const),
    kept: fc.subarray([...names], { minLength: 1 }),
    roles: fc.array(fc.constantFrom<SpaceRole>('viewer', 'carer', 'editor', 'owner'), {
      minLength: 5,
      maxLength: 5,
    }),
    keeps: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    due: fc.boolean(),
    hasNewKey: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(arbitrary, async ({ by, kept, roles, keeps, due, hasNewKey }) => {
      const members = kept.map((name) => {
        const at = names.indexOf(name);
        return keeps[at] ? entries[name] : { ...entries[name], role: roles[at] };
      });
      fc.pre(members.some(({ role }) => role === 'owner'));
      const next = await signAfter(second, people[by], { members, due, ...(hasNewKey && NEW_KEY()) });
      const isTaken = await checkRosterStep(second, next).then(
        () => true,
        () => false,
      );
      const rest = (roster: Roster) =>
        roster.content.members.filter(({ account }) => account !== entries[by].account);
      if (isTaken)
        expect([rest(next), next.content.epoch, next.content.due]).toEqual([rest(second), 1, true]);
    }),
    { numRuns: 300 },
  );
});
