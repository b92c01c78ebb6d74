import type { Statement } from './built-in-statements';
import type { Item } from './product';
import { append } from './append';
import { fillIn } from './texts/fill-in';
import type { Language } from './texts/language';
import { Texts } from './texts/texts';
import { labelSection } from './label-sections';
import type { CompiledAlias, CompiledCaution, CompiledCombination, KnowledgeBase } from './compiled-base';
import type { InteractionResult, NameMatch, Partner, ResultKind, SourceReference } from './types';

/** Names for {a} and {b}, or what makes them of the words of the language. */
export type Names = readonly string[] | ((phrase: (id: string) => string) => readonly string[]);

/** A longer name as typed is not repeated in a sentence. */
const LONGEST_TYPED_NAME = 60;

/** Makes results from statements, in one language. */
export class ResultFactory {
  readonly texts: Texts;
  /** By ingredient. Made for the first partner. */
  private combinations: Map<number, CompiledCombination[]> | undefined;

  constructor(
    private readonly base: KnowledgeBase,
    language: Language = 'en',
  ) {
    this.texts = new Texts(base, language);
  }

  /**
   * A result about some ingredients of some products.
   * @param names replace {a} and {b}, in the language of each text; default: the ingredients, in the sentence on what to
   *   do with the names as typed
   * @param inShort replace {a} and {b} in the sentence on what to do
   */
  make(
    kind: ResultKind,
    statement: Statement,
    items: readonly Item[],
    related: string[],
    names?: Names,
    inShort: Names | undefined = names,
  ): InteractionResult {
    const { action, id } = statement;
    const severity = statement.severity === 'none' ? 'unknown' : statement.severity;
    const ingredients = [...new Set(items.map(({ part }) => part.ingredient))];
    const inns = ingredients.map((ingredient) => this.inn(ingredient));
    const { lang, summary, mechanism, management } = this.texts.wording(statement);
    const phrase = (text: string): string => this.texts.phrase(text, lang);
    const own = typeof names === 'function' ? names(phrase) : names;
    const both = own ?? inns.map((inn) => this.texts.noun(inn, lang));
    const first = own ?? ingredients.map((ingredient) => this.texts.noun(this.bothNames(ingredient), lang));
    const shown = typeof inShort === 'function' ? inShort((text) => this.texts.phrase(text)) : inShort;
    const typed = (shown ?? items.map((item) => this.asTyped(item))).map((name) =>
      this.texts.noun(name, lang),
    );
    const advice = fill(management, both);
    const rescue = statement.rescue && this.forEmergency(kind, items, typed);
    const inWords = this.texts.inShort(
      { kind, severity, action, rule: rescue?.text ?? statement.textsOf ?? id },
      rescue?.names ?? typed,
    );
    return {
      kind,
      severity,
      action,
      medications: items.map(({ reading }) => reading.input),
      ingredients: inns,
      summary: fill(summary, first),
      mechanism: fill(mechanism, both),
      management: rescue
        ? fill(phrase(`${rescue.text}.management`), rescue.names) +
          (statement.rescue === 'before' ? ` ${advice}` : '')
        : advice,
      evidence: statement.evidence ?? 'established',
      sources: this.sources(kind, statement, ingredients),
      rule_id: id,
      related_rules: related,
      matches: items.map((item) => this.match(item)),
      knowledge_version: this.base.version,
      lang,
      in_short: {
        ...inWords,
        // How far apart, in hours or days, is in the first sentence of the advice.
        ...(action === 'separate_doses' &&
          statement.management !== undefined &&
          inWords.lang === lang && { what_to_do: fill(firstSentence(management), typed) }),
      },
    };
  }

  /** One result of a statement about each of the items alone. The summary names the first, then the others. */
  makeForAll(kind: ResultKind, statement: Statement, items: readonly Item[]): InteractionResult {
    const [first, ...others] = [...new Map(items.map((item) => [item.part.ingredient, item])).values()];
    const named = [first, ...others].map((item) => this.asTyped(item)).join(', ');
    const result = this.make(kind, statement, items, [], [this.inn(first.part.ingredient)], [named]);
    const { summary } = this.make(kind, statement, [first], []);
    if (others.length === 0) return { ...result, summary };
    const reason = this.texts.phrase('same-reason', result.lang);
    const names = others.map(({ part }) => this.inn(part.ingredient)).join(', ');
    return { ...result, summary: `${summary} ${fill(reason, [names])}` };
  }

