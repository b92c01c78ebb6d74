import type { Statement } from '../built-in-statements';
import type { ResultFactory } from '../result-factory';
import { severityRank } from '../rules/pair-rules';
import type { TagSets } from '../rules/tag-closure';
import type { KnowledgeBase } from '../compiled-base';
import { ACTIONS, EVIDENCE_LEVELS, type InteractionResult, type Partner } from '../types';
import { resultOfFact, type KnownFact } from './everything-known';

/** The length of the answer as JSON up to which partners are named one by one. */
const LENGTH_WITH_SINGLE_PARTNERS = 56_000;
const NAMES_OF_A_PARTNER = 2;
const SOURCES_OF_AN_ENTRY = 1;

/** Facts of one kind, severity and action. */
interface Entry {
  id: string;
  facts: KnownFact[];
  partners: number[];
}

/**
 * Everything known about one product in a short answer: one result for each kind, severity and action, and its
 * partners by class. As many partners as there is room for are named one by one: those of the gravest results first,
 * and of these the ones with the most brands. No partner is left out.
 */
export class KnownClasses {
  /** The class of each ingredient: of its classes the one with the fewest members. */
  private readonly classes: readonly (number | undefined)[];
  /** How many brands each ingredient has, alone and in combinations. */
  private readonly brands: readonly number[];

  constructor(
    private readonly base: KnowledgeBase,
    tags: TagSets,
  ) {
    const brands = base.ingredients.map((ingredient) => ingredient.brands?.length ?? 0);
    for (const combination of base.combinations)
      for (const ingredient of combination.ingredients) brands[ingredient] += combination.brands?.length ?? 0;
    this.brands = brands;
    const members = new Map<number, number>();
    for (const own of tags) for (const tag of own) members.set(tag, (members.get(tag) ?? 0) + 1);
    this.classes = tags.map(
      (own) =>
        [...own]
          .filter((tag) => base.tags[tag].class)
          .sort((a, b) => (members.get(a) ?? 0) - (members.get(b) ?? 0) || a - b)[0],
    );
  }

  /** The results, the gravest first. A result about one rule has the texts of the rule. */
  results(facts: readonly KnownFact[], factory: ResultFactory): InteractionResult[] {
    const entries = this.entries(facts);
    const results = entries.map((entry) => this.resultOf(entry, factory));
    const none = new Map<Entry, Set<number>>();
    const shortest = entries.map((entry) => this.partnersOf(entry, none, factory));
    const room = LENGTH_WITH_SINGLE_PARTNERS - JSON.stringify([results, shortest]).length;
    const single = this.single(entries, room, factory);
    return results.map((result, at) => ({
      ...result,
      partners: this.partnersOf(entries[at], single, factory),
    }));
  }

  private partnersOf(
    entry: Entry,
    single: ReadonlyMap<Entry, ReadonlySet<number>>,
    factory: ResultFactory,
  ): Partner[] {
    const isSingle = (partner: number): boolean => single.get(entry)?.has(partner) ?? false;
    const others = entry.partners.filter((partner) => !isSingle(partner));
    return [
      ...entry.partners.filter(isSingle).map((partner) => this.onePartner(partner, factory)),
      ...this.byClass(others, factory),
    ];
  }

  /** The gravest first. A partner of several entries of a kind stands only in the first of them. */
  private entries(facts: readonly KnownFact[]): Entry[] {
    const byId = new Map<string, KnownFact[]>();
    for (const fact of facts) byId.set(entryId(fact), [...(byId.get(entryId(fact)) ?? []), fact]);
    const listed = new Set<string>();
    return [...byId]
      .sort(([idX, [x]], [idY, [y]]) => rankOf(x) - rankOf(y) || (idX < idY ? -1 : 1))
      .flatMap(([id, own]) => {
        const isNew = (partner: number): boolean => !listed.has(`${own[0].kind} ${partner}`);
        const partners = [...new Set(own.flatMap((fact) => fact.partners))].filter(isNew);
        const spoken = own.filter((fact) => fact.partners.some(isNew));
        for (const partner of partners) listed.add(`${own[0].kind} ${partner}`);
        return partners.length > 0 ? [{ id, facts: spoken, partners: partners.sort((x, y) => x - y) }] : [];
      });
  }

