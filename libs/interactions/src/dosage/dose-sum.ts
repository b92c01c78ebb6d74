import type { CompiledDoseSum, KnowledgeBase } from '../compiled-base';
import type { Item, Product } from '../product';
import type { ResultFactory } from '../result-factory';
import { fillIn } from '../texts/fill-in';
import type { InteractionResult } from '../types';
import type { Intake } from './dose-limit';

/** A sum is an estimate: it is told in steps of this size. */
const STEP = 10;

/** One ingredient of a product with its intake. */
export interface TakenDose {
  item: Item;
  intake: Intake;
}

interface Sum {
  sum: CompiledDoseSum;
  factors: ReadonlyMap<number, number>;
  notCounted: ReadonlySet<number>;
}

/** Adds up the strength of several ingredients, each by its factor: opioids as morphine. */
export class DoseSums {
  private readonly sums: readonly Sum[];

  constructor(
    base: KnowledgeBase,
    private readonly factory: ResultFactory,
  ) {
    this.sums = (base.sums ?? []).map((sum) => ({
      sum,
      factors: new Map(sum.factors),
      notCounted: new Set(sum.notCounted),
    }));
  }

  /** True when the amount of an ingredient is part of a sum. */
  has(ingredient: number): boolean {
    return this.sums.some(({ factors }) => factors.has(ingredient));
  }

  /** True when an ingredient belongs to a sum, but has no figure for it. */
  leavesOut(ingredient: number): boolean {
    return this.sums.some(({ notCounted }) => notCounted.has(ingredient));
  }

  /** @param products all of the request: what belongs to a sum and cannot be counted is named */
  check(taken: readonly TakenDose[], products: readonly Product[]): InteractionResult[] {
    return this.sums.flatMap(({ sum, factors, notCounted }) => {
      const parts = taken.flatMap(({ item, intake: { least } }) => {
        const factor = factors.get(item.part.ingredient);
        const counts = factor !== undefined && item.locality.route === undefined && least?.unit === 'mg';
        return counts ? [{ item, strength: least.perDay * factor }] : [];
      });
      const total = parts.reduce((all, { strength }) => all + strength, 0);
      const [severity] = sum.grades.find(([, from]) => total >= from) ?? [];
      if (!severity) return [];
      const counted = new Set(parts.map(({ item }) => item));
      const others = products
        .flatMap(({ items }) => items)
        .filter(({ part, locality }) => notCounted.has(part.ingredient) || (factors.has(part.ingredient) && locality.route === undefined))
        .filter((item) => !counted.has(item)); // prettier-ignore
      const names = (items: readonly Item[]): string =>
        [...new Set(items.map(({ part }) => this.factory.inn(part.ingredient)))].join(', ');
      const told = names([...counted]);
      const left = others.length > 0 ? ` ${fillIn(this.factory.texts.phrase('sum.not-counted'), names(others), '')}` : ''; // prettier-ignore
      const rounded = String(Math.round(total / STEP) * STEP);
      return [
        this.factory.make(
          'dose_ceiling',
          { ...sum, severity },
          [...counted, ...others],
          [],
          [told + left, rounded],
        ),
      ];
    });
  }
}
