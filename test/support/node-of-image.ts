import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
/** A package of its own, with a lockfile: only the test that needs this Node downloads its 57 MB. */
const FOLDER = join(__dirname, 'node-lts');
const INSTALL_TIMEOUT_MS = 300_000;

/** The version of Node in the Dockerfile, such as `26.10.0`. */
export function nodeVersionOfImage(): string {
  const versions = [
    ...readFileSync(join(ROOT, 'Dockerfile'), 'utf8').matchAll(/^FROM node:(\d+\.\d+\.\d+)-/gm),
  ].map(([, version]) => version);
  if (versions.length === 0 || new Set(versions).size > 1)
    throw new Error(`The Dockerfile must name one version of Node: ${versions.join(', ') || 'none'}.`);
  return versions[0];
}

/** The versions that the package installs, one for each platform. */
export function pinnedVersions(): string[] {
  const { optionalDependencies } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>;
  };
  return Object.values(optionalDependencies);
}

/**
 * The path of that Node for Linux, as the image runs it. npm installs it at the first call.
 *
 * On other platforms, for which the registry has no such package, it is the Node that runs the tests.
 */
export function nodeOfImage(): string {
  if (process.platform !== 'linux') return process.execPath;
  const path = join(FOLDER, 'node_modules', `node-linux-${process.arch}`, 'bin/node');
  const isInstalled = existsSync(path) && versionOf(path) === nodeVersionOfImage();
  if (!isInstalled) {
    const args = ['ci', '--ignore-scripts', '--no-audit'];
    execFileSync('npm', args, { cwd: FOLDER, stdio: 'pipe', timeout: INSTALL_TIMEOUT_MS });
  }
  return path;
}

/** The version that a Node tells of itself, such as `26.10.0`. */
export function versionOf(path: string): string {
  return execFileSync(path, ['--version'], { encoding: 'utf8' }).trim().slice(1);
}
