import './process/garbage';
import 'reflect-metadata';
import cluster from 'node:cluster';
import { ConfigError, ServiceConfig } from '@app/config';
import { DataDirectoryInUseError } from '@app/database';
import { runPrimary } from './process/primary';
import { runService } from './process/service';

function fail(error: unknown): never {
  // An operator can mend these two by what their sentence says; for all else the place in the code matters.
  const isForOperator = error instanceof ConfigError || error instanceof DataDirectoryInUseError;
  const { message, stack } = error as Error;
  process.stderr.write(`${isForOperator ? message : (stack ?? String(error))}\n`);
  process.exit(1);
}

async function main(): Promise<void> {
  const config = new ServiceConfig();
  await (config.webConcurrency > 1 && cluster.isPrimary
    ? runPrimary(config, fail)
    : runService(config, fail));
}

main().catch(fail);
