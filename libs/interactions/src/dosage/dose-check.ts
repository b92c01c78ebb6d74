import {
  DOSE_OF_A_CHILD,
  DOSE_STRENGTH_UNKNOWN,
  DOSE_UNREAD,
  DOSE_WITHOUT_CEILING,
  type Statement,
} from '../built-in-statements';
import type { Item, Product } from '../product';
import type { ResultFactory } from '../result-factory';
import { severityRank } from '../rules/pair-rules';
import type { CompiledDose, KnowledgeBase } from '../compiled-base';
import type { InteractionResult, Species } from '../types';
import { appliesToRoute, judge, type DoseVerdict, type Intake } from './dose-limit';
import { addIntakes, readIntake, Strengths } from './intake';
import { iuPerMilligram } from './international-units';

/** A product and the text about its dose. */
export interface DosedProduct {
  product: Product;
  dosage: string;
  /** True when the caller asked about the dose. A dose that cannot be checked must then be reported. */
  asked: boolean;
}

interface Taken {
  item: Item;
  intake: Intake;
  words: string;
  asked: boolean;
}

/** Compares the total intake of each ingredient, over all products, with the ceilings. */
export class DoseCheck {
  private readonly strengths: Strengths;
  private readonly ceilings = new Map<number, CompiledDose[]>();

  constructor(
    private readonly base: KnowledgeBase,
    private readonly factory: ResultFactory,
  ) {
    this.strengths = new Strengths(base.strengths ?? []);
    for (const dose of base.doses) {
      this.ceilings.set(dose.ingredient, [...(this.ceilings.get(dose.ingredient) ?? []), dose]);
    }
  }

  /** @param isChild a limit for adults can then only warn; it never says that a dose is fine */
  check(dosed: readonly DosedProduct[], species: Species, isChild = false): InteractionResult[] {
    const results: InteractionResult[] = [];
    const taken = new Map<number, Taken[]>();
    for (const { product, dosage, asked } of dosed) {
      const intakes = readIntake(product.reading, dosage, this.strengths);
      const unread: Item[] = [];
      for (const item of product.items) {
        const intake = intakes.get(item.part.ingredient);
        const words = `${product.reading.input} ${dosage}`;
        if (intake) append(taken, item.part.ingredient, { item, intake, words, asked });
        else unread.push(item);
      }
      if (asked) this.report(results, DOSE_UNREAD, unread);
    }
    for (const parts of taken.values()) this.checkIngredient(parts, species, isChild, results);
    return results;
  }

  private checkIngredient(
    parts: Taken[],
    species: Species,
    isChild: boolean,
    results: InteractionResult[],
  ): void {
    const asked = parts.filter((part) => part.asked).map(({ item }) => item);
    const unknown: Item[] = [];
    const withoutCeiling: Item[] = [];
    const exceeding = new Map<CompiledDose, Item[]>();
    for (const { item, intake, words } of parts) {
      const verdicts = this.ceilingsFor(item, species).map(
        (dose) => [dose, this.judge(dose, intake, words)] as const,
      );
      for (const [dose, verdict] of verdicts)
        if (verdict === 'exceeded') exceeding.set(dose, [...(exceeding.get(dose) ?? []), item]);
      if (verdicts.length === 0) withoutCeiling.push(item);
      else if (verdicts.some(([, verdict]) => verdict === 'unknown')) unknown.push(item);
    }
    const total = parts.length > 1 ? addIntakes(parts.map(({ intake }) => intake)) : undefined;
    if (total) {
      const items = parts.map(({ item }) => item);
      for (const dose of this.ceilingsFor(items[0], species)) {
        if (dose.maxDaily !== undefined && this.judge(dose, total, '') === 'exceeded')
          exceeding.set(dose, items);
      }
    }
    const hits = [...exceeding].sort(
      ([p], [q]) => severityRank(p.severity) - severityRank(q.severity) || (p.id < q.id ? -1 : 1),
    );
    if (isChild) {
      // Not also "no ceiling": one reason is enough.
      this.report(
        results,
        DOSE_OF_A_CHILD,
        parts.map(({ item }) => item),
      );
      unknown.length = 0;
      withoutCeiling.length = 0;
    }
    const guessed = parts.filter(({ intake }) => intake.guess).map(({ item }) => item);
    if (hits.length > 0) {
      const [[dose, items], ...others] = hits;
      this.report(
        results,
        DOSE_STRENGTH_UNKNOWN,
        items.filter((item) => guessed.includes(item)),
      );
      results.push(this.factory.make('dose_ceiling', dose, items, others.map(([{ id }]) => id).sort()));
      return;
    }
    this.report(
      results,
      DOSE_STRENGTH_UNKNOWN,
      unknown.filter((item) => asked.includes(item)),
    );
    this.report(
      results,
      DOSE_WITHOUT_CEILING,
      withoutCeiling.filter((item) => asked.includes(item)),
    );
  }

  private judge(dose: CompiledDose, intake: Intake, words: string): DoseVerdict {
    return judge(dose, intake, words, iuPerMilligram(this.factory.inn(dose.ingredient)));
  }

  /** A ceiling for people does not apply to an animal. */
  private ceilingsFor({ part, locality }: Item, species: Species): CompiledDose[] {
    return (this.ceilings.get(part.ingredient) ?? []).filter(
      (dose) => (dose.species ?? ['human']).includes(species) && appliesToRoute(dose, locality.route),
    );
  }

  private report(results: InteractionResult[], statement: Statement, items: readonly Item[]): void {
    // "2 cups of coffee a day" is no dosage. Food with a ceiling of its own, such as caffeine tablets, is one.
    const drugs = items.filter(
      ({ part, reading }) =>
        !['food', 'alcohol'].includes(this.base.ingredients[part.ingredient].kind ?? 'drug') ||
        (reading.ingredients.length === 1 && this.ceilings.has(part.ingredient)),
    );
    if (drugs.length === 0) return;
    const names = [...new Set(drugs.map(({ part }) => this.factory.inn(part.ingredient)))].join(' and ');
    results.push(this.factory.make('dose_unchecked', statement, drugs, [], [names, names]));
  }
}

function append(lists: Map<number, Taken[]>, key: number, value: Taken): void {
  lists.set(key, [...(lists.get(key) ?? []), value]);
}
