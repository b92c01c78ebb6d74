import { execFileSync } from 'node:child_process';
import { compareAlerts } from './alert-difference';
import { allAlerts } from './all-pairs';
import { compileFiles } from './compile-knowledge';
import { knowledgeFolder } from './arguments';
import { complain, print } from './output';
import { isKnowledgePath, readKnowledgeFiles, type KnowledgeFile } from './knowledge-reader';

/**
 * Prints the alerts among all pairs of ingredients that the working tree adds, removes and re-grades,
 * compared with a git revision.
 * Usage: diff-cli [<revision, default HEAD>] [--all]; without --all each list has at most 40 lines.
 */
function main(args: readonly string[]): void {
  const revision = args.find((argument) => !argument.startsWith('-')) ?? 'HEAD';
  const now = compileFiles(readKnowledgeFiles(knowledgeFolder([])));
  for (const problem of now.problems) complain(problem);
  const before = allAlerts(compileFiles(filesAt(revision)).base);
  const after = allAlerts(now.base);
  const limit = args.includes('--all') ? Infinity : 40;
  const report = compareAlerts(before, after);
  print(
    `${report.added.length} alerts more, ${report.removed.length} fewer, ${report.worse.length} more severe, ${report.milder.length} less severe`,
  );
  for (const [title, lines] of Object.entries(report)) {
    if (lines.length === 0) continue;
    print(`\n${title}:`);
    for (const line of lines.slice(0, limit)) print(`  ${line}`);
    if (lines.length > limit) print(`  … and ${lines.length - limit} more (--all shows them)`);
  }
}

function filesAt(revision: string): KnowledgeFile[] {
  const folder = 'libs/interactions/knowledge';
  const git = (...command: string[]): string =>
    execFileSync('git', command, { encoding: 'utf8', maxBuffer: 64 << 20 });
  return git('ls-tree', '-r', '--name-only', revision, '--', folder)
    .split('\n')
    .filter(isKnowledgePath)
    .map((path) => ({ path: path.slice(folder.length + 1), text: git('show', `${revision}:${path}`) }));
}

main(process.argv.slice(2));
