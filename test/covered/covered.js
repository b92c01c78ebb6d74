/**
 * Which of the long tests must run: those whose files are not as they were when the test was last green.
 *
 * `npm run test:covered` runs them, and writes into green.json what the files of each green one were. Nothing else
 * writes there.
 */
const { execFileSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');
const { ALL, TESTS } = require('./tests');

const ROOT = join(__dirname, '../..');
const GREEN = join(__dirname, 'green.json');
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * Paths of the files that globs match, relative to the root: those that git knows, and new ones that it does not ignore.
 *
 * @param {string[]} globs
 */
function filesOf(globs) {
  const pathspecs = globs.map((glob) =>
    glob.startsWith('!') ? `:(exclude,glob)${glob.slice(1)}` : `:(glob)${glob}`,
  );
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...pathspecs];
  const output = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: MAX_OUTPUT_BYTES });
  // What is deleted and still known to git is no file.
  const paths = output.split('\0').filter((path) => path && existsSync(join(ROOT, path)));
  return [...new Set(paths)].sort();
}

/** Paths of all files on which the result of a test depends, its specs among them. */
function coveredBy(name) {
  const { specs, suites = [], files } = TESTS[name];
  // Each list by itself: what one takes out may be in the other.
  const lists = [specs, suites, ALL, files].filter((globs) => globs.length > 0);
  return [...new Set(lists.flatMap(filesOf))].sort();
}

/** One hash of the names, the contents and the rights to execute of these files, as they are now. */
function digestOf(name) {
  const hash = createHash('sha256');
  for (const path of coveredBy(name)) {
    const content = createHash('sha256')
      .update(readFileSync(join(ROOT, path)))
      .digest('hex');
    hash.update(`${path}\0${statSync(join(ROOT, path)).mode & 0o100}\0${content}\n`);
  }
  return hash.digest('hex');
}

/** The digest of each test when it was last green, by its name. */
const readGreen = () => JSON.parse(readFileSync(GREEN, 'utf8'));

/** The names of the tests of which a file has changed since they were green, or that never were. */
function changedTests() {
  const green = readGreen();
  return Object.keys(TESTS).filter((name) => green[name] !== digestOf(name));
}

/**
 * Paths of the specs that a run of Jest leaves out.
 *
 * @param {string | undefined} choice `all`: none. `changed`: those of which no file has changed since they were green. By
 *   default only the image's, which needs root and Debian.
 */
function leftOut(choice) {
  if (choice === 'all') return [];
  if (choice === undefined) return TESTS.image.specs;
  if (choice !== 'changed') throw new Error(`TEST_COVERED must be "all" or "changed", not "${choice}".`);
  const running = changedTests();
  const skipped = Object.keys(TESTS).filter((name) => !running.includes(name));
  return skipped.flatMap((name) => filesOf(TESTS[name].specs));
}

module.exports = { ALL, GREEN, TESTS, changedTests, coveredBy, digestOf, filesOf, leftOut, readGreen };
