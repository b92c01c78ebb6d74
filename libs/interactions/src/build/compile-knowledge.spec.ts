import { compileSmallBase, SMALL_BASE_FILES, smallBase } from '../__fixtures__/small-base';
import { compileFiles } from './compile-knowledge';
import { countSentences } from './entry-reader';

const RULE = `
  id: test-rule
  a: { ingredient: warfarin }
  b: { ingredient: losartan }
  severity: moderate
  action: monitor
  evidence: probable
  summary: "{a} with {b} can harm."
  mechanism: One thing. Another thing.
  management: Do this. Do that.
  sources: [s1]
  reviewed: 2026-11-20`;

/** Compiles the small base with one more rule. `fields` replaces its fields; an empty value removes one. */
function problemsOfRule(fields: Readonly<Record<string, string>>): string[] {
  const kept = RULE.split('\n').filter(
    (line) => !Object.keys(fields).some((field) => line.startsWith(`  ${field}:`)),
  );
  const added = Object.entries(fields).filter(([, value]) => value !== '');
  const lines = [...kept.slice(1), ...added.map(([field, value]) => `  ${field}: ${value}`)].map(
    (line) => `  ${line}`,
  );
  lines[0] = `  - ${lines[0].trim()}`;
  return compileSmallBase({ 'rules/extra.yaml': `rules:\n${lines.join('\n')}\n` }).problems;
}

const smallBaseSpecies = SMALL_BASE_FILES['species/all.yaml'];

const problemsOfIngredients = (...entries: string[]): string[] =>
  compileSmallBase({
    'ingredients/extra.yaml': `ingredients:\n${entries.map((entry) => `  - ${entry}`).join('\n')}\n`,
  }).problems;

