import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ALL, coveredBy, filesOf, leftOut, TESTS } from '../covered/covered';
import { reachedBy } from './reached';
import { ROOT } from './sources';

const NAMES = Object.keys(TESTS);
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
/** Every run of these specs loads it. */
const SETUP = 'test/support/global-setup.js';

describe('the set of files that a long test covers', () => {
  it('has no glob without a file', () => {
    const lists = Object.values(TESTS).map(({ specs, suites = [], files }) => [
      ...specs,
      ...suites,
      ...files,
    ]);
    const globs = [...ALL, ...lists.flat()];
    const plain = new Set(globs.map((glob) => glob.replace(/^!/, '')));
    expect([...plain].filter((glob) => filesOf([glob]).length === 0)).toEqual([]);
  });

  it.each(NAMES)('holds all that the test reaches: %s', (name) => {
    const specs = filesOf(TESTS[name].specs);
    const isInRun = specs.some((path) => path.startsWith('test/'));
    const reached = reachedBy(isInRun ? [...specs, SETUP] : specs);
    expect(reached).toEqual(expect.arrayContaining(specs));
    if (isInRun) expect(reached).toContain('apps/api/src/configure-app.ts');
    const covered = new Set(coveredBy(name));
    expect(reached.filter((path) => !covered.has(path))).toEqual([]);
  });

  describe('of the image', () => {
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, sources]) =>
      sources.split(' '),
    );
    // As .dockerignore says.
    const files = filesOf([...copied.flatMap((source) => [source, `${source}/**`]), '!**/*.spec.ts']);
    const covered = new Set(coveredBy('image'));
    const others = files.filter((path) => !covered.has(path));

    it('holds all that the Dockerfile copies, but what is built in the image as it is built here', () => {
      expect(copied).toEqual(expect.arrayContaining(['apps', 'libs', 'package.json']));
      expect(files.length).toBeGreaterThan(1_000);
      const isBuiltAlike =
        /^(apps\/web|libs\/client)\/src\/|^libs\/interactions\/(knowledge\/|evaluation\/|[^/]+$)/;
      expect(others.filter((path) => !isBuiltAlike.test(path))).toEqual([]);
      expect(others.length).toBeGreaterThan(500);
    });

    it('leaves out nothing that reaches a file which the image has not', () => {
      const inImage = new Set(files);
      const reached = reachedBy(others);
      expect(reached).toContain('apps/web/src/main.tsx');
      expect(reached.filter((path) => !inImage.has(path))).toEqual([]);
    });
  });

  it.each(['apps/web/src/main.tsx', 'libs/interactions/CONTRIBUTING.md', 'docs/tour.md', 'README.md'])(
    'holds nothing that no result depends on: %s',
    (path) => {
      expect(filesOf([path])).toEqual([path]);
      const names = NAMES.filter((name) => coveredBy(name).includes(path));
      expect(names).toEqual(path.startsWith('libs/interactions/') ? ['knowledge'] : []);
    },
  );
});

describe('the gate', () => {
  /** The configuration of Jest where these tests have changed, and no other. */
  function projectsWhen(changed: string[], choice?: string) {
    const before = process.env.TEST_COVERED;
    if (choice) process.env.TEST_COVERED = choice;
    else delete process.env.TEST_COVERED;
    let config: { projects: { displayName: string; testPathIgnorePatterns: string[] }[] };
    jest.isolateModules(() => {
      const leaves = NAMES.filter((name) => !changed.includes(name)).flatMap((name) =>
        filesOf(TESTS[name].specs),
      );
      const fake = (given?: string) => (given === 'changed' ? leaves : leftOut(given));
      jest.doMock('../covered/covered', () => ({ leftOut: fake }));
      // eslint-disable-next-line @typescript-eslint/no-require-imports
      config = require('../../jest.config.js');
    });
    jest.dontMock('../covered/covered');
    if (before === undefined) delete process.env.TEST_COVERED;
    else process.env.TEST_COVERED = before;
    return config!.projects;
  }

  /** The names of the tests that such a run leaves out. */
  function testsLeftOut(changed: string[], choice?: string): string[] {
    const projects = projectsWhen(changed, choice);
    const isIgnored = (path: string) =>
      projects.every(({ testPathIgnorePatterns }) =>
        testPathIgnorePatterns.some((pattern) =>
          new RegExp(pattern.replace('<rootDir>', ROOT)).test(join(ROOT, path)),
        ),
      );
    return NAMES.filter((name) => filesOf(TESTS[name].specs).every(isIgnored));
  }

  it('leaves out the tests of which nothing has changed, and runs the others', () => {
    expect(testsLeftOut([], 'changed')).toEqual(NAMES);
    expect(testsLeftOut(NAMES, 'changed')).toEqual([]);
    expect(testsLeftOut(['image'], 'changed')).toEqual(NAMES.filter((name) => name !== 'image'));
    expect(testsLeftOut([], 'all')).toEqual([]);
    expect(testsLeftOut([])).toEqual(['image']);
    expect(() => leftOut('some')).toThrow('TEST_COVERED');
  });

  it('asks for that in its script, for every project; a release runs all', () => {
    const gate = read('.ci/run');
    expect(gate).toContain('export TEST_COVERED="${TEST_COVERED:-changed}"');
    expect(gate).toContain('npm run test:unit');
    const [, selected] = /--selectProjects ([a-z0-9 ]+) --max/.exec(gate)!;
    const names = projectsWhen(NAMES, 'changed').map(({ displayName }) => displayName);
    expect(['unit', ...selected.split(' ')].sort()).toEqual(names.sort());
    expect(read('.github/workflows/release.yml')).toContain('TEST_COVERED: all');
  });
});

