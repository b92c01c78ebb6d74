import { compileSmallBase } from '../__fixtures__/small-base';
import { addMonths, type Review } from './review-terms';
import { dueBy, summarizeReviews } from './stale';

const review = (id: string, severity: Review['severity'], due: string): Review => ({
  id,
  severity,
  reviewed: '2026-11-20',
  reviewer: 'editor',
  due,
});

describe('what is due', () => {
  const reviews = [
    review('later', 'contraindicated', '2027-01-02'),
    review('minor', 'minor', '2026-12-01'),
    review('grave', 'contraindicated', '2026-12-31'),
    review('none', 'none', '2026-12-01'),
  ];

  it('is listed up to the day asked for, the gravest first', () => {
    expect(dueBy(reviews, '2026-12-31').map(({ id }) => id)).toEqual(['grave', 'minor', 'none']);
    expect(dueBy(reviews, '2026-11-30')).toEqual([]);
  });

  it('is summed up in a line that names the roles', () => {
    const due = dueBy(reviews, '2026-12-31');
    expect(summarizeReviews(reviews, due, '2026-12-31')).toBe(
      '3 of 4 statements are due on 2026-12-31 (looked at: 4 by the editor); the next on 2027-01-02',
    );
  });

  it('comes from the policy of the manifest by severity, or from the statement itself', () => {
    const { reviews: found } = compileSmallBase();
    const dueOf = (id: string): string | undefined => found.find((one) => one.id === id)?.due;
    expect(dueOf('anticoagulant-nsaid')).toBe('2027-11-20');
    expect(dueOf('vka-nsaid-monitor')).toBe('2028-11-20');
    expect(dueOf('apixaban-celecoxib')).toBe('2029-11-20');
  });

  it('is refused without a policy, or with one that lets statements stand too long', () => {
    const manifest = (policy: string): string =>
      `version: "1.2.3"\nreleased: 2026-11-20\n${policy}changelog: [{ version: "1.2.3", date: 2026-11-20, changes: [first] }]\n`;
    const problemsWith = (policy: string): string =>
      compileSmallBase({ 'manifest.yaml': manifest(policy) }).problems.join('\n');
    expect(problemsWith('')).toContain(`'review' is missing`);
    expect(problemsWith('review: { reviewer: nobody }\n')).toContain(
      `'review' needs a 'reviewer', one of editor`,
    );
    expect(problemsWith('review: { reviewer: editor, months: { major: 99 } }\n')).toContain(
      `'review' needs 'months' for major, from 1 to 36`,
    );
  });
});

describe('addMonths', () => {
  it.each([
    ['2026-11-20', 12, '2027-11-20'],
    ['2026-11-30', 3, '2027-02-28'],
    ['2027-12-31', 2, '2028-02-29'],
    ['soon', 2, ''],
  ])('%s and %i months is %s', (day, months, expected) => {
    expect(addMonths(day, months)).toBe(expected);
  });
});
