import { randomBytes } from 'node:crypto';
import { type Secret, tracesOf } from './traces';

const text: Secret = { what: 'the name', value: 'Ottilie Größenwahn/+?' };
const key: Secret = { what: 'the key', value: Buffer.from('fb00ff7e13a9c4d25e6f8091a2b3c4d5', 'hex') };
const of = ({ value }: Secret) => Buffer.from(value as string);
const sent = (body: string | Buffer) =>
  new Map([['a request', typeof body === 'string' ? Buffer.from(body) : body]]);

/** A search that finds nothing proves nothing, unless it finds what is there. */
describe.each([text, key])('$what is found', (secret) => {
  const bytes = of(secret);
  it.each<[string, (inner: Buffer) => string | Buffer]>([
    ['as it is', (inner) => Buffer.concat([Buffer.from([1, 200]), inner, Buffer.from([7])])],
    ['in base64', (inner) => JSON.stringify({ value: inner.toString('base64') })],
    ['in base64, one byte on', (inner) => Buffer.concat([Buffer.from('x'), inner, inner]).toString('base64')],
    ['in base64, two bytes on', (inner) => Buffer.concat([Buffer.from('xy'), inner]).toString('base64')],
    ['in base64 of URLs', (inner) => inner.toString('base64url')],
    ['in base64 of a query', (inner) => `/?q=${encodeURIComponent(inner.toString('base64'))}`],
    ['in hex', (inner) => inner.toString('hex')],
    ['in upper-case hex', (inner) => inner.toString('hex').toUpperCase()],
    [
      'behind percent signs',
      (inner) => `/?q=${[...inner].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')}`,
    ],
  ])('%s', (_how, wrap) => {
    expect(tracesOf([secret], sent(wrap(bytes)))).toEqual([`${secret.what} in a request`]);
  });

  it('not where there is something else', () => {
    expect(tracesOf([secret], sent(randomBytes(100_000)))).toEqual([]);
    expect(tracesOf([secret], sent(randomBytes(100_000).toString('base64')))).toEqual([]);
  });
});

it.each<[string, (text: string) => string | Buffer]>([
  ['in another case', (value) => value.toUpperCase()],
  ['in JSON', (value) => JSON.stringify({ value })],
  [
    'in JSON with escapes',
    (value) => [...value].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  ],
  ['in a query', (value) => `/?${new URLSearchParams({ value }).toString()}`],
  ['in UTF-16', (value) => Buffer.from(value, 'utf16le')],
])('a text is found %s', (_how, wrap) => {
  expect(tracesOf([text], sent(wrap(text.value as string)))).toEqual(['the name in a request']);
});

it('a secret that could be found by chance is refused', () => {
  expect(() => tracesOf([{ what: 'it', value: 'Ada' }], sent(''))).toThrow('too short');
});
