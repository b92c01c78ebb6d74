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
  dev?: boolean;
  optional?: boolean;
}

const { packages } = JSON.parse(readFileSync(join(__dirname, '../../package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
const installed = Object.entries(packages).filter(
  ([path, { link, inBundle }]) => path.startsWith('node_modules/') && !link && !inBundle,
);

const isHashed = ({ integrity }: LockedPackage) => /^sha512-[\w+/]{86}==/.test(integrity ?? '');

/**
 * Programs of two tools of the tests, for other processors and systems than those of the images. npm writes no hash
 * for a package that it has never downloaded. Nothing is added to this list.
 */
const OTHER_PLATFORMS = /^node_modules\/@(swc\/core|unrs\/resolver-binding)-[a-z\d-]+$/;

describe('package-lock.json', () => {
  it('has the hash of every package, so that npm ci installs nothing else', () => {
    expect(installed.length).toBeGreaterThan(300);
    const without = installed.filter(([path, locked]) => !isHashed(locked) && !OTHER_PLATFORMS.test(path));
    expect(without.map(([path]) => path)).toEqual([]);
  });

  it('has no package without a hash in what runs in production, nor in what every machine installs', () => {
    const without = installed.filter(([, locked]) => !isHashed(locked));
    expect(without.filter(([, { dev, optional }]) => !dev || !optional)).toEqual([]);
  });

  it('has no package from another place than the registry', () => {
    const elsewhere = installed.filter(([, { resolved }]) => resolved !== undefined);
    expect(elsewhere.map(([path]) => path)).toEqual([]);
  });
});
