import fc from 'fast-check';
import { newId } from '../../ids';
import {
  mergeContacts,
  mergeSpaces,
  readContacts,
  readSpaces,
  type TrustContact,
  type TrustSpaces,
} from './trust-entries';

const hash = (fill: number) => Buffer.alloc(32, fill).toString('base64');
const [ada, ben] = [newId(), newId()];
const contact: TrustContact = { name: 'Ada', identity: hash(1), paired: false };
const space = (version: number, fill = version) => ({
  relationship: 'child',
  roster: { version, hash: hash(fill) },
});

it('reads what it knows, and keeps the rest', () => {
  const contacts = { [ada]: { ...contact, later: 1 } };
  const spaces = { [ada]: { ...space(1), later: 1 } };
  expect([readContacts(contacts), readSpaces(spaces)]).toEqual([contacts, spaces]);
  expect([readContacts(undefined), readSpaces(undefined)]).toEqual([{}, {}]);
});

it.each<[string, unknown]>([
  ['null', null],
  ['a list', []],
  ['an id that is none', { Ada: contact }],
  ['an entry that is none', { [ada]: 7 }],
  ['no name', { [ada]: { ...contact, name: undefined } }],
  ['a short identity', { [ada]: { ...contact, identity: 'AAAA' } }],
  ['no word whether it was paired', { [ada]: { ...contact, paired: 'yes' } }],
])('refuses contacts with %s', (_what, value) => {
  expect(() => readContacts(value)).toThrow(expect.objectContaining({ code: 'format_unsupported' }));
});

it.each<[string, unknown]>([
  ['a text', 'spaces'],
  ['an id that is none', { space: space(1) }],
  ['no relationship', { [ada]: { roster: space(1).roster } }],
  ['no roster', { [ada]: { relationship: '' } }],
  ['version 0', { [ada]: space(0) }],
  ['a short hash', { [ada]: { relationship: '', roster: { version: 1, hash: 'AAAA' } } }],
])('refuses spaces with %s', (_what, value) => {
  expect(() => readSpaces(value)).toThrow(expect.objectContaining({ code: 'format_unsupported' }));
});

it('unites the contacts of two devices', () => {
  const theirs = { [ada]: { ...contact, name: 'A.', paired: true }, [ben]: contact };
  expect(mergeContacts(theirs, { [ada]: contact })).toEqual({
    [ada]: { ...contact, paired: true },
    [ben]: contact,
  });
});

it('leaves it to the person which of two identities is right (attack 19)', () => {
  const theirs = { [ada]: { ...contact, identity: hash(2) } };
  expect(() => mergeContacts(theirs, { [ada]: contact })).toThrow(
    expect.objectContaining({ code: 'key_mismatch', record: { kind: 'contact', id: ada } }),
  );
});

it('never goes back to an older roster, in whichever order devices meet (attack 6)', () => {
  const book = fc
    .dictionary(fc.constantFrom(ada, ben), fc.integer({ min: 1, max: 5 }))
    .map((versions): TrustSpaces =>
      Object.fromEntries(Object.entries(versions).map(([id, version]) => [id, space(version)])),
    );
  fc.assert(
    fc.property(book, book, book, (one, two, three) => {
      const merged = mergeSpaces(mergeSpaces(one, two), three);
      expect(merged).toEqual(mergeSpaces(one, mergeSpaces(three, two)));
      for (const each of [one, two, three])
        for (const [id, { roster }] of Object.entries(each))
          expect(merged[id].roster.version).toBeGreaterThanOrEqual(roster.version);
    }),
  );
});

it('refuses two rosters of one version (attack 6)', () => {
  expect(() => mergeSpaces({ [ada]: space(2, 7) }, { [ada]: space(2, 8) })).toThrow(
    expect.objectContaining({ code: 'roster_refused', rule: 1, record: { kind: 'space', id: ada } }),
  );
});
