import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface LockedPackage {
  /** Absent for the registry, as `.npmrc` says. */
  resolved?: string;
  integrity?: string;
  /** A folder of this repository. */
  link?: boolean;
  /** It lies in the archive of the package around it, whose hash covers it. */
  inBundle?: boolean;
}

/** The packages that `npm ci` downloads. */
function installedOf(lockFile: string): [string, LockedPackage][] {
  const { packages } = JSON.parse(readFileSync(join(__dirname, '../..', lockFile), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  return Object.entries(packages).filter(
    ([path, { link, inBundle }]) => path.startsWith('node_modules/') && !link && !inBundle,
  );
}

const isHashed = ({ integrity }: LockedPackage) => /^sha512-[\w+/]{86}==/.test(integrity ?? '');

const LOCK_FILES = [
  'package-lock.json',
  'test/documents/package-lock.json',
  'test/page-tools/package-lock.json',
  'deploy/package-lock.json',
];

describe.each(LOCK_FILES)('%s', (lockFile) => {
  const installed = installedOf(lockFile);

  it('has the hash of every package, so that npm ci installs nothing else', () => {
    expect(installed.length).toBeGreaterThan(20);
    const without = installed.filter(([, locked]) => !isHashed(locked));
    expect(without.map(([path]) => path)).toEqual([]);
  });

  it('has no package from another place than the registry', () => {
    const elsewhere = installed.filter(([, { resolved }]) => resolved !== undefined);
    expect(elsewhere.map(([path]) => path)).toEqual([]);
  });
});
