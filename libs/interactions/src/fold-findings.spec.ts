import { foldFindings } from './fold-findings';
import type { InteractionResult } from './types';

const base: InteractionResult = {
  kind: 'interaction', severity: 'minor', action: 'monitor', medications: [], ingredients: [], summary: '', mechanism: '',
  management: '', evidence: 'established', sources: [], rule_id: 'r', related_rules: [], matches: [], knowledge_version: '1', lang: 'en',
  in_short: { lang: 'en', kind: '', severity: '', action: '', what_to_do: '' },
}; // prettier-ignore

function found(
  rule_id: string,
  severity: InteractionResult['severity'],
  medications: string[],
  more: Partial<InteractionResult> = {},
): InteractionResult {
  return { ...base, rule_id, severity, medications, ingredients: medications, ...more };
}

const brief = (results: readonly InteractionResult[]): string[] =>
  foldFindings(results).map(
    ({ rule_id, ingredients, related_rules }) =>
      `${rule_id} ${ingredients.join('+')} (${related_rules.join()})`,
  );

it('tells both parts of a product once', () => {
  const part = (ingredient: string) =>
    found('booster', 'major', ['Symtuza', 'x'], {
      ingredients: [ingredient, 'x'],
      matches: [{ input: 'Symtuza', ingredient, method: 'brand', confidence: 1 }],
    });
  const [result, ...others] = foldFindings([part('darunavir'), part('cobicistat')]);
  expect(others).toEqual([]);
  expect(result.ingredients).toEqual(['darunavir', 'x', 'cobicistat']);
  expect(result.matches.map(({ ingredient }) => ingredient)).toEqual(['darunavir', 'cobicistat']);
});

it('keeps the same rule of two pairs of products, and two rules of one pair', () => {
  const avoided = (rule: string, names: string[]) => found(rule, 'major', names, { action: 'avoid' });
  const all = [avoided('r', ['a', 'b']), avoided('r', ['a', 'c']), avoided('s', ['a', 'b'])];
  expect(foldFindings(all)).toEqual(all);
}); // prettier-ignore

it('tells two packs of one medicine once beside a third product, also when it is severe', () => {
  const pack = (name: string): InteractionResult =>
    found('opioid', 'major', [name, 'Valium'], { ingredients: ['morphine', 'diazepam'], summary: 'Breathing.', action: 'avoid' });
  const [result, ...others] = foldFindings([pack('MST'), pack('Oramorph')]);
  expect(others).toEqual([]);
  expect(result).toMatchObject({ medications: ['MST', 'Valium', 'Oramorph'], ingredients: ['morphine', 'diazepam'], summary: 'Breathing.' });
}); // prettier-ignore

describe('a rule that asks to watch', () => {
  const watched = (partner: string, more: Partial<InteractionResult> = {}): InteractionResult =>
    found('slow', 'minor', ['theophylline', partner], { management: `Watch ${partner}.`, summary: `With ${partner}.`, ...more });

  it('is told once for one medicine and its partners, with each of them in the summary', () => {
    const [result, ...others] = foldFindings([watched('nadolol'), watched('digoxin'), watched('sotalol')]);
    expect(others).toEqual([]);
    expect(result).toMatchObject({
      medications: ['theophylline', 'nadolol', 'digoxin', 'sotalol'],
      ingredients: ['theophylline', 'nadolol', 'digoxin', 'sotalol'],
      summary: 'With nadolol. With digoxin. With sotalol.',
    });
  });

  it.each<[string, InteractionResult]>([
    ['a graver one', watched('digoxin', { severity: 'major' })],
    ['a forbidden one', watched('digoxin', { severity: 'contraindicated' })],
    ['one that sets times apart', watched('digoxin', { action: 'separate_doses' })],
    ['other advice', watched('digoxin', { management: 'In an emergency use digoxin.' })],
    ['no medicine in common', found('slow', 'minor', ['lithium', 'digoxin'], { management: 'Watch digoxin.' })],
  ])('is not joined with %s', (_, other) => {
    expect(foldFindings([watched('nadolol'), other])).toHaveLength(2);
  });

  it('is told once also when it is severe, but not when it forbids', () => {
    const graded = (severity: InteractionResult['severity']): InteractionResult[] =>
      foldFindings([watched('nadolol', { severity }), watched('digoxin', { severity })]);
    expect(graded('major')).toHaveLength(1);
    expect(graded('contraindicated')).toHaveLength(2);
  });

  it('does not take in pairs without the medicine in common', () => {
    const between = found('slow', 'minor', ['nadolol', 'digoxin'], { management: 'Watch digoxin.' });
    expect(foldFindings([watched('nadolol'), watched('digoxin'), between])).toHaveLength(2);
  });
}); // prettier-ignore

