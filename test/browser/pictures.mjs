/**
 * Makes the pictures of the page for the README from the demo family, on a fixed day, in a real Chromium.
 *
 *   npm run build && npm run pictures [folder]
 *
 * Without a folder they go to `docs/pictures`. The colours of a picture are reduced, so that it stays small.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from '../bench/lib/processes.mjs';
import { installed } from '../page-tools/installed.mjs';
import { startPageStage } from '../page-tools/stage.mjs';

const MOST_BYTES = 72_000;
const DAY = new Date('2026-06-12T08:40:00Z');
const PHONE = { width: 390, height: 780 };
const DESKTOP = { width: 1080, height: 680 };
/** Sharp on most screens. */
const SCALE = 2;

/** Name, size, theme, and how one gets there from any screen of an unlocked page. */
const PICTURES = [
  ['today-phone-light', PHONE, 'light', (page) => section(page, 'Today')],
  ['today-phone-dark', PHONE, 'dark', (page) => section(page, 'Today')],
  ['today-desktop-light', DESKTOP, 'light', (page) => section(page, 'Today')],
  ['add-medicine-phone-light', PHONE, 'light', addMedicine],
  ['cabinet-phone-light', PHONE, 'light', (page) => section(page, 'Cabinet')],
  ['cabinet-desktop-dark', DESKTOP, 'dark', (page) => section(page, 'Cabinet')],
  ['together-phone-dark', PHONE, 'dark', together],
  ['measures-phone-dark', PHONE, 'dark', (page) => section(page, 'Measures')],
  ['blood-pressure-desktop-light', DESKTOP, 'light', bloodPressure],
  ['visits-phone-light', PHONE, 'light', (page) => section(page, 'Visits')],
  ['doctor-desktop-light', DESKTOP, 'light', doctor],
];

async function section(page, name) {
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
}

async function addMedicine(page) {
  await section(page, 'Cabinet');
  await page.getByRole('link', { name: 'Add a medicine' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ibuprofin');
  await page.getByText('Right?').waitFor();
  await page.evaluate('scrollTo(0, 60)');
}

async function together(page) {
  await section(page, 'Cabinet');
  await page.getByRole('link', { name: 'Check medicines together' }).click();
  await page.locator('details').first().locator('summary').click();
}

async function bloodPressure(page) {
  await section(page, 'Measures');
  await page.getByRole('link', { name: /Blood pressure/ }).click();
  await page.getByRole('img', { name: /Chart of/ }).waitFor();
}

async function doctor(page) {
  await section(page, 'More');
  await page.getByRole('link', { name: 'For the doctor' }).click();
  const sheet = page.getByRole('region', { name: 'Preview of the page' });
  await sheet.waitFor();
  await sheet.evaluate((element) => scrollTo(0, element.getBoundingClientRect().top + scrollY - 24));
}

async function take(page, name) {
  await page.waitForFunction(() => !document.querySelector('.skeleton, [aria-busy="true"]'));
  await page.evaluate('document.fonts.ready.then(() => true)');
  await page.mouse.move(0, 0);
  const plain = await page.screenshot({ animations: 'disabled' });
  const small = await sharp(plain).png({ palette: true, colours: 80, effort: 10, dither: 0 }).toBuffer();
  if (small.length > MOST_BYTES) throw new Error(`${name} has ${small.length} bytes.`);
  writeFileSync(join(folder, `${name}.png`), small);
  process.stdout.write(`${name}.png: ${small.length} bytes\n`);
}

const folder = resolve(process.argv[2] ?? join(ROOT, 'docs/pictures'));
mkdirSync(folder, { recursive: true });
const sharp = await installed('sharp');
const stage = await startPageStage(['--font-render-hinting=none']);
try {
  const profile = await stage.browser.newContext({
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    viewport: PHONE,
    deviceScaleFactor: SCALE,
  });
  const page = await profile.newPage();
  await page.clock.setFixedTime(DAY);
  await page.goto(stage.url);
  const demo = page.getByRole('button', { name: 'Look around with a demo family' });
  await demo.waitFor();
  await take(page, 'welcome-phone-light');
  await demo.click();
  const taken = page.getByRole('button', { name: /^Taken/ }).first();
  await taken.waitFor({ timeout: 120_000 });
  // Everything is sent and checked, and nothing is loaded again while a picture is taken.
  const people = page.getByRole('group', { name: 'Person' }).getByRole('button');
  await people.nth(1).filter({ hasText: 'Rosa' }).waitFor();
  await page.getByText('things to look at').waitFor();
  for (const [name, size, colorScheme, go] of PICTURES) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    await go(page);
    await take(page, name);
  }
} finally {
  await stage.stop();
}
