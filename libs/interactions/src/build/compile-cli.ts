import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { compileFiles } from './compile-knowledge';
import { readKnowledgeFiles } from './knowledge-reader';

/**
 * Checks the YAML folder and writes the compiled base.
 * Usage: compile-cli [--knowledge <folder>] [--out <file>] [--check]; with --check nothing is written.
 */
function main(args: readonly string[]): void {
  const option = (name: string, fallback: string): string => {
    const at = args.indexOf(name);
    return resolve(at >= 0 && args[at + 1] ? args[at + 1] : fallback);
  };
  const folder = option('--knowledge', 'libs/interactions/knowledge');
  const out = option('--out', 'dist/libs/interactions/knowledge-base.json');
  const { base, problems } = compileFiles(readKnowledgeFiles(folder));
  for (const problem of problems) console.error(problem);
  const text = JSON.stringify(base);
  const names = base.ingredients.reduce(
    (sum, { synonyms, brands }) => sum + 1 + (synonyms?.length ?? 0) + (brands?.length ?? 0),
    0,
  );
  console.log(
    `${base.version}: ${base.ingredients.length} ingredients with ${names} names, ${base.combinations.length} combinations, ` +
      `${base.tags.length} tags, ${base.rules.length} rules, ${base.duplicates.length} duplicate classes, ${base.doses.length} doses, ` +
      `${base.species.length} species rules, ${base.sources.length} sources; ${Math.round(text.length / 1000)} kB, ` +
      `${Math.round(gzipSync(text).length / 1000)} kB gzipped`,
  );
  if (problems.length > 0) {
    console.error(`${problems.length} problem${problems.length === 1 ? '' : 's'}; nothing written`);
    process.exitCode = 1;
  } else if (!args.includes('--check')) {
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(out, text);
  }
}

main(process.argv.slice(2));