describe('a burden', () => {
  const burden = found('burden', 'moderate', ['a', 'b', 'c'], {
    kind: 'cumulative_burden',
    related_rules: ['pair'],
  });

  it('tells its milder pairs, and names their rules', () => {
    const pair = found('pair', 'minor', ['a', 'b'], { related_rules: ['other'] });
    expect(brief([pair, burden])).toEqual(['burden a+b+c (other,pair)']);
  });

  it.each([
    ['a graver pair', found('pair', 'major', ['a', 'b'])],
    ['a pair of another rule', found('special', 'minor', ['a', 'b'])],
    ['a pair with a medicine of no part in it', found('pair', 'minor', ['a', 'd'])],
    ['a duplicate', found('pair', 'minor', ['a', 'b'], { kind: 'duplicate_therapy' })],
  ])('does not tell %s', (_, pair) => expect(brief([pair, burden])).toHaveLength(2));

  describe('that is major itself', () => {
    const major = { ...burden, severity: 'major' as const, action: 'avoid' as const };
    const pair = (names: string[], more: Partial<InteractionResult> = {}): InteractionResult =>
      found('pair', 'major', names, { action: 'avoid', ...more });

    it('does not tell a single major pair', () => {
      expect(brief([pair(['a', 'b']), major])).toHaveLength(2);
    });

    it('tells the major pairs that one rule finds again and again', () => {
      expect(brief([pair(['a', 'b']), pair(['a', 'c']), major])).toEqual(['burden a+b+c (pair)']);
    });

    it.each<[string, InteractionResult]>([
      ['have another advice', pair(['a', 'c'], { action: 'adjust_dose' })],
      ['are graver', pair(['a', 'c'], { severity: 'contraindicated' })],
      ['are of another rule', pair(['a', 'c'], { rule_id: 'other' })],
      ['concern another medicine', pair(['a', 'd'])],
    ])('does not tell pairs that %s', (_, other) => {
      expect(brief([pair(['a', 'b']), other, major])).toHaveLength(3);
    });
  });
});

describe('a duplicate', () => {
  const twice = found('twice', 'moderate', ['a', 'b'], { kind: 'duplicate_therapy' });

  it('tells an interaction of the same two that is no graver', () => {
    expect(brief([twice, found('pair', 'moderate', ['b', 'a'])])).toEqual(['twice a+b (pair)']);
  });

  it('does not tell a major one, even when it is major itself', () => {
    const both = [{ ...twice, severity: 'major' as const }, found('pair', 'major', ['a', 'b'])];
    expect(brief(both)).toHaveLength(2);
  });

  it('does not tell a graver one, nor one of another part of the products', () => {
    expect(brief([twice, found('pair', 'major', ['a', 'b'])])).toHaveLength(2);
    expect(brief([twice, found('pair', 'minor', ['a', 'b'], { ingredients: ['a', 'z'] })])).toHaveLength(2);
  });
});

it('leaves an answer with partners as it is', () => {
  const all = ['x', 'y'].map((ingredient) =>
    found('r', 'major', ['a'], { ingredients: [ingredient], partners: [{ ingredient, names: [], brands: [] }] }),
  ); // prettier-ignore
  expect(foldFindings(all)).toEqual(all);
});

describe('a burden', () => {
  const burden = (names: string[], rules: string[], more: Partial<InteractionResult> = {}) =>
    found('burden', 'major', names, {
      kind: 'cumulative_burden',
      action: 'avoid',
      related_rules: rules,
      ...more,
    });

  it('tells a pair of its severity that only asks to watch', () => {
    const watched = found('gabapentinoid', 'major', ['morphine', 'pregabalin']);
    const changed = found('opioid', 'major', ['morphine', 'diazepam'], { action: 'avoid' });
    const all = burden(['morphine', 'diazepam', 'pregabalin'], ['gabapentinoid', 'opioid']);
    expect(brief([all, watched, changed])).toEqual([
      'burden morphine+diazepam+pregabalin (gabapentinoid,opioid)',
      'opioid morphine+diazepam ()',
    ]);
  });
});
