/**
 * Whether the tests find planted faults: `npm run test:mutations [-- --only text,text]`.
 *
 * Works in a copy, so that the checkout stays as it is. First each spec must pass without a fault. Then each fault is
 * planted alone, and its spec must fail. `-- --check` only looks whether each can be planted still.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FAULTS } from './faults.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LINKED = new Set(['node_modules', '.git', '.data']);
const { only, check } = parseArgs({
  options: { only: { type: 'string' }, check: { type: 'boolean' } },
}).values;
const chosen = FAULTS.filter(
  ({ name, spec }) => !only || only.split(',').some((text) => `${name} ${spec}`.includes(text)),
);
if (check) checkAll();
else plantAll();

/** Where sources have changed, a fault may have lost its place. */
function checkAll() {
  const lost = FAULTS.filter(({ file, find }) => !readFileSync(join(ROOT, file), 'utf8').includes(find));
  for (const { name, file, find } of lost)
    process.stdout.write(`${name}: ${file} does not contain ${find}\n`);
  process.exitCode = lost.length > 0 ? 1 : 0;
}

function plantAll() {
  const copy = mkdtempSync(join(tmpdir(), 'hrs-mutations-'));
  try {
    copySources(copy);
    const specs = [...new Set(chosen.map(({ spec }) => spec))];
    const red = run(copy, specs).filter(({ status }) => status !== 'passed');
    if (red.length > 0)
      throw new Error(`Red without a fault:\n${red.map(({ message }) => message).join('\n')}`);
    const missed = chosen.filter((fault) => !isFound(copy, fault));
    process.stdout.write(`${chosen.length - missed.length} of ${chosen.length} faults found.\n`);
    process.exitCode = missed.length > 0 ? 1 : 0;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function copySources(copy) {
  for (const name of readdirSync(ROOT).filter((each) => !LINKED.has(each)))
    cpSync(join(ROOT, name), join(copy, name), {
      recursive: true,
      filter: (path) => !path.includes('/node_modules'),
    });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
}

function isFound(copy, { name, file, find, put, spec }) {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(find)) throw new Error(`${name}: ${file} does not contain ${find}`);
  writeFileSync(
    path,
    text.replace(find, () => put),
  );
  const [{ status, assertionResults }] = run(copy, [spec]);
  writeFileSync(path, text);
  const failed = assertionResults.filter((test) => test.status === 'failed').length;
  // A file without a failed test did not even start: that finds nothing.
  const found = status === 'failed' && failed > 0;
  process.stdout.write(
    `${found ? `found by ${failed} of ${assertionResults.length}` : 'MISSED'}: ${name} (${spec})\n`,
  );
  return found;
}

/** What Jest reports for each file. */
function run(copy, specs) {
  const output = join(copy, 'mutations.json');
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const options = [
    '--silent',
    '--runInBand',
    '--json',
    `--outputFile=${output}`,
    '--runTestsByPath',
    ...specs,
  ];
  spawnSync(process.execPath, [jest, ...options], { cwd: copy, stdio: 'ignore' });
  const { testResults } = JSON.parse(readFileSync(output, 'utf8'));
  rmSync(output);
  return testResults;
}
