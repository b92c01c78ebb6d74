import '@app/config/v8-flags';
import 'reflect-metadata';
import cluster from 'node:cluster';
import { ExtensionError, framesOf } from '@app/common';
import { ConfigError, ServiceConfig } from '@app/config';
import { EmbeddedDatabaseError } from '@app/database';
import type { Extensions } from '@app/extension';
import { composeService } from './domains';
import { logNodeEvents, processLog } from './process/process-log';
import { runPrimary } from './process/primary';
import { runService } from './process/service';

/**
 * Runs the service in this process: reads the environment, listens, and stops with the process. A `main.ts`
 * needs nothing else.
 *
 * With `WEB_CONCURRENCY` each worker runs the same file again. If the start fails, the process writes the
 * error to its log and exits with code 1.
 */
export function run(extension: Extensions = []): void {
  logNodeEvents();
  start(extension).catch(fail);
}

async function start(extension: Extensions): Promise<void> {
  const config = new ServiceConfig(undefined, composeService(extension).settings);
  if (cluster.isPrimary) for (const warning of config.warnings) processLog.warn(warning);
  await (config.webConcurrency > 1 && cluster.isPrimary
    ? runPrimary(config, fail)
    : runService(config, extension, fail));
}

function fail(error: unknown): never {
  processLog.fatal(failureOf(error));
  process.exit(1);
}

/** Why a server cannot listen, by the code of the error. */
const LISTEN_FAILURES: Record<string, string> = {
  EADDRINUSE: 'another program uses PORT or METRICS_PORT already',
  EADDRNOTAVAIL: 'HOST is no address of this machine',
  EACCES: 'this user may not listen on PORT or METRICS_PORT',
  ENOTFOUND: 'the name in HOST is not known',
  EAI_AGAIN: 'the name in HOST cannot be looked up',
};
const LISTEN_CALLS = ['listen', 'bind', 'getaddrinfo'];

/** The messages of these errors tell an operator what to correct. Of all others the place is needed too. */
function failureOf(error: unknown): { msg: string; frames?: string[] } {
  if (error instanceof ExtensionError) return { msg: `The service cannot start: ${error.message}` };
  if (error instanceof ConfigError) return { msg: error.message };
  if (error instanceof EmbeddedDatabaseError) return { msg: `The service cannot start: ${error.message}` };
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  if (LISTEN_CALLS.includes(syscall) && code in LISTEN_FAILURES)
    return { msg: `The service cannot start: ${LISTEN_FAILURES[code]}.` };
  return { msg: String(error), frames: framesOf(error) };
}