describe('compile', () => {
  it('accepts a folder without faults and shares equal texts', () => {
    const base = smallBase();
    expect(base).toMatchObject({ format: 1, version: '1.2.3', released: '2026-11-20' });
    expect(new Set(base.texts).size).toBe(base.texts.length);
    expect(base.texts.length).toBeLessThan(base.rules.length);
    expect(problemsOfRule({})).toEqual([]);
  });

  it.each<[Record<string, string>, string]>([
    [{ severity: 'major' }, 'needs at least 2 sources, has 1'],
    [{ severity: 'contraindicated', sources: '[s1, s1]' }, 'a source is listed twice'],
    [
      { severity: 'severe' },
      `'severity' is 'severe'; allowed are contraindicated, major, moderate, minor, none`,
    ],
    [{ severity: '' }, `'severity' is missing`],
    [{ action: 'stop' }, `'action' is 'stop'`],
    [{ evidence: '' }, `'evidence' is missing`],
    [{ sources: '[s9]' }, `unknown source 's9'`],
    [{ sources: '[]' }, 'needs at least 1 source, has 0'],
    [{ summary: 'One. Two.' }, `'summary' has 2 sentences, must have 1`],
    [{ mechanism: 'Only one.' }, `'mechanism' has 1 sentences, must have 2`],
    [{ management: 'One. Two' }, `'management' must end with a full stop`],
    [{ management: '' }, `'management' is missing`],
    [{ summary: '"Taking {c} harms."' }, `holds '{c}'; only {a} and {b} are replaced`],
    [{ a: '{ ingredient: warfarn }' }, `unknown ingredient 'warfarn' (did you mean 'warfarin'?)`],
    [{ a: '{ tag: nsaids }' }, `unknown tag 'nsaids' (did you mean 'nsaid'?)`],
    [{ a: 'warfarin' }, `'a' must be { tag: x }, { ingredient: x } or { any: [ … ] }`],
    [{ a: '' }, `'a' must be`],
    [{ b: '{ ingredient: warfarin }' }, 'both sides are the same ingredient'],
    [
      { a: '{ ingredient: naproxen }', b: '{ ingredient: apixaban }' },
      `the pair has a rule of its own already: 'apixaban-naproxen'`,
    ],
    [{ id: 'anticoagulant-nsaid' }, 'the id exists already (rules/all.yaml:3)'],
    [{ id: 'Test_Rule' }, `'id' must be small letters`],
    [{ reviewed: '20.11.2026' }, 'write a date as 2026-11-20'],
    [{ reviewed: '' }, `'reviewed' is missing`],
    [{ reviewed: '2026-11-21' }, `'test-rule' was reviewed on 2026-11-21, after the edition of 2026-11-20`],
    [{ reviewer: 'neighbour' }, `'reviewer' is 'neighbour'; allowed are editor, pharmacist, physician`],
    [{ review_by: '2026-11-20' }, `'review_by' must be later than 'reviewed'`],
    [{ review_by: '2029-11-21' }, `'review_by' must be within 36 months of 'reviewed'`],
    [{ summary: '"Taking {a} with {b} harms like aspirin."' }, `speaks of 'aspirin' in its summary`],
    [{ summary: '"{a} can harm."' }, `'test-rule' never names side 'b' in its texts`],
    [{ summary: '"Something can harm."' }, `'test-rule' never names side 'a' in its texts`],
    [{ id: 'warfarin-lithium' }, `'warfarin-lithium' speaks of 'lithium', but is not about it`],
    [{ mentions: '[warfarn]' }, `unknown ingredient 'warfarn' (did you mean 'warfarin'?)`],
    [{ management: 'Halve it. Report bleeding.' }, 'names nobody who decides'],
    [{ management: 'Do an MRI. Report bleeding.' }, `the abbreviation 'MRI' is not in the glossary`],
    [
      { overrides: '[{ rules: [nothing], reason: Why., sources: [s1] }]' },
      `'overrides' names the unknown rule 'nothing'`,
    ],
    [{ overrides: '[anticoagulant-nsaid]' }, `'overrides' names 'anticoagulant-nsaid' without a reason`],
    [{ overrides: '[{ reason: Why., sources: [s1] }]' }, `each group in 'overrides' needs 'rules'`],
    [
      { overrides: '[{ rules: [lithium-nsaid], sources: [s1] }]' },
      `needs a 'reason' that ends with a full stop`,
    ],
    [
      { overrides: '[{ rules: [lithium-nsaid], reason: Why. }]' },
      `'overrides' of lithium-nsaid needs 'sources'`,
    ],
    [{ overrides: '[{ rules: [lithium-nsaid], reason: Why., sources: [s9] }]' }, `unknown source 's9'`],
    [
      { overrides: '[{ rule: x, rules: [lithium-nsaid], reason: Why., sources: [s1] }]' },
      `the unknown field 'rule'`,
    ],
    [{ overrides: 'lithium-nsaid' }, `'overrides' must be a list`],
    [{ formerly: '[lithium-nsaid]' }, `'formerly' names 'lithium-nsaid', which is another entry today`],
    [{ formerly: '[older, older]' }, `'formerly' names 'older' a second time`],
    [{ except: '[{ c: { ingredient: warfarin } }]' }, `each pair in 'except' has 'a', 'b' or both`],
    [{ local_routes: 'yes' }, `'local_routes' can only be 'keep'`],
    [{ species: '[horse]' }, `unknown species 'horse'`],
    [{ severty: 'major' }, `unknown field 'severty'`],
  ])('complains about a rule with %j', (fields, message) => {
    const problems = problemsOfRule(fields);
    expect(problems.join('\n')).toContain(message);
    expect(problems[0]).toMatch(/^(?:rules\/extra\.yaml:\d+: rule '[\w-]+': |rules: |'[\w-]+' )/);
  });

  it.each<[string, string]>([
    [
      '{ inn: newdrug, synonyms: [Coumadin] }',
      `the name 'Coumadin' has two meanings: it also names ingredient 'warfarin' (ingredients/all.yaml:3)`,
    ],
    ['{ inn: newdrug, brands: [Co Amoxi-Clav] }', 'has two meanings'],
    ['{ inn: newdrug, brands: [Retard] }', 'is a word that also stands in other products'],
    ['{ inn: newdrug, brands: [K] }', 'is too short'],
    ['{ inn: warfarin }', 'this ingredient exists already'],
    ['{ inn: Newdrug }', `'inn' must be lower case`],
    ['{ inn: newdrug, kind: pill }', `'kind' is 'pill'`],
    [
      '{ inn: newdrug, tags: { vka: [s1], anticoagulant: [s1] } }',
      `tag 'anticoagulant' is listed although 'vka' implies it`,
    ],
    ['{ inn: newdrug, tags: { vka: [] } }', `tag 'vka' needs a list of sources`],
    ['{ inn: newdrug, tags: [vka] }', `'tags' must map each tag to its sources`],
    ['{ inn: newdrug, tags: { vkaa: [s1] } }', `unknown tag 'vkaa' (did you mean 'vka'?)`],
    ['{ inn: newdrug, routes: [oral] }', `route 'oral' is not local`],
    ['{ inn: newdrug, local_routes: skin }', `'local_routes' can only be 'keep', or a list`],
    ['{ inn: newdrug, local_routes: [oral] }', `route 'oral' is not local`],
    ['{ inn: newdrug, local_forms: [Skin Patch] }', `'local_forms' holds 'Skin Patch'; write one word`],
    ['{ inn: newdrug, also_called: other }', `'also_called' is 'other', which is none of its names`],
    ['{ inn: newdrug, synonyms: Other }', `'synonyms' must be a list`],
    ['{ inn: newdrug, brands: [123] }', 'write a name in quotes'],
    ['{ usan: newdrug }', `'inn' is missing`],
  ])('complains about the ingredient %s', (entry, message) => {
    const problems = problemsOfIngredients(entry);
    expect(problems.join('\n')).toContain(message);
    expect(problems[0]).toMatch(/^(?:ingredients\/extra|combinations\/all)\.yaml:\d+: /);
  });

  it('fails when a more precise rule hides a graver one that it does not declare', () => {
    const masked = problemsOfRule({ a: '{ ingredient: warfarin }', b: '{ ingredient: ibuprofen }' });
    expect(masked).toEqual([
      `rules: 'test-rule' hides the graver 'anticoagulant-nsaid' for warfarin with ibuprofen and 1 more; declare it in 'overrides' or change one`,
    ]);
    const declared = {
      a: '{ ingredient: warfarin }',
      b: '{ ingredient: ibuprofen }',
      overrides: '[{ rules: [anticoagulant-nsaid], reason: Why., sources: [s1] }]',
    };
    expect(problemsOfRule(declared)).toEqual([]);
  });

  it('accepts a text that names a third ingredient on purpose, and the names of a side', () => {
    const summary = '"{a} with losartan harms like aspirin."';
    expect(problemsOfRule({ summary, mentions: '[aspirin]' })).toEqual([]);
  });

  it('refuses an id that begins with another animal', () => {
    const rule = smallBaseSpecies.replace('species: [cat]', 'species: [dog, cat]');
    expect(compileSmallBase({ 'species/all.yaml': rule }).problems).toContain(
      `species: 'cat-paracetamol' is about dog and cat; begin its id with pet-`,
    );
  });

  it('looks for hidden rules in animals too', () => {
    const masked = problemsOfRule({
      a: '{ ingredient: warfarin }',
      b: '{ ingredient: ibuprofen }',
      species: '[dog]',
    });
    expect(masked.join()).toContain(
      `'test-rule' hides the graver 'anticoagulant-nsaid' for warfarin with ibuprofen`,
    );
  });

  it('drops a repeated spelling of one name without a complaint', () => {
    const { base, problems } = compileSmallBase({
      'ingredients/extra.yaml': `ingredients:\n  - { inn: newdrug, synonyms: [New-Drug, néwdrug, other], brands: [Other, Newbrand] }\n`,
    });
    expect(problems).toEqual([]);
    expect(base.ingredients.at(-1)).toEqual({ inn: 'newdrug', synonyms: ['other'], brands: ['Newbrand'] });
  });

  it.each<[string, string, string]>([
    [
      'tags/x.yaml',
      'tags:\n  - { id: x, name: x, definition: X., implies: [y], sources: [s1], reviewed: 2026-11-20 }\n  - { id: y, name: y, definition: Y., implies: [x], sources: [s1], reviewed: 2026-11-20 }',
      `'implies' leads back to 'x'`,
    ],
    [
      'manifest.yaml',
      'version: 1.2\nreleased: 2026-11-20\nchangelog: []',
      `'version' must be text (put it in quotes)`,
    ],
    ['x.yaml', 'drugs:\n  - a', `x.yaml:1: unknown key 'drugs'`],
    ['x.yaml', 'rules:\n  - id: a\n    id: b', 'x.yaml:3: cannot be read: Map keys must be unique'],
    ['x.yaml', 'rules: 5', `'rules' must be a list`],
    ['lookalikes.yaml', 'lookalikes:\n  - [warfarin, nothing]', `look-alikes: 'nothing' is no name`],
    [
      'combinations/x.yaml',
      'combinations:\n  - { name: newmix, ingredients: [warfarin] }',
      'needs at least two known ingredients',
    ],
    ['doses/x.yaml', 'doses:\n  - { id: d, ingredient: warfarin }', `needs 'max_daily_mg'`],
    [
      'doses/x.yaml',
      'doses:\n  - { id: d, ingredient: warfarin, patch: { at_a_time: 1 } }',
      `'patch' needs 'at_a_time' and 'per_week'`,
    ],
    [
      'doses/x.yaml',
      'doses:\n  - { id: d, ingredient: warfarin, use: daily, regions: [Mars], schedule: { most: yearly } }',
      `'use' is 'daily'; allowed are otc, prescription`,
    ],
    ['doses/x.yaml', 'doses:\n  - { id: d, ingredient: warfarin, regions: [Mars] }', `unknown region 'Mars'`],
    [
      'doses/x.yaml',
      'doses:\n  - { id: d, ingredient: warfarin, schedule: { most: yearly } }',
      `'schedule' needs 'most', either weekly or monthly`,
    ],
    [
      'doses/x.yaml',
      'doses:\n  - { id: d, ingredient: warfarin, schedule: { most: weekly, from_mg: 0 } }',
      `'from_mg' that is no number above zero`,
    ],
    [
      'doses/x.yaml',
      'doses:\n  - { id: d, ingredient: warfarin, schedule: { most: weekly, unless: daily } }',
      `'unless' that is no list of words`,
    ],
    [
      'doses/x.yaml',
      'doses:\n  - { id: d, ingredient: warfarin, schedule: { most: weekly, form: tablet } }',
      `'schedule' has the unknown field 'form'`,
    ],
    [
      'duplicates/x.yaml',
      'duplicates:\n  - { id: d, tag: nsaid, ingredient: warfarin }',
      `needs exactly one of 'tag', 'ingredient'`,
    ],
    ['species/x.yaml', 'species:\n  - { id: d, a: { tag: nsaid } }', `'species' is missing`],
    [
      'sources.yaml',
      'sources:\n  - { id: s1, title: T, publisher: P, year: soon }',
      `'year' must be a number`,
    ],
  ])('complains about %s', (path, text, message) => {
    expect(compileSmallBase({ [path]: text }).problems.join('\n')).toContain(message);
  });

  it('complains about a missing manifest', () => {
    const missing = Object.entries(SMALL_BASE_FILES).filter(([path]) => path !== 'manifest.yaml');
    const { problems } = compileFiles(missing.map(([path, text]) => ({ path, text })));
    expect(problems).toContain('manifest.yaml: is missing');
  });

  it('does not turn an exception with an unknown name into one for everything', () => {
    const { base } = compileSmallBase({
      'rules/extra.yaml': `rules:\n  - ${RULE.trim().replaceAll('\n', '\n  ')}\n    except: [{ a: { ingredient: nothing } }]\n`,
    });
    expect(base.rules.at(-1)).toMatchObject({ id: 'test-rule' });
    expect(base.rules.at(-1)?.except).toBeUndefined();
  });
});

describe('countSentences', () => {
  it.each([
    ['One.', 1],
    ['One. Two!', 2],
    ['Take 2.5 mg. Then wait.', 2],
    ['Some drugs, e.g. this one, matter. Others do not.', 2],
    ['Ask "why?" Then go.', 2],
    ['No stop', 0],
  ])('of %j is %i', (text, expected) => {
    expect(countSentences(text)).toBe(expected);
  });
});
