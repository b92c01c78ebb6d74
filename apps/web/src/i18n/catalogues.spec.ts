import { catalogue as de } from './de/catalogue';
import { rest as deRest } from './de/rest';
import { catalogue as en } from './en/catalogue';
import { rest as enRest } from './en/rest';
import { catalogue as es } from './es/catalogue';
import { rest as esRest } from './es/rest';

type Texts = { [key: string]: string | Texts };

/** Each text with its place in the catalogue. */
function textsOf(part: Texts, path = ''): [key: string, text: string][] {
  return Object.entries(part).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[path + key, value]] : textsOf(value, `${path}${key}.`),
  );
}

/** The values that a text names: `{{name}}`. The singular may say the number in words. */
const valuesOf = (text: string, key: string) =>
  [...text.matchAll(/\{\{\w+\}\}/g)]
    .map(([value]) => value)
    .filter((value) => !(key.endsWith('_one') && value === '{{count}}'))
    .sort()
    .join();

const english = [...textsOf(en), ...textsOf(enRest)];

describe.each([
  ['de', de, deRest],
  ['es', es, esRest],
])('the catalogue %s', (_language, catalogue, rest) => {
  const texts = new Map([...textsOf(catalogue), ...textsOf(rest)]);

  it('has every text of the English one and no other', () => {
    expect([...texts.keys()].sort()).toEqual(english.map(([key]) => key).sort());
  });

  it('names the same values, and leaves nothing empty', () => {
    const different = english.filter(([key, text]) => {
      const translated = texts.get(key);
      return (
        translated === undefined || !translated.trim() || valuesOf(translated, key) !== valuesOf(text, key)
      );
    });
    expect(different).toEqual([]);
  });
});
