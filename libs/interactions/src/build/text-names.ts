import { closeTags, matchSelector, type TagSets } from '../rules/tag-closure';
import type { CompiledRule, CompiledSelector, CompiledSpeciesRule, KnowledgeBase } from '../compiled-base';

/** The most words of a name that is searched in a text. */
const MAX_WORDS = 4;
/** Names that are also words of everyday language, or parts of the body. */
const EVERYDAY = new Set(['same', 'thyroid', 'oxygen', 'salt']);
/** Shorter names are too often parts of other words. */
const SHORTEST_NAME = 4;

/** Compares the texts of a rule with its selectors: summary, texts and id must name the same ingredients. */
export class TextNames {
  private readonly tags: TagSets;
  private readonly byName = new Map<string, number>();

  constructor(private readonly base: KnowledgeBase) {
    this.tags = closeTags(base);
    base.ingredients.forEach(({ inn, usan, synonyms = [] }, position) => {
      const names = [
        inn,
        ...(usan ? [usan] : []),
        ...synonyms.map((alias) => (typeof alias === 'string' ? alias : alias.name)),
      ];
      for (const name of names) {
        const key = name.toLowerCase();
        if (name.length >= SHORTEST_NAME) this.byName.set(key, position);
      }
    });
  }

  /**
   * One complaint per rule and name. `mentions` are ingredients that a rule may name although it is not about
   * them.
   */
  problems(mentions: ReadonlyMap<string, ReadonlySet<number>>): string[] {
    return [
      ...this.base.rules.flatMap((rule) => [
        ...(rule.severity === 'none' ? [] : this.problemsOfTexts(rule, mentions.get(rule.id))),
        ...this.problemsOfId(rule, [rule.a, rule.b]),
      ]),
      ...this.base.species.flatMap((rule) => [
        ...this.problemsOfId(rule, [rule.a]),
        ...problemsOfSpeciesPrefix(rule),
      ]),
      ...this.base.doses.flatMap((dose) => this.problemsOfId(dose, [{ i: [dose.ingredient] }])),
    ];
  }

  private problemsOfTexts(rule: CompiledRule, mentions: ReadonlySet<number> = new Set()): string[] {
    const { summary = 0, mechanism = 0, management = 0 } = rule;
    const sides = [rule.a, rule.b];
    const strangers = this.namesIn(this.base.texts[summary]).filter(
      ([name, ingredient]) =>
        !EVERYDAY.has(name) &&
        !this.isBodySubstance(ingredient) &&
        !mentions.has(ingredient) &&
        !this.isAbout(sides, name, ingredient),
    );
    const all = [summary, mechanism, management].map((text) => this.base.texts[text]).join(' ');
    const unnamed = (['a', 'b'] as const).filter(
      (side) =>
        !all.includes(`{${side}}`) &&
        !this.namesIn(all).some(([name, ingredient]) => this.isAbout([rule[side]], name, ingredient)),
    );
    return [
      ...strangers.map(
        ([name]) => `rules: '${rule.id}' speaks of '${name}' in its summary, but neither side holds it`,
      ),
      ...unnamed.map((side) => `rules: '${rule.id}' never names side '${side}' in its texts`),
    ];
  }

  private problemsOfId({ id }: { id: string }, sides: readonly CompiledSelector[]): string[] {
    const parts = id.split('-');
    const wrong: string[] = [];
    for (let from = 0; from < parts.length; from++) {
      for (let to = parts.length; to > from; to--) {
        const name = parts.slice(from, to).join(' ');
        const ingredient = this.byName.get(name);
        if (ingredient === undefined || EVERYDAY.has(name)) continue;
        if (!this.isAbout(sides, name, ingredient) && !this.namesTag(sides, parts.slice(from, to).join('-')))
          wrong.push(name);
        from = to - 1;
        break;
      }
    }
    return wrong.map(
      (name) =>
        `'${id}' speaks of '${name}', but is not about it; give it an id that fits and put the old one into 'formerly'`,
    );
  }

  private namesIn(text: string): [string, number][] {
    const words = text.replace(/\{[ab]\}/g, '|').match(/\||[\p{L}0-9'’-]+/gu) ?? [];
    const found: [string, number][] = [];
    for (let at = 0; at < words.length; at++) {
      for (let length = Math.min(MAX_WORDS, words.length - at); length > 0; length--) {
        const name = words
          .slice(at, at + length)
          .join(' ')
          .toLowerCase();
        const ingredient = this.byName.get(name);
        if (ingredient === undefined) continue;
        found.push([name, ingredient]);
        at += length - 1;
        break;
      }
    }
    return found;
  }

  /** True for potassium and vitamins: many texts name them as values that are measured in the blood. */
  private isBodySubstance(ingredient: number): boolean {
    const { kind } = this.base.ingredients[ingredient];
    return kind === 'mineral' || kind === 'vitamin';
  }

  private isAbout(sides: readonly CompiledSelector[], name: string, ingredient: number): boolean {
    return sides.some(
      (side) =>
        matchSelector(side, ingredient, this.tags) !== undefined ||
        (side.i ?? []).some((other) => ` ${this.base.ingredients[other].inn} `.includes(` ${name} `)),
    );
  }

  private namesTag(sides: readonly CompiledSelector[], name: string): boolean {
    return sides.some((side) =>
      (side.t ?? []).some((tag) => `-${this.base.tags[tag].id}-`.includes(`-${name}-`)),
    );
  }
}

/** Checks that an id with the prefix `dog` or `cat` is about this animal only; `pet` means several. */
function problemsOfSpeciesPrefix({ id, species }: CompiledSpeciesRule): string[] {
  const prefix = id.split('-')[0];
  const wrong =
    prefix === 'pet' ? species.length === 1 : ['dog', 'cat'].includes(prefix) && species.join() !== prefix;
  return wrong
    ? [
        `species: '${id}' is about ${species.join(' and ')}; begin its id with ${species.length > 1 ? 'pet' : species[0]}-`,
      ]
    : [];
}
