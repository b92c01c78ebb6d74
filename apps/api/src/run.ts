import '@app/config/v8-flags';
import 'reflect-metadata';
import cluster from 'node:cluster';
import { ExtensionError } from '@app/common';
import { ConfigError, ServiceConfig } from '@app/config';
import { DataDirectoryInUseError } from '@app/database';
import type { Extensions } from '@app/extension';
import { composeService } from './domains';
import { runPrimary } from './process/primary';
import { runService } from './process/service';

/**
 * Runs the service in this process: reads the environment, listens, and stops with the process. A `main.ts`
 * needs nothing else.
 *
 * With `WEB_CONCURRENCY` each worker runs the same file again. If the start fails, the process writes the
 * error to standard error and exits with code 1.
 */
export function run(extension: Extensions = []): void {
  start(extension).catch(fail);
}

async function start(extension: Extensions): Promise<void> {
  const config = new ServiceConfig(undefined, composeService(extension).settings);
  await (config.webConcurrency > 1 && cluster.isPrimary
    ? runPrimary(config, fail)
    : runService(config, extension, fail));
}

function fail(error: unknown): never {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
}

/** Why a server cannot listen, by the code of the error. */
const LISTEN_FAILURES: Record<string, string> = {
  EADDRINUSE: 'another program uses PORT or METRICS_PORT already',
  EADDRNOTAVAIL: 'HOST is no address of this machine',
  EACCES: 'this user may not listen on PORT or METRICS_PORT',
};

/** The messages of these errors tell an operator what to correct. All other errors need the stack trace. */
function messageOf(error: unknown): string {
  if (error instanceof ExtensionError) return `The service cannot start: ${error.message}`;
  if (error instanceof ConfigError || error instanceof DataDirectoryInUseError) return error.message;
  const { code = '', stack } = error as Error & { code?: string };
  if (code in LISTEN_FAILURES) return `The service cannot start: ${LISTEN_FAILURES[code]}.`;
  return stack ?? String(error);
}
