import { candidatesOf } from './ingredient-texts';
import { routeOfAtc, routeOfWords } from './register-routes';

describe('ingredients as registers write them', () => {
  it.each([
    ['QUETIAPINE (QUETIAPINE FUMARATE)', 'quetiapine'],
    ['Sildenafil citrate 140.48mg eqv Sildenafil', 'sildenafil'],
    ["CHLORHYDRATE D'AMBROXOL", 'ambroxol'],
    ['CLORIDRATO DE AMBROXOL', 'ambroxol'],
    ['Bisoprololi fumaras', 'bisoprololum'],
    ['Acidum zoledronicum', 'zoledronic acid'],
    ['CLAVULANIQUE (ACIDE)', 'clavulanic acid'],
    ['BESILATO DE ANLODIPINO', 'amlodipine'],
    ['Natrii chloridum', 'sodium chloride'],
    ['Insulinum lisprum', 'insulin lispro'],
  ])('%s is also looked for as %s', (text, name) => {
    expect(candidatesOf(text)).toContain(name);
  });
});

describe('routes of registers', () => {
  it.each([
    ['ophtalmique collyre en solution', 'ophthalmic'],
    ['Maść', 'topical'],
    ['TABLET, FILM COATED ORAL', 'systemic'],
    ['transdermique dispositif', 'systemic'],
    ['Roztwór do wstrzykiwań', 'systemic'],
    ['', undefined],
  ])('%j is %s', (words, route) => {
    expect(routeOfWords(words)).toBe(route);
  });

  it.each([
    ['S01ED51', 'ophthalmic'],
    ['D01BA02', 'systemic'],
    ['D07AC01', 'topical'],
    ['', undefined],
  ])('ATC %j is %s', (atc, route) => {
    expect(routeOfAtc(atc)).toBe(route);
  });
});
