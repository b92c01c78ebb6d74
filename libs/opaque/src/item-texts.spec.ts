import fc from 'fast-check';
import { jsonBlank, jsonText } from './__fixtures__/json-text';
import { itemTexts } from './body-text';

it('gives the source text of each item of a list, whatever stands in it', () => {
  const item = fc.tuple(jsonBlank, jsonText, jsonBlank);
  fc.assert(
    fc.property(fc.array(item, { maxLength: 6 }), (items) => {
      const list = `[${items.map((parts) => parts.join('')).join(',')}]`;
      expect(itemTexts(list)).toEqual(items.map(([, text]) => text.trim()));
    }),
  );
});

it('finds no list in another value', () => {
  for (const text of ['{}', '"[1]"', '1', 'null']) expect(itemTexts(text)).toBeUndefined();
  expect(itemTexts('[ ]')).toEqual([]);
});
