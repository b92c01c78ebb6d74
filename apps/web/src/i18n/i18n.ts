import { signal } from '@preact/signals';
import i18next, { type TOptions } from 'i18next';
import type { Catalogue, Rest } from './en/catalogue';
import type { Language } from './languages';

/** `key_one` and `key_other` of a catalogue are one key, chosen by `count`. */
type Stem<K extends string> = K extends `${infer S}_one` | `${infer S}_other` ? S : K;
type KeysOf<T, P extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${P}${Stem<K>}` : KeysOf<T[K], `${P}${K}.`>;
}[keyof T & string];

/** Every text of the page by its key, such as `today.title`. */
export type TextKey = KeysOf<Catalogue & Rest>;

/** The language of the shown texts. Screens that call `t` follow it. */
export const language = signal<Language>('en');

const CATALOGUES: Record<Language, () => Promise<{ catalogue: Catalogue }>> = {
  en: () => import('./en/catalogue'),
  de: () => import('./de/catalogue'),
  es: () => import('./es/catalogue'),
};
const RESTS: Record<Language, () => Promise<{ rest: Rest }>> = {
  en: () => import('./en/rest'),
  de: () => import('./de/rest'),
  es: () => import('./es/rest'),
};
/** Whether a screen was opened that is not one of the first. */
let isRestNeeded = false;

async function load(next: Language): Promise<void> {
  if (!i18next.isInitialized)
    await i18next.init({
      lng: next,
      fallbackLng: false,
      interpolation: { escapeValue: false },
      resources: {},
    });
  const add = (texts: object) => i18next.addResourceBundle(next, 'translation', texts, true);
  if (!i18next.hasResourceBundle(next, 'translation')) add((await CATALOGUES[next]()).catalogue);
  if (isRestNeeded && !i18next.exists('doctor.title', { lng: next })) add((await RESTS[next]()).rest);
}

/** Loads the texts of the screens that are not the first. */
export async function needAllTexts(): Promise<void> {
  isRestNeeded = true;
  await load(language.value);
}

/** Shows the page in a language. */
export async function speak(next: Language): Promise<void> {
  await load(next);
  await i18next.changeLanguage(next);
  document.documentElement.lang = next;
  language.value = next;
}

/** A text in the language of the page. */
export function t(key: TextKey, values?: TOptions): string {
  return i18next.t(key, { ...values, lng: language.value });
}

/** Texts in another language than that of the page, for a sheet that somebody else reads. */
export async function textsIn(other: Language): Promise<(key: TextKey, values?: TOptions) => string> {
  isRestNeeded = true;
  await load(other);
  return (key, values) => i18next.t(key, { ...values, lng: other });
}

/** Whether there is a text of this key; for keys that are made from data. */
export function hasText(key: string): key is TextKey {
  return i18next.exists(key, { lng: language.value });
}
