import type { KnowledgeBase } from '../compiled-base';
import type { AskedFact } from '../person/person-facts';
import type { Action, InShort, ResultKind, Severity } from '../types';
import { fillIn } from './fill-in';
import type { Language } from './language';
import { TEXT_IDS } from './text-ids';

/** The three texts of a statement. */
export interface Wording {
  lang: Language;
  summary: string;
  mechanism: string;
  management: string;
}

/** A statement whose texts are looked up: the positions of the English ones, or only the id. */
export interface Worded {
  id: string;
  summary?: number;
  mechanism?: number;
  management?: number;
  textsOf?: string;
}

/** The texts of a base in one language. What is not translated is in English. */
export class Texts {
  private readonly english: Readonly<Record<string, string>>;
  private readonly own: Readonly<Record<string, string>>;

  /** @throws Error when the base does not hold every text that the engine needs */
  constructor(
    private readonly base: KnowledgeBase,
    private readonly language: Language,
  ) {
    this.english = base.phrases?.en ?? {};
    this.own = base.phrases?.[language] ?? {};
    const missing = TEXT_IDS.find((id) => !Object.hasOwn(this.english, id));
    if (missing !== undefined) throw new Error(`The knowledge base has no text '${missing}'.`);
  }

  /** The texts of a statement, all three in one language. */
  wording(statement: Worded): Wording {
    const id = statement.textsOf ?? statement.id;
    const of = (part: 'summary' | 'mechanism' | 'management'): string | undefined =>
      this.find(this.own, `${id}.${part}`) ?? this.translated(statement[part]);
    const [summary, mechanism, management] = [of('summary'), of('mechanism'), of('management')];
    if (summary !== undefined && mechanism !== undefined && management !== undefined)
      return { lang: this.language, summary, mechanism, management };
    const english = (part: 'summary' | 'mechanism' | 'management'): string => {
      const position = statement[part];
      return position === undefined ? this.english[`${id}.${part}`] : this.base.texts[position];
    };
    return {
      lang: 'en',
      summary: english('summary'),
      mechanism: english('mechanism'),
      management: english('management'),
    };
  }

  /** The translation of a text, if there is one. */
  private translated(position: number | undefined): string | undefined {
    return position === undefined
      ? undefined
      : this.base.translated?.[this.language]?.[position] || undefined;
  }

  /** A word or a sentence of the engine. */
  phrase(id: string): string {
    return this.find(this.own, id) ?? this.english[id];
  }

  /** A word or a sentence of the engine, in English. */
  inEnglish(id: string): string {
    return this.english[id];
  }

  /** A number with at most three digits that count, as this language writes it. */
  number(value: number): string {
    const text = String(Number(value.toPrecision(3)));
    return this.language === 'en' ? text : text.replace('.', ',');
  }

  /** A fact of a person in words: the name of the base, or what was typed. */
  factWords({ fact, known, isAllergy }: AskedFact): string {
    const named = known && (known.n[this.language] ?? known.n.en)?.[0];
    const words =
      named ?? (Object.hasOwn(this.english, `fact.${fact}`) ? this.phrase(`fact.${fact}`) : `“${fact}”`);
    return isAllergy ? fillIn(this.phrase('fact.allergy'), words, words) : words;
  }

  /** Kind, severity, action and the one sentence on what to do, about the two names. */
  inShort(
    { kind, severity, action, rule }: { kind: ResultKind; severity: Severity; action: Action; rule: string },
    names: readonly string[],
  ): InShort {
    const ids = [
      `do.${rule}`,
      `do.${kind}.${severity}.${action}`,
      `do.${kind}.${severity}`,
      `do.${kind}.${action}`,
      `do.${kind}`,
    ];
    const words = [`kind.${kind}`, `severity.${severity}`, `action.${action}`];
    const sentence = ids.find((id) => Object.hasOwn(this.english, id)) ?? `do.${kind}`;
    const isTranslated = [...words, sentence].every((id) => Object.hasOwn(this.own, id));
    const table = isTranslated ? this.own : this.english;
    // In German, names of medicines are nouns with a capital letter.
    const [a = '', b = a] = isTranslated && this.language === 'de' ? names.map(capitalize) : names;
    return {
      lang: isTranslated ? this.language : 'en',
      kind: table[words[0]],
      severity: table[words[1]],
      action: table[words[2]],
      what_to_do: fillIn(table[sentence], a, b),
    };
  }

  private find(table: Readonly<Record<string, string>>, id: string): string | undefined {
    return Object.hasOwn(table, id) ? table[id] : undefined;
  }
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
