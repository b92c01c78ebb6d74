import { compileSmallBase, smallBase } from '../__fixtures__/small-base';
import { createEngine } from '../engine';
import type { InteractionResult } from '../types';

const base = smallBase();
const engine = createEngine(base);
const partnersOf = (results: readonly InteractionResult[]): string[] =>
  results.flatMap(({ partners = [] }) =>
    partners.flatMap(({ ingredient, names, is_class }) => (is_class ? names : [ingredient])),
  );

describe('everything known about one medicine, by classes', () => {
  it('has one result for each kind, severity and action', () => {
    const results = engine.checkNew({ name: 'Eliquis' });
    const keys = results.map(({ kind, severity, action }) => `${kind} ${severity} ${action}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThan(2);
  });

  it('leaves out no partner, and keeps the gravest severity of each', () => {
    for (const { inn } of base.ingredients) {
      const [full, classes] = ['full', 'classes'].map((detail) => engine.checkNew({ name: inn, detail }));
      expect(new Set(partnersOf(classes))).toEqual(new Set(partnersOf(full)));
      for (const partner of new Set(partnersOf(full))) {
        const gravest = (results: InteractionResult[]): string | undefined =>
          results.find((result) => partnersOf([result]).includes(partner))?.severity;
        expect([partner, gravest(classes)]).toEqual([partner, gravest(full)]);
      }
    }
  });

  it('says itself what several rules have in common, and lets the rule speak where it is alone', () => {
    const gravest = (results: InteractionResult[]): InteractionResult =>
      results.find(({ kind, severity }) => kind === 'interaction' && severity === 'contraindicated')!;
    const pair = gravest(engine.checkNew({ name: 'simvastatin' }));
    expect(pair).toMatchObject({ severity: 'contraindicated', summary: expect.stringMatching(/can harm/) });
    const { base: changed } = compileSmallBase({
      'rules/more.yaml': `
rules:
  - id: simvastatin-verapamil
    a: { ingredient: simvastatin }
    b: { ingredient: verapamil }
    severity: contraindicated
    action: avoid
    evidence: probable
    summary: Taking {a} with {b} can harm.
    mechanism: One thing happens. Another follows.
    management: Do this. Then do that.
    sources: [s1, s2]
    reviewed: 2026-11-20
`,
    });
    const both = gravest(createEngine(changed).checkNew({ name: 'Zocor' }));
    expect(both).toMatchObject({
      rule_id: 'known-interaction-contraindicated-avoid',
      related_rules: ['simvastatin-verapamil', pair.rule_id],
      summary: 'Zocor must not be combined with any of the 3 ingredients listed here.',
      evidence: 'probable',
      medications: ['Zocor'],
      ingredients: ['simvastatin'],
    });
    expect(both.in_short.what_to_do).toMatch(/^Do not take Zocor and any medicine listed here together/);
  });

  it('gives the details of one rule, and of all rules behind one result', () => {
    const classes = engine.checkNew({ name: 'warfarin' });
    const full = engine.checkNew({ name: 'warfarin', detail: 'full' });
    for (const { rule_id, related_rules, kind, severity, action } of classes) {
      const details = engine.checkNew({ name: 'warfarin', detail: rule_id });
      const same = full.filter((one) =>
        rule_id.startsWith('known-')
          ? one.kind === kind && one.severity === severity && one.action === action
          : one.rule_id === rule_id,
      );
      expect(details).toEqual(same);
      if (!rule_id.startsWith('known-')) continue;
      expect(related_rules.length).toBeGreaterThan(1);
      for (const id of related_rules)
        expect(engine.checkNew({ name: 'warfarin', detail: id }).map((one) => one.rule_id)).toContain(id);
    }
    expect(engine.checkNew({ name: 'warfarin', detail: 'no-such-rule' })).toEqual([]);
  });

  it('has no effect where the list is given', () => {
    const request = { name: 'warfarin', medications: ['ibuprofen'] };
    expect(engine.checkNew({ ...request, detail: 'full' })).toEqual(engine.checkNew(request));
  });

  it('names a class where there is no room for each partner', () => {
    const many = Array.from(
      { length: 1200 },
      (_, i) => `  - { inn: drug${i}, brands: [Brand${i}], tags: { TAG: [s1] } }`,
    );
    const { base: large } = compileSmallBase({
      'ingredients/many.yaml': `ingredients:\n${many.join('\n').replaceAll('TAG', 'nsaid')}\n`,
      'tags/classes.yaml': '',
    });
    large.tags[large.tags.findIndex(({ id }) => id === 'nsaid')].class = true;
    const results = createEngine(large).checkNew({ name: 'warfarin' });
    expect(JSON.stringify(results).length).toBeLessThan(60_000);
    const classes = results.flatMap(({ partners = [] }) => partners).filter(({ is_class }) => is_class);
    expect(classes.map(({ ingredient }) => ingredient)).toContain('NSAID');
    expect(partnersOf(results)).toEqual(expect.arrayContaining(['ibuprofen', 'drug0', 'drug1199']));
  });
});
