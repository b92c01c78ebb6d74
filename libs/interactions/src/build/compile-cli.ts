import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { textOfBase } from '../base-file';
import { knowledgeFolder, optionOf } from './arguments';
import { complain, print } from './output';
import { compileFiles } from './compile-knowledge';
import { readKnowledgeFiles } from './knowledge-reader';

/**
 * Checks the YAML folder and writes the compiled base.
 * Usage: compile-cli [--knowledge <folder>] [--out <file>] [--check]; --check writes no file.
 */
function main(args: readonly string[]): void {
  const folder = knowledgeFolder(args);
  const out = resolve(optionOf(args, '--out') ?? 'dist/libs/interactions/knowledge-base.json');
  const { base, problems } = compileFiles(readKnowledgeFiles(folder));
  for (const line of summarize(problems)) complain(line);
  const text = textOfBase(base);
  const names = base.ingredients.reduce(
    (sum, { synonyms, brands }) => sum + 1 + (synonyms?.length ?? 0) + (brands?.length ?? 0),
    0,
  );
  print(
    `${base.version}: ${base.ingredients.length} ingredients with ${names} names, ${base.combinations.length} combinations, ` +
      `${base.tags.length} tags, ${base.rules.length} rules, ${base.duplicates.length} duplicate classes, ${base.doses.length} doses, ` +
      `${base.species.length} species rules, ${base.sources.length} sources; ${Math.round(text.length / 1000)} kB, ` +
      `${Math.round(gzipSync(text).length / 1000)} kB gzipped`,
  );
  if (problems.length > 0) {
    complain(`${problems.length} problem${problems.length === 1 ? '' : 's'}; nothing written`);
    process.exitCode = 1;
  } else if (!args.includes('--check')) {
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(out, text);
  }
}

/** One line per unknown name, not per mention: a missing ingredient is a single mistake. */
function summarize(problems: readonly string[]): string[] {
  const lines: string[] = [];
  const unknown = new Map<string, string[]>();
  for (const problem of problems) {
    const match = /^(.+?): (unknown (?:source|tag|ingredient) '.+)$/.exec(problem);
    if (!match) lines.push(problem);
    else unknown.set(match[2], [...(unknown.get(match[2]) ?? []), match[1]]);
  }
  for (const [complaint, places] of unknown) {
    lines.push(
      `${complaint} in ${places.slice(0, 3).join('; ')}${places.length > 3 ? ` and ${places.length - 3} more` : ''}`,
    );
  }
  return lines;
}

main(process.argv.slice(2));
