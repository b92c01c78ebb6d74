import { emergencyCard } from './emergency-card';
import { asMedicine, type Medicine, type MedicineDetails, asFamilyMember } from '@app/client/documents';

const text = (key: string, values: object = {}) => [key, ...Object.values(values)].join(' ');
const SPOKEN = { text: text as never, language: 'de' as const };
const OTTO = asFamilyMember({
  id: 'o',
  kind: 'human',
  details: {
    name: 'Otto',
    allergies: [
      { text: 'Penicillin V', code: 'penicillin' },
      { text: 'Bees', code: 'toString' },
    ],
    emergency: { contacts: 'Ada 030 1\n\nKim 030 2', bloodGroup: ' 0 positive ' },
  },
} as never);
const medicine = (details: Partial<MedicineDetails>, profileId = 'o') =>
  asMedicine({
    id: 'm',
    profileId,
    createdAt: '2026-01-01T08:00:00Z',
    details: { name: 'A', ...details },
  } as Medicine);

describe('the emergency card', () => {
  it('says what is known in the language of the reader, and of every part whether it is empty', () => {
    const medicines = [
      medicine({ name: 'Marcumar', reading: { ingredients: ['phenprocoumon'], confirmed: true } }),
      medicine({ name: 'Ended', endDate: '2026-02-01' }),
      medicine({ name: 'Paused', pauses: [{ from: '2026-02-01' }] }),
      medicine({ name: 'Of Lena' }, 'l'),
    ];
    expect(emergencyCard(OTTO, medicines, '2026-03-01', SPOKEN)).toEqual([
      { part: 'allergies', lines: ['profiles.fact.penicillin', 'Bees'] },
      { part: 'conditions', lines: [] },
      { part: 'medicines', lines: ['Marcumar (phenprocoumon)'] },
      { part: 'bloodGroup', lines: ['0 positive'] },
      { part: 'contacts', lines: ['Ada 030 1', 'Kim 030 2'] },
      { part: 'doctor', lines: [] },
    ]);
  });

  it.each([[7], [{ contacts: 7 }], ['x'], [null]])('leaves out what has another shape: %j', (emergency) => {
    const member = asFamilyMember({ id: 'o', kind: 'human', details: { name: 'O', emergency } } as never);
    expect(member.details).not.toHaveProperty('emergency');
    expect(emergencyCard(member, [], '2026-03-01', SPOKEN).flatMap(({ lines }) => lines)).toEqual([]);
  });
});
