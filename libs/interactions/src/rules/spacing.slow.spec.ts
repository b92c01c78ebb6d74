import { compileWholeBase } from '../__fixtures__/whole-base';
import { createEngine } from '../engine';
import type { CompiledRule } from '../compiled-base';

const { base } = compileWholeBase();
const engine = createEngine(base);
const management = ({ management: position = 0 }: CompiledRule): string => base.texts[position];
const rules = base.rules.filter(({ severity }) => severity !== 'none');

/** A number, or one in words, with hours, minutes, days, weeks or months. */
const TIME =
  /\b(?:\d+|an?|one|two|three|four|five|six|eight|ten|twelve|half|eleven|quarter)\b[^.]*\b(?:minutes?|hours?|days?|weeks?|months?)\b/i;
const VAGUE = /\b(?:some|several|a few) (?:hours?|days?|weeks?) (?:apart|between them)\b/i;

describe('a rule that sets times apart', () => {
  it.each(rules.filter(({ action }) => action === 'separate_doses').map((rule) => [rule.id, rule] as const))(
    'names the time in its first sentence: %s',
    (_, rule) => expect(management(rule).split(/(?<=[.!?])\s/)[0]).toMatch(TIME),
  );

  it('is never vague about it', () => {
    const vague = rules.filter((rule) => VAGUE.test(management(rule)));
    expect(vague.map((rule) => `${rule.id}: ${management(rule)}`)).toEqual([]);
  });

  it.each([
    ['en', ['Biktarvy', 'calcium'], /two hours before or four to six hours after calcium/],
    ['en', ['ellaOne', 'Cerazette'], /five days/],
    ['en', ['MMR vaccine', 'immunoglobulin'], /months/],
    ['de', ['ellaOne', 'Cerazette'], /fünf Tage/],
    ['es', ['MMR vaccine', 'immunoglobulin'], /meses/],
  ])('says so in the sentence on what to do (%s): %j', (language, medications, time) => {
    const told = engine.check({ medications, language }).map(({ in_short }) => in_short.what_to_do);
    expect(told.join(' ')).toMatch(time);
  });
});

describe('medicines that no gap keeps apart', () => {
  it.each([
    [['CellCept', 'colestyramine']],
    [['raloxifene', 'colestyramine']],
    [['leflunomide', 'colestyramine']],
    [['CellCept', 'omeprazole']],
  ])('%j', (medications) => {
    const [found] = engine.check({ medications });
    expect(found.management).toMatch(/gap.*does not help/);
  });
});

describe('an emergency pill', () => {
  it.each([
    ['Levonelle', 'carbamazepine'],
    ['Plan B', 'rifampicin'],
    ['ellaOne', 'phenytoin'],
    ['ellaOne', 'rifampicin'],
    ['levonorgestrel emergency', 'topiramate'],
    ['NorLevo', 'efavirenz'],
  ])('has its own advice: %s with %s', (pill, inducer) => {
    const found = engine.check({ medications: [pill, inducer] }).find(({ kind }) => kind === 'interaction')!;
    expect(found.summary).toMatch(/emergency pill/);
    expect(found.in_short.what_to_do).toMatch(/within five days.*double dose/);
    expect(found.management).not.toMatch(/injection|during treatment/);
  });

  it('is not every product of the hormone', () => {
    const [found] = engine.check({ medications: ['Microgynon', 'carbamazepine'] });
    expect(found.summary).not.toMatch(/emergency pill/);
  });
});
