/** The languages of the texts. English is complete; what the others lack is answered in English. */
export const LANGUAGES = ['en', 'de', 'es'] as const;

export type Language = (typeof LANGUAGES)[number];

/** The language with this code, also of a region (`de-AT`); English for any other. */
export function languageOf(code: string | undefined): Language {
  const primary = code?.toLowerCase().split('-')[0];
  return LANGUAGES.find((language) => language === primary) ?? 'en';
}
