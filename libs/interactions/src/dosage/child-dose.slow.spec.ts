import { compileWholeBase } from '../__fixtures__/whole-base';
import { createEngine } from '../engine';
import type { Person } from '../person/person';

const { base } = compileWholeBase();
const engine = createEngine(base);
const found = (name: string, dosage: string, person: Person): string[] =>
  engine
    .checkNew({ name, dosage, person, medications: [] })
    .filter(({ kind }) => kind.startsWith('dose'))
    .map(({ kind }) => kind);

describe('limits for children', () => {
  it('are never above the highest limit for adults', () => {
    for (const { id, ingredient, unit, steps, routes } of base.childDoses ?? []) {
      const adult = base.doses.filter(
        (dose) =>
          dose.ingredient === ingredient &&
          dose.unit === unit &&
          dose.maxDaily !== undefined &&
          String(dose.routes) === String(routes),
      );
      if (adult.length === 0) continue;
      const highest = Math.max(...adult.map(({ maxDaily = 0 }) => maxDaily));
      for (const { daily = 0 } of steps) expect([id, daily <= highest]).toEqual([id, true]);
    }
  });

  it('do not fall with the age', () => {
    for (const { id, steps } of base.childDoses ?? [])
      steps.slice(1).forEach(({ daily = Infinity }, at) => {
        expect([id, daily >= (steps[at].daily ?? 0)]).toEqual([id, true]);
      });
  });

  it.each<[string, string, Person]>([
    ['Calpol 120 mg/5 ml', '5 ml four times a day', { age: 2, weight_kg: 12 }],
    ['ibuprofen 100 mg/5 ml', '5 ml three times a day', { age: 3, weight_kg: 14 }],
    ['amoxicillin 250 mg/5 ml', '5 ml three times a day', { age: 4, weight_kg: 16 }],
    ['cetirizine', '5 mg daily', { age: 4 }],
    ['loratadine', '5 mg daily', { age: 3 }],
    ['prednisolone', '20 mg daily', { age: 5, weight_kg: 18 }],
    ['ondansetron', '4 mg twice a day', { age: 5, weight_kg: 18 }],
    ['azithromycin', '200 mg daily', { age: 6, weight_kg: 20 }],
    ['methylphenidate', '18 mg daily', { age: 8 }],
  ])('accept %s, %s at %j', (name, dosage, person) => expect(found(name, dosage, person)).toEqual([]));

  it.each<[string, string, Person]>([
    ['paracetamol', '1 g four times a day', { age: 6 }],
    ['ibuprofen', '400 mg three times a day', { age: 3 }],
    ['loperamide', '4 mg three times a day', { age: 5 }],
    ['diphenhydramine', '50 mg at night', { age: 3 }],
    ['dimenhydrinate', '50 mg as needed', { age: 4 }],
    ['cetirizine', '10 mg daily', { age: 3 }],
    ['vitamin D', '10000 IU daily', { age: 1 }],
    ['codeine', '30 mg four times a day', { age: 9 }],
  ])('refuse %s, %s at %j', (name, dosage, person) =>
    expect(found(name, dosage, person)).toContain('dose_ceiling'),
  );
});
