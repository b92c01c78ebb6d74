import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { knowledgeFolder, optionOf } from './arguments';
import { complain, print } from './output';
import { compileFiles } from './compile-knowledge';
import { readKnowledgeFiles } from './knowledge-reader';
import { takeSnapshot } from './snapshot';

/**
 * Writes the all-pairs snapshot. Usage: snapshot-cli [--out <file>]; review the difference before you commit
 * it.
 */
function main(args: readonly string[]): void {
  const out = resolve(optionOf(args, '--out') ?? 'libs/interactions/all-pairs.snapshot.json');
  const { base, problems } = compileFiles(readKnowledgeFiles(knowledgeFolder(args)));
  if (problems.length > 0) {
    complain(`${problems.join('\n')}\n${problems.length} problems; nothing written`);
    process.exitCode = 1;
    return;
  }
  const snapshot = takeSnapshot(base);
  writeFileSync(out, `${JSON.stringify(snapshot, null, 2)}\n`);
  print(`${snapshot.alerts} alerts among all pairs: ${JSON.stringify(snapshot.bySeverity)}`);
}

main(process.argv.slice(2));
