import { compileWholeBase } from '../__fixtures__/whole-base';
import { createEngine } from '../engine';

const engine = createEngine(compileWholeBase().base);
const read = (name: string): string[] => engine.resolve({ medications: [name] })[0].ingredients;

describe('a brand that is written as it sounds', () => {
  it.each([
    ['flagil', ['metronidazole']],
    ['Advaire', ['fluticasone', 'salmeterol']],
    ['zirtec', ['cetirizine']],
  ])('%s is read as that brand', (name, ingredients) => {
    expect(read(name).sort()).toEqual(ingredients);
  });

  it('says that it was corrected', () => {
    const kinds = engine.check({ medications: ['flagil'] }).map(({ kind }) => kind);
    expect(kinds).toContain('name_assumed');
  });

  it.each(['adderal', 'inderal'])('%s is not read as its look-alike', (name) => {
    expect(read(name).includes('propranolol')).toBe(name === 'inderal');
  });
});

it.each(['Mediator', 'Tryptyr', 'Jascayd', 'Modeyso', 'Acomplia', 'Aqneursa', 'Brinsupri'])(
  'knows %s, which is new or withdrawn',
  (name) => expect(read(name)).toHaveLength(1),
);
