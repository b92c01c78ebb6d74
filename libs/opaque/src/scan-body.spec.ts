import { ServiceError } from '@app/common';
import fc from 'fast-check';
import { blobText, jsonBlank, jsonText } from './__fixtures__/json-text';
import { OpaqueJson } from './opaque-json';
import { fieldName, RESERVED_NAMES, scanBody } from './scan-body';

const OPAQUE = ['encrypted_data', 'name_data', 'default_profile_name_data'];

const scan = (text: string) => scanBody(Buffer.from(text), OPAQUE) as Record<string, unknown>;

const codeOf = (body: string | Uint8Array) => {
  try {
    scanBody(Buffer.from(body as Uint8Array), OPAQUE);
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    return (error as ServiceError).code;
  }
  return undefined;
};

/** Names that a body may have, except those with opaque values and the refused ones. */
const plainName = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .filter((name) => !OPAQUE.includes(name) && !RESERVED_NAMES.has(name));

/** Whether the value contains a string that PostgreSQL cannot store, or a reserved name. */
const isUnfit = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes('\0') || !value.isWellFormed()
    : typeof value === 'object' &&
      value !== null &&
      Object.entries(value).some((entry) => RESERVED_NAMES.has(entry[0]) || entry.some(isUnfit));

const colonsOf = (text: string) => text.replace(/"(?:[^"\\]|\\.)*"/g, '').replace(/[^:]/g, '').length;

/** Whether JSON.parse drops a member of the text because a later one has the same name. */
const isLossy = (text: string) => colonsOf(text) > colonsOf(JSON.stringify(JSON.parse(text)));

