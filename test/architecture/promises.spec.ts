import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
/** Of the tables the tests policies-table and thief read the numbers. */
const PROSE = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')
  .replace(/^\|(?! someone| a hostile| two| a second).*$/gm, '')
  .replace(/\s+/g, ' ');

const WORDS: Record<string, number> = { 'half a': 0.5, five: 5, ten: 10, twenty: 20, sixth: 6, '21st': 21 };
const AUTH = 'apps/api/src/auth';
const LIMITS = 'libs/opaque/src/limits.ts';
const POLICIES = 'libs/security/src/rate-limits/policies.ts';

/**
 * What SECURITY.md promises, with `#` for the number, and where the code has it: a file, the text before the number, and
 * how many units of the code one of the promise is.
 */
const PROMISES: [sentence: string, file: string, before: string, unit?: number][] = [
  ['(PBKDF2-HMAC-SHA-512, # rounds, salted)', 'libs/config/src/settings.ts', 'const fallback = '],
  [
    'except within # seconds of the exchange',
    `${AUTH}/sessions/sessions.repository.ts`,
    'REUSE_GRACE_SECONDS = ',
  ],
  [
    'A session ends after # days however often',
    `${AUTH}/sessions/sessions.repository.ts`,
    'MAX_SESSION_AGE_DAYS = ',
  ],
  ['during the last # days', `${AUTH}/accounts/entities/known-address.entity.ts`, 'KNOWN_ADDRESS_DAYS = '],
  [
    'a stranger waits, one of a network at a time: # second',
    'libs/security/src/rate-limits/slowdown.ts',
    'FIRST_MS = ',
    1000,
  ],
  ['and at most # seconds. So lists', 'libs/security/src/rate-limits/slowdown.ts', 'MAX_MS = ', 1000],
  ['a day after the first of the # tries', POLICIES, "email: { name: 'secret-email', points: "],
  ['A device token is # random bytes', `${AUTH}/devices/device-token.rule.ts`, 'randomBytes('],
  [
    'good for # days after its last use',
    `${AUTH}/devices/entities/device-token.entity.ts`,
    'DEVICE_TOKEN_DAYS = ',
  ],
  [
    'An account has at most #, in a list',
    `${AUTH}/devices/device-tokens.repository.ts`,
    'MAX_DEVICE_TOKENS = ',
  ],
  ['gets # tries a day for the account', POLICIES, "deviceDay: { name: 'secret-device-day', points: "],
  ['an access token ends after # minutes', 'libs/security/src/tokens.ts', 'ACCESS_TOKEN_TTL_SECONDS = ', 60],
  ['minutes, a session after # days', `${AUTH}/sessions/sessions.repository.ts`, 'MAX_SESSION_AGE_DAYS = '],
  [
    "owner's device is refused within # seconds",
    `${AUTH}/sessions/sessions.repository.ts`,
    'REUSE_GRACE_SECONDS = ',
  ],
  [
    'After # seconds it is as in the second row',
    `${AUTH}/sessions/sessions.repository.ts`,
    'REUSE_GRACE_SECONDS = ',
  ],
  [
    'of the body: # KiB on a public route',
    'libs/http/src/routes/route-limits.ts',
    'MAX_PUBLIC_BODY_BYTES = ',
    1024,
  ],
  ['(register # KiB)', `${AUTH}/sessions/auth.controller.ts`, 'MAX_REGISTRATION_BYTES = ', 1024],
  [
    '# KiB for interactions',
    'apps/api/src/interactions/interactions.controller.ts',
    'MAX_BODY_BYTES = ',
    1024,
  ],
  ['interactions, # MiB for the replacement', LIMITS, 'MAX_LARGE_BODY_BYTES = '],
  ['replacement of all keys, # MiB elsewhere', LIMITS, 'MAX_BODY_BYTES = ', 1024 ** 2],
  ['`JSON.parse`: # levels', LIMITS, 'MAX_DEPTH = '],
  ['levels, # members', LIMITS, 'MAX_MEMBERS = '],
  ['outside of blobs # values', LIMITS, 'MAX_VALUES = '],
  ['names of # and', LIMITS, 'MAX_NAME_LENGTH = '],
  ['strings of # characters', LIMITS, 'MAX_STRING_LENGTH = '],
  ['is received up to # MiB', 'libs/http/src/defence/discard-body.ts', 'MAX_BYTES = '],
  ['within # seconds in all others', 'libs/security/src/ended-sessions.ts', 'ACCESS_TOKEN_TTL_SECONDS + '],
  ['asks the database # times in a second', 'apps/api/src/health/health.service.ts', 'MAX_CHECKS = '],
  ['Its code is # random bytes', `${AUTH}/email/verification-token.rule.ts`, 'SECRET_BYTES = '],
  ['good once and for # hours', `${AUTH}/email/email-verification.repository.ts`, 'VERIFICATION_HOURS = '],
  ['at most # mails', `${AUTH}/email/mailer.service.ts`, 'waiting: '],
  ['mails, for at most # hours', `${AUTH}/email/mailer.service.ts`, 'maxAgeMs: ', 60],
  ['with tries # seconds to', `${AUTH}/email/mailer.service.ts`, 'firstDelayMs: ', 1000],
  ['seconds to # minutes apart', `${AUTH}/email/mailer.service.ts`, 'maxDelayMs: '],
  [
    '`UNUSED_ACCOUNT_DAYS` (#)',
    'libs/config/src/settings.ts',
    "without a session. 0 keeps it.',\n    defaultText: '`",
  ],
  [
    'waits # seconds and reads no answer',
    'apps/api/src/reminders/push-sender.service.ts',
    'TIMEOUT_MS = ',
    1000,
  ],
  ['A ticket is good for # hours', 'apps/api/src/reminders/reminder-sender.service.ts', 'ANSWER_HOURS = '],
  [
    'An access token is good for its # minutes',
    'libs/security/src/tokens.ts',
    'ACCESS_TOKEN_TTL_SECONDS = ',
    60,
  ],
  ['every process refuses it within # seconds', 'libs/security/src/ended-sessions.ts', 'RELOAD_MS = ', 1000],
  ['remembers up to # access tokens', 'libs/security/src/verified-tokens.ts', 'MAX_TOKENS = '],
  [
    'used within # seconds of its exchange',
    `${AUTH}/sessions/sessions.repository.ts`,
    'REUSE_GRACE_SECONDS = ',
  ],
  ['`STORAGE_LIMIT` within # seconds', 'libs/database/src/operations/storage.ts', 'EVERY_MS = ', 1000],
  ['compares at most # ingredients', 'libs/interactions/src/check-limits.ts', 'MAX_INGREDIENTS = '],
  ['wait for one to # seconds', 'libs/http/src/defence/tarpit.ts', 'most: ', 1000],
  ['All three are at least # bytes', 'libs/config/src/settings.ts', 'Buffer.byteLength(text) < '],
];

