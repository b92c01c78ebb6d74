import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileWholeBase } from '../__fixtures__/whole-base';
import { createEngine } from '../engine';
import type { Person } from './person';

/** The medicines of evaluation/pregnancy-and-breastfeeding.txt, one test per line: more than the 150 most used. */
const FILE = join(__dirname, '..', '..', 'evaluation', 'pregnancy-and-breastfeeding.txt');
const { base } = compileWholeBase();
const engine = createEngine(base);
const RANK = ['none', 'minor', 'moderate', 'major', 'contraindicated'];

function gravest(name: string, person: Person): string {
  const cautions = engine.check({ medications: [name], person });
  expect(cautions.filter(({ kind }) => kind !== 'person_caution')).toEqual([]);
  return RANK[Math.max(0, ...cautions.map(({ severity }) => RANK.indexOf(severity)))];
}

const lines = readFileSync(FILE, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('# '));

it('are at least 150', () => expect(lines.length).toBeGreaterThanOrEqual(150));

it.each(lines)('%s', (line) => {
  const [name, expected] = line.split('=>').map((part) => part.trim());
  const found = [gravest(name, { pregnant: true }), gravest(name, { breastfeeding: true })];
  expect(found.join(', ')).toBe(expected);
});
