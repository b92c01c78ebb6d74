import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { EmbeddedDatabaseError } from './embedded-errors';

/** The user that runs PostgreSQL if this service runs as root. PostgreSQL refuses to run as root. */
export interface RunAs {
  uid: number;
  gid: number;
}

const USER = 'postgres';

/**
 * The user that runs PostgreSQL, or `undefined` for the user of this process.
 *
 * For root, it is the system user `postgres`. If the machine does not have this user, it is created without a
 * home folder or a login.
 */
export function chooseRunAs(): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return lookUp() ?? make();
}

function lookUp(): RunAs | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${USER}:`));
  if (!line) return undefined;
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

function make(): RunAs {
  const attempts: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', USER]],
    ['adduser', ['-S', '-D', '-H', USER]], // BusyBox
  ];
  for (const [command, args] of attempts) {
    try {
      execFileSync(command, args, { stdio: 'ignore' });
    } catch {
      continue;
    }
    const made = lookUp();
    if (made) return made;
  }
  throw new EmbeddedDatabaseError(
    'PostgreSQL does not run as root, and a user for it could not be made: start the service as another user, or set DATABASE_URL.',
  );
}

/** Whether the user can execute the path (`x`), or enter and write it (`w`). */
export function canReach(runAs: RunAs, path: string, access: 'x' | 'w'): boolean {
  const test = access === 'x' ? 'test -x "$1"' : 'test -x "$1" && test -w "$1"';
  return spawnSync('/bin/sh', ['-c', test, 'sh', path], { ...runAs, cwd: '/', stdio: 'ignore' }).status === 0;
}
