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

/** The texts of a base in one language. What is not translated is in the language of `texts`: English, or that of the edition. */
export class Texts {
  private readonly main: Language;
  private readonly language: Language;
  private readonly inMain: Readonly<Record<string, string>>;
  private readonly own: Readonly<Record<string, string>>;
  /** What was looked up once: the base has a few thousand statements, and a check needs the same ones again and again. */
  private readonly wordings = new Map<string, Wording>();
  private readonly shortWords = new Map<string, InShort>();

  /** @throws Error when the base does not hold every text that the engine needs */
  constructor(
    private readonly base: KnowledgeBase,
    language: Language,
  ) {
    this.main = base.language ?? 'en';
    this.language = base.phrases?.[language] ? language : this.main;
    this.inMain = base.phrases?.[this.main] ?? {};
    this.own = base.phrases?.[this.language] ?? {};
    const missing = TEXT_IDS.find((id) => !Object.hasOwn(this.inMain, id));
    if (missing !== undefined) throw new Error(`The knowledge base has no text '${missing}'.`);
  }

  /** The texts of a statement, all three in one language. */
  wording(statement: Worded): Wording {
    const id = statement.textsOf ?? statement.id;
    let wording = this.wordings.get(id);
    if (!wording) this.wordings.set(id, (wording = this.findWording(id, statement)));
    return wording;
  }

  private findWording(id: string, statement: Worded): Wording {
    const of = (part: 'summary' | 'mechanism' | 'management'): string | undefined =>
      this.find(this.own, `${id}.${part}`) ?? this.translated(statement[part]);
    const [summary, mechanism, management] = [of('summary'), of('mechanism'), of('management')];
    if (summary !== undefined && mechanism !== undefined && management !== undefined)
      return { lang: this.language, summary, mechanism, management };
    const untranslated = (part: 'summary' | 'mechanism' | 'management'): string => {
      const position = statement[part];
      return position === undefined ? this.inMain[`${id}.${part}`] : this.base.texts[position];
    };
    return {
      lang: this.main,
      summary: untranslated('summary'),
      mechanism: untranslated('mechanism'),
      management: untranslated('management'),
    };
  }

  /** A text in the language, if there is one. */
  private translated(position: number | undefined): string | undefined {
    const { texts, translated } = this.base;
    const own = this.language === this.main ? texts : translated?.[this.language];
    return position === undefined ? undefined : own?.[position] || undefined;
  }

  /** A word or a sentence of the engine. @param lang that of the text around it */
  phrase(id: string, lang = this.language): string {
    return (lang === this.language ? this.find(this.own, id) : undefined) ?? this.inMain[id];
  }

  /** A name within a sentence: in German, nouns have a capital letter. */
  noun(name: string, language = this.language): string {
    return language === 'de' ? name.charAt(0).toUpperCase() + name.slice(1) : name;
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
      named ?? (Object.hasOwn(this.inMain, `fact.${fact}`) ? this.phrase(`fact.${fact}`) : `“${fact}”`);
    return isAllergy ? fillIn(this.phrase('fact.allergy'), words, words) : words;
  }

  /** Kind, severity, action and the one sentence on what to do, about the two names. */
  inShort(
    { kind, severity, action, rule }: { kind: ResultKind; severity: Severity; action: Action; rule: string },
    names: readonly string[],
  ): InShort {
    const key = `${rule} ${kind} ${severity} ${action}`;
    let words = this.shortWords.get(key);
    if (!words) this.shortWords.set(key, (words = this.findShort(rule, kind, severity, action)));
    const { lang } = words;
    const [a = '', b = a] = names.map((name) => this.noun(name, lang));
    return { ...words, what_to_do: fillIn(words.what_to_do, a, b) };
  }

  private findShort(rule: string, kind: ResultKind, severity: Severity, action: Action): InShort {
    const ids = [
      `do.${rule}`,
      `do.${kind}.${severity}.${action}`,
      `do.${kind}.${severity}`,
      `do.${kind}.${action}`,
      `do.${kind}`,
    ];
    const words = [`kind.${kind}`, `severity.${severity}`, `action.${action}`];
    const sentence = ids.find((id) => Object.hasOwn(this.inMain, id)) ?? `do.${kind}`;
    const isTranslated = [...words, sentence].every((id) => Object.hasOwn(this.own, id));
    const table = isTranslated ? this.own : this.inMain;
    return {
      lang: isTranslated ? this.language : this.main,
      kind: table[words[0]],
      severity: table[words[1]],
      action: table[words[2]],
      what_to_do: table[sentence],
    };
  }

  private find(table: Readonly<Record<string, string>>, id: string): string | undefined {
    return Object.hasOwn(table, id) ? table[id] : undefined;
  }
}
