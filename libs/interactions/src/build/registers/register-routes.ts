import { fold } from '../../names/fold';
import type { LocalRoute } from '../../types';

/** Words for forms and routes in English, French and Polish. The first match counts. */
const PLACES: readonly (readonly [RegExp, LocalRoute | 'systemic'])[] = [
  [/ophthalm|ophtalm|collyre|do oczu|intravitr|intraocular|oczna|dogalk/, 'ophthalmic'],
  [/\botic|auricul|do uszu|do ucha/, 'otic'],
  [/intravenous|intravein|intramusc|sous-cutan|subcut|inject|wstrzyk|infuz/, 'systemic'],
  [/transderm|sublingu|podjezyk|plaster|system transd/, 'systemic'],
  [/vaginal|dopochw/, 'vaginal'],
  [/\boral\b|\borale\b|tablet|kapsu|syrop|doustn|capsule|gelule|comprim|musujac/, 'systemic'],
  [/inhal|respirat/, 'inhaled'],
  [/nasal|do nosa/, 'nasal'],
  [/suppos|czopki|\brectal/, 'systemic'],
  [/vesical/, 'vesical'],
  [/topical|cutan|masc|krem|zel|skore|cream|ointment|lotion|shampoo|szampon/, 'topical'],
  [/buccale|gingiv|dental|dentaire|do ssania|jamie ustnej|lozenge/, 'oromucosal'],
];

/** Where a product with such a form or route acts; `undefined` when the words do not say. */
export function routeOfWords(words: string): LocalRoute | 'systemic' | undefined {
  const folded = fold(words);
  return PLACES.find(([pattern]) => pattern.test(folded))?.[1];
}

/** Where a product of an ATC group acts: S01 is for the eye, D for the skin, R03A and R03B are inhaled. */
export function routeOfAtc(atc: string): LocalRoute | 'systemic' | undefined {
  if (!atc) return undefined;
  if (/^Q?S01/.test(atc)) return 'ophthalmic';
  if (/^Q?S02/.test(atc)) return 'otic';
  if (/^Q?R01A/.test(atc)) return 'nasal';
  if (/^Q?R03[AB]/.test(atc)) return 'inhaled';
  if (/^Q?G01A/.test(atc)) return 'vaginal';
  // D01B, D05B and D10B are taken by mouth.
  if (/^Q?D/.test(atc) && !/^Q?D(01|05|10)B/.test(atc)) return 'topical';
  return 'systemic';
}
