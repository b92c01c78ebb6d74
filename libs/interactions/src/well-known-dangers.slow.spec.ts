import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileWholeBase } from './__fixtures__/whole-base';
import { createEngine } from './engine';
import type { Person } from './person/person';
import type { InteractionResult, Species } from './types';

/** Cases of evaluation/well-known-dangers.txt, whose head describes a line. One test per line. */
const LIBRARY = join(__dirname, '..');
const { base } = compileWholeBase();
const engine = createEngine(base);

const RANK = ['none', 'unknown', 'minor', 'moderate', 'major', 'contraindicated'];
const KINDS: Record<string, string> = {
  I: 'interaction',
  F: 'food',
  DUP: 'duplicate_therapy',
  SP: 'species_toxicity',
  BURD: 'cumulative_burden',
  P: 'person_caution',
};

/** Reads a person such as `age 80, pregnant, asthma, allergy penicillin`. */
function personOf(text: string): Person {
  const person: Record<string, unknown> = {};
  for (const [word, value] of text.split(',').map((term) => term.trim().split(' '))) {
    if (word === 'age' || word === 'egfr') person[word] = Number(value);
    else if (word === 'allergy') person.allergies = [value];
    else if (word === 'female' || word === 'male') person.sex = word;
    else if (base.facts?.some(({ id }) => id === word)) person.conditions = [word];
    else person[word] = true;
  }
  return person;
}

function check(line: string): InteractionResult[] {
  const [question, person] = line.split('~').map((part) => part.trim());
  const [, names, species, dosage] = /^([^@#]*)(?:@(\w+)\s*)?(?:#(.*))?$/.exec(question) ?? [];
  const medications = names.split('|').map((name) => name.trim());
  const asked = {
    ...(species && { species: species as Species }),
    ...(person && { person: personOf(person) }),
  };
  if (dosage === undefined) return engine.check({ medications, ...asked });
  const [name, ...others] = medications;
  return engine.checkNew({ name, dosage: dosage.trim(), medications: others, ...asked });
}

/** The gravest finding of a kind, as a rank; of all kinds when none is named. */
function worst(results: readonly InteractionResult[], kind: string): number {
  const wanted = results.filter((result) => kind === '' || result.kind === (KINDS[kind] ?? kind));
  return Math.max(0, ...wanted.map(({ severity }) => RANK.indexOf(severity)));
}

const lines = readFileSync(join(LIBRARY, 'evaluation', 'well-known-dangers.txt'), 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('# '));

it.each(lines)('%s', (line) => {
  const [question, expected] = line.split('=>').map((part) => part.trim());
  const results = check(question);
  if (expected === 'none') return expect(results.map(({ rule_id }) => rule_id)).toEqual([]);
  const [, kind, comparison, severity] = /^(\w*)(>=|<=|=)(\w+)$/.exec(expected) ?? [];
  const [found, least] = [worst(results, kind), RANK.indexOf(severity)];
  expect(least).toBeGreaterThanOrEqual(0);
  if (comparison !== '<=') expect(RANK[Math.max(found, least)]).toBe(RANK[found]);
  if (comparison !== '>=') expect(RANK[Math.min(found, least)]).toBe(RANK[found]);
});
