import type { Statement } from '../built-in-statements';
import type { CompiledRescue, KnowledgeBase } from '../compiled-base';
import type { Item } from '../product';
import type { Action } from '../types';
import { matchSelector, type TagSets } from './tag-closure';

/** Advice that makes a person wait with a medicine. */
const WAITS: ReadonlySet<Action> = new Set<Action>(['avoid', 'adjust_dose', 'separate_doses']);

/** Which products are kept for an emergency: by their drugs, and by the words of the form in their names. */
export class Rescue {
  constructor(
    private readonly base: KnowledgeBase,
    private readonly tags: TagSets,
  ) {}

  /** @param words the words of the name, folded */
  of(ingredients: readonly number[], words: ReadonlySet<string>): CompiledRescue | undefined {
    return (this.base.rescue ?? []).find((entry) => {
      const isIn = (ingredient: number, selector = entry.a): boolean =>
        matchSelector(selector, ingredient, this.tags) !== undefined;
      return (
        ingredients.some((ingredient) => isIn(ingredient)) &&
        ingredients.every((ingredient) => isIn(ingredient) || isIn(ingredient, entry.with ?? {})) &&
        (!entry.words || entry.words.some((word) => words.has(word))) &&
        !entry.unless?.some((word) => words.has(word))
      );
    });
  }
}

/** True when both are the same kind of medicine for emergencies, of which a person may have several packs. */
export function areSpares(x: Item, y: Item): boolean {
  return [x, y].every(({ rescue }) => rescue !== undefined && !rescue.instead);
}

/**
 * The statement as it applies to these items. With a medicine for emergencies it never advises to wait or to leave it
 * out, and it is at most `major`.
 */
export function forEmergency(statement: Statement, items: readonly Item[]): Statement {
  const rescue = items.find((item) => item.rescue)?.rescue;
  if (!rescue || rescue.notWith?.includes(statement.id)) return statement;
  if (rescue.instead) {
    const { texts, rules } = rescue.instead;
    return rules.includes(statement.id) ? { ...statement, textsOf: texts } : statement;
  }
  const { severity, action } = statement;
  return {
    ...statement,
    severity: severity === 'contraindicated' ? 'major' : severity,
    action: WAITS.has(action) ? 'monitor' : action,
    rescue: rescue.advice?.includes(statement.id) ? 'before' : 'alone',
  };
}
