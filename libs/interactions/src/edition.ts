import type { KnowledgeBase } from './compiled-base';
import { LANGUAGES, type Language } from './texts/language';

/**
 * The base with the sentences of one language alone: what a device downloads. The names of illnesses and allergies stay in all
 * languages. A sentence that is not translated is in English.
 */
export function editionOf(base: KnowledgeBase, language: Language): KnowledgeBase {
  const { format, translated, signatures, ...facts } = base;
  const own = language === 'en' ? undefined : translated?.[language];
  const signature = signatures?.[language];
  return {
    format,
    language,
    ...facts,
    texts: base.texts.map((text, position) => own?.[position] || text),
    phrases: { [language]: { ...base.phrases?.en, ...base.phrases?.[language] } },
    ...(signature && { signature }),
  };
}

/** The edition of each language. */
export function editionsOf(base: KnowledgeBase): [Language, KnowledgeBase][] {
  return LANGUAGES.map((language) => [language, editionOf(base, language)]);
}