/** Numbers with a test of their own: lock-out.spec. */
const OTHERS = ['10,000 wrong tries'];

/** A product of whole numbers at the beginning of a text. */
function product(text: string): number {
  const [factors] = /^[\d_]+(?: \*{1,2} [\d_]+)*/.exec(text) ?? ['NaN'];
  return factors
    .replaceAll('_', '')
    .split(/ \* /)
    .map((factor) => factor.split(' ** ').map(Number))
    .reduce((value, [base, power = 1]) => value * base ** power, 1);
}

/** Where the number of a sentence is, and its digits or word. */
function placeOf(sentence: string): { at: number; text: string } {
  const [before, after] = sentence.split('#').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const found = new RegExp(`(${before})([\\d,]+|half a|\\w+)${after}`).exec(PROSE);
  return { at: (found?.index ?? NaN) + (found?.[1].length ?? 0), text: found?.[2] ?? '' };
}

function numberAt(sentence: string): number {
  const { text } = placeOf(sentence);
  return WORDS[text] ?? Number(text.replaceAll(',', ''));
}

it.each(PROMISES)('SECURITY.md promises "%s" as the code has it', (sentence, file, before, unit = 1) => {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const at = source.indexOf(before);
  expect([before, at >= 0]).toEqual([before, true]);
  const inCode = product(source.slice(at + before.length));
  expect([sentence, numberAt(sentence) * unit]).toEqual([sentence, inCode]);
});

it('every number with a unit in the prose of SECURITY.md is one of these', () => {
  const promised = new Set(PROMISES.map(([sentence]) => placeOf(sentence).at));
  const units =
    'seconds|minutes|hours|days|bytes|KiB|MiB|rounds|levels|members|values|tokens|mails|ingredients|tries';
  const numbers = new RegExp(`\\b(?:\\d[\\d,]*|ten|five|twenty)(?: random| wrong)? (?:${units})\\b`, 'g');
  const others = [...PROSE.matchAll(numbers)].filter(({ index }) => !promised.has(index));
  expect(others.map(([text]) => text)).toEqual(OTHERS);
});
