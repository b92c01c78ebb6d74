import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives a process that is started by the name of the package a data folder of its own, wherever it is started: that of
 * `DATA_DIR`, else `health-records-service` where programs of this user keep their data. Workers inherit it.
 *
 * Source: XDG Base Directory Specification 0.8.
 */
export function useOwnDataDir(env: NodeJS.ProcessEnv = process.env): string {
  const home = env.XDG_DATA_HOME || join(homedir(), '.local', 'share');
  return (env.DATA_DIR ||= join(home, 'health-records-service'));
}
