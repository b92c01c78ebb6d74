import { readFileSync } from 'node:fs';
import { createEngine } from '../engine';
import { knowledgeFolder, optionOf } from './arguments';
import { complain, print } from './output';
import { compileFiles } from './compile-knowledge';
import { alertRate, evaluate, type EvaluationCase } from './evaluation';
import { readKnowledgeFiles } from './knowledge-reader';

/**
 * Measures the knowledge base against files of cases.
 * Usage: eval-cli <cases.jsonl>... [--names <file>] [--short]
 * - --names: a file with one ingredient per line, for the alert rate over all pairs. Default: every drug of
 * the base.
 * - --short: omits the misses.
 */
function main(args: readonly string[]): void {
  const files = args.filter(
    (argument, at) => !argument.startsWith('--') && !['--names', '--knowledge'].includes(args[at - 1]),
  );
  const { base, problems } = compileFiles(readKnowledgeFiles(knowledgeFolder(args)));
  if (problems.length > 0)
    complain(`warning: ${problems.length} problems in the knowledge base; faulty entries are left out`);
  const engine = createEngine(base);
  for (const file of files) report(file, engine, args.includes('--short'));
  const list = optionOf(args, '--names');
  const names = list
    ? readFileSync(list, 'utf8')
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
    : base.ingredients.filter(({ kind = 'drug' }) => kind === 'drug').map(({ inn }) => inn);
  const rate = alertRate(base, names);
  if (rate.unknown.length > 0) print(`not a known ingredient: ${rate.unknown.join(', ')}`);
  print(
    `Of all ${rate.pairs} pairs of ${rate.names} ingredients ${percent(rate.alerts, rate.pairs)} alert at moderate or above.`,
  );
}

function report(file: string, engine: ReturnType<typeof createEngine>, short: boolean): void {
  const cases = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as EvaluationCase);
  const result = evaluate(engine, cases);
  print(`${file}: ${cases.length} cases`);
  if (result.positives > 0) {
    print(`  recall                     ${percent(result.found, result.positives)}`);
    print(`  recall of contraindicated  ${percent(result.contraindicatedFound, result.contraindicated)}`);
    print(`  graded at least as severe  ${percent(result.gradedAsSevere, result.positives)}`);
  }
  if (result.negatives > 0)
    print(`  false alerts               ${percent(result.falseAlerts, result.negatives)}`);
  if (result.names > 0) print(`  names read right           ${percent(result.namesRight, result.names)}`);
  if (short) return;
  list('missed, a name is unknown', result.missesByName);
  list('missed, no rule', result.missesByRule);
  list('graded too low', result.undergraded);
  list('false alerts', result.falseAlertLines);
  list('names misread', result.nameMisses);
}

function list(title: string, lines: readonly string[]): void {
  if (lines.length > 0)
    print(`  ${title} (${lines.length}):\n${lines.map((line) => `    ${line}`).join('\n')}`);
}

function percent(part: number, whole: number): string {
  return whole === 0 ? 'no cases' : `${((100 * part) / whole).toFixed(1)} % (${part} of ${whole})`;
}

main(process.argv.slice(2));
