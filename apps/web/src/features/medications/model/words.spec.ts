import i18next from 'i18next';
import { catalogue as de } from '../../../i18n/de/catalogue';
import { catalogue as en } from '../../../i18n/en/catalogue';
import { catalogue as es } from '../../../i18n/es/catalogue';
import { language, t } from '../../../i18n/i18n';
import type { Language } from '../../../i18n/languages';
import { instantOf } from '../../../platform/model/dates';
import { nearWords } from './words';

const TODAY = '2026-11-26';

beforeAll(() =>
  i18next.init({
    interpolation: { escapeValue: false },
    resources: { de: { translation: de }, en: { translation: en }, es: { translation: es } },
  }),
);
afterAll(() => (language.value = 'en'));

it.each<[Language, string, string]>([
  ['es', '2026-11-26', 'La próxima, como pronto a las 5:33.'],
  ['es', '2026-11-27', 'La próxima, como pronto mañana a las 5:33.'],
  ['es', '2026-11-25', 'La próxima, como pronto ayer a las 5:33.'],
  ['es', '2026-11-29', 'La próxima, como pronto el 29 nov a las 5:33.'],
  ['de', '2026-11-26', 'Wieder nicht vor 5:33.'],
  ['de', '2026-11-27', 'Wieder nicht vor morgen, 5:33.'],
  ['de', '2026-11-29', 'Wieder nicht vor dem 29. Nov., 5:33.'],
  ['en', '2026-11-27', 'Next not before tomorrow, 5:33 AM.'],
])('says in %s when the next dose may be on %s', (spoken, day, said) => {
  language.value = spoken;
  expect(t('today.notBefore', { time: nearWords(instantOf(day, '05:33'), TODAY) }).replace(/\s/g, ' ')).toBe(
    said,
  );
});
