/**
 * What the pass over a body costs beside `JSON.parse`, for bodies of about 1 MiB in many shapes and for usual ones. Both
 * sides run in turns in one process. Needs the build: `npm run build && node test/bench/scan-body.mjs`.
 *
 * Prints the medians, and the pass as a multiple of `JSON.parse`. Exits with 1 where a body takes more than 20 ms in
 * all: no other request is answered meanwhile. A body that is refused is marked with the code of the refusal.
 */
import { scanBody } from '../../dist/libs/opaque/src/scan-body.js';
import { median } from './lib/measure.mjs';

const MIB = 1024 * 1024;
const MOST_MS = 20;
/** The process compiles what runs often. */
const WARM_UP = 5;
const ROUNDS = Number(process.env.ROUNDS ?? 15);

/** Pieces with a comma between, as many as fit into 1 MiB. */
function many(open, piece, close) {
  const pieces = [];
  let length = open.length + close.length;
  for (let index = 0; ; index++) {
    const next = piece(index);
    length += next.length + 1;
    if (length > MIB) return open + pieces.join(',') + close;
    pieces.push(next);
  }
}

const member = (index) => `"k${index}":${index}`;
const members = (count) => Array.from({ length: count }, (_, index) => member(index)).join(',');
/** As long as the name of the opaque field. */
const names = (begin) =>
  Array.from({ length: 1_000 }, (_, index) => `"${begin}${String(index).padStart(4, '0')}":1`).join(',');
const long = (unit, bytes = MIB - 64) => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));

const SHAPES = {
  'a usual create': `{"profile_id":"01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c11","route":"oral","encrypted_data":{"ciphertext":"${long('q', 800)}","iv":"AAECAwQFBgcICQoL"}}`,
  'an empty object': '{}',
  'a usual login': `{"email":"anna@example.org","password":"${long('x', 44)}"}`,
  'one large blob': `{"encrypted_data":"${long('A')}"}`,
  'one large blob of two-byte text': `{"encrypted_data":"${long('\u0416')}"}`,
  'one large blob that looks like quotes': `{"encrypted_data":"${long('\u2222')}"}`,
  'one large plain string': `{"x":"${long('A')}"}`,
  'escapes in a blob': `{"encrypted_data":"${long('\\n')}"}`,
  'escapes in plain strings': many('{"x":[', () => `"${'\\n'.repeat(500)}"`, ']}'),
  'few escapes in plain strings': many('{"x":[', () => `"${'a'.repeat(500)}\\n${'a'.repeat(500)}"`, ']}'),
  'escaped units': many('{"x":[', () => `"${'\\u00e9'.repeat(80)}"`, ']}'),
  'escaped pairs': many('{"x":[', () => `"${'\\ud83d\\udc36'.repeat(80)}"`, ']}'),
  'many keys, the first of the attacks': many('{', (index) => `"${index}":1`, '}'),
  'many keys': many('{', member, '}'),
  'fields up to the limit': `{${members(2_000)}}`,
  'the last of a thousand fields twice': `{${members(999)},"k998":1}`,
  'a hundred fields': `{${members(100)}}`,
  'names that begin as an opaque one': `{${names('encrypted_')}}`,
  'the same, escaped': `{${names('encrypted\\u005f')}}`,
  'keys up to the limit in a blob': `{"encrypted_data":{${members(9_998)}}}`,
  'keys up to the limit in objects of ten': `{"x":[${Array.from({ length: 900 }, () => `{${members(10)}}`).join(',')}]}`,
  'fields up to the limit, escaped': `{${Array.from({ length: 2_000 }, (_, index) => `"\\u0061${index}":1`).join(',')}}`,
  'a list of small numbers': many('{"x":[', () => '1', ']}'),
  'a list of large numbers': many('{"x":[', (index) => `${index}.${index}e${index % 300}`, ']}'),
  'a list of words': many('{"x":[', (index) => ['true', 'false', 'null'][index % 3], ']}'),
  'a list of empty strings': many('{"x":[', () => '""', ']}'),
  'a list of short strings': many('{"x":[', (index) => `"${index}"`, ']}'),
  'a list of strings of 30': many('{"x":[', () => `"${'a'.repeat(30)}"`, ']}'),
  'a list of strings of 300': many('{"x":[', () => `"${'a'.repeat(300)}"`, ']}'),
  'a list of two-byte strings': many('{"x":[', () => `"${'\u0416'.repeat(30)}"`, ']}'),
  'a list of empty objects': many('{"x":[', () => '{}', ']}'),
  'a list of empty lists': many('{"x":[', () => '[]', ']}'),
  'a list that is the body': many('[', () => '1', ']'),
  'deep lists': many('{"x":[', () => '['.repeat(62) + ']'.repeat(62), ']}'),
  'deep objects': many('{"x":[', () => '{"a":'.repeat(61) + '1' + '}'.repeat(61), ']}').slice(0, -1) + '}',
  'too deep': '['.repeat(MIB / 2) + ']'.repeat(MIB / 2),
  blanks: `{"x":1${long(' ')}}`,
  'blanks around a blob': `{"encrypted_data":${long(' ', MIB / 2)}1${long('\n', MIB / 2 - 99)}}`,
  'lines with indentation': many('{"x":[', () => `\n${' '.repeat(20)}1`, ']}'),
  'one number': `{"x":${long('1')}}`,
  'not JSON: colons': long(':'),
  'not JSON: quotes': `{"x":${long('"')}`,
  'not JSON at its end': many('{"x":[', () => '1', ']'),
};
const OPAQUE = ['encrypted_data'];

/** Processor time of the process in milliseconds: other work on the machine disturbs it less than the clock. */
function timeOf(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e3;
}

function parse(bytes) {
  try {
    JSON.parse(bytes.toString('utf8'));
  } catch {
    // Counted as the time until its refusal.
  }
}

function scan(bytes) {
  try {
    scanBody(bytes, OPAQUE);
    return '';
  } catch (error) {
    return error.code ?? String(error);
  }
}

function compare(text) {
  const bytes = Buffer.from(text);
  const repeats = Math.max(1, Math.floor(MIB / bytes.length));
  const repeat = (work) => () => {
    for (let count = 0; count < repeats; count++) work(bytes);
  };
  const parsed = [];
  const scanned = [];
  for (let round = 0; round < WARM_UP; round++) repeat(scan)();
  for (let round = 0; round < ROUNDS; round++) {
    parsed.push(timeOf(repeat(parse)) / repeats);
    scanned.push(timeOf(repeat(scan)) / repeats);
  }
  // The two of a round run one after the other: other work on the machine slows both.
  const added = median(scanned.map((ms, round) => ms / parsed[round] - 1));
  return { parseMs: median(parsed), scanMs: median(scanned), added, refusal: scan(bytes) };
}

let worst = 0;
console.log(`${'shape'.padEnd(42)} JSON.parse  with the pass  the pass`);
for (const [name, text] of Object.entries(SHAPES)) {
  const { parseMs, scanMs, added, refusal } = compare(text);
  worst = Math.max(worst, scanMs);
  const times = `${parseMs.toFixed(4).padStart(10)} ${scanMs.toFixed(4).padStart(14)}`;
  console.log(`${name.padEnd(42)} ${times} ${added.toFixed(2).padStart(9)} ${refusal}`);
}
console.log(`A body takes at most ${worst.toFixed(1)} ms; ${MOST_MS} are allowed.`);
process.exit(worst > MOST_MS ? 1 : 0);
