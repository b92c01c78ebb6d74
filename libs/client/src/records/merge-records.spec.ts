import { stampAfter } from '../crypto/edit-time';
import { canonicalJson } from '../json';
import {
  historyOf,
  mergeVersions,
  questionsOf,
  timesAfter,
  type Version,
  withAnswer,
  withOpenQuestions,
} from './merge-records';
import { unitOfProfile } from './profile-versions';

const FREE = new Set(['details.notes', 'details.stock']);
const unitOf = (field: string) => (FREE.has(field) ? '' : 'medicine');
let clock = Date.parse('2026-11-23T12:00:00Z');
const stamp = (last: string | undefined) => stampAfter(last, (clock += 1000));
const version = (details: Version['details']): Version => {
  const made: Version = { details, meta: {} };
  return { ...made, edited: timesAfter(undefined, made, unitOf, stamp) };
};
/** The version after a person's change. */
function edited(before: Version, details: Version['details']): Version {
  const after: Version = { details: { ...before.details, ...details }, meta: {} };
  return { ...after, edited: timesAfter(before, after, unitOf, stamp) };
}
const medicineOf = ({ details }: Version) => canonicalJson({ name: details.name, dose: details.dose });

it('a unit that one side changed, and what stands alone of the other, are united without a question', () => {
  const base = version({ name: 'A', dose: 1, notes: 'x' });
  const merged = mergeVersions(base, edited(base, { dose: 2 }), edited(base, { notes: 'y' }), unitOf);
  expect(merged.details).toEqual({ name: 'A', dose: 2, notes: 'y' });
  expect(questionsOf(merged)).toEqual([]);
});

it('notes that were changed later do not make the medicine later', () => {
  const base = version({ name: 'A', dose: 1, notes: 'x' });
  const early = edited(edited(base, { dose: 2 }), { notes: 'y' });
  const other = edited(base, { dose: 3 });
  const late = edited(early, { notes: 'z' });
  const merged = mergeVersions(base, late, other, unitOf);
  expect(merged.details).toMatchObject({ dose: 3, notes: 'z' });
  expect(questionsOf(merged)).toMatchObject([{ fields: [{ field: 'details.dose', standing: 3, other: 2 }] }]);
});

it('versions without a sealed time are the earlier ones, and are not lost', () => {
  const base: Version = { details: { name: 'A', dose: 1 }, meta: {} };
  const old: Version = { details: { name: 'A', dose: 2 }, meta: {} };
  for (const merged of [
    mergeVersions(base, old, edited(base, { dose: 3 }), unitOf),
    mergeVersions(base, edited(base, { dose: 3 }), old, unitOf),
  ]) {
    expect(merged.details.dose).toBe(3);
    expect(questionsOf(merged)).toMatchObject([{ otherAt: null, fields: [{ other: 2 }] }]);
  }
});

it('a change whose answer was lost adds nothing to what others have made of it since', () => {
  const base = version({ name: 'A', dose: 1, notes: 'x' });
  for (const isOursLater of [true, false]) {
    const early = edited(base, { dose: 2 });
    const late = edited(base, { dose: 3, unit: 'ml' });
    const [ours, other] = isOursLater ? [late, early] : [early, late];
    // Ours was stored, and another device has merged its own change with it.
    const stored = mergeVersions(base, other, ours, unitOf);
    expect(questionsOf(stored)).toHaveLength(1);
    const again = mergeVersions(base, ours, stored, unitOf);
    expect(canonicalJson({ ...again })).toEqual(canonicalJson({ ...stored }));
    const later = edited(stored, { notes: 'y' });
    expect(canonicalJson(mergeVersions(base, ours, later, unitOf).details)).toEqual(
      canonicalJson(later.details),
    );
  }
});

