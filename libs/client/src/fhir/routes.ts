import type { DoseUnit, MedicineDetails } from '../documents/medicine';

/** What the page writes without asking, so that it says nothing. */
const UNSAID = 'oral';

/** How a unit is taken, where it is taken in one way. A drop, an injection or a millilitre may be taken in several. */
const OF_UNIT: { [U in DoseUnit]?: string } = {
  tablet: 'oral',
  capsule: 'oral',
  sachet: 'oral',
  puff: 'inhalation',
  patch: 'transdermal',
  suppository: 'rectal',
};

const words = (list: string) => new RegExp(`(?<!\\p{L})(?:${list})`, 'iu');
/** What is sprayed into the nose or the mouth at least as often as it is inhaled. */
const SPRAYED = words(
  'nas|rhin|xylomet|oxymet|azelast|mometas|flutic|triamcin|otriv|afrin|nitro|glyc[eo]r|desmopr|oxytoc|sumatr|zolmitr|nalox|nicotin|fentan|lido|spray',
);
const INSULIN = words('insulin');
/** Places of the body in a name, in the languages of the page, that a unit alone does not tell. */
const PLACES: readonly [RegExp, string][] = [
  [words('eye|ophthalm|augen|oftalm|ocular|ojos'), 'ophthalmic'],
  [words('ears?(?!\\p{L})|otic|ohren|ótic'), 'otic'],
  [words('nasal|nose(?!\\p{L})|nasen'), 'nasal'],
  [words('vagin'), 'vaginal'],
  [words('sublingual|under the tongue'), 'sublingual'],
];

/**
 * The way in which a medicine is taken, where that is sure; `undefined` otherwise: a file for a doctor says nothing
 * rather than what is wrong.
 */
export function routeOf(route: string, details: MedicineDetails): string | undefined {
  const { name, form, dose, reading } = details;
  // Another client, which writes no reading, may have asked.
  const isSaid = route !== UNSAID || (dose === undefined && reading === undefined);
  if (isSaid) return route;
  const text = [name, form, ...(reading?.ingredients ?? [])]
    .filter((each) => typeof each === 'string')
    .join(' ');
  if (INSULIN.test(text)) return dose?.unit === 'puff' ? 'inhalation' : 'subcutaneous';
  const place = PLACES.find(([pattern]) => pattern.test(text))?.[1];
  if (place || !dose) return place;
  return dose.unit === 'puff' && SPRAYED.test(text) ? undefined : OF_UNIT[dose.unit];
}
