export const LANGUAGES = { en: 'English', de: 'Deutsch', es: 'Español' } as const;
export type Language = keyof typeof LANGUAGES;

export function isLanguage(text: string | null | undefined): text is Language {
  return text !== null && text !== undefined && text in LANGUAGES;
}

/** The language of the browser that the page speaks, else English. */
export function browserLanguage(wanted: readonly string[] = navigator.languages): Language {
  return wanted.map((each) => each.slice(0, 2)).find(isLanguage) ?? 'en';
}
