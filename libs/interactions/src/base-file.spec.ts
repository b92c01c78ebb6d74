import { readBase, textOfBase } from './base-file';
import { smallBase } from './__fixtures__/small-base';

const base = { ...smallBase(), translated: { de: ['', 'Größer als 2.'], es: ['Ñu}\n'] } };

describe('the text of a base', () => {
  it('is JSON of the whole base', () => expect(JSON.parse(textOfBase(base))).toEqual(base));

  it('is read again, with the translated sentences parsed when they are asked for', () => {
    const read = readBase(Buffer.from(textOfBase(base)));
    const isParsed = (): boolean => 'value' in (Object.getOwnPropertyDescriptor(read, 'translated') ?? {});
    expect(isParsed()).toBe(false);
    expect(read).toEqual(base);
    expect(isParsed()).toBe(true);
    expect({ ...read }).toEqual(base);
  });

  it.each([
    ['without translations', textOfBase(smallBase())],
    ['in one line', JSON.stringify(base)],
    ['in many lines', JSON.stringify(base, undefined, 2)],
  ])('may be %s', (_, text) => {
    expect(readBase(Buffer.from(text))).toEqual(JSON.parse(text));
  });
});
