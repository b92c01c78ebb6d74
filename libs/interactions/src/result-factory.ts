import type { Statement } from './built-in-statements';
import type { Item } from './product';
import { fillIn } from './rules/statement-text';
import type {
  CompiledAlias,
  CompiledDuplicate,
  InteractionResult,
  KnowledgeBase,
  NameMatch,
  Partner,
  ResultKind,
} from './types';

/** Makes results from statements. */
export class ResultFactory {
  constructor(private readonly base: KnowledgeBase) {}

  /**
   * A result about some ingredients of some products. @param names replace {a} and {b}; default: the
   * ingredients
   */
  make(
    kind: ResultKind,
    statement: Statement | CompiledDuplicate,
    items: readonly Item[],
    related: string[],
    names?: readonly string[],
  ): InteractionResult {
    const ingredients = [...new Set(items.map(({ part }) => this.inn(part.ingredient)))];
    const [a, b] = names ?? [ingredients[0] ?? '', ingredients[1] ?? ingredients[0] ?? ''];
    const textOf = (text: number | string): string =>
      fillIn(typeof text === 'string' ? text : this.base.texts[text], a, b);
    return {
      kind,
      severity: statement.severity === 'none' ? 'unknown' : statement.severity,
      action: statement.action,
      medications: items.map(({ reading }) => reading.input),
      ingredients,
      summary: textOf(statement.summary),
      mechanism: textOf(statement.mechanism),
      management: textOf(statement.management),
      evidence: statement.evidence ?? 'established',
      sources: statement.sources.map((source) => {
        const { id, title, publisher, year } = this.base.sources[source];
        return { id, title, publisher, year };
      }),
      rule_id: statement.id,
      related_rules: related,
      matches: items.map((item) => this.match(item)),
      knowledge_version: this.base.version,
    };
  }

  match({ reading, part }: Item): NameMatch {
    const { method, confidence } = part;
    return { input: reading.input, ingredient: this.inn(part.ingredient), method, confidence };
  }

  partner(ingredient: number): Partner {
    const { inn, usan, synonyms = [], brands = [] } = this.base.ingredients[ingredient];
    const combined = this.base.combinations
      .filter(({ ingredients }) => ingredients.includes(ingredient))
      .flatMap((combination) => [
        combination.name,
        ...(combination.synonyms ?? []),
        ...(combination.brands ?? []),
      ]);
    return {
      ingredient: inn,
      names: [inn, ...(usan ? [usan] : []), ...synonyms.map(nameOf)],
      brands: [...brands, ...combined].map(nameOf),
    };
  }

  inn(ingredient: number): string {
    return this.base.ingredients[ingredient].inn;
  }
}

function nameOf(alias: CompiledAlias): string {
  return typeof alias === 'string' ? alias : alias.name;
}
