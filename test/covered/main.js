/**
 * `npm run test:covered`: runs the long tests of which a file has changed since they were green, and writes down those
 * that are green now. `-- --all` runs all, `-- image documents` these. `-- --list` only says which have changed.
 */
const { spawnSync } = require('node:child_process');
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { parseArgs } = require('node:util');
const { GREEN, TESTS, changedTests, digestOf, filesOf, readGreen } = require('./covered');

const ROOT = join(__dirname, '../..');
const JEST = join(ROOT, 'node_modules/jest/bin/jest.js');

const options = { all: { type: 'boolean' }, list: { type: 'boolean' } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const unknown = positionals.filter((name) => !TESTS[name]);
if (unknown.length > 0) {
  console.error(`There is no such test: ${unknown.join(', ')}. There are: ${Object.keys(TESTS).join(', ')}.`);
  process.exitCode = 2;
} else if (values.list) list();
else runAndWrite(namesToRun());

function namesToRun() {
  if (positionals.length > 0) return positionals;
  return values.all ? Object.keys(TESTS) : changedTests();
}

function list() {
  const changed = new Set(changedTests());
  for (const [name, { why }] of Object.entries(TESTS))
    console.log(`${changed.has(name) ? 'changed, runs' : 'as it was green, left out'}: ${name} (${why})`);
}

function runAndWrite(names) {
  const red = names.filter((name) => {
    const digest = digestOf(name);
    console.log(`== ${name}`);
    const problem = problemOf(name) ?? (digest === digestOf(name) ? undefined : 'its files changed');
    if (problem) console.log(`Not written down: ${name}, ${problem}.`);
    else write(name, digest);
    return problem;
  });
  console.log(`${names.length - red.length} of ${names.length} are green and written down.`);
  process.exitCode = red.length > 0 ? 1 : 0;
}

/** Runs one test. @returns why it does not count as green. */
function problemOf(name) {
  const folder = mkdtempSync(join(tmpdir(), 'hrs-covered-'));
  const output = join(folder, 'results.json');
  const specs = filesOf(TESTS[name].specs);
  const args = ['--runInBand', '--json', `--outputFile=${output}`, '--runTestsByPath', ...specs];
  // In the gate's way nothing is skipped for want of a program.
  const env = { ...process.env, CI: 'true', TEST_COVERED: 'all' };
  spawnSync(process.execPath, [JEST, ...args], { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    const { success, numPendingTests, numTodoTests, testResults } = JSON.parse(readFileSync(output, 'utf8'));
    if (!success) return 'it is red';
    if (numPendingTests + numTodoTests > 0) return 'a test was skipped';
    return testResults.length === specs.length ? undefined : 'a spec did not run';
  } catch {
    return 'it did not run';
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function write(name, digest) {
  // The tests that are no more are forgotten.
  const green = Object.entries({ ...readGreen(), [name]: digest }).filter(([each]) => TESTS[each]);
  writeFileSync(GREEN, `${JSON.stringify(Object.fromEntries(green.sort()), null, 2)}\n`);
}
