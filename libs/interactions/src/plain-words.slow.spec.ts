import { syllable } from 'syllable';
import { compileWholeBase } from './__fixtures__/whole-base';
import { Glossary } from './build/glossary';
import { namesNobody } from './build/plain-words';

const { base } = compileWholeBase();
const names = new Set(base.ingredients.map(({ inn }) => inn));
const statements = [
  ...base.rules.filter(({ severity }) => severity !== 'none'),
  ...base.duplicates,
  ...base.doses,
  ...base.species,
].map(({ id, summary = 0, mechanism = 0, management = 0 }) => ({
  id,
  text: [summary, mechanism, management].map((text) => base.texts[text]).join(' '),
}));

/**
 * School grade of a text by the Flesch-Kincaid formula. The name of a medicine is printed on the pack, so it
 * counts as a word of two syllables.
 * Source: Kincaid et al., Derivation of new readability formulas for Navy enlisted personnel, 1975.
 */
function schoolGrade(text: string): number {
  const sentences = (text.match(/[.!?](?=\s|$)/g) ?? ['.']).length;
  const words = text.replace(/\{[ab]\}/g, 'it').match(/[A-Za-z0-9'-]+/g) ?? [];
  const syllables = words.map((word) => (names.has(word.toLowerCase()) ? 2 : Math.max(1, syllable(word))));
  const sum = syllables.reduce((total, count) => total + count, 0);
  return 0.39 * (words.length / sentences) + 11.8 * (sum / words.length) - 15.59;
}

/** The school grade at the age of 13. */
const GRADE_AT_13 = 8;

describe('what a family reads', () => {
  it('is written for the age of 13 in at least 94 of 100 statements', () => {
    const hard = statements.filter(({ text }) => schoolGrade(text) > GRADE_AT_13);
    expect(hard.length / statements.length).toBeLessThanOrEqual(0.06);
  });

  it('is never harder than the tenth grade', () => {
    const tooHard = statements.filter(({ text }) => schoolGrade(text) > 10).map(({ id }) => id);
    expect(tooHard).toEqual([]);
  });

  it('measures hard words as harder', () => {
    expect(schoolGrade('Take it with food. Call the doctor.')).toBeLessThan(4);
    expect(
      schoolGrade(
        'Concomitant administration necessitates electrocardiographic monitoring of susceptible individuals.',
      ),
    ).toBeGreaterThan(16);
  });

  it('explains INR and ECG where they stand first', () => {
    const unexplained = statements.filter(({ text }) =>
      ['INR', 'ECG'].some((term) => {
        const at = text.search(new RegExp(`\\b${term}\\b`));
        return at >= 0 && !text.slice(at).startsWith(`${term} (a `);
      }),
    );
    expect(unexplained.map(({ id }) => id)).toEqual([]);
  });

  it('says nothing about animals where people are meant', () => {
    const rules = base.rules.filter(({ severity, species }) => severity !== 'none' && !species);
    const wrong = rules.filter(({ management = 0 }) => /\b(?:dogs?|cats?)\b/.test(base.texts[management]));
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });
});

describe('namesNobody', () => {
  it.each([
    ['Halve digoxin. Report nausea.', true],
    ['Choose another antibiotic.', true],
    ['Check the INR after a week.', true],
    ['Ask the doctor to halve digoxin.', false],
    ['Take it with food. Report nausea.', false],
    ['Choose another antibiotic, as the clinic advises.', false],
  ])('of %j is %s', (management, expected) => {
    expect(namesNobody(management)).toBe(expected);
  });
});

describe('the glossary', () => {
  const entry = (value: unknown) => ({ file: 'glossary.yaml', line: 1, value });
  const problems: string[] = [];
  const glossary = new Glossary(
    [
      entry({ term: 'INR', meaning: 'a blood test' }),
      entry({ term: 'QT', meaning: 'a time' }),
      entry({ term: 'QT interval', meaning: 'a time' }),
      entry({ term: 'HIV', known: true }),
    ],
    problems,
  );

  it('explains a term once in a statement, the longest term first', () => {
    expect(glossary.explain(['The INR rises.', 'The QT interval and the INR change, and QT too.'])).toEqual([
      'The INR (a blood test) rises.',
      'The QT interval (a time) and the INR change, and QT too.',
    ]);
    expect(problems).toEqual([]);
  });

  it('leaves a term alone that the text explains, or that is part of another word', () => {
    expect(glossary.explain(['The INR, a test, and INRs and HIV.'])).toEqual([
      'The INR, a test, and INRs and HIV.',
    ]);
  });

  it('finds abbreviations that it does not hold', () => {
    expect(glossary.unknownIn('INR, HIV, MRI, CYP3A4, B12 and HbA1c in May.')).toEqual([
      'MRI',
      'CYP3A4',
      'B12',
      'HbA1c',
    ]);
  });

  it('needs a meaning for each term, and each term once', () => {
    const found: string[] = [];
    new Glossary([entry({ term: 'X1' }), entry({ term: 'X1', known: true })], found);
    expect(found.join('\n')).toContain(`needs a 'meaning'`);
    expect(found.join('\n')).toContain('this term exists already');
  });
});
