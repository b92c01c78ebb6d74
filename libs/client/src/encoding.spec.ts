import {
  fromBase64,
  fromBase64Url,
  fromUtf8,
  requireWellFormed,
  toBase64,
  toBase64Url,
  utf8,
} from './encoding';
import { isId, newId } from './ids';
import { canonicalJson, parseJson } from './json';

describe('base64', () => {
  it.each([0, 1, 2, 3, 100_001])('returns %d bytes', (length) => {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 7) % 256);
    expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
    expect(fromBase64(toBase64(bytes))).toEqual(bytes);
  });

  it.each(['A', 'AA', 'AA=', 'AAAA=', ' AAAA', 'AA-_', 'AB==', 'AAB=', 'AA==AAAA'])('refuses %p', (text) => {
    expect(fromBase64(text)).toBeUndefined();
  });
});

describe('base64url', () => {
  it.each([0, 1, 2, 3, 65])('returns %d bytes', (length) => {
    const bytes = Uint8Array.from({ length }, (_, at) => 255 - at);
    expect(toBase64Url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
    expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes);
  });

  it.each(['A', 'AA==', 'AA+/', 'AB', 'AAB', 'AA AA', 'ÄÄ'])('refuses %p', (text) => {
    expect(fromBase64Url(text)).toBeUndefined();
  });
});

it('reads UTF-8 strictly and keeps a byte order mark', () => {
  expect(() => fromUtf8(Uint8Array.of(0xff))).toThrow();
  expect(fromUtf8(utf8('\ufeffa'))).toBe('\ufeffa');
});

it('refuses lone surrogates', () => {
  expect(() => requireWellFormed('a\ud800', 'It')).toThrow(
    expect.objectContaining({ code: 'invalid_argument' }),
  );
  expect(() => requireWellFormed('💊', 'It')).not.toThrow();
});

it('makes UUIDv7 in the order of time', () => {
  const ids = [1_000, 1_700_000_000_000, 2 ** 47].map((nowMs) => newId(nowMs));
  expect([...ids].sort()).toEqual(ids);
  expect(ids[1]).toMatch(/^018bcfe5-6800-7[0-9a-f]{3}-[89ab]/);
  expect(isId(ids[0])).toBe(true);
  expect(isId(ids[0].toUpperCase())).toBe(false);
});

it('drops __proto__ members, written plainly or with an escape', () => {
  const read = parseJson('{"__proto__":{"a":1},"b":[{"\\u005f_proto__":{"c":1},"d":2}]}');
  expect(Object.getOwnPropertyNames(read)).toEqual(['b']);
  expect(JSON.stringify(read)).toBe('{"b":[{"d":2}]}');
});

it('gives equal values equal text', () => {
  expect(canonicalJson({ b: 1, a: { d: [1, { f: 1, e: undefined }], c: null } })).toBe(
    '{"a":{"c":null,"d":[1,{"f":1}]},"b":1}',
  );
});
