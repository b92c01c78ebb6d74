import { fold, squash } from './fold';
import { isOtherScript, romanize, soundKey } from './romanize';

const readingsOf = (name: string): string[] => romanize(squash(fold(name)));

describe('romanize', () => {
  it.each([
    ['Варфарин', 'varfarin'],
    ['βαρφαρίνη', 'varfarini'],
    ['وارفارين', 'varfarin'],
    ['פרצטמול', 'prstmol'],
    ['वारफरिन', 'varfrin'],
    ['พาราเซตามอล', 'parasetaml'],
    ['ワルファリン', 'varufarin'],
    ['ﾜﾙﾌｧﾘﾝ', 'varufarin'],
    ['디곡신', 'digoksin'],
  ])('writes %s as %s', (name, latin) => {
    expect(readingsOf(name)).toContain(latin);
  });

  it('gives at most 16 readings of a name, however long', () => {
    expect(readingsOf('ジ'.repeat(60)).length).toBeLessThanOrEqual(16);
  });

  it('has no reading for Chinese, nor for a mix with a sign of another script', () => {
    expect(readingsOf('华法林')).toEqual([]);
    expect(readingsOf('バルプロ酸')).toEqual([]);
    expect(isOtherScript('华法林')).toBe(false);
  });
});

describe('soundKey', () => {
  it.each([
    ['warfarin', 'varufarin'],
    ['hydrochlorothiazide', 'hidrokhlorotiazid'],
    ['quetiapine', 'kvetiapin'],
    ['paracetamol', 'paratsetamol'],
  ])('is the same for %s and %s', (name, reading) => {
    expect(soundKey(reading)).toBe(soundKey(name));
  });

  it('is different for medicines that must not be confused', () => {
    expect(soundKey('clonidine')).not.toBe(soundKey('clonazepam'));
  });
});
