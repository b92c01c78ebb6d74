import type { CompiledDoseSum, KnowledgeBase } from '../compiled-base';
import type { Item } from '../product';
import type { ResultFactory } from '../result-factory';
import type { InteractionResult } from '../types';
import type { Intake } from './dose-limit';

/** A sum is an estimate: it is told in steps of this size. */
const STEP = 10;

/** One ingredient of a product with its intake. */
export interface TakenDose {
  item: Item;
  intake: Intake;
}

/** Adds up the strength of several ingredients, each by its factor: opioids as morphine. */
export class DoseSums {
  private readonly sums: readonly { sum: CompiledDoseSum; factors: ReadonlyMap<number, number> }[];

  constructor(
    base: KnowledgeBase,
    private readonly factory: ResultFactory,
  ) {
    this.sums = (base.sums ?? []).map((sum) => ({ sum, factors: new Map(sum.factors) }));
  }

  /** True when the amount of an ingredient is part of a sum. */
  has(ingredient: number): boolean {
    return this.sums.some(({ factors }) => factors.has(ingredient));
  }

  check(taken: readonly TakenDose[]): InteractionResult[] {
    return this.sums.flatMap(({ sum, factors }) => {
      const parts = taken.flatMap(({ item, intake: { least } }) => {
        const factor = factors.get(item.part.ingredient);
        const counts = factor !== undefined && item.locality.route === undefined && least?.unit === 'mg';
        return counts ? [{ item, strength: least.perDay * factor }] : [];
      });
      const total = parts.reduce((all, { strength }) => all + strength, 0);
      const [severity] = sum.grades.find(([, from]) => total >= from) ?? [];
      if (!severity) return [];
      const items = parts.map(({ item }) => item);
      const names = [...new Set(items.map(({ part }) => this.factory.inn(part.ingredient)))].join(', ');
      const words = [names, String(Math.round(total / STEP) * STEP)];
      return [this.factory.make('dose_ceiling', { ...sum, severity }, items, [], words)];
    });
  }
}