  /** The partners of each entry that are named one by one, because there is room for them. */
  private single(
    entries: readonly Entry[],
    room: number,
    factory: ResultFactory,
  ): ReadonlyMap<Entry, ReadonlySet<number>> {
    const ranked = entries.flatMap((entry) =>
      entry.partners.map((partner) => ({
        entry,
        partner,
        rank: rankOf(entry.facts[0]),
        brands: this.brands[partner],
      })),
    );
    ranked.sort((x, y) => x.rank - y.rank || y.brands - x.brands || x.partner - y.partner);
    const single = new Map(entries.map((entry) => [entry, new Set<number>()]));
    let left = room;
    for (const { entry, partner } of ranked) {
      left -= JSON.stringify(this.onePartner(partner, factory)).length;
      if (left < 0) break;
      single.get(entry)?.add(partner);
    }
    return single;
  }

  private resultOf({ id, facts, partners }: Entry, factory: ResultFactory): InteractionResult {
    const [{ kind, statement }] = facts;
    const rules = [...new Set(facts.map((fact) => fact.statement.id))].sort();
    if (facts.length === 1) return resultOfFact(facts[0], factory);
    const items = [...new Set(facts.map(({ item }) => item))];
    const name = factory.nameOf(items);
    const summarized: Statement = {
      id,
      severity: statement.severity,
      action: statement.action,
      // The weakest evidence holds for each of them.
      evidence: [...EVIDENCE_LEVELS]
        .reverse()
        .find((level) => facts.some((fact) => (fact.statement.evidence ?? 'established') === level)),
      sources: mostCited(facts),
      textsOf: textsOf(facts[0]),
    };
    return factory.make(kind, summarized, items, rules, [name, String(partners.length)], (phrase) => [
      name,
      phrase('word.listed-medicine'),
    ]);
  }

  private onePartner(partner: number, factory: ResultFactory): Partner {
    const { ingredient, names, brands } = factory.partner(partner);
    return {
      ingredient,
      names: names.slice(0, NAMES_OF_A_PARTNER),
      brands: brands.slice(0, NAMES_OF_A_PARTNER),
    };
  }

  /** Partners by class. Those that are alone in their class, or in none, are the others. */
  private byClass(partners: readonly number[], factory: ResultFactory): Partner[] {
    const classes = new Map<number | undefined, number[]>();
    for (const partner of partners) {
      const own = this.classes[partner];
      classes.set(own, [...(classes.get(own) ?? []), partner]);
    }
    const isLarge = (tag: number | undefined): tag is number =>
      tag !== undefined && (classes.get(tag)?.length ?? 0) > 1;
    const others = partners.filter((partner) => !isLarge(this.classes[partner]));
    const named = (ingredient: string, members: readonly number[]): Partner => ({
      ingredient,
      names: members.map((member) => factory.inn(member)),
      brands: [],
      is_class: true,
    });
    return [
      ...[...classes].flatMap(([tag, members]) =>
        isLarge(tag) ? [named(this.base.tags[tag].name, members)] : [],
      ),
      ...(others.length > 1 ? [named(factory.texts.phrase('word.others'), others)] : []),
      ...(others.length === 1 ? [this.onePartner(others[0], factory)] : []),
    ];
  }
}

/** The id of the entry of a fact, for example `known-interaction-major-avoid`. */
export function entryId({ kind, statement }: KnownFact): string {
  return `known-${kind}-${statement.severity}-${statement.action}`.replace(/_/g, '-');
}

function textsOf({ kind, statement }: KnownFact): string {
  if (kind === 'duplicate_therapy') return 'known-duplicate_therapy';
  return statement.severity === 'contraindicated' ? 'known-contraindicated' : 'known';
}

/** By severity, then by action. */
function rankOf({ statement: { severity, action } }: KnownFact): number {
  return severityRank(severity) * ACTIONS.length + ACTIONS.indexOf(action);
}

/** The sources that most of the facts have. */
function mostCited(facts: readonly KnownFact[]): number[] {
  const counts = new Map<number, number>();
  for (const source of facts.flatMap(({ statement }) => statement.sources))
    counts.set(source, (counts.get(source) ?? 0) + 1);
  return [...counts]
    .sort(([p, m], [q, n]) => n - m || p - q)
    .slice(0, SOURCES_OF_AN_ENTRY)
    .map(([source]) => source);
}
