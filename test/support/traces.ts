/** Something that must not leave the device: a text, or the bytes of a key. */
export interface Secret {
  what: string;
  value: string | Uint8Array;
}

/** Shorter ones would be found by chance. */
const MIN_BYTES = 7;

/**
 * Where secrets occur in what was sent: as they are (texts in any case), as UTF-16, in hex, in base64 at each of its
 * three offsets and in both alphabets, each also behind percent encoding and JSON escapes.
 *
 * @param haystacks what was sent, by name.
 * @returns `<secret> in <name>`, once for each pair; empty where there is none.
 */
export function tracesOf(secrets: readonly Secret[], haystacks: ReadonlyMap<string, Buffer>): string[] {
  const needles = secrets.map(({ what, value }) => ({ what, ...needlesOf(what, value) }));
  return [...haystacks].flatMap(([name, bytes]) => {
    const forms = unwrapped(bytes);
    const lower = forms.map((form) => form.toLowerCase());
    return needles
      .filter(
        ({ exact, anyCase }) =>
          exact.some((needle) => forms.some((form) => form.includes(needle))) ||
          anyCase.some((needle) => lower.some((form) => form.includes(needle))),
      )
      .map(({ what }) => `${what} in ${name}`);
  });
}

/** All strings here hold one byte in each character, so that text and bytes are searched alike. */
function needlesOf(what: string, value: string | Uint8Array): { exact: string[]; anyCase: string[] } {
  const isText = typeof value === 'string';
  const forms = isText
    ? [value, value.toUpperCase(), value.toLowerCase()].flatMap((text) => [
        Buffer.from(text),
        Buffer.from(text, 'utf16le'),
      ])
    : [Buffer.from(value)];
  if (forms[0].length < MIN_BYTES) throw new Error(`${what} is too short to be searched for.`);
  const plain = forms.map((form) => form.toString('latin1'));
  const base64 = forms.flatMap((form) => base64Of(form));
  const hex = forms.map((form) => form.toString('hex'));
  return {
    exact: [...plain, ...base64, ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))],
    anyCase: [...hex, ...(isText ? plain.map((text) => text.toLowerCase()) : [])],
  };
}

/** What base64 of anything that holds these bytes must hold, whatever stands before and after them. */
function base64Of(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice([0, 2, 3][before], Math.floor(((before + bytes.length) * 8) / 6));
  });
}

function unwrapped(bytes: Buffer): string[] {
  const plain = bytes.toString('latin1');
  const withoutPercent = plain
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_match, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const withoutEscapes = plain.replace(
    /\\u([0-9a-f]{4})|\\(["\\/])/gi,
    (_match, hex?: string, sign?: string) =>
      hex ? Buffer.from(String.fromCharCode(parseInt(hex, 16))).toString('latin1') : sign!,
  );
  return [plain, plain.replace(/%2b/gi, '+').replace(/%2f/gi, '/'), withoutPercent, withoutEscapes];
}
