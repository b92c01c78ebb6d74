import fc from 'fast-check';

/** JSON source texts that have hurt services before. */
const HOSTILE_JSON = [
  'null',
  'true',
  '-1',
  '0',
  '1.5',
  '1e400',
  '-1e400',
  '1e-400',
  '2147483648',
  '9007199254740993',
  '99999999999999999999999999',
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"\u202e\u2066\ufeff\uffff\u{10ffff}"',
  '"\u{1f468}\u200d\u{1f469}\u200d\u{1f467}"',
  '"İıſKﬁ"',
  '"__proto__"',
  '"constructor"',
  '"%00%s%n"',
  '"\' OR 1=1; --"',
  '"${jndi:ldap://x}{{7*7}}"',
  '"../../../../etc/passwd"',
  '"<script>alert(1)</script>"',
  '"00000000-0000-0000-0000-000000000000"',
  '"infinity"',
  '"-infinity"',
  '"epoch"',
  '"now"',
  '"0000-00-00T00:00:00Z"',
  '"9999-12-31T23:59:59.999999999-23:59"',
  '"2016-12-31T23:59:60Z"',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"constructor":5}',
  '{"toString":1,"valueOf":1,"toJSON":1}',
  '{"length":1000000000}',
  '{"then":"x"}',
  '{"text":"x"}',
  '{"times_per_day":1,"days_of_week":["__proto__"]}',
  '{"times_per_day":1e400}',
  '{"a":1,"a":2}',
  `"${'x'.repeat(5_000)}"`,
  `"${'\u{1f4a9}'.repeat(300)}"`,
  `"${'\\u0000'.repeat(100)}"`,
  `[${'"x",'.repeat(200)}"x"]`,
  `[${'{"__proto__":0},'.repeat(200)}0]`,
  '['.repeat(70) + ']'.repeat(70),
  `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`,
  '['.repeat(50_000) + ']'.repeat(50_000),
];

/** No JSON at all. */
const BROKEN_JSON = [
  '',
  '{',
  'nul',
  '{"a"}',
  '{"a":1,}',
  '\ufeff{}',
  '[1',
  '{"a":"\n"}',
  'NaN',
  '{}{}',
  "{'a':1}",
];

export const hostileJson = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE_JSON) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }).map((text) => JSON.stringify(text)) },
  { weight: 1, arbitrary: fc.double().map((number) => JSON.stringify(number)) },
);

export const brokenJson = fc.constantFrom(...BROKEN_JSON);

/** Names of fields and parameters that mean something to somebody. */
export const hostileName = fc.oneof(
  fc.constantFrom(
    ...[
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'hasOwnProperty',
      'then',
      'length',
      'account_id',
    ],
    ...['id', 'revision', 'encrypted_data', 'name_data', 'iv', '', ' ', 'a.b', 'a[b]', '$where', '\u0000'],
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

/** What may stand in one segment of a path or in a query, as it goes over the wire. */
export const hostileSegment = fc.oneof(
  fc
    .constantFrom(
      ...[
        '%00',
        '%',
        '%zz',
        '%c0%af',
        '%ff',
        '..',
        '.',
        '%2e%2e',
        '%2f',
        '%5c',
        '*',
        ':id',
        'null',
        'undefined',
      ],
      ...[
        '%27',
        '1%20or%201=1',
        '%F0%9F%92%A9',
        '%ED%A0%80',
        '-1',
        '0',
        '[object Object]',
        '{id}',
        'x'.repeat(2_000),
      ],
      ...[
        '00000000-0000-0000-0000-000000000000',
        'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
        '__proto__',
        'a;b=c',
        '&',
        '=',
      ],
    )
    .map((text) => text.replaceAll(' ', '%20')),
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
