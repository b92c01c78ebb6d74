import type { DoseUnit, MedicineDetails } from './schemas/medication';
import { routeOf, STORED_ROUTE } from './routes';

const reading = { ingredients: [], confirmed: false };
const taken = (name: string, unit?: DoseUnit): MedicineDetails => ({
  name,
  reading,
  ...(unit && { dose: { amount: 1, unit } }),
});

describe('the way in which a medicine is taken', () => {
  it.each<[string, DoseUnit | undefined, string | undefined]>([
    ['Insulin glargine', 'unit', 'subcutaneous'],
    ['Insulin lispro', 'ml', 'subcutaneous'],
    ['Afrezza insulin', 'puff', 'inhalation'],
    // Units of vitamin D are swallowed, those of others are injected.
    ['Vitamin D', 'unit', undefined],
    ['Ibuprofen', 'tablet', 'oral'],
    ['Ventolin', 'puff', 'inhalation'],
    ['Mometasone nasal spray', 'puff', 'nasal'],
    ['Nitrolingual', 'puff', undefined],
    ['Nasonex', 'puff', undefined],
    ['Fentanyl', 'patch', 'transdermal'],
    ['Paracetamol', 'suppository', 'rectal'],
    ['Vagifem vaginal tablets', 'tablet', 'vaginal'],
    ['Tramadol', 'drop', undefined],
    ['Hylo Augentropfen', 'drop', 'ophthalmic'],
    ['Otalgan Ohrentropfen', 'drop', 'otic'],
    ['Earwort', 'tablet', 'oral'],
    ['Nurofen', 'ml', undefined],
    ['Enoxaparin', 'injection', undefined],
    ['Ibuprofen', 'mg', undefined],
    ['Ibuprofen gel', undefined, 'topical'],
    ['Bepanthen Wundsalbe', 'g', 'topical'],
    ['Canesten vaginal cream', 'g', 'vaginal'],
    ['Aciclovir eye ointment', 'g', 'ophthalmic'],
    ['Daktarin oral gel', 'g', undefined],
    ['Gelusil', 'tablet', 'oral'],
    ['Paracetamol jarabe', 'ml', 'oral'],
    ['Ibuprofen Fiebersaft', 'ml', 'oral'],
  ])('of %s in the unit %s is %s where nobody has said it', (name, unit, route) => {
    expect(routeOf('oral', taken(name, unit))).toBe(route);
  });

  it.each<[string, DoseUnit | undefined, string | undefined]>([
    ['Insulin glargine', 'unit', 'subcutaneous'],
    ['Enoxaparin', 'injection', undefined],
    ['Something', undefined, undefined],
  ])('of %s in the unit %s follows from what is encrypted: %s', (name, unit, route) => {
    expect(routeOf(STORED_ROUTE, taken(name, unit))).toBe(route);
  });

  it('is what was said', () => {
    expect(routeOf('other', { name: 'Of another client' })).toBe('other');
    expect(routeOf('nasal', taken('Ventolin', 'puff'))).toBe('nasal');
    expect(routeOf('oral', { name: 'Of another client' })).toBe('oral');
  });
});
