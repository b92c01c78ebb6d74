import { LANGUAGES, type Language } from '../texts/language';
import { EntryReader, type Problems } from './entry-reader';
import type { Entry } from './knowledge-reader';

/** Abbreviations of medicine and chemistry: capitals, or a capital and a digit. */
const ABBREVIATION = /\b(?:[A-Z]{2,}[A-Za-z]*(?:-?[A-Z0-9]+)*|[A-Z]\d+|[A-Z][a-z]+[A-Z]\w*)\b/g;

/** Technical terms of one language, and a short explanation of each for a person at home. */
export class Glossary {
  private readonly meanings = new Map<string, string | undefined>();
  private readonly pattern: RegExp | undefined;

  constructor(entries: readonly Entry[], problems: Problems, language: Language = 'en') {
    for (const entry of entries) {
      const reader = new EntryReader(entry, 'glossary term', problems, 'term');
      if (reader.oneOf('lang', LANGUAGES, 'en') !== language) continue;
      const term = reader.text('term');
      const meaning = reader.optionalText('meaning');
      if (reader.raw('known') !== true && meaning === undefined)
        reader.complain(`needs a 'meaning', or 'known: true' for a term that everyone knows`);
      reader.refuseOthers();
      if (this.meanings.has(term)) reader.complain('this term exists already');
      this.meanings.set(term, meaning);
    }
    const terms = [...this.meanings].flatMap(([term, meaning]) => (meaning === undefined ? [] : [term]));
    const longestFirst = terms.sort((a, b) => b.length - a.length).map(escape);
    if (longestFirst.length > 0)
      this.pattern = new RegExp(`(?<![\\p{L}\\d_-])(?:${longestFirst.join('|')})(?![\\p{L}\\d_-])`, 'gu');
  }

  /** Adds an explanation in brackets after the first use of each term in the texts of one statement. */
  explain(texts: readonly string[]): string[] {
    const pattern = this.pattern;
    if (!pattern) return [...texts];
    const explained = new Set<string>();
    return texts.map((text) =>
      text.replace(pattern, (term: string, at: number) => {
        const meaning = this.meanings.get(term) ?? '';
        const after = text.slice(at + term.length);
        if (explained.has(meaning) || /^(?: \(|, an? )/.test(after)) return term;
        explained.add(meaning);
        return `${term} (${meaning})`;
      }),
    );
  }

  /** Abbreviations in a text that are missing in the glossary. */
  unknownIn(text: string): string[] {
    const found = text.match(ABBREVIATION) ?? [];
    return [...new Set(found)].filter((term) => !this.meanings.has(term));
  }
}

function escape(term: string): string {
  return term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
