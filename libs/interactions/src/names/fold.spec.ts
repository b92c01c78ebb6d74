import fc from 'fast-check';
import { fold, squash, variantKey } from './fold';

describe('fold', () => {
  it.each([
    ['  Café  au\tlait ', 'cafe au lait'],
    ['ＡＢＣ１２', 'abc12'],
    ['St John’s Wort', 'st johns wort'],
    ["St John's Wort", 'st johns wort'],
    ['Aspirin®', 'aspirin'],
    ['Straße', 'strasse'],
    ['Nystatin–Œstradiol', 'nystatin-oestradiol'],
    ['İstanbul', 'istanbul'],
    ['µg', 'ug'],
    ['a\u200bb\u00adc', 'abc'],
  ])('folds %j to %j', (name, expected) => {
    expect(fold(name)).toBe(expected);
  });

  it('changes nothing when done twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (name) => {
        expect(squash(fold(fold(name)))).toBe(squash(fold(name)));
      }),
    );
  });
});

describe('variantKey', () => {
  it.each([
    ['amlodipine', 'amlodipin'],
    ['amlodipine', 'amlodipina'],
    ['sulfasalazine', 'sulphasalazine'],
    ['estradiol', 'oestradiol'],
    ['captopril', 'kaptopril'],
    ['phenytoin', 'fenitoina'],
  ])('is the same for %s and %s', (a, b) => {
    expect(variantKey(b)).toBe(variantKey(a));
  });

  it('is different for different drugs', () => {
    expect(variantKey('clonidine')).not.toBe(variantKey('clonazepam'));
    expect(variantKey('prednisone')).not.toBe(variantKey('prednisolone'));
  });
});
