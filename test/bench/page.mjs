/**
 * How fast the page is in a real Chromium with a slow processor and a phone's network, how it bears 10,000 readings and
 * 10,000 doses, how it seals 3,000 records of a shared profile with a new key, and how long a new user needs from the first
 * page to the printed page for the doctor.
 *
 *   npm run build && node test/bench/page.mjs [--runs 5]
 *
 * The network is the profile “4G” of WebPageTest (9 Mbit/s, 170 ms for a round trip). The processor is slowed down four
 * times, as Lighthouse does for a phone. Each visit has a browser profile of its own, so that nothing is cached; the
 * second visit has the service worker of the first. A figure is the median of the runs. A busy machine gives wrong
 * figures.
 *
 * The first paint shows the opening that the HTML holds: the mark and the name. One can act when the page is
 * interactive: its buttons are there, and no long task of the processor follows.
 *
 * Ends with 1 where a goal is missed.
 */
import { parseArgs } from 'node:util';
import { startPageStage } from '../page-tools/stage.mjs';
import { median } from './lib/measure.mjs';
import { COUNT, measureLists } from './page/lists.mjs';
import { measureNewKey, RECORDS } from './page/new-key.mjs';
import { goTheWay } from './page/newcomer.mjs';
import { measureTaps } from './page/taps.mjs';
import { measureVisit } from './page/visit.mjs';

const { values: options } = parseArgs({ options: { runs: { type: 'string', default: '5' } } });
const goals = [];

/** Prints a figure beside its goal, if it has one. */
function judge(name, figure, most = Infinity, unit = 'ms') {
  const isMet = figure <= most;
  goals.push(isMet);
  const [verdict, goal] = most === Infinity ? ['', ''] : [isMet ? 'met' : 'MISSED', ` (at most ${most})`];
  process.stdout.write(`${verdict.padEnd(6)}  ${name}: ${Math.round(figure)} ${unit}${goal}\n`);
}

const stage = await startPageStage();
try {
  const visits = [];
  for (let run = 0; run < Number(options.runs); run += 1) visits.push(await measureVisit(stage));
  const of = (visit, figure) => median(visits.map((each) => each[visit][figure]));
  judge('first visit, first paint with content: the opening', of('first', 'painted'), 1000);
  judge('first visit, interactive', of('first', 'interactive'), 2000);
  judge('second visit, first paint with content: the opening', of('second', 'painted'), 1000);
  judge('second visit, interactive', of('second', 'interactive'), 2000);
  process.stdout.write(
    `        first visit: ${of('first', 'requests')} requests, ${of('first', 'kilobytes')} kB\n`,
  );
  process.stdout.write(`\n${COUNT} readings and ${COUNT} doses, with the slow processor:\n`);
  for (const [name, figure, most] of await measureLists(stage)) judge(name, figure, most);
  process.stdout.write('\nTwo years of twelve medicines, with the slow processor:\n');
  for (const [name, figure, most] of await measureTaps(stage)) judge(name, figure, most);
  process.stdout.write(`\nA member of a shared profile of ${RECORDS} records is removed:\n`);
  for (const [name, figure, most] of await measureNewKey(stage)) judge(name, figure, most);
  process.stdout.write('\nA new user:\n');
  const begin = performance.now();
  const { acts, person } = await goTheWay(stage.browser, stage.url);
  const machine = performance.now() - begin;
  judge(
    `${acts} acts: a practised person by the keystroke-level model, and the machine`,
    (machine + person) / 1000,
    300,
    's',
  );
} finally {
  await stage.stop();
}
process.exitCode = goals.every(Boolean) ? 0 : 1;
