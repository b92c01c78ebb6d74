/**
 * Finds a program that only tests need, or gets Debian's: as root it is installed, as another user (or where that fails)
 * it is unpacked with its dependencies into a cache.
 */
const { execFileSync } = require('node:child_process');
const { accessSync, constants, existsSync, mkdirSync, readdirSync } = require('node:fs');
const { mkdtempSync, renameSync, rmSync, statSync } = require('node:fs');
const { homedir, tmpdir } = require('node:os');
const { delimiter, join } = require('node:path');

const INSTALL_TIMEOUT_MS = 10 * 60_000;

/**
 * @typedef {object} Program
 * @property {string} title As a sentence names it.
 * @property {string} users The tests that need it, for the sentence that says that they are skipped.
 * @property {string} file The script that calls `runAsCommand` for it, when it is run by itself.
 * @property {string} package
 * @property {string} variable The environment variable that can name the program.
 * @property {string[]} places Absolute paths where it may lie, in the order of preference.
 * @property {string[]} [probe] The arguments with which it starts and ends at once; `--version` by default.
 * @property {string} unpacked Its path within the unpacked package.
 * @property {boolean} [isDaemon] Its package would start it for the whole system: it is never installed, only unpacked.
 * @property {(root: string, target: string) => void} [prepare] Finishes what was unpacked in `root` before it becomes
 *   `target`.
 * @property {(root: string) => Record<string, string>} [environment] What the unpacked one needs besides its libraries.
 */

/**
 * A program that starts, as `{ executablePath, env }`.
 *
 * @param {Program} program
 * @returns {{ executablePath: string, env: Record<string, string> } | undefined} `undefined`, with a sentence on standard
 * error, where there is none.
 * @throws Error where there is none and `CI` is `true`: the gate skips nothing.
 */
function provide(program) {
  let reason;
  try {
    const found = find(program);
    if (found) return found;
    // One at a time: several test files may be the first.
    const lock = join(cacheDir(), 'lock');
    run('flock', [lock, process.execPath, program.file, '--install'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const installed = find(program);
    if (installed) return installed;
    reason = 'what was installed does not start';
  } catch (error) {
    reason = reasonOf(error);
  }
  const message = `no ${program.title}, and none could be installed (${reason}); ${program.variable} can name one`;
  if (process.env.CI === 'true') throw new Error(`There is ${message}.`);
  process.stderr.write(`SKIPPED, ${program.users}: there is ${message}.\n`);
  return undefined;
}

/** Prints where the program is; with `--install`, gets it. */
function runAsCommand(program) {
  if (process.argv[2] !== '--install') {
    const found = provide(program);
    if (found) console.log(found.executablePath);
    else process.exitCode = 1;
    return;
  }
  try {
    install(program);
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exitCode = 1;
  }
}

/** Paths of these names in every folder of `PATH`. */
function inPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
}

function find(program) {
  const named = process.env[program.variable];
  for (const executablePath of [...(named ? [named] : []), ...program.places]) {
    const found = { executablePath, env: {} };
    if (isExecutable(executablePath) && starts(program, found)) return found;
  }
  const unpacked = unpackedIn(program, join(cacheDir(), program.package));
  return unpacked && starts(program, unpacked) ? unpacked : undefined;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Also tells whether a cache still fits the system under it. */
function starts({ probe = ['--version'] }, { executablePath, env }) {
  try {
    run(executablePath, probe, { env: { ...process.env, ...env }, stdio: 'ignore', timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}

/** What was unpacked brings its libraries along. */
function unpackedIn(program, root) {
  const executablePath = join(root, program.unpacked);
  if (!existsSync(executablePath)) return undefined;
  const libraries = ['usr/lib', 'lib'].flatMap((folder) => {
    const base = join(root, folder);
    if (!existsSync(base)) return [];
    const triplets = readdirSync(base).filter((name) => name.includes('-linux-'));
    return [base, ...triplets.flatMap((name) => [join(base, name), ...privateFolders(join(base, name))])];
  });
  const env = { LD_LIBRARY_PATH: libraries.join(delimiter), ...program.environment?.(root) };
  return { executablePath, env };
}

/** Some libraries lie in a folder of their own, which their package would have told the linker of. */
function privateFolders(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name))
    .filter((path) => readdirSync(path).some((name) => /^lib.+\.so(\.|$)/.test(name)));
}

function cacheDir() {
  const caches = [process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), tmpdir()];
  for (const base of caches) {
    const folder = join(base, `health-records-tests-${process.getuid?.() ?? 'user'}`);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      accessSync(folder, constants.W_OK);
      // In a shared folder somebody else could have put it there.
      if (process.getuid && statSync(folder).uid !== process.getuid()) continue;
      return folder;
    } catch {
      continue;
    }
  }
  throw new Error('there is no folder for a cache');
}

function install(program) {
  if (find(program)) return;
  if (process.getuid?.() === 0 && !program.isDaemon) {
    try {
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
      const wait = ['-o', 'DPkg::Lock::Timeout=300'];
      run('apt-get', [...wait, 'update'], { env, stdio: 'ignore' });
      run('apt-get', [...wait, 'install', '-y', '--no-install-recommends', program.package], { env });
      if (find(program)) return;
    } catch (error) {
      process.stderr.write(`${reasonOf(error)}\n`);
    }
  }
  unpack(program);
}

/** Everything that the system lacks for the program, under a folder of the user; the system itself stays as it is. */
function unpack(program) {
  const cache = cacheDir();
  const work = mkdtempSync(join(cache, 'unpacking-'));
  try {
    const [state, archives, root] = ['state', 'archives', 'root'].map((name) => join(work, name));
    for (const folder of [join(state, 'lists/partial'), join(archives, 'partial'), root])
      mkdirSync(folder, { recursive: true });
    const options = [
      `Dir::State=${state}`,
      'Dir::State::status=/var/lib/dpkg/status',
      `Dir::Cache=${work}`,
      `Dir::Cache::archives=${archives}`,
      // Root's downloads would be made by a user who cannot write here.
      ...(process.getuid?.() === 0 ? ['APT::Sandbox::User=root'] : []),
    ].flatMap((option) => ['-o', option]);
    run('apt-get', [...options, 'update'], { cwd: archives, stdio: 'ignore' });
    const plan = run('apt-get', [...options, '-s', 'install', '--no-install-recommends', program.package]);
    const packages = [...plan.matchAll(/^Inst (\S+) (?:\[\S+\] )?\((\S+)/gm)].map(
      ([, name, version]) => `${name}=${version}`,
    );
    run('apt-get', [...options, 'download', ...packages], { cwd: archives });
    for (const name of readdirSync(archives).filter((each) => each.endsWith('.deb')))
      run('dpkg', ['-x', join(archives, name), root]);
    const target = join(cache, program.package);
    program.prepare?.(root, target);
    rmSync(target, { recursive: true, force: true });
    renameSync(root, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function reasonOf(error) {
  return String(error.stderr ?? '').trim() || error.message;
}

function run(command, args, options = {}) {
  const stdio = ['ignore', 'pipe', 'pipe'];
  return execFileSync(command, args, { encoding: 'utf8', timeout: INSTALL_TIMEOUT_MS, stdio, ...options });
}

module.exports = { inPath, provide, runAsCommand };
