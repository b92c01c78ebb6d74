/**
 * What the knowledge base costs: a check of 20 names, the start, the memory, the download, and the longest answer of
 * `check-new`. Each figure of time and memory is the median of some processes, with the base and without it. Times are
 * of the processor, so that other work on the machine counts little.
 *
 *   npm run build && node test/bench/knowledge.mjs [rounds]
 *
 * A check must take less than 20 ms, the base must add less than 250 ms to a start and 60 MB to the memory, and weigh
 * less than 600 kB gzipped in each language; no answer of `check-new` may exceed 60 kB.
 */
import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { median } from './lib/measure.mjs';

const LIMITS = { checkMs: 20, startMs: 250, memoryMb: 60, gzippedKb: 600, answerKb: 60 };
const CHECKS = 50;
const NAMES = [
  ...[
    'Coumadin 5 mg',
    'Advil',
    'metformin 1000',
    'Lipitor',
    'ramipril',
    'omeprazole',
    'Xarelto',
    'citalopram',
  ],
  ...['amiodarone', 'Tylenol PM', 'St John’s wort', 'grapefruit juice', 'co-codamol 30/500', 'levothyroxin'],
  ...['Novalgin', 'Doliprane', 'insulin glargine', 'tamsulosin', 'Ventolin inhaler', 'simvastatine'],
];
const built = createRequire(fileURLToPath(new URL('../../dist/libs/interactions/src/', import.meta.url)));

if (process.send) process.send(await measureHere(process.argv[2] === 'with'));
else await run(Number(process.argv[2] ?? 7));

async function run(rounds) {
  const [empty, loaded] = [[], []];
  for (let round = 0; round < rounds; round++) {
    empty.push(await measureThere('without'));
    loaded.push(await measureThere('with'));
  }
  const of = (list, member) => median(list.map((each) => each[member]));
  const { base, edition } = await built('./node.js').loadKnowledge();
  const engine = built('./index.js').createEngine(base);
  const longest = Math.max(
    ...base.ingredients.map(
      ({ inn }) => JSON.stringify(engine.checkNew({ name: inn, dosage: '', language: 'de' })).length,
    ),
  );
  const figures = {
    checkMs: of(loaded, 'checkMs'),
    startMs: of(loaded, 'startMs') - of(empty, 'startMs'),
    memoryMb: of(loaded, 'memoryMb') - of(empty, 'memoryMb'),
    gzippedKb:
      Math.max(...['en', 'de', 'es'].map((language) => gzipSync(edition(language).text).length)) / 1000,
    answerKb: longest / 1000,
  };
  for (const [name, value] of Object.entries(figures)) {
    console.log(`${name.padEnd(10)} ${value.toFixed(1).padStart(8)}   must be under ${LIMITS[name]}`);
    if (!(value < LIMITS[name])) process.exitCode = 1;
  }
}

function measureThere(mode) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [mode], { execArgv: ['--expose-gc'] });
    child.once('message', resolve);
    child.once('error', reject);
  });
}

/** In a process of its own: what the first check and the memory after it cost. */
async function measureHere(withBase) {
  const started = processorMs();
  const { loadKnowledge } = built('./node.js');
  const { createEngine } = built('./index.js');
  const engine = withBase ? createEngine((await loadKnowledge()).base) : undefined;
  const startMs = processorMs() - started;
  const times = [];
  for (let at = 0; engine && at < CHECKS; at++) {
    const from = processorMs();
    engine.check({ medications: NAMES });
    times.push(processorMs() - from);
  }
  globalThis.gc();
  return { startMs, checkMs: engine ? median(times) : 0, memoryMb: process.memoryUsage().rss / 1024 ** 2 };
}

function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
