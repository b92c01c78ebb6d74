/** Something that must not be found: a text, or the bytes of a key. */
export interface Secret {
  what: string;
  value: string | Uint8Array;
}

/** A secret that was found, by its name and that of the place. */
export interface Trace {
  what: string;
  place: string;
}

/** Shorter ones would be found by chance. */
const MIN_BYTES = 7;

/** One form of a secret: to be found as it is, or in any case. */
interface Needle {
  what: string;
  bytes: Buffer;
  lower: Buffer;
  anyCase: boolean;
}

/**
 * Where secrets occur: as they are (texts in any case), as UTF-16, in hex, in base64 at each of its three offsets and in
 * both alphabets, each also behind percent encoding and JSON escapes.
 *
 * @param haystacks what is searched, by name of the place; one after the other, so that a generator may read them.
 * @returns `<secret> in <place>`, once for each haystack; empty where there is none.
 */
export function tracesOf(
  secrets: readonly Secret[],
  haystacks: Iterable<readonly [place: string, bytes: Buffer]>,
): string[] {
  return findTraces(secrets, haystacks).map(({ what, place }) => `${what} in ${place}`);
}

/** {@link tracesOf}, not yet put into words. */
export function findTraces(
  secrets: readonly Secret[],
  haystacks: Iterable<readonly [place: string, bytes: Buffer]>,
): Trace[] {
  const finder = new Finder(secrets.flatMap(needlesOf));
  const traces: Trace[] = [];
  for (const [place, bytes] of haystacks) {
    const found = new Set(unwrapped(bytes).flatMap((form) => [...finder.find(form)]));
    traces.push(...[...found].map((what) => ({ what, place })));
  }
  return traces;
}

/** Looks for all needles in one pass: thousands of them in a whole data directory would take minutes one by one. */
class Finder {
  /** Whether some needle may begin with the four bytes (in lower case) of this hash, and which ones do. */
  readonly #begun = new Uint8Array(2 ** 22);
  readonly #needles = new Map<number, Needle[]>();

  constructor(needles: Needle[]) {
    for (const needle of needles) {
      const begin = needle.lower.readInt32BE(0);
      this.#begun[hashOf(begin)] = 1;
      this.#needles.set(begin, [...(this.#needles.get(begin) ?? []), needle]);
    }
  }

  /** @returns the names of the secrets. */
  find(bytes: Buffer): Set<string> {
    const found = new Set<string>();
    for (let at = -3, begin = 0; at < bytes.length - 3; at += 1) {
      begin = (begin << 8) | LOWER_CASE[bytes[at + 3]];
      if (at < 0 || this.#begun[hashOf(begin)] === 0) continue;
      for (const needle of this.#needles.get(begin) ?? [])
        if (isAt(bytes, at, needle)) found.add(needle.what);
    }
    return found;
  }
}

// A global costs a hundred times as much in Jest's sandbox.
const { imul } = Math;

function hashOf(begin: number): number {
  return imul(begin, 0x9e3779b1) >>> 10;
}

function isAt(bytes: Buffer, at: number, { anyCase, bytes: exact, lower }: Needle): boolean {
  const sought = anyCase ? lower : exact;
  for (let offset = 0; offset < sought.length; offset += 1) {
    const byte = bytes[at + offset];
    if ((anyCase ? LOWER_CASE[byte] : byte) !== sought[offset]) return false;
  }
  return true;
}

function needlesOf({ what, value }: Secret): Needle[] {
  const isText = typeof value === 'string';
  const forms = isText
    ? [value, value.toUpperCase(), value.toLowerCase()].flatMap((text) => [
        Buffer.from(text),
        Buffer.from(text, 'utf16le'),
      ])
    : [Buffer.from(value)];
  if (forms[0].length < MIN_BYTES) throw new Error(`${what} is too short to be searched for.`);
  const base64 = forms.flatMap((form) => base64Of(form));
  const exact = [...base64, ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))];
  const needle = (bytes: Buffer, anyCase: boolean) => ({ what, bytes, lower: lowerCase(bytes), anyCase });
  return [
    ...forms.map((form) => needle(form, isText)),
    ...forms.map((form) => needle(Buffer.from(form.toString('hex')), true)),
    ...[...new Set(exact)].map((text) => needle(Buffer.from(text), false)),
  ];
}

/** Of ASCII letters: what other bytes mean depends on those around them. */
const LOWER_CASE = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 65 && byte <= 90 ? byte + 32 : byte,
);

function lowerCase(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => LOWER_CASE[byte]));
}

/** What base64 of anything that holds these bytes must hold, whatever stands before and after them. */
function base64Of(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice([0, 2, 3][before], Math.floor(((before + bytes.length) * 8) / 6));
  });
}

/** The bytes themselves, and what they are behind percent encoding and JSON escapes, where that is something else. */
function unwrapped(bytes: Buffer): Buffer[] {
  // One byte in each character, so that text and bytes are treated alike.
  const plain = bytes.toString('latin1');
  const withoutPercent = plain
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_match, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const withoutEscapes = plain.replace(
    /\\u([0-9a-f]{4})|\\(["\\/])/gi,
    (_match, hex?: string, sign?: string) =>
      hex ? Buffer.from(String.fromCharCode(parseInt(hex, 16))).toString('latin1') : sign!,
  );
  const others = [plain.replace(/%2b/gi, '+').replace(/%2f/gi, '/'), withoutPercent, withoutEscapes];
  return [bytes, ...others.filter((other) => other !== plain).map((other) => Buffer.from(other, 'latin1'))];
}
