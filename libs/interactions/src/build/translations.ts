import { LANGUAGES, type Language } from '../texts/language';
import type { Glossary } from './glossary';
import type { KnowledgeFile } from './knowledge-reader';
import type { Problems } from './entry-reader';

/** The languages into which the English texts of statements are translated. */
export const TRANSLATED = LANGUAGES.filter((language) => language !== 'en');

export type Translated = (typeof TRANSLATED)[number];

/** The sentences of a text. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?])\s+(?=[A-Z{(])/);
}

/**
 * Translations of sentences. A sentence that occurs in several statements is translated once, and a sentence that
 * changes in English has no translation until somebody translates it again.
 */
export class Translations {
  /** English sentences without a translation, each with the id of a statement that says it. */
  readonly missing = new Map<string, string>();
  private readonly sentences = new Map<string, { in: Record<Translated, string>; where: string }>();
  private readonly used = new Set<string>();

  /** @param files tables with one sentence a line: English and the other languages, with tabs between them */
  constructor(
    files: readonly KnowledgeFile[],
    private readonly glossaries: Record<Translated, Glossary>,
    problems: Problems,
  ) {
    for (const { path, text } of files) {
      for (const [at, line] of text.split('\n').entries()) {
        if (line === '') continue;
        const where = `${path}:${at + 1}`;
        const [english, ...others] = line.split('\t');
        if (others.length !== TRANSLATED.length || others.some((other) => other.trim() === ''))
          problems.push(`${where}: needs ${LANGUAGES.join(', ')}, with tabs between them`);
        else if (this.sentences.has(english)) problems.push(`${where}: this sentence is translated already`);
        else {
          const translated = Object.fromEntries(TRANSLATED.map((language, i) => [language, others[i]]));
          this.sentences.set(english, { in: translated as Record<Translated, string>, where });
          for (const complaint of faultsOf(english, others)) problems.push(`${where}: ${complaint}`);
        }
      }
    }
  }

  /** The texts of a statement in every other language; empty where a sentence is not translated. */
  translate(id: string, texts: readonly string[]): Record<Translated, string[]> {
    const sentences = texts.map(sentencesOf);
    for (const sentence of sentences.flat()) {
      if (this.sentences.has(sentence)) this.used.add(sentence);
      else if (sentence !== '') this.missing.set(sentence, id);
    }
    const whole = sentences.flat().every((sentence) => this.sentences.has(sentence));
    const translated = TRANSLATED.map((language) => {
      const plain = sentences.map((list) =>
        whole ? list.map((sentence) => this.sentences.get(sentence)!.in[language]).join(' ') : '',
      );
      return [language, this.glossaries[language].explain(plain)];
    });
    return Object.fromEntries(translated) as Record<Translated, string[]>;
  }

  /** The places of translations of sentences that no statement says any more. */
  unused(): string[] {
    return [...this.sentences].filter(([english]) => !this.used.has(english)).map(([, { where }]) => where);
  }
}

/** What shows that a translation does not say the same: other figures, or other places of the names. */
function faultsOf(english: string, others: readonly string[]): string[] {
  return others.flatMap((other, i) => {
    const language: Language = TRANSLATED[i];
    const faults: string[] = [];
    if (slotsOf(other) !== slotsOf(english))
      faults.push(`'${language}' holds other names than the English text`);
    if (figuresOf(other) !== figuresOf(english))
      faults.push(`'${language}' holds other figures than the English text`);
    return faults;
  });
}

function slotsOf(text: string): string {
  return [...new Set(text.match(/\{[^}]*\}/g))].sort().join();
}

/** Figures, whatever the sign before decimals and thousands. */
function figuresOf(text: string): string {
  const figures = text.match(/\d+(?:[.,]\d+)*/g) ?? [];
  return [...new Set(figures.map((figure) => figure.replace(/[.,]/g, '')))].sort().join();
}
