#!/usr/bin/env node
import '@app/config/v8-flags';
import 'reflect-metadata';
import { useOwnDataDir } from '@app/config';
import { runOps } from './ops/program';
import { run } from './run';

const USE = `Usage: health-records-service                 starts the service; settings are environment variables
       health-records-service ops <command>   a command of the operator: ops --help
Its data is in DATA_DIR, by default a folder of its own in the home of the user: `;

/** What the name of the package starts: `npx health-records-service`. */
const [command, ...rest] = process.argv.slice(2);
const folder = useOwnDataDir();
if (command === undefined) run();
else if (command === 'ops') void runOps(rest).then((code) => process.exit(code));
else {
  const isAsked = command === '--help';
  (isAsked ? process.stdout : process.stderr).write(`${USE}${folder}\n`);
  process.exitCode = isAsked ? 0 : 2;
}
