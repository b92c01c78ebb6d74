/**
 * Whether two texts are one international name (INN) in the spellings of two languages: "methotrexate" and
 * "Methotrexat", "furosemide" and "furosemida", "levothyroxine" and "levotiroxina". Languages change endings and
 * write some sounds in their own way; a typing error changes something else.
 *
 * Source: WHO, "International nonproprietary names": INNs in Latin, English, French, Spanish; the German and
 * Italian forms follow the same endings.
 */
export function isNationalSpelling(written: string, name: string): boolean {
  const [a, b] = [stemOf(written), stemOf(name)];
  return a.length >= MIN_STEM && a === b;
}

/** The first letters of the names that have a stem with this first letter. */
export function initialsOf(stem: string): string {
  return INITIALS.get(stem[0]) ?? stem[0];
}

/** Shorter words differ by too little. */
const MIN_STEM = 4;

/** How languages write one sound, each as the first of them. */
const SOUNDS: [RegExp, string][] = [
  [/ph/g, 'f'],
  [/th/g, 't'],
  [/rh/g, 'r'],
  [/ae|oe/g, 'e'],
  [/ou/g, 'u'],
  [/y/g, 'i'],
  [/k/g, 'c'],
  [/(.)\1+/g, '$1'],
];

const INITIALS: ReadonlyMap<string, string> = new Map([
  ['c', 'ck'],
  ['e', 'eao'],
  ['f', 'fp'],
  ['i', 'iy'],
  ['u', 'uo'],
]);

/** What the spellings of a name in several languages have in common. */
export function stemOf(text: string): string {
  let stem = text.toLowerCase();
  for (const [sound, plain] of SOUNDS) stem = stem.replace(sound, plain);
  return stem.replace(/(?:um|[aeo])$/, '');
}
