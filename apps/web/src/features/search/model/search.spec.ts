import type { HealthStat } from '@app/client';
import type { Visit } from '@app/client/documents';
import type { Medicine, FamilyMember } from '@app/client/documents';
import { indexOf, MOST_FOUND, search } from './search';

const member = (id: string, details: object) => ({ id, kind: 'human', details }) as unknown as FamilyMember;
const medicine = (id: string, details: object) => ({ id, profileId: 'o', details }) as unknown as Medicine;

const RECORDS = {
  members: [
    member('o', {
      name: 'Otto Müller',
      allergies: [{ text: 'Bees' }],
      picture: 'data:image/png;base64,bees',
    }),
    member('l', { name: 'Lena', picture: 'data:image/png;base64,bees' }),
  ],
  medicines: [
    medicine('m1', {
      name: 'Nurofen',
      strength: '400 mg',
      reading: { ingredients: ['ibuprofen'], confirmed: true },
      remarks: [{ dose: 'd', note: 'after soup' }],
    }),
    medicine('m2', { name: 'Ibuprofen AL', notes: 7 }),
  ],
  visits: [
    {
      id: 'v',
      profileId: 'l',
      details: { title: 'Eyes', startsAt: '2026-12-03T09:00:00Z', practitioner: 'Dr. Ito', notes: 'Soup' },
    } as Visit,
  ],
  stats: [
    {
      id: 's',
      profileId: 'o',
      recordedAt: '2026-11-01T08:00:00Z',
      details: { metric: 'weight', values: { value: 70 }, unit: 'kg', note: 'before breakfast' },
    } as unknown as HealthStat,
  ],
  nameOf: (metric: string) => (metric === 'weight' ? 'Weight' : metric),
  valueOf: ({ values, unit }: HealthStat['details']) => `${values.value} ${unit}`,
};

describe('the search over everything', () => {
  const index = indexOf(RECORDS);
  const idsOf = (query: string) => search(index, query).found.map(({ id }) => id);

  it.each<[string, string[]]>([
    ['nurofen', ['m1']],
    ['ibuprofen', ['m2', 'm1']],
    ['muller', ['o', 'm1', 'm2', 's']],
    ['MÜLLER weight', ['s']],
    ['soup', ['m1', 'v']],
    ['ito', ['v']],
    ['breakfast', ['s']],
    // The bytes of a picture are no words.
    ['bees', ['o']],
    ['nothing of it', []],
    ['   ', []],
  ])('finds %s', (query, ids) => expect(idsOf(query)).toEqual(ids));

  it('says what was measured, and of a vaccination its day', () => {
    const [visit] = RECORDS.visits;
    const details = { ...visit.details, title: 'Tetanus', type: 'vaccination' as const };
    const found = (query: string) =>
      search(indexOf({ ...RECORDS, visits: [{ ...visit, details }] }), query).found[0];
    expect(found('weight')).toMatchObject({ kind: 'reading', value: '70 kg' });
    expect(found('tetanus')).toMatchObject({ kind: 'vaccination', at: '2026-12-03' });
  });

  it('shows the first of many, and says how many there are', () => {
    const stats = Array.from({ length: 120 }, (_, at) => ({ ...RECORDS.stats[0], id: `s${at}` }));
    const { found, count } = search(indexOf({ ...RECORDS, stats }), 'weight');
    expect([found.length, count]).toEqual([MOST_FOUND, 120]);
  });
});
