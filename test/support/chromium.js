/**
 * Finds a Chromium for the browser tests, or gets Debian's: as root it is installed, as another user (or where that
 * fails) it is unpacked with its dependencies into a cache. `node test/support/chromium.js` prints where it is.
 */
const { execFileSync } = require('node:child_process');
const { accessSync, constants, existsSync, mkdirSync, readdirSync } = require('node:fs');
const { mkdtempSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { homedir, tmpdir } = require('node:os');
const { delimiter, join } = require('node:path');

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const INSTALL_TIMEOUT_MS = 10 * 60_000;

/**
 * A Chromium that starts, as `{ executablePath, env }`.
 *
 * @returns {{ executablePath: string, env: Record<string, string> } | undefined} `undefined`, with a sentence on standard
 * error, where there is none.
 * @throws Error where there is none and `CI` is `true`: the gate skips nothing.
 */
function chromium() {
  let reason;
  try {
    const found = find();
    if (found) return found;
    // One at a time: several test files may be the first.
    const lock = join(cacheDir(), 'lock');
    run('flock', [lock, process.execPath, __filename, '--install'], { stdio: ['ignore', 'ignore', 'pipe'] });
    const installed = find();
    if (installed) return installed;
    reason = 'what was installed does not start';
  } catch (error) {
    reason = String(error.stderr ?? '').trim() || error.message;
  }
  const message = `no Chromium, and none could be installed (${reason}); CHROMIUM can name one`;
  if (process.env.CI === 'true') throw new Error(`There is ${message}.`);
  process.stderr.write(`SKIPPED, the browser tests: there is ${message}.\n`);
  return undefined;
}

function find() {
  const own = process.env.CHROMIUM ? [process.env.CHROMIUM] : [];
  const inPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  for (const executablePath of [...own, ...inPath, MAC]) {
    const found = { executablePath, env: {} };
    if (isExecutable(executablePath) && starts(found)) return found;
  }
  const unpacked = unpackedIn(join(cacheDir(), 'root'));
  return unpacked && starts(unpacked) ? unpacked : undefined;
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
function starts({ executablePath, env }) {
  try {
    run(executablePath, ['--version'], { env: { ...process.env, ...env }, stdio: 'ignore', timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}

/** What was unpacked brings its libraries and fonts along. */
function unpackedIn(root) {
  const executablePath = join(root, 'usr/lib/chromium/chromium');
  if (!existsSync(executablePath)) return undefined;
  const libraries = ['usr/lib', 'lib'].flatMap((folder) => {
    const base = join(root, folder);
    if (!existsSync(base)) return [];
    const triplets = readdirSync(base).filter((name) => name.includes('-linux-'));
    return [base, ...triplets.flatMap((name) => [join(base, name), ...privateFolders(join(base, name))])];
  });
  return {
    executablePath,
    env: { LD_LIBRARY_PATH: libraries.join(delimiter), FONTCONFIG_FILE: join(root, 'fonts.conf') },
  };
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

function install() {
  if (find()) return;
  if (process.getuid?.() === 0) {
    try {
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
      const wait = ['-o', 'DPkg::Lock::Timeout=300'];
      run('apt-get', [...wait, 'update'], { env, stdio: 'ignore' });
      run('apt-get', [...wait, 'install', '-y', '--no-install-recommends', 'chromium'], { env });
      if (find()) return;
    } catch (error) {
      process.stderr.write(`${String(error.stderr ?? error.message).trim()}\n`);
    }
  }
  unpack();
}

/** Everything that the system lacks for Chromium, under a folder of the user; the system itself stays as it is. */
function unpack() {
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
    const plan = run('apt-get', [...options, '-s', 'install', '--no-install-recommends', 'chromium']);
    const packages = [...plan.matchAll(/^Inst (\S+) (?:\[\S+\] )?\((\S+)/gm)].map(
      ([, name, version]) => `${name}=${version}`,
    );
    run('apt-get', [...options, 'download', ...packages], { cwd: archives });
    for (const name of readdirSync(archives).filter((each) => each.endsWith('.deb')))
      run('dpkg', ['-x', join(archives, name), root]);
    const target = join(cache, 'root');
    writeFileSync(join(root, 'fonts.conf'), fontsOf(target));
    rmSync(target, { recursive: true, force: true });
    renameSync(root, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function fontsOf(root) {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>${root}/usr/share/fonts</dir>
  <cachedir>${root}/var/cache/fontconfig</cachedir>
</fontconfig>
`;
}

function run(command, args, options = {}) {
  const stdio = ['ignore', 'pipe', 'pipe'];
  return execFileSync(command, args, { encoding: 'utf8', timeout: INSTALL_TIMEOUT_MS, stdio, ...options });
}

module.exports = { chromium };

if (require.main === module) {
  if (process.argv[2] === '--install') {
    try {
      install();
    } catch (error) {
      process.stderr.write(`${String(error.stderr ?? '').trim() || error.message}\n`);
      process.exitCode = 1;
    }
  } else {
    const found = chromium();
    if (found) console.log(found.executablePath);
    else process.exitCode = 1;
  }
}
