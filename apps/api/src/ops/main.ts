import 'reflect-metadata';
import { runOps } from './program';

void runOps(process.argv.slice(2)).then((code) => process.exit(code));