describe('scanBody', () => {
  it('reads what JSON.parse reads, in any spelling', () => {
    fc.assert(
      fc.property(plainName, jsonText, jsonBlank, (name, text, blank) => {
        const body = `${blank}{${blank}${JSON.stringify(name)}${blank}:${blank}${text}${blank}}${blank}`;
        if (isUnfit(JSON.parse(text)) || isLossy(text)) expect(codeOf(body)).toBe('validation_failed');
        else expect(scan(body)).toEqual(JSON.parse(body));
      }),
      { numRuns: 200 * Number(process.env.TEST_LONG ?? 1) },
    );
  });

  it('cuts the text of an opaque value out of the body, to the byte, wherever it stands', () => {
    const opaque = fc.constantFrom('encrypted_data', 'name_data', 'default_profile_name_data');
    const members = fc.uniqueArray(fc.tuple(plainName, fc.jsonValue({ maxDepth: 2 })), {
      selector: ([name]) => name,
    });
    fc.assert(
      fc.property(opaque, blobText, members, fc.nat(), jsonBlank, (name, text, others, place, blank) => {
        const fields = others
          .filter((other) => !isUnfit(other))
          .map(([other, value]) => `${JSON.stringify(other)}:${JSON.stringify(value)}`);
        fields.splice(place % (fields.length + 1), 0, `${blank}"${name}"${blank}:${blank}${text}${blank}`);
        const body = `{${fields.join(',')}}`;
        const scanned = scan(body);
        expect(scanned[name]).toBeInstanceOf(OpaqueJson);
        expect((scanned[name] as OpaqueJson).text).toBe(text);
        expect({ ...scanned, [name]: 0 }).toEqual({ ...JSON.parse(body), [name]: 0 });
      }),
      { numRuns: 200 * Number(process.env.TEST_LONG ?? 1) },
    );
  });

  it.each([
    '{"a":1.50}',
    '[1e400]',
    '[-0]',
    '"\\u0000\\ud800"',
    '{"2":1,"1":2,"a":1,"a":2}',
    'null',
    '[1, 2]',
    '""',
  ])('keeps %s as it is', (text) =>
    expect((scan(`{"encrypted_data": ${text} }`).encrypted_data as OpaqueJson).text).toBe(text),
  );

  it('reads a field as any other where it is not named as opaque', () => {
    expect(scanBody(Buffer.from('{"encrypted_data":1.50}'), [])).toEqual({ encrypted_data: 1.5 });
  });

  it('knows an opaque field by its name, however that is written, and only at the top', () => {
    const { encrypted_data, x } = scan('{"encrypted\\u005fdata":[1.50],"x":{"encrypted_data":1.50}}');
    expect(encrypted_data).toEqual(new OpaqueJson('[1.50]'));
    expect(x).toEqual({ encrypted_data: 1.5 });
  });

  it.each(['encrypted_dat\\u0061', '\\u0065ncrypted\\u005Fdata', '\\u006e\\u0061me_data'])(
    'knows %s as an opaque field',
    (name) => expect(Object.values(scan(`{"${name}":1}`))).toEqual([new OpaqueJson('1')]),
  );

  it.each([
    'encrypted_dat',
    'encrypted_data2',
    'encrypted_data\\u0032',
    'ncrypted_data',
    'Encrypted_data',
    'encrypted\\\\u005fdata',
    'encrypted\\ndata',
    'encrypted\\u015fdata',
    'é',
    '',
  ])('knows %s as another field', (name) =>
    expect(Object.values(scan(`{"${name}":1,"b":2}`))).toEqual([1, 2]),
  );

  it.each([
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"name_data":"x","b":{"a":1,"a":2},"name_data":"x"}',
    '{"":1,"":1}',
  ])('refuses a field twice: %s', (body) => expect(codeOf(body)).toBe('validation_failed'));

  it.each([
    '{"a":{"b":1,"b":2}}',
    '{"a":{"b":1,"\\u0062":1}}',
    '{"a":[0,{"b":{"c":1,"d":2}, "b" : {}}]}',
    '{"a":{"__proto__":1,"__proto__":2}}',
    '[{"a":{"b":1,"b":2}}]',
  ])('refuses a name twice inside of a value: %s', (body) => expect(codeOf(body)).toBe('validation_failed'));

  it('knows a name from what only looks like one', () => {
    const body = { a: { b: 'c:d', 'e:"f\\': [':', { b: ':{"b":1,"b":2}' }], g: {}, h: null } };
    expect(scan(JSON.stringify(body))).toEqual(body);
    const escaped = { '"\\\n': [{ '': 0 }], '\\u0061': { b: 1 } };
    expect(scan(JSON.stringify(escaped))).toEqual(escaped);
  });

  it.each(['__proto__', 'constructor', 'prototype', '\\u005f_proto__', 'toString', 'hasOwnProperty'])(
    'refuses the name %s outside of blobs',
    (name) => {
      for (const body of [
        `{"${name}":{"polluted":true}}`,
        `{"x":[{"y":{"${name}":1}}]}`,
        `[{"${name}":1}]`,
        `{"encrypted_data":1,"x":{"${name}":1}}`,
      ])
        expect(codeOf(body)).toBe('validation_failed');
      expect(codeOf(`{"encrypted_data":{"${name}":1}}`)).toBeUndefined();
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    },
  );

  it.each([
    ['objects', 63, '{"a":', '1', '}'],
    ['lists', 63, '[', '', ']'],
    ['both', 31, '[{"a":', '[]', '}]'],
  ])('allows 64 levels of %s, the body included, and no more', (_, most, open, inner, close) => {
    for (const field of ['x', 'encrypted_data']) {
      const body = (times: number) => `{"${field}":${open.repeat(times)}${inner}${close.repeat(times)}}`;
      expect(codeOf(body(most))).toBeUndefined();
      expect(codeOf(body(most + 1))).toBe('malformed_json');
    }
  });

  it('refuses the depth of a body that is a list as well', () => {
    expect(codeOf('['.repeat(65) + ']'.repeat(65))).toBe('malformed_json');
  });

  it.each(['"a":1,"a":', '"a":1,"b":2,"a":', '"__proto__":1,"a":', '"a":"\\ud800","b":'])(
    'knows how deep each value is before it looks into one: {%s…}',
    (start) => {
      for (const depth of [65, 5_000, 100_000])
        expect(codeOf(`{${start}${'['.repeat(depth)}${']'.repeat(depth)}}`)).toBe('malformed_json');
    },
  );

  it('reads nothing that JSON.parse does not read', () => {
    fc.assert(
      fc.property(jsonText, fc.nat(), fc.string({ unit: 'binary', maxLength: 2 }), (text, place, noise) => {
        const at = place % (text.length + 1);
        const broken = Buffer.from(`{"a":${text.slice(0, at)}${noise}${text.slice(at)}}`);
        let parsed = true;
        try {
          JSON.parse(broken.toString());
        } catch {
          parsed = false;
        }
        fc.pre(!parsed);
        expect(codeOf(broken)).toBe('malformed_json');
      }),
      { numRuns: 200 * Number(process.env.TEST_LONG ?? 1) },
    );
  });

  it('never fails but by refusing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(['malformed_json', 'validation_failed', undefined]).toContain(codeOf(Buffer.from(bytes)));
      }),
    );
  });

  it.each([[[0xff]], [[0x22, 0xed, 0xa0, 0x80, 0x22]], [[0x22, 0xc0, 0xaf, 0x22]]])(
    'refuses what is not UTF-8: %j',
    (bytes) => {
      expect(codeOf(Buffer.from(bytes))).toBe('malformed_json');
    },
  );

  it('reads a megabyte of escapes, of quotes and of brackets in no time', () => {
    const MANY = 250_000;
    for (const text of [
      `"${'\\\\'.repeat(MANY)}"`,
      `"${'\\"'.repeat(MANY)}"`,
      `[${'"",'.repeat(MANY)}""]`,
      `[${'{},'.repeat(MANY)}{}]`,
      `${' '.repeat(MANY)}1`,
    ]) {
      const started = process.hrtime.bigint();
      scan(`{"encrypted_data":${text}}`);
      expect(Number(process.hrtime.bigint() - started) / 1e6).toBeLessThan(20_000);
    }
  });
});

