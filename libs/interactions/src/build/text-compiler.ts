import { LANGUAGES, type Language } from '../texts/language';
import { TEXT_IDS } from '../texts/text-ids';
import type { KnowledgeBase } from '../compiled-base';
import { EntryReader, type Problems } from './entry-reader';
import type { Entry } from './knowledge-reader';

/** Severities and actions, and the ids of their words. */
const TERMS = new Map(
  TEXT_IDS.filter((id) => /^(?:severity|action)\./.test(id)).map((id) => [id.split('.')[1], id]),
);
const PARTS_OF_A_STATEMENT = /^(.+)\.(?:summary|mechanism|management)$/;

/**
 * Compiles the texts by id. A text of the engine needs every language. A text of a statement (`<id>.summary` …) has its
 * English text in the statement, and here only translations.
 * @param statements the ids of all statements
 */
export function compileTexts(
  entries: readonly Entry[],
  statements: ReadonlySet<string>,
  problems: Problems,
): NonNullable<KnowledgeBase['phrases']> {
  const phrases = Object.fromEntries(LANGUAGES.map((language) => [language, {}])) as Record<
    Language,
    Record<string, string>
  >;
  for (const entry of entries) {
    const reader = new EntryReader(entry, 'text', problems, 'id');
    const id = reader.text('id');
    const ofStatement = statements.has(PARTS_OF_A_STATEMENT.exec(id)?.[1] ?? '');
    if (Object.values(phrases).some((texts) => Object.hasOwn(texts, id)))
      reader.complain('this id exists already');
    if (!ofStatement && !TEXT_IDS.includes(id) && !isSentence(id, statements))
      reader.complain('is no text of the engine, and no text of a statement');
    for (const language of LANGUAGES) {
      const text = reader.optionalText(language);
      if (ofStatement ? language === 'en' && text !== undefined : text === undefined)
        reader.complain(ofStatement ? `'en' is in the statement` : `'${language}' is missing`);
      if (text !== undefined) phrases[language][id] = text;
    }
    if (id.startsWith('do.')) for (const language of LANGUAGES) reader.sentences(language, 1);
    reader.refuseOthers();
  }
  const missing = TEXT_IDS.filter((id) => !Object.hasOwn(phrases.en, id));
  if (missing.length > 0) problems.push(`texts: missing are ${missing.join(', ')}`);
  return phrases;
}

/** True for `do.<kind>`, `do.<kind>.<severity>` …, and `do.<id of a statement>`. */
function isSentence(id: string, statements: ReadonlySet<string>): boolean {
  const [first, about, ...terms] = id.split('.');
  if (first !== 'do') return false;
  if (terms.length === 0 && (statements.has(about) || TEXT_IDS.includes(`${about}.summary`))) return true;
  return [`kind.${about}`, ...terms.map((term) => TERMS.get(term) ?? '')].every((word) =>
    TEXT_IDS.includes(word),
  );
}
