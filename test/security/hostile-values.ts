import { BROKEN_JSON, HOSTILE_JSON, HOSTILE_NAMES, HOSTILE_SEGMENTS } from '@app/testing';
import fc from 'fast-check';

export const hostileJson = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE_JSON) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }).map((text) => JSON.stringify(text)) },
  { weight: 1, arbitrary: fc.double().map((number) => JSON.stringify(number)) },
);

export const brokenJson = fc.constantFrom(...BROKEN_JSON);

/** Names of fields and parameters that mean something to somebody. */
export const hostileName = fc.oneof(
  fc.constantFrom(...HOSTILE_NAMES),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

/** What may stand in one segment of a path or in a query, as it goes over the wire. */
export const hostileSegment = fc.oneof(
  fc.constantFrom(...HOSTILE_SEGMENTS),
  fc.uuid(),
  fc.string({ unit: 'binary', maxLength: 10 }).map((text) => encodeURIComponent(text.toWellFormed())),
);

/** Characters that Node's client agrees to send in a header. */
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 30,
});

export const hostileHeaders = fc.record(
  {
    'If-Match': fc.oneof(
      fc.constantFrom(
        '*',
        '"1"',
        'W/"1"',
        '"1", "2"',
        '"',
        '""',
        ',',
        '1',
        '"a,b"',
        '"99999999999999999999"',
        '"1'.repeat(500),
      ),
      headerText,
    ),
    'Idempotency-Key': fc.oneof(
      fc.constantFrom('k', 'k', '', 'a b', 'x'.repeat(255), 'x'.repeat(256), '__proto__'),
      headerText,
    ),
    'If-None-Match': headerText,
    'Content-Type': fc.constantFrom(
      ...[
        'application/json',
        'application/json',
        'application/json; charset=utf-16',
        'application/json;;',
        'text/plain',
      ],
      ...[
        '',
        '/',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'application/json, text/html',
        ';',
      ],
    ),
    'Accept-Encoding': fc.constantFrom('gzip', 'gzip;q=0', '*', 'br', ''),
    Accept: fc.constantFrom('text/html', '*/*', 'application/xml', ''),
    'X-Forwarded-For': fc.constantFrom('1.2.3.4', '::1', 'x', '1.2.3.4, 5.6.7.8', ','),
    'X-Request-Id': headerText,
    'X-HTTP-Method-Override': fc.constantFrom('DELETE', 'x'),
    Origin: fc.constantFrom('https://evil.example', 'null'),
    Cookie: headerText,
    Range: fc.constantFrom('bytes=0-1', 'bytes=9-1,x'),
  },
  { requiredKeys: [] },
);

/** A space, more often by its right version than not: most routes refuse all others at once. */
export const spaceHeader = fc.record({
  'Health-Space': fc.oneof(
    { weight: 6, arbitrary: fc.constant('@space@;0') },
    { weight: 2, arbitrary: fc.constantFrom('@space@', '@space@;1', '@profile_id@;0', ';0', 'x') },
    { weight: 1, arbitrary: headerText },
  ),
});

/** In the place of a good access token. */
export const badAuthorization = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      'Bearer',
      'Bearer ',
      'bearer x',
      'Basic YTpi',
      'Bearer a.b.c',
      'Bearer ..',
      'Bearer eyJhbGciOiJub25lIn0.e30.',
    ],
    ...[
      'Bearer eyJhbGciOiJIUzI1NiJ9.bnVsbA.x',
      'Bearer bnVsbA.bnVsbA.bnVsbA',
      `Bearer ${'a'.repeat(5_000)}.b.c`,
    ],
  ),
  headerText.map((text) => `Bearer ${text}`),
);