  /** The texts about a medicine for emergencies, and its name before the name of the other medicine. */
  private forEmergency(
    kind: ResultKind,
    items: readonly Item[],
    typed: readonly string[],
  ): { text: string; names: string[] } {
    const item = items.find(({ rescue }) => rescue !== undefined) ?? items[0];
    const inn = this.inn(item.part.ingredient);
    const others =
      items.length > 1
        ? items.filter((other) => other !== item).map((other) => this.asTyped(other))
        : typed.filter((name) => name !== inn && name !== this.nameOf(items));
    const text = kind === 'person_caution' ? 'rescue-person' : 'rescue';
    return { text, names: [this.asTyped(item), ...others] };
  }

  /** The sources, down to the label of a drug and the section of it, as far as they are known. */
  private sources(
    kind: ResultKind,
    { sources, cited, severity, when }: Statement & Partial<Pick<CompiledCaution, 'when'>>,
    ingredients: readonly number[],
  ): SourceReference[] {
    const isDrug = (ingredient: number): boolean =>
      (this.base.ingredients[ingredient].kind ?? 'drug') === 'drug';
    return sources.map((source, at) => {
      const { drugUrl, drugName, sections, ...reference } = this.base.sources[source];
      const graded = severity === 'none' ? 'unknown' : severity;
      const { label = ingredients.find(isDrug), section = labelSection({ sections }, kind, graded, when) } =
        cited?.[at] ?? {};
      if (drugUrl !== undefined && label !== undefined) {
        const { usan, inn } = this.base.ingredients[label];
        const name = drugName === 'inn' ? inn : (usan ?? inn);
        reference.url = drugUrl.replace('{drug}', encodeURIComponent(name));
        reference.url_is = 'search';
      }
      return { ...reference, ...(section !== undefined && { section }) };
    });
  }

  match({ reading, part }: Item): NameMatch {
    const { method, confidence } = part;
    return { input: reading.input, ingredient: this.inn(part.ingredient), method, confidence };
  }

  /** An ingredient with all its names and brands. */
  partner(ingredient: number): Partner {
    const { inn, usan, synonyms = [], brands = [] } = this.base.ingredients[ingredient];
    const combined = this.combinationsOf(ingredient).flatMap((combination) => [
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

  private combinationsOf(ingredient: number): readonly CompiledCombination[] {
    if (!this.combinations) {
      this.combinations = new Map<number, CompiledCombination[]>();
      for (const combination of this.base.combinations)
        for (const each of combination.ingredients) append(this.combinations, each, combination);
    }
    return this.combinations.get(ingredient) ?? [];
  }

  inn(ingredient: number): string {
    return this.base.ingredients[ingredient].inn;
  }

  /** The name of a product as typed, or its ingredients when it is long. */
  nameOf(items: readonly Item[]): string {
    const typed = items[0]?.reading.input.trim() ?? '';
    if (typed.length <= LONGEST_TYPED_NAME) return typed;
    return [...new Set(items.map(({ part }) => this.inn(part.ingredient)))].join(', ');
  }

  /** The INN, and the other common name if there is one: "paracetamol (acetaminophen)". */
  private bothNames(ingredient: number): string {
    const [inn, ...others] = this.commonNames(ingredient);
    return others.length > 0 ? `${inn} (${others.join(', ')})` : inn;
  }

  /** The name as typed, and the common names that it does not contain: "Tylenol (paracetamol, acetaminophen)". */
  private asTyped({ reading: { input }, part }: Item): string {
    const typed = input.trim();
    if (typed.length > LONGEST_TYPED_NAME) return this.bothNames(part.ingredient);
    const others = this.commonNames(part.ingredient).filter(
      (name) => !typed.toLowerCase().includes(name.toLowerCase()),
    );
    return others.length > 0 ? `${typed} (${others.join(', ')})` : typed;
  }

  private commonNames(ingredient: number): string[] {
    const { inn, usan, alsoCalled } = this.base.ingredients[ingredient];
    return [inn, ...[usan ?? alsoCalled].filter((name) => name !== undefined)];
  }
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s+[\p{Lu}{(]|$)/su.exec(text)?.[0] ?? text;
}

/** With one name only, it stands for both sides. */
function fill(text: string, [a = '', b = a]: readonly string[]): string {
  return fillIn(text, a, b);
}

function nameOf(alias: CompiledAlias): string {
  return typeof alias === 'string' ? alias : alias.name;
}
