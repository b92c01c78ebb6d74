import fc from 'fast-check';
import { OpaqueJson } from './opaque-json';
import { writeJson } from './write-json';

const written = writeJson;

describe('writeJson', () => {
  it('writes ordinary values as JSON.stringify does', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => expect(written(value)).toBe(JSON.stringify(value))));
  });

  it('writes any text as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) =>
        expect(written({ value })).toBe(JSON.stringify({ value })),
      ),
    );
  });

  it('writes a list alike, however long it is', () => {
    const items = fc.array(fc.jsonValue(), { minLength: 0, maxLength: 80, size: 'max' });
    fc.assert(fc.property(items, (value) => expect(written(value)).toBe(JSON.stringify(value))));
  });

  it('leaves undefined members out', () => {
    expect(written({ a: undefined, b: 1, c: undefined })).toBe('{"b":1}');
    expect(written(Array.from({ length: 40 }, () => ({ a: undefined })))).toBe(
      `[${Array(40).fill('{}').join()}]`,
    );
  });

  it('keeps the text of an opaque value, in records and in long lists', () => {
    const blob = new OpaqueJson('{ "b": 1.50, "a": 1e400 }');
    expect(written({ blob })).toBe('{"blob":{ "b": 1.50, "a": 1e400 }}');
    expect(written(Array(40).fill({ blob }))).toBe(
      `[${Array(40).fill('{"blob":{ "b": 1.50, "a": 1e400 }}').join()}]`,
    );
  });
});
