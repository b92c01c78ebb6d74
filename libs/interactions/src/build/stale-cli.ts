import { compileFiles } from './compile-knowledge';
import { knowledgeFolder, optionOf } from './arguments';
import { readKnowledgeFiles } from './knowledge-reader';
import { complain, print } from './output';
import { dueBy, summarizeReviews } from './stale';

/**
 * Lists the statements that are due for review, the most severe first.
 * Usage: stale-cli [--by <YYYY-MM-DD, default today>] [--knowledge <folder>]; the exit code is 1 when a
 * statement is due.
 */
function main(args: readonly string[]): void {
  const day = optionOf(args, '--by') ?? new Date().toISOString().slice(0, 10);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) {
    complain(`'--by ${day}' is no date; write it as 2026-11-20`);
    process.exitCode = 2;
    return;
  }
  const { reviews } = compileFiles(readKnowledgeFiles(knowledgeFolder(args)));
  const due = dueBy(reviews, day);
  for (const { id, severity, reviewed, reviewer, due: since } of due)
    print(`${since}  ${severity.padEnd(15)}  ${id} (last looked at by the ${reviewer} on ${reviewed})`);
  print(summarizeReviews(reviews, due, day));
  if (due.length > 0) process.exitCode = 1;
}

main(process.argv.slice(2));
