import { gradeKey } from './grade-key';

const [one, two, three] = [['A'], ['A', 'B'], ['A', 'B', 'C']];

describe('the text for the grade of a finding', () => {
  it.each([
    ['interaction', 'major', two, 'cabinet.severity.major'],
    ['interaction', 'major', three, 'cabinet.severityOfMany.major'],
    ['person_caution', 'major', one, 'cabinet.severityOfOne.major'],
    ['person_caution', 'contraindicated', one, 'cabinet.severityOfOne.contraindicated'],
    ['interaction', 'contraindicated', two, 'cabinet.severity.contraindicated'],
    ['dose_ceiling', 'contraindicated', one, 'cabinet.severityOfDose.contraindicated'],
    ['dose_ceiling', 'major', two, 'cabinet.severityOfDose.major'],
    ['unrecognized', 'unknown', one, 'cabinet.severity.unknown'],
    // The finding itself says under which name it was checked.
    ['name_assumed', 'unknown', one, 'cabinet.assumedName'],
  ] as const)('%s, %s, of %j: %s', (kind, severity, medications, key) => {
    expect(gradeKey({ kind, severity, medications })).toBe(key);
  });
});
