import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  HealthRecordsClient,
  newId,
} from '../../../libs/client/dist/index.js';
import { median } from '../lib/measure.mjs';
import { SLOWDOWN } from './throttle.mjs';

/** Two years of a family's medicines: 18,000 doses. */
const MEDICINES = 12;
const DAILY = 6;
const DOSES_OF_EACH = 1_500;
const DAYS = 730;
const DAY_MS = 86_400_000;
const EMAIL = 'tapper@example.org';
const SECRET = 'four grey herons by the river';
/** Until a tap, or a page of the feed, has had all its consequences. */
const SETTLED_MS = 1_500;
const REST_MS = 100;
const FEEDS = 5;
/** A page of the feed: what another device did meanwhile. */
const DOSES_OF_FEED = 20;

/**
 * What the thread of the page computes for a tap on a dose, and for a page of the feed from another device, with two years
 * of twelve medicines. Seconds of the processor are counted, so that other programs change little, and multiplied by the
 * slowdown of a phone.
 * @returns `[what was done, milliseconds, the most that are allowed]`
 */
export async function measureTaps({ browser, url }) {
  const { client, medications } = await fill(url);
  const profile = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  const page = await profile.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${url}/app/sign-in`);
  await page.getByLabel('Email').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(SECRET);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const taken = page.getByRole('button', { name: /^Taken: / });
  await taken.first().waitFor();
  await page.waitForTimeout(4 * SETTLED_MS);
  const session = await profile.newCDPSession(page);
  await session.send('Performance.enable');
  const spent = async (expression) => {
    const before = await secondsOf(session);
    await session.send('Runtime.evaluate', { expression });
    await page.waitForTimeout(SETTLED_MS);
    return ((await secondsOf(session)) - before) * 1000 * SLOWDOWN;
  };
  const taps = [];
  for (let count = await taken.count(), tap = 0; tap < count; tap += 1) {
    await taken.nth(0).evaluate((button) => (globalThis.tap = () => button.click()));
    await page.waitForTimeout(REST_MS);
    // The driver looks for a button with scripts of its own, on the thread of the page: they are not counted.
    taps.push(await spent('tap()'));
  }
  const feeds = [];
  for (let feed = 0; feed < FEEDS; feed += 1) {
    for (let dose = 0; dose < DOSES_OF_FEED; dose += 1)
      await client.medications.logDose(medications[dose % 3], { taken: true });
    feeds.push(await spent(`document.dispatchEvent(new Event('visibilitychange'))`));
  }
  await profile.close();
  return [
    [`a tap on a dose, with ${MEDICINES * DOSES_OF_EACH} doses: time of the processor`, median(taps), 16],
    [`a page of the feed with ${DOSES_OF_FEED} doses of three medicines: the same`, median(feeds), 50],
  ];
}

/** Of the processor, for the thread of the page. The duration of its tasks would grow with what other programs do. */
async function secondsOf(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'ThreadTime').value;
}

async function fill(url) {
  const client = new HealthRecordsClient({ baseUrl: url });
  await client.register({ email: EMAIL, password: SECRET, recoveryPhrase: null });
  const now = Date.now();
  const ago = (days) => new Date(now - days * DAY_MS).toISOString();
  const anHourAgo = new Date(now - DAY_MS / 24).toISOString().slice(11, 16);
  const medications = Array.from({ length: MEDICINES }, () => newId());
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
        medications: medications.map((id, index) => ({
          id,
          route: 'oral',
          schedule: { timesPerDay: 2 },
          details: {
            name: `Vitamin ${index}`,
            strength: '500 mg',
            dose: { amount: 1, unit: 'tablet' },
            schedule: index < DAILY ? { times: [anHourAgo] } : { times: [], asNeeded: true },
            startDate: ago(DAYS).slice(0, 10),
          },
          doses: Array.from({ length: DOSES_OF_EACH }, (_, dose) => ({
            id: newId(),
            taken: dose % 9 !== 0,
            loggedAt: ago(1 + (dose * DAYS) / DOSES_OF_EACH),
          })),
        })),
        appointments: [],
        healthStats: [],
      },
    ],
  });
  return { client, medications };
}
