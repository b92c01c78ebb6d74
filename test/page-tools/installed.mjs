import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** A tool of this folder. The first call installs them all. */
export async function installed(name) {
  if (!existsSync(new URL('node_modules/.package-lock.json', import.meta.url))) {
    process.stdout.write('Installing the tools for the page.\n');
    const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    execFileSync('npm', options, { cwd: HERE, stdio: 'inherit' });
  }
  const path = createRequire(import.meta.url).resolve(name);
  return (await import(pathToFileURL(path).href)).default;
}