describe('the limits of a body', () => {
  const members = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',');
  const objects = (count: number) => Array.from({ length: count }, () => '{"a":1}').join(',');

  it.each([
    ['in a blob', (count: number) => `{"encrypted_data":{${members(count - 1)}}}`],
    ['of one name', (count: number) => `{"encrypted_data":[${objects(count - 1)}]}`],
  ])('allow 10,000 members %s, and no more', (_, body) => {
    expect(codeOf(body(10_000))).toBeUndefined();
    expect(codeOf(body(10_001))).toBe('payload_too_large');
  });

  it.each([
    ['of the body', (count: number) => `{${members(count)}}`],
    ['in a value', (count: number) => `{"x":{${members(count - 1)}}}`],
    ['in many objects', (count: number) => `{"x":[${objects((count - 2) / 2)}],"y":1}`],
    ['in a list', (count: number) => `{"x":["a"${',1'.repeat(count - 2)}]}`],
    [
      'that are empty',
      (count: number) => `{"encrypted_data":[{},{}],"x":[{}${',[]'.repeat(count / 2 - 2)}]}`,
    ],
    ['of a list', (count: number) => `[1${',1'.repeat(count - 1)}]`],
  ])('allow 2,000 values %s, and no more', (_, body) => {
    expect(codeOf(body(2_000))).toBeUndefined();
    expect(codeOf(body(2_002))).toBe('payload_too_large');
  });

  it('are judged before JSON.parse reads the body', () => {
    const parse = jest.spyOn(JSON, 'parse');
    expect(codeOf(`{${members(10_001)}}`)).toBe('payload_too_large');
    expect(codeOf('['.repeat(65))).toBe('malformed_json');
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  it('count what is a member, and nothing that looks like one', () => {
    expect(codeOf(`{"encrypted_data":${JSON.stringify('":1,"'.repeat(10_001))}}`)).toBeUndefined();
    expect(codeOf(`{"encrypted_data":[${'1,'.repeat(100_000)}1]}`)).toBeUndefined();
    expect(codeOf(`{"x":${JSON.stringify(',[{'.repeat(10_000))}}`)).toBeUndefined();
  });

  it.each([
    ['in the body', (name: string) => `{"${name}":1}`],
    ['in a value', (name: string) => `{"x":[{"${name}":1}]}`],
  ])('allow names of 256 characters %s, quotes included, and no more', (_, body) => {
    expect(codeOf(body('n'.repeat(254)))).toBeUndefined();
    expect(codeOf(body('n'.repeat(255)))).toBe('validation_failed');
    expect(codeOf(body('\\n'.repeat(128)))).toBe('validation_failed');
  });

  it('allow strings of 64 Ki characters, quotes included, and longer ones only in a blob', () => {
    const longest = 'x'.repeat(64 * 1024 - 2);
    for (const [before, after] of [
      ['{"x":', '}'],
      ['{"x":[{"y":', '}]}'],
    ]) {
      expect(codeOf(`${before}"${longest}"${after}`)).toBeUndefined();
      expect(codeOf(`${before}"${longest}x"${after}`)).toBe('payload_too_large');
    }
    expect(codeOf(`{"encrypted_data":["${longest}x"],"${'n'.repeat(255)}":1}`)).toBe('validation_failed');
    expect(codeOf(`{"encrypted_data":{"${longest}x":"${longest}x"}}`)).toBeUndefined();
  });

  it('have no effect on what is not JSON', () => {
    for (const body of [
      `{"x":"${'x'.repeat(70_000)}"`,
      `{"${'n'.repeat(300)}":1`,
      '{"a":1,"a":1',
      '{"\\ud800":1,}',
    ])
      expect(codeOf(body)).toBe('malformed_json');
  });
});

describe('fieldName', () => {
  it('makes any text fit for an error message', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        expect(fieldName(name)).toMatch(/^[\x20-\x7e]{0,64}…?$/);
      }),
    );
  });

  it('leaves an ordinary name alone', () => {
    expect(fieldName('default_profile_name_data')).toBe('default_profile_name_data');
  });
});
