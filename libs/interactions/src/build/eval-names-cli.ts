import { readFileSync } from 'node:fs';
import { createEngine } from '../engine';
import { knowledgeFolder } from './arguments';
import { compileFiles } from './compile-knowledge';
import { evaluate, type EvaluationCase } from './evaluation';
import { faultOf, type HardCase } from './hard-cases';
import { readKnowledgeFiles } from './knowledge-reader';
import { evaluateBrands, parseBrandCases } from './name-cases';
import { complain, print } from './output';

/**
 * Measures how well the engine handles names as people type them.
 * Usage: eval-names-cli <brands.tsv | cases.jsonl>... [--knowledge <folder>]. A table has the columns
 * country, name and ingredient. A line of JSON holds names and the expected answer, or one name and its ingredients.
 */
function main(args: readonly string[]): void {
  const files = args.filter((argument, at) => !argument.startsWith('--') && args[at - 1] !== '--knowledge');
  const { base, problems } = compileFiles(readKnowledgeFiles(knowledgeFolder(args)));
  if (problems.length > 0) complain(`warning: ${problems.length} problems in the knowledge base`);
  const engine = createEngine(base);
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    print(`${file}:`);
    if (file.endsWith('.tsv')) reportBrands(text);
    else reportCases(text);
  }

  function reportBrands(text: string): void {
    const result = evaluateBrands(engine, parseBrandCases(text));
    print(`  brands read right      ${share(result.right, result.cases)}`);
    print(`  wrong without a word   ${result.wrongInSilence.length}`);
    list('wrong without a word', result.wrongInSilence);
    list('wrong, and said so', result.wrongButSaid);
    list('not known', result.unknown);
  }

  function reportCases(text: string): void {
    const cases = text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as HardCase | EvaluationCase);
    const faults = cases.flatMap((one) => {
      if (!('medications' in one)) return evaluate(engine, [one]).nameMisses;
      const fault = faultOf(engine, one);
      return fault === undefined
        ? []
        : [
            `${one.id} ${[one.new?.name, one.new?.dosage, ...one.medications].filter(Boolean).join(' | ')}: ${fault} (${one.why})`,
          ];
    });
    print(`  right  ${share(cases.length - faults.length, cases.length)}`);
    list('wrong', faults);
  }
}

function list(title: string, lines: readonly string[]): void {
  if (lines.length > 0)
    print(`  ${title} (${lines.length}):\n${lines.map((line) => `    ${line}`).join('\n')}`);
}

function share(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} % (${part} of ${whole})`;
}

main(process.argv.slice(2));
