import fc from 'fast-check';

/**
 * JSON as a client may write it: blanks at any place, unnecessary escapes, numbers of any form, duplicate
 * keys.
 */
const blank = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t'), maxLength: 2 });

const ESCAPES = [
  '\\"',
  '\\\\',
  '\\/',
  '\\b',
  '\\f',
  '\\n',
  '\\r',
  '\\t',
  '\\u0000',
  '\\u005c',
  '\\u0022',
  '\\u00E9',
];
const SURROGATES = ['\\ud800', '\\uDC00', '\\ud83d\\udc36', '\\udc36\\ud83d'];
const STRUCTURE = [
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '{\\"a\\":',
  'encrypted_data',
  '\u2028',
  '\ufeff',
  '\u007f',
  'null',
];

/** Characters that a string may contain without an escape. */
const plain = fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }).map((text) =>
  // eslint-disable-next-line no-control-regex
  text.toWellFormed().replace(/["\\\u0000-\u001f]/g, 'x'),
);

const characters = fc.array(fc.oneof(plain, fc.constantFrom(...ESCAPES, ...SURROGATES, ...STRUCTURE)), {
  maxLength: 8,
});
const string = characters.map((parts) => `"${parts.join('')}"`);

const digits = (minLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength: 20 });
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    digits(1).map((text) => text.replace(/^0+(?=.)/, '')),
    fc.oneof(
      fc.constant(''),
      digits(1).map((text) => `.${text}`),
    ),
    fc.oneof(
      fc.constant(''),
      fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-'), digits(1)).map((parts) => parts.join('')),
    ),
  )
  .map((parts) => parts.join(''));

const key = fc.oneof(
  string,
  fc.constantFrom(
    '"2"',
    '"10"',
    '"1"',
    '"__proto__"',
    '"constructor"',
    '"toJSON"',
    '"encrypted_data"',
    '"a"',
    '""',
  ),
);

const padded = (text: fc.Arbitrary<string>) => fc.tuple(blank, text, blank).map((parts) => parts.join(''));
const objectOf = (value: fc.Arbitrary<string>, minLength: number) =>
  fc
    .tuple(
      blank,
      fc.array(
        fc.tuple(padded(key), padded(value)).map((member) => member.join(':')),
        { minLength, maxLength: 5 },
      ),
    )
    .map(([inside, members]) => `{${members.join(',') || inside}}`);

const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    string,
    number,
    fc.constantFrom('true', 'false', 'null'),
    objectOf(tie('value'), 0),
    fc
      .tuple(blank, fc.array(padded(tie('value')), { maxLength: 5 }))
      .map(([inside, items]) => `[${items.join(',') || inside}]`),
  ),
}));

/** The text of any JSON value. */
export const jsonText = value;

/** The text of a valid blob: a non-empty string or a non-empty object. */
export const blobText = fc.oneof(
  string.filter((text) => text !== '""'),
  objectOf(value, 1),
);

/** Blanks that are allowed around any token. */
export const jsonBlank = blank;
