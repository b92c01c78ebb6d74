import { HEALTH_STAT } from './schemas/health-stat';
import { checkChange, checkDetails } from './check-details';
import { asMedicine } from './medicine';
import { asFamilyMember, toAskOf } from './person';
import { readDetails } from './read-details';
import { APPOINTMENT } from './schemas/appointment';
import { MEDICATION } from './schemas/medication';

const codeOf = (run: () => void) => {
  try {
    run();
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return [code, message];
  }
  return undefined;
};

describe('what a caller gives', () => {
  it.each([
    [{}, 'The member "name" of the medication does not fit: "name" is expected.'],
    [{ name: '' }, 'The member "name" of the medication does not fit: >=1 is expected.'],
    [{ name: 'Secretin'.repeat(30) }, 'The member "name" of the medication does not fit: <=200 is expected.'],
    [
      { name: 'A', strength: 400 },
      'The member "strength" of the medication does not fit: string is expected.',
    ],
    [{ name: 'A', endDate: '2026-02-30' }, 'The member "endDate" of the medication does not fit.'],
    [
      { name: 'A', stock: { count: 1 } },
      'The member "stock.countedAt" of the medication does not fit: "countedAt" is expected.',
    ],
    [
      { name: 'A', pauses: [{ from: '2026-01-01' }, 7] },
      'The member "pauses.1" of the medication does not fit: Object is expected.',
    ],
    [
      { name: 'A', schedule: { times: ['Secretin'] } },
      'The member "schedule.times.0" of the medication does not fit: /^\\d\\d:\\d\\d$/ is expected.',
    ],
    ['Secretin', 'The details of a medication must be an object.'],
  ])('is refused by the name of the member, without its content: %j', (details, sentence) => {
    const refused = codeOf(() => checkDetails(MEDICATION, 'medication', details));
    expect(refused).toEqual(['invalid_argument', sentence]);
    expect(sentence).not.toMatch(/secretin/i);
  });

  it('is checked where it is given anew, and members that no schema names pass', () => {
    const before = { name: 'A', strength: 400, ofAnother: /x/.source };
    const after = { ...before, notes: 'x' };
    const check = (details: object) => checkChange(MEDICATION, 'medication', before, details);
    expect(() => check(after)).not.toThrow();
    expect(() => check({ ...after, strength: 500 })).toThrow(/"strength"/);
    expect(() => check({ ...after, name: undefined })).toThrow(/"name"/);
    expect(() => check({ ...after, strength: undefined })).not.toThrow();
  });

  it('is refused as a whole where the schema of another library names no member', () => {
    const issues = [{ message: 'Secretin is wrong' }];
    const other = { '~standard': { version: 1, vendor: 'x', validate: () => ({ issues }) } } as const;
    expect(codeOf(() => checkDetails(other, 'allergy', {}))).toEqual([
      'invalid_argument',
      'The allergy does not fit.',
    ]);
  });

  it('is refused where the schema would answer later', () => {
    const late = { '~standard': { version: 1, vendor: 'x', validate: () => Promise.resolve({}) } } as const;
    expect(codeOf(() => checkDetails(late, 'x', {}))).toEqual([
      'invalid_argument',
      'The schema of a x must answer at once.',
    ]);
  });
});

describe('what another client wrote', () => {
  const read = (details: object) => asMedicine({ details: { name: 'A', ...details } }).details;

  it('is the same object where all of it fits', () => {
    const details = { name: 'A', schedule: { times: ['08:00'], ofAnother: 1 }, ofAnother: { a: [1] } };
    expect(readDetails(MEDICATION, details)).toBe(details);
  });

  it.each<[object, object]>([
    [{ strength: 5, notes: 'x' }, { notes: 'x' }],
    [{ ofAnother: 7, strength: 5 }, { ofAnother: 7 }],
    // A text beyond its limits is still a text.
    [{ startDate: 'in spring' }, { startDate: 'in spring' }],
    // Half a plan would be another plan.
    [{ schedule: { times: ['08:00'], cycle: { on: 21 } } }, {}],
    [{ schedule: { times: [], everyHours: 8 } }, {}],
    [{ schedule: { times: ['08:00'], amounts: { by: 'weekday', of: [1] } } }, {}],
    [{ schedule: { times: ['08:00'], amounts: { by: 'step', of: [{ amount: 1 }, { amount: 2 }] } } }, {}],
    [{ dose: { amount: 2 } }, { dose: { amount: 2 } }],
    [{ dose: { amount: 2, unit: 'Tabletten' } }, { dose: { amount: 2, unit: 'Tabletten' } }],
    [{ dose: { amount: 'two' } }, {}],
    // Of an entry only what does not fit goes.
    [
      { remarks: [{ dose: 'd', amount: 'x', note: 'n' }, { amount: 1 }, null] },
      { remarks: [{ dose: 'd', note: 'n' }] },
    ],
    [
      { changes: [{ on: '2026-01-01', what: 'dose', by: 'me' }] },
      { changes: [{ on: '2026-01-01', what: 'dose' }] },
    ],
  ])('is shown as far as it fits: %j', (details, shown) => {
    expect(read(details)).toEqual({ name: 'A', ...shown });
  });

  it('is never hidden for want of what it must have', () => {
    expect(asMedicine({ details: { name: 7, strength: '5 mg' } }).details).toEqual({
      name: '',
      strength: '5 mg',
    });
    expect(readDetails(APPOINTMENT, { notes: 'x' })).toEqual({ title: '', startsAt: '', notes: 'x' });
    expect(readDetails(HEALTH_STAT, { metric: 'weight', values: { value: 7, other: 'x' } })).toEqual({
      metric: 'weight',
      values: { value: 7 },
      unit: '',
    });
  });

  it('stays as it is where it is stored', () => {
    const details = { name: 'A', strength: 5, pauses: [null] };
    const medication = { details };
    expect(asMedicine(medication).details).toEqual({ name: 'A', pauses: [] });
    expect(medication.details).toBe(details);
    expect(details).toEqual({ name: 'A', strength: 5, pauses: [null] });
  });

  it.each(['https://evil.example/x.png', 'data:image/svg+xml;base64,AAAA', 7, 'javascript:alert(1)'])(
    'is no picture: %p',
    (picture) => {
      const member = asFamilyMember({ details: { name: 'A', picture } } as never);
      expect(member.details).toEqual({ name: 'A' });
    },
  );

  it('holds questions of a conflict beside those of the person, which alone are shown', () => {
    const asked = { unit: 'allergies', values: {}, edited: '' };
    const member = asFamilyMember({ details: { name: 'A', questions: ['Why?', asked, 7] } } as never);
    expect(member.details.questions).toEqual(['Why?', asked]);
    expect(toAskOf(member.details)).toEqual(['Why?']);
  });
});
