import {
  CHILD_DOSE_TEXTS,
  CHILD_DOSE_WITHOUT_WEIGHT,
  DOSE_FREQUENCY_UNKNOWN,
  DOSE_OF_A_CHILD,
  DOSE_STRENGTH_UNKNOWN,
  DOSE_UNREAD,
  DOSE_WITHOUT_CEILING,
  type Statement,
} from '../built-in-statements';
import type { Item, Product } from '../product';
import type { ResultFactory } from '../result-factory';
import { fillIn } from '../texts/fill-in';
import { severityRank } from '../rules/pair-rules';
import type { CompiledChildDose, CompiledDose, KnowledgeBase } from '../compiled-base';
import type { InteractionResult, Species } from '../types';
import { append } from '../append';
import { isByWeight, judgeChild, type Child, type ChildLimit } from './child-dose';
import { DoseSums, type TakenDose } from './dose-sum';
import { appliesToRoute, isPatch, judge, type DoseVerdict, type Intake } from './dose-limit';
import { addIntakes, readIntake, Strengths } from './intake';
import { iuPerMilligram } from './international-units';
import { isAsNeeded } from './parse-dosage';

/** A product and the text about its dose. */
export interface DosedProduct {
  product: Product;
  dosage: string;
  /** True when the caller asked about the dose. A dose that cannot be checked must then be reported. */
  asked: boolean;
}

interface Taken extends TakenDose {
  words: string;
  asked: boolean;
}

/** Compares the total intake of each ingredient, over all products, with the ceilings. */
export class DoseCheck {
  private readonly strengths: Strengths;
  private readonly ceilings = new Map<number, CompiledDose[]>();
  private readonly childDoses = new Map<number, CompiledChildDose[]>();
  private readonly sums: DoseSums;

  constructor(
    private readonly base: KnowledgeBase,
    private readonly factory: ResultFactory,
  ) {
    this.strengths = new Strengths(base.strengths ?? []);
    this.sums = new DoseSums(base, factory);
    for (const dose of base.doses) append(this.ceilings, dose.ingredient, dose);
    for (const dose of base.childDoses ?? []) append(this.childDoses, dose.ingredient, dose);
  }

  /**
   * @param child for whom a limit of adults can only warn; it never says that a dose is fine
   * @param products all of the request, also those without a dose, which no sum can count
   */
  check(
    dosed: readonly DosedProduct[],
    species: Species,
    child?: Child,
    products: readonly Product[] = [],
  ): InteractionResult[] {
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
    for (const parts of taken.values()) {
      if (!child || !this.checkChild(parts, child, results))
        this.checkIngredient(parts, species, child !== undefined, results);
    }
    if (species === 'human') results.push(...this.sums.check([...taken.values()].flat(), products));
    return results;
  }

  /** False when the base has no limit for children for this ingredient, used in this way. */
  private checkChild(parts: Taken[], child: Child, results: InteractionResult[]): boolean {
    const [{ item: first }] = parts;
    const route = parts.every(({ item }) => item.locality.route === first.locality.route)
      ? first.locality.route
      : undefined;
    const dose = (this.childDoses.get(first.part.ingredient) ?? []).find((each) =>
      appliesToRoute(each, route),
    );
    if (!dose || child.age === undefined) return false;
    const known = parts.filter(({ intake }) => intake.least && intake.most);
    const total = known.length > 1 ? addIntakes(known.map(({ intake }) => intake)) : undefined;
    const verdicts = [...(known.length === parts.length ? [] : [{}]), ...known.map(({ intake }) => intake), ...(total ? [total] : [])]
      .map((intake) => judgeChild(dose, intake, child, iuPerMilligram(this.factory.inn(dose.ingredient)))); // prettier-ignore
    const items = parts.map(({ item }) => item);
    const inn = this.factory.inn(dose.ingredient);
    const has = (wanted: string): boolean => verdicts.some(({ verdict }) => verdict === wanted);
    const warn = (textsOf: string, words: string): unknown =>
      results.push(this.factory.make('dose_ceiling', { ...dose, textsOf }, items, [], [inn, words]));
    const above = verdicts.find(({ verdict }) => verdict === 'above');
    if (has('young')) {
      warn(CHILD_DOSE_TEXTS.young, this.ageWords(dose.steps[0].from));
      return true;
    }
    if (above) warn(CHILD_DOSE_TEXTS.above, this.limitWords(above.limit, dose, child));
    if (has('amount')) this.report(results, DOSE_STRENGTH_UNKNOWN, items);
    else if (has('weight') || (above && dose.steps.some(isByWeight) && child.weight === undefined))
      this.report(results, CHILD_DOSE_WITHOUT_WEIGHT, items);
    else if (has('frequency') && !above) this.report(results, DOSE_FREQUENCY_UNKNOWN, items);
    return true;
  }

  /** "300 mg at a time, 1500 mg a day, at 20 kg". Without the weight, it says for how heavy a child that would be. */
  private limitWords({ single, daily }: ChildLimit, dose: CompiledChildDose, child: Child): string {
    const { texts } = this.factory;
    const part = (id: string, value: number | undefined, unit: string): string[] =>
      value === undefined ? [] : [fillIn(texts.phrase(id), texts.number(value) + unit, '')];
    return [
      ...part('limit.single', single, ` ${dose.unit}`),
      ...part('limit.daily', daily, ` ${dose.unit}`),
      ...(dose.steps.some(isByWeight) ? part(...weightOf(child)) : []),
    ].join(', ');
  }

  private ageWords(years: number): string {
    const id = years < 2 ? 'limit.months' : 'limit.years';
    return fillIn(
      this.factory.texts.phrase(id),
      this.factory.texts.number(years < 2 ? Math.round(years * 12) : years),
      '',
    );
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
      const isSummed = this.sums.has(item.part.ingredient) && intake.least !== undefined;
      // Number and change of a patch say nothing about the strength of an opioid.
      const isLimited = verdicts.some(
        ([dose]) => !dose.patch || (isPatch(words) && !this.sums.leavesOut(item.part.ingredient)),
      );
      if (!isLimited && !isSummed) withoutCeiling.push(item);
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
    const oftenUnknown = parts.filter(
      ({ item, intake, words }) =>
        intake.timesPerWeek === undefined &&
        (isAsNeeded(words) || intake.unclear === true) &&
        !withoutCeiling.includes(item),
    );
    this.report(
      results,
      DOSE_FREQUENCY_UNKNOWN,
      oftenUnknown.filter((part) => part.asked && !isChild).map(({ item }) => item),
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

function weightOf({ weight, heaviest }: Child): [string, number | undefined, string] {
  return weight === undefined ? ['limit.heavy', heaviest, ' kg'] : ['limit.weight', weight, ' kg'];
}
