import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A package of its own, with a lockfile: only the test that needs this PostgreSQL downloads it. */
const FOLDER = join(__dirname, 'postgres-17');
const INSTALL_TIMEOUT_MS = 300_000;

/** The environment in which the built service is a release with PostgreSQL 17. npm installs it at the first call. */
export function withPostgres17(): { NODE_OPTIONS: string } {
  if (!existsSync(join(FOLDER, 'node_modules'))) {
    const args = ['ci', '--ignore-scripts', '--no-audit'];
    execFileSync('npm', args, { cwd: FOLDER, stdio: 'pipe', timeout: INSTALL_TIMEOUT_MS });
  }
  return { NODE_OPTIONS: `--require ${join(__dirname, 'use-postgres-17.js')}` };
}