describe('npm run test:covered', () => {
  let root: string;
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'ignore' });
  /** Runs it on a Jest that gives this report, after these lines of JavaScript. */
  const run = (args: string[], report: object = GREEN, lines = '') => {
    write(
      'node_modules/jest/bin/jest.js',
      `const at = process.argv.find((each) => each.startsWith('--outputFile=')).slice(13);
      const fs = require('node:fs'); ${lines};
      fs.writeFileSync(at, ${JSON.stringify(JSON.stringify(report))})`,
    );
    const main = join(root, 'test/covered/main.js');
    const { status, stdout } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
    return { status, stdout };
  };
  const GREEN = { success: true, numPendingTests: 0, numTodoTests: 0, testResults: [{}] };
  const written = () =>
    Object.keys(JSON.parse(readFileSync(join(root, 'test/covered/green.json'), 'utf8')) as object);
  /** What a program with the copy in the folder gets from it. */
  const ask = <T>(question: (covered: typeof import('../covered/covered')) => T) => {
    let answer: T;
    jest.isolateModules(() => {
      // eslint-disable-next-line @typescript-eslint/no-require-imports
      answer = question(require(join(root, 'test/covered/covered.js')));
    });
    return answer!;
  };
  const changed = () => ask((covered) => covered.changedTests());

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'hrs-covered-'));
    for (const name of ['covered.js', 'main.js'])
      cpSync(join(ROOT, 'test/covered', name), join(root, 'test/covered', name));
    const tests = {
      one: { why: 'x', specs: ['one.spec.ts'], files: ['a/**', '!a/not/**'] },
      two: { why: 'y', specs: ['two.spec.ts'], files: ['b.txt'] },
    };
    write('test/covered/tests.js', `module.exports = { ALL: ['lock'], TESTS: ${JSON.stringify(tests)} }`);
    write('test/covered/green.json', '{ "gone": "x" }');
    write('.gitignore', 'node_modules\n*.log\n');
    for (const path of ['lock', 'one.spec.ts', 'two.spec.ts', 'a/x.txt', 'a/y.sh', 'a/not/z', 'b.txt', 'c'])
      write(path, path);
    git('init');
    git('add', '.');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('runs what has changed, and writes down what is green', () => {
    expect(changed()).toEqual(['one', 'two']);
    expect(run([]).status).toBe(0);
    expect(written()).toEqual(['one', 'two']);
    expect(changed()).toEqual([]);
    expect(run([], {}).stdout).toContain('0 of 0');
    expect(run(['--all']).stdout).toContain('2 of 2');
    expect(run(['two']).stdout).toContain('1 of 1');
    expect(run(['three']).status).toBe(2);
  });

  it('tells by the contents, the names and the rights of files what has changed', () => {
    const changes: [string, () => void, string[]][] = [
      ['a changed file', () => write('a/x.txt', 'other'), ['one']],
      ['a new file', () => write('a/new.txt', ''), ['one']],
      ['a deleted file', () => rmSync(join(root, 'a/new.txt')), ['one']],
      ['a file with another name', () => git('mv', 'a/x.txt', 'a/w.txt'), ['one']],
      ['the right to execute', () => chmodSync(join(root, 'a/y.sh'), 0o755), ['one']],
      ['the spec', () => write('two.spec.ts', 'other'), ['two']],
      ['a file of all tests', () => write('lock', 'other'), ['one', 'two']],
      ['a file that is taken out', () => write('a/not/z', 'other'), []],
      ['a file that git ignores', () => write('a/x.log', ''), []],
      ['a file of neither', () => write('c', 'other'), []],
    ];
    for (const [what, change, expected] of changes) {
      const digests = () => ask((covered) => ['one', 'two'].map((name) => [name, covered.digestOf(name)]));
      const before = digests();
      change();
      const other = digests().filter(([, digest], at) => digest !== before[at][1]);
      expect([what, other.map(([name]) => name)]).toEqual([what, expected]);
    }
  });

  it.each<[string, object, string]>([
    ['is red', { ...GREEN, success: false }, ''],
    ['skips a test', { ...GREEN, numPendingTests: 1 }, ''],
    ['has a test to be written', { ...GREEN, numTodoTests: 1 }, ''],
    ['lacks a spec', { ...GREEN, testResults: [] }, ''],
    ['reports nothing', GREEN, 'process.exit(0)'],
    ['changes its files', GREEN, "fs.writeFileSync('a/x.txt', 'edited')"],
  ])('writes down nothing of a run that %s', (_what, report, lines) => {
    const { status, stdout } = run(['one'], report, lines);
    expect([status, stdout]).toEqual([1, expect.stringContaining('Not written down: one')]);
    expect(written()).not.toContain('one');
    expect(changed()).toContain('one');
  });
});
