import fc from 'fast-check';
import { decodeCursor, encodeCursor, Page } from './paging';

const ID = '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c11';
const encoded = (text: string) => Buffer.from(text).toString('base64url');

describe('a cursor', () => {
  it('leads back to the key it was made of', () => {
    const keys = fc.record({
      at: fc
        .date({
          min: new Date('0001-01-01T00:00:00Z'),
          max: new Date('9999-12-31T23:59:59Z'),
          noInvalidDate: true,
        })
        .map((instant) => instant.toISOString()),
      id: fc.uuid(),
    });
    fc.assert(fc.property(keys, (key) => expect(decodeCursor(encodeCursor(key))).toEqual(key)));
  });

  it('is fit for a URL as it is', () => {
    const cursor = encodeCursor({ at: '2026-11-20T08:00:00.000Z', id: ID });
    expect(encodeURIComponent(cursor)).toBe(cursor);
  });

  it.each([
    ['nothing', ''],
    ['no base64', '%%%'],
    ['a timestamp alone', encoded('2026-11-20T08:00:00.000Z')],
    ['an id alone', encoded(ID)],
    ['an id that is none', encoded('2026-11-20T08:00:00.000Z 1')],
    ['a timestamp that is none', encoded(`yesterday ${ID}`)],
    ['SQL for an id', encoded(`2026-11-20T08:00:00.000Z ' OR '1'='1`)],
    ['one part too many', encoded(`2026-11-20T08:00:00.000Z ${ID} x`)],
    ['a text without end', encoded(`2026-11-20T08:00:00.000Z ${ID}`).padEnd(129, '!')],
  ])('is refused when it is %s', (_, cursor) => {
    expect(decodeCursor(cursor)).toBeUndefined();
  });

  it('is nothing that a stranger could break: any text is a key or refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const key = decodeCursor(text);
        if (key) expect(decodeCursor(encodeCursor(key))).toEqual(key);
      }),
    );
  });
});

describe('a page', () => {
  it('maps its items and keeps where the next begins', () => {
    const next = { at: '2026-11-20T08:00:00.000Z', id: ID };
    const page = new Page([1, 2], next).map((item) => item * 10);
    expect(page).toEqual(new Page([10, 20], next));
  });
});
