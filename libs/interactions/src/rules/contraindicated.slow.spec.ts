import { compileWholeBase } from '../__fixtures__/whole-base';
import type { CompiledSelector } from '../compiled-base';
import { createEngine } from '../engine';
import type { InteractionResult, ResultKind } from '../types';
import { closeTags, matchSelector } from './tag-closure';

const { base } = compileWholeBase();
const engine = createEngine(base);
const tags = closeTags(base);
const rules = base.rules.filter(({ severity, species }) => severity === 'contraindicated' && !species);

/** Rules whose own sentence puts something else first: an ambulance, or a copper coil within five days. */
const OWN_SENTENCE: ReadonlySet<string> = new Set(['nitrate-pde5', 'emergency-pill']);
/** Rules that only stand behind another contraindicated rule on the same pairs. */
const HIDDEN: readonly string[] = [
  'ergot-strong-3a4',
  'ramelteon-agomelatine-fluvoxamine',
  'selexipag-dasabuvir-gemfibrozil',
];

const members = (selector: CompiledSelector): string[] =>
  base.ingredients.flatMap(({ inn }, i) => (matchSelector(selector, i, tags) ? [inn] : []));

/** One finding for each rule; a few medicines of each side are asked. */
const found = new Map<string, { name: string; result: InteractionResult }>();
for (const rule of rules)
  for (const name of [...members(rule.a), ...members(rule.b)].slice(0, 60)) {
    if (found.has(rule.id)) break;
    for (const result of engine.checkNew({ name, dosage: '', detail: rule.id }))
      if (!found.has(result.rule_id)) found.set(result.rule_id, { name, result });
  }
const told = (name: string, id: string, of: ResultKind, language: string): string[] =>
  engine
    .checkNew({ name, dosage: '', detail: id, language })
    .filter(({ rule_id, kind }) => rule_id === id && kind === of)
    .map(({ in_short }) => in_short.what_to_do);

describe('what must not be taken together', () => {
  it('is asked of every rule', () => {
    expect(rules.length).toBeGreaterThan(100);
    expect(rules.map(({ id }) => id).filter((id) => !found.has(id))).toEqual(HIDDEN);
  });

  it.each<[string, RegExp, RegExp]>([
    ['en', /on your own/, /Do not (?:combine|have)/],
    ['de', /ohne Rücksprache|von sich aus/, /Kombinieren Sie|nicht zusammen|nicht mit/],
    ['es', /por su cuenta/, /No (?:combine|tome)/],
  ])('stops no medicine without advice, also in %s', (language, advice, food) => {
    for (const { id } of rules) {
      const { name, result } = found.get(id) ?? {};
      if (!name || !result || OWN_SENTENCE.has(id)) continue;
      // Food and drink are left out by oneself.
      const wanted = result.kind === 'food' ? food : advice;
      for (const now of told(name, id, result.kind, language))
        expect([id, now]).toEqual([id, expect.stringMatching(wanted)]);
    }
  });

  it('gives no order to stop, pause or leave out a medicine: a person who decides is named', () => {
    const orders = [...found].flatMap(([id, { result }]) =>
      result.management
        .split(/(?<=[.!?])\s/)
        .filter((sentence) => /\b(?:stop|pause|leave out|leave off|skip)\b/i.test(sentence))
        .filter((sentence) => !/prescriber|doctor|clinic|pharmacist|not stop|never stop|stop neither|not leave/i.test(sentence))
        .map((sentence) => `${id}: ${sentence}`),
    ); // prettier-ignore
    expect(orders).toEqual([]);
  });
});