const SEEDS = Array.from({ length: 40 }, (_, at) => 1000 + at);
it.each(SEEDS)(
  'seed %i: devices end equal, no medicine is mixed, and no value is gone without a trace',
  (seed) => {
    let state = seed;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((state / 2 ** 31) * below);
    };
    let stored = version({ name: 'A0', dose: 0, notes: 'n0' });
    const devices = [stored, stored, stored].map((each) => ({ base: each, mine: each }));
    const entered = new Map<string, number>([[medicineOf(stored), 0]]);
    const notes = new Set<string>(['n0']);
    const sync = (device: (typeof devices)[number]) => {
      const [{ base, mine }, theirs] = [device, stored];
      stored = mergeVersions(base, mine, theirs, unitOf);
      const asked = questionsOf(stored).flatMap(({ fields }) => fields.map(({ other }) => other));
      for (const { details } of [mine, theirs]) {
        if (details.dose !== base.details.dose)
          expect([stored.details.dose, ...asked]).toContain(details.dose);
      }
      const kept = [stored.details.notes, ...historyOf(stored).map(({ value }) => value)];
      for (const { details } of [mine, theirs]) {
        if (details.notes !== base.details.notes) expect(kept).toContain(details.notes);
      }
      Object.assign(device, { base: stored, mine: stored });
    };
    for (let step = 1; step <= 60; step += 1) {
      const device = devices[random(devices.length)];
      const what = random(4);
      if (what === 0) {
        device.mine = edited(device.mine, { name: `A${step}`, dose: step });
        entered.set(medicineOf(device.mine), step);
      } else if (what === 1) {
        device.mine = edited(device.mine, { notes: `n${step}` });
        notes.add(`n${step}`);
      } else if (what === 2) sync(device);
      else {
        const [question] = questionsOf(device.mine);
        if (!question) continue;
        const answered = withAnswer({ ...device.mine, at: '' }, question, random(2) ? 'standing' : 'other');
        const times = timesAfter(device.mine, answered, unitOf, stamp);
        device.mine = { ...answered, edited: times };
      }
      expect([...entered.keys()]).toContain(medicineOf(device.mine));
    }
    for (let round = 0; round < 2; round += 1) devices.forEach(sync);
    expect(new Set(devices.map(({ mine }) => canonicalJson(mine))).size).toBe(1);
    expect([...entered.keys()]).toContain(medicineOf(stored));
    expect([...notes]).toContain(stored.details.notes);
  },
);

describe('what a person wants to ask, which stands in the list of the open questions', () => {
  const base = version({ name: 'Ada', notes: 'x', allergies: [], questions: ['May I stop?'] });
  const united = (mine: Version, theirs: Version) => mergeVersions(base, mine, theirs, unitOfProfile);

  it('is not lost where two devices change something else', () => {
    const merged = united(edited(base, { notes: 'mine' }), edited(base, { name: 'Bea' }));
    expect(merged.details).toEqual({ name: 'Bea', notes: 'mine', allergies: [], questions: ['May I stop?'] });
  });

  it('is taken from who changed it, and stands beside an open question until that is answered', () => {
    const mine = edited(base, { allergies: ['a'], questions: ['May I stop?', 'And then?'] });
    const merged = united(mine, edited(base, { allergies: ['b'] }));
    const [question] = questionsOf(merged);
    expect(merged.details.questions).toEqual(['May I stop?', 'And then?', question.entry]);
    const answered = withAnswer({ ...merged, at: '2026-11-24T00:00:00Z' }, question, 'other');
    expect(answered.details).toMatchObject({ allergies: ['a'], questions: ['May I stop?', 'And then?'] });
  });

  it('closes no open question where it is changed', () => {
    const merged = united(edited(base, { allergies: ['a'] }), edited(base, { allergies: ['b'] }));
    const { entry } = questionsOf(merged)[0];
    expect(withOpenQuestions(merged, { questions: ['Other'] })).toEqual({ questions: ['Other', entry] });
    expect(withOpenQuestions(merged, { notes: 'y' })).toEqual({ notes: 'y' });
    expect(withOpenQuestions(base, { questions: [] })).toEqual({ questions: [] });
  });
});
