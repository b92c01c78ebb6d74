import { createEngine } from '../engine';
import { compileWholeBase } from '../__fixtures__/whole-base';
import type { LocalRoute } from '../types';
import { PairRules, SYSTEMIC } from './pair-rules';
import { closeTags } from './tag-closure';

const { base } = compileWholeBase();
const rules = new PairRules(base, closeTags(base));
const position = (inn: string): number => base.ingredients.findIndex((ingredient) => ingredient.inn === inn);

describe('an ingredient that reaches the whole body from some places only', () => {
  const severityOf = (route?: LocalRoute): string | undefined =>
    rules.find(position('lamotrigine'), position('estradiol'), 'human', SYSTEMIC, {
      named: true,
      declared: false,
      route,
    })?.rule.severity;

  it('counts from the skin: estradiol gel with lamotrigine is major', () => {
    expect(severityOf('topical')).toBe('major');
  });

  it('does not count from elsewhere: vaginal estradiol with lamotrigine is silent', () => {
    expect(severityOf('vaginal')).toBeUndefined();
  });

  it('counts when the place is not known', () => {
    expect(severityOf()).toBe('major');
  });
});

describe('words for a form that acts only locally', () => {
  it('are known for lidocaine patches and for vancomycin by mouth', () => {
    expect(base.ingredients[position('lidocaine')].localForms).toContain('patch');
    expect(base.ingredients[position('vancomycin')].localForms).toContain('oral');
  });
});

it.each([
  ['aspirin 81', 'minor'],
  ['Aspirin Protect 100mg', 'minor'],
  ['aspirin 75 mg', 'minor'],
  ['aspirin', 'moderate'],
  ['aspirin 500 mg', 'moderate'],
  ['aspirin protect 300', 'moderate'],
  ['aspirin 5x100 mg', 'moderate'],
])('beside clopidogrel, the dose that a heart specialist plans is a remark: %s is %s', (name, severity) => {
  const found = createEngine(base).check({ medications: [name, 'clopidogrel'] });
  expect(found.filter(({ rule_id }) => rule_id === 'aspirin-p2y12').map((each) => each.severity)).toEqual([
    severity,
  ]);
});
