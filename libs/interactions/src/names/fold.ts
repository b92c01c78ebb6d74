/** Longer input is cut before it is read. Compatibility folding can turn one character into eighteen. */
const MAX_FOLDED_LENGTH = 500;

const LETTERS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ł', 'l'],
  ['þ', 'th'],
  ['ı', 'i'],
]);

/**
 * Folds a name to lower case without accents, apostrophes, trademark signs and invisible characters.
 * Dashes become `-`; any white space becomes one space. Loses information: only for comparison, never for
 * display.
 */
export function fold(name: string): string {
  // Nearly every name is plain ASCII. The long path gives the same result and takes twenty times as long.
  if (/^[ -~]*$/.test(name)) {
    return name.slice(0, MAX_FOLDED_LENGTH).toLowerCase().replace(/['`]/g, '').replace(/ {2,}/g, ' ').trim();
  }
  return (
    name
      .replace(/[®™©℠]/gu, ' ')
      .normalize('NFKD')
      .slice(0, MAX_FOLDED_LENGTH)
      .toLowerCase()
      // In some scripts a mark is a letter: without it "pa" would be "ha" in Japanese, and Hindi would lose its vowels.
      .replace(/(?![\u3099\u309a\p{Script=Devanagari}\p{Script=Thai}])[\p{Mn}\p{Me}\p{Cf}'’‘`´ʼ]/gu, '')
      .normalize('NFKC')
      // The sign for "micro" is the Greek letter, unless it stands in a Greek word.
      .replace(/(?<!\p{Script=Greek})μ(?!\p{Script=Greek})/gu, 'u')
      .replace(/[ßæœøđðłþı]/gu, (letter) => LETTERS.get(letter) ?? letter)
      .replace(/[\p{Pd}−]/gu, '-')
      .replace(/[\s\p{Cc}\p{Z}]+/gu, ' ')
      .trim()
  );
}

/**
 * The look-up key of a folded name: only its letters and digits, so that hyphens and spaces do not matter.
 */
export function squash(folded: string): string {
  if (/^[a-z0-9]*$/.test(folded)) return folded;
  return folded.replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}

/**
 * The common key of national spellings of one name: amlodipin, amlodipine and amlodipina; sulphasalazine and
 * sulfasalazine; oestradiol and estradiol. If two different drugs have the same key, the key is not used.
 */
export function variantKey(key: string): string {
  return key
    .replace(/ph/g, 'f')
    .replace(/th/g, 't')
    .replace(/oe|ae/g, 'e')
    .replace(/y/g, 'i')
    .replace(/k/g, 'c')
    .replace(/(.)\1+/gu, '$1')
    .replace(/(?:um|[aeo])$/, '');
}
