import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { knowledgeFolder, optionOf } from './arguments';
import { compileKnowledge } from './compile-knowledge';
import { takeSnapshot } from './snapshot';

/** Writes the all-pairs snapshot. Usage: snapshot-cli [--out <file>]; review its difference before committing it. */
const args = process.argv.slice(2);
const out = resolve(optionOf(args, '--out') ?? 'libs/interactions/all-pairs.snapshot.json');
const snapshot = takeSnapshot(compileKnowledge(knowledgeFolder(args)));
writeFileSync(out, `${JSON.stringify(snapshot, null, 2)}\n`);
console.log(`${snapshot.alerts} alerts among all pairs: ${JSON.stringify(snapshot.bySeverity)}`);
