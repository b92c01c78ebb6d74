import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  HealthRecordsClient,
  newId,
} from '../../../libs/client/dist/index.js';
import { throttle } from './throttle.mjs';

/** Readings of one measure, and doses of one medicine. */
export const COUNT = 10_000;
const EMAIL = 'collector@example.org';
const SECRET = 'four grey herons by the river';
const DAY_MS = 86_400_000;
const DOSES_A_DAY = 8;
const READINGS_A_DAY = 4;
/** Turns of the wheel, and how far each goes in CSS pixels. */
const TURNS = 60;
const TURN_PX = 300;
const REST_MS = 5_000;
/** Presses of “Show more” before a list is scrolled. */
const MORE = 6;

/**
 * Opens the longest lists that a family may have, and scrolls them, with a slow processor.
 * @returns `[what was done, milliseconds, the most that are allowed]`; without a limit, the figure is shown only
 */
export async function measureLists({ browser, url }) {
  await fill(url);
  const opening = await firstOpening({ browser, url });
  const page = await newPage(browser);
  await page.addInitScript(() => {
    globalThis.longTasks = [];
    new PerformanceObserver((list) =>
      longTasks.push(...list.getEntries().map(({ startTime, duration }) => ({ startTime, duration }))),
    ).observe({ type: 'longtask' });
  });
  const follow = followIn(page);
  const more = async () => {
    for (let press = 0; press < MORE; press += 1)
      await page.getByRole('button', { name: /^Show .* more$/ }).click();
  };
  const firstSync = await signIn(page, url);
  await throttle(page, false);
  await follow('Cabinet');
  const medicine = await timed(async () => {
    await follow(/Metformin/);
    await page.getByRole('heading', { name: 'Doses', exact: true }).waitFor();
  });
  await more();
  const doses = await scroll(page);
  const measures = await timed(async () => {
    await follow('Measures');
    await page.getByRole('link', { name: /Blood pressure/ }).waitFor();
  });
  const chart = await timed(async () => {
    await follow(/Blood pressure/);
    await page.getByRole('img', { name: /Chart of/ }).waitFor();
  });
  const whole = await timed(async () => {
    await page.getByLabel('Everything').check();
    await page.getByText(`of ${COUNT}`).first().waitFor();
  });
  await more();
  const readings = await scroll(page);
  await page.context().close();
  return [
    ['the first opening of all readings, to their chart (at full speed)', opening, 1000],
    ['sign-in and first sync of all records (at full speed)', firstSync],
    ['the medicine, its heat map and its doses are shown', medicine, 2000],
    ['longest task while the doses are scrolled', doses, 200],
    ['all readings are decrypted and the measures are shown', measures, 4000],
    ['one measure, its chart and its table are shown', chart, 2000],
    ['the chart shows all readings', whole, 2000],
    ['longest task while the readings are scrolled', readings, 200],
  ];
}

async function newPage(browser) {
  const profile = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB' });
  const page = await profile.newPage();
  page.setDefaultTimeout(60_000);
  return page;
}

const followIn = (page) => (name) => page.getByRole('link', { name }).first().click();

/** @returns milliseconds until the records are shown */
async function signIn(page, url) {
  await page.goto(`${url}/app/sign-in`);
  await page.getByLabel('Email').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(SECRET);
  return timed(async () => {
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Metformin').first().waitFor();
  });
}

/** @returns milliseconds from the tap on “Measures” to the chart of a measure, in a page that has shown no reading yet */
async function firstOpening({ browser, url }) {
  const page = await newPage(browser);
  await signIn(page, url);
  // What the page does after a sign-in is no part of it.
  await page.waitForTimeout(REST_MS);
  const follow = followIn(page);
  const opening = await timed(async () => {
    await follow('Measures');
    await follow(/Blood pressure/);
    await page.getByRole('img', { name: /Chart of/ }).waitFor();
  });
  await page.context().close();
  return opening;
}

async function timed(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** Turns the wheel from the top to the bottom. @returns the longest task of the page; 50 where none was longer */
async function scroll(page) {
  const begin = await page.evaluate(() => {
    scrollTo(0, 0);
    return performance.now();
  });
  await page.mouse.move(195, 400);
  for (let turn = 0; turn < TURNS; turn += 1) await page.mouse.wheel(0, TURN_PX);
  // The browser tells of a long task after the frame that it delays.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  const tasks = await page.evaluate('longTasks');
  return Math.max(50, ...tasks.filter(({ startTime }) => startTime >= begin).map(({ duration }) => duration));
}

/** Makes the account by the client, as an import of a file would. */
async function fill(url) {
  const client = new HealthRecordsClient({ baseUrl: url });
  await client.register({ email: EMAIL, password: SECRET, recoveryPhrase: null });
  const now = Date.now();
  const ago = (days) => new Date(now - days * DAY_MS).toISOString();
  const each = (make) => Array.from({ length: COUNT }, (_, index) => ({ id: newId(), ...make(index) }));
  const details = {
    name: 'Metformin',
    strength: '500 mg',
    dose: { amount: 1, unit: 'tablet' },
    schedule: { times: ['00:30', '03:30', '06:30', '09:30', '12:30', '15:30', '18:30', '21:30'] },
    startDate: ago(COUNT / DOSES_A_DAY).slice(0, 10),
  };
  await client.transfer.importAll({
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    exportedAt: ago(0),
    profiles: [
      {
        id: newId(),
        kind: 'human',
        relationship: 'self',
        details: { name: 'Rosa' },
        medications: [
          {
            id: newId(),
            route: 'oral',
            schedule: { timesPerDay: DOSES_A_DAY },
            details,
            doses: each((index) => ({ taken: index % 9 !== 0, loggedAt: ago((index + 1) / DOSES_A_DAY) })),
          },
        ],
        appointments: [],
        healthStats: each((index) => ({
          recordedAt: ago(index / READINGS_A_DAY),
          details: {
            metric: 'blood_pressure',
            values: { systolic: 130 + ((index * 7) % 25), diastolic: 80 + ((index * 5) % 14) },
            unit: 'mm[Hg]',
          },
        })),
      },
    ],
  });
}
