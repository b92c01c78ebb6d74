import type { MedicineDetails } from './schemas/medication';

/** What the page wrote of every medicine before it looked at the name, so that it says nothing. */
const UNSAID = 'oral';
/**
 * What the page stores of each medicine. Security: the service keeps a route in plain text, and one that follows from the
 * name would tell of it. The way is in the encrypted part.
 */
export const STORED_ROUTE = 'other';

/** How a unit is taken, where it is taken in one way. A drop, an injection or a millilitre may be taken in several. */
const OF_UNIT: { [unit: string]: string | undefined } = {
  tablet: 'oral',
  capsule: 'oral',
  sachet: 'oral',
  puff: 'inhalation',
  patch: 'transdermal',
  suppository: 'rectal',
};

const words = (list: string) => new RegExp(`(?<!\\p{L})(?:${list})`, 'iu');
/** German writes what it is as the end of a longer word: Fiebersaft, Wundsalbe. */
const ends = (list: string) => new RegExp(`(?:${list})(?!\\p{L})`, 'iu');
/** What is sprayed into the nose or the mouth at least as often as it is inhaled. */
const SPRAYED = words(
  'nas|rhin|xylomet|oxymet|azelast|mometas|flutic|triamcin|otriv|afrin|nitro|glyc[eo]r|desmopr|oxytoc|sumatr|zolmitr|nalox|nicotin|fentan|lido|spray',
);
const INSULIN = words('insulin');
/** A gel with such a word in its name is not for the skin. */
const OF_MOUTH = words('oral|mouth|mund|dental|buccal|bucal|boca');
/** Places of the body in a name, in the languages of the page, that a unit alone does not tell. */
const PLACES: readonly [RegExp, string][] = [
  [words('eye|ophthalm|augen|oftalm|ocular|ojos'), 'ophthalmic'],
  [words('ears?(?!\\p{L})|otic|ohren|ótic'), 'otic'],
  [words('nasal|nose(?!\\p{L})|nasen'), 'nasal'],
  [words('vagin'), 'vaginal'],
  [words('rectal|rektal'), 'rectal'],
  [words('sublingual|under the tongue'), 'sublingual'],
];
const SKIN = ends('creams?|creme|ointment|salbe|crema|pomada|(?<!\\p{L})gel|lotion|loción');
const SWALLOWED = ends(
  'syrup|sirup|saft|jarabe|tablets?|tabletten?|comprimidos?|capsules?|kapseln?|cápsulas?',
);

/** The way in which a medicine is taken, by its name, its substances and the unit of its dose; `undefined` where it is not sure. */
function likelyRoute({ name, form, dose, reading }: MedicineDetails): string | undefined {
  const text = [name, form, ...(reading?.ingredients ?? [])]
    .filter((each) => typeof each === 'string')
    .join(' ');
  if (INSULIN.test(text)) return dose?.unit === 'puff' ? 'inhalation' : 'subcutaneous';
  const place = PLACES.find(([pattern]) => pattern.test(text))?.[1];
  if (place) return place;
  if (SKIN.test(text)) return OF_MOUTH.test(text) ? undefined : 'topical';
  if (dose?.unit === 'puff' && SPRAYED.test(text)) return undefined;
  return OF_UNIT[dose?.unit ?? ''] ?? (SWALLOWED.test(text) ? 'oral' : undefined);
}

/**
 * The way in which a medicine is taken, where that is sure; `undefined` otherwise: a file for a doctor says nothing
 * rather than what is wrong.
 * @param route as it is stored
 */
export function routeOf(route: string, details: MedicineDetails): string | undefined {
  // Another client, which writes no reading, may have asked.
  const isOfPage = details.dose !== undefined || details.reading !== undefined;
  const isUnsaid = route === STORED_ROUTE || route === UNSAID;
  return isOfPage && isUnsaid ? likelyRoute(details) : route;
}
