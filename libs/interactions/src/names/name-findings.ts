import {
  NAME_CORRECTED,
  NAME_OF_ONE_COUNTRY,
  NAME_WITH_SEVERAL_MEANINGS,
  UNRECOGNIZED,
} from '../built-in-statements';
import type { Product } from '../product';
import type { ResultFactory } from '../result-factory';
import type { KnowledgeBase } from '../compiled-base';
import type { InteractionResult } from '../types';
import { fold, squash } from './fold';
import type { Meaning, Target } from './target';
import type { Assumption } from './read-name';

/** Results about the reading of a name: parts not understood, corrected, or with several meanings. */
export function nameFindings(
  { reading, items }: Product,
  base: KnowledgeBase,
  factory: ResultFactory,
): InteractionResult[] {
  const results: InteractionResult[] = [];
  const medications = [reading.input];
  if (reading.unknown.length > 0) {
    results.push({ ...factory.make('unrecognized', UNRECOGNIZED, [], []), medications });
  }
  for (const assumption of reading.assumed) {
    const { target } = assumption;
    const own = items.filter(({ part }) => target.ingredients.includes(part.ingredient));
    const isCorrected = squash(assumption.written) !== squash(fold(target.display));
    const statement = target.meanings
      ? NAME_WITH_SEVERAL_MEANINGS
      : target.onlyIn && !isCorrected
        ? NAME_OF_ONE_COUNTRY
        : NAME_CORRECTED;
    const texts = target.meanings
      ? [target.display, meaningsOf(target.meanings, base)]
      : statement === NAME_OF_ONE_COUNTRY
        ? [
            target.display,
            describeMeaning({ ingredients: target.ingredients, countries: [target.onlyIn ?? ''] }, base),
          ]
        : [`"${assumption.written}"`, readAs(target, base) + alternativesOf(assumption)];
    results.push({ ...factory.make('name_assumed', statement, own, [], texts), medications });
  }
  return results;
}

/** For example "glibenclamide (US) or glipizide (IN)". */
function describeMeaning({ ingredients, countries }: Meaning, base: KnowledgeBase): string {
  const where = countries.length > 0 ? ` (${countries.join(', ')})` : '';
  return innsOf(ingredients, base) + where;
}

function meaningsOf(meanings: readonly Meaning[], base: KnowledgeBase): string {
  return meanings.map((meaning) => describeMeaning(meaning, base)).join(', or ');
}

function readAs(target: Target, base: KnowledgeBase): string {
  const inns = innsOf(target.ingredients, base);
  return inns.toLowerCase() === target.display.toLowerCase() ? inns : `${target.display} (${inns})`;
}

function alternativesOf({ others }: Assumption): string {
  return others.length > 0 ? `, but could also be ${others.join(' or ')}` : '';
}

function innsOf(ingredients: readonly number[], base: KnowledgeBase): string {
  return ingredients.map((ingredient) => base.ingredients[ingredient].inn).join(' with ');
}
