import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { HealthRecordsClient } from '@app/client';
import type { BrowserContext, Download, Page } from 'playwright-core';
import { fhirProblems } from '../../libs/client/src/testing/fhir-validators';
import { until } from '../support/until';
import { describeInBrowser, hold, PageStage, STAGE_TIMEOUT_MS } from './page-stage';
import { findInStorage, plant } from './raw-storage';

const SECRET = 'correct horse battery staple';
const DAY = 86_400_000;
const NOW = new Date();
const at = (days: number, hours = 8) =>
  new Date(NOW.getTime() + days * DAY + (hours - 8) * 3_600_000).toISOString();
const dayAt = (days: number) => at(days).slice(0, 10);

/** Notes the name of each bar that is shown from now on, because one may be gone before a test can look. */
async function noteBars(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const { document, MutationObserver } = globalThis as any;
    const names = new Set<string>();
    (globalThis as any).barNames = names;
    new MutationObserver(() => {
      for (const bar of document.querySelectorAll('progress')) names.add(bar.getAttribute('aria-label'));
    }).observe(document.body, { childList: true, subtree: true, attributes: true });
  });
  return () => page.evaluate(() => [...((globalThis as any).barNames as Set<string>)]);
}

/** A family with half a year of readings, made by the client as another device of theirs. */
async function makeFamily(client: HealthRecordsClient): Promise<void> {
  await client.register({ email: 'ada@example.org', password: SECRET, recoveryPhrase: null });
  const ada = await client.profiles.create({
    kind: 'human',
    relationship: 'self',
    details: {
      name: 'Ada Canary',
      birthDate: '1951-12-10',
      sex: 'female',
      egfr: 48,
      allergies: [{ text: 'Penicillin', code: 'penicillin' }],
      conditions: [{ text: 'High blood pressure' }, { text: 'Heart failure', code: 'heart_failure' }],
      questions: ['May I stop the tablets?'],
    },
  });
  await client.profiles.create({
    kind: 'pet',
    relationship: 'pet',
    details: { name: 'Rex', species: 'dog' },
  });
  const medicine = await client.medications.create({
    profileId: ada.id,
    route: 'oral',
    schedule: { timesPerDay: 1 },
    details: {
      name: 'Amlodipine',
      reading: { ingredients: ['amlodipine besilate'], confirmed: true },
      strength: '5 mg',
      dose: { amount: 1, unit: 'tablet' },
      schedule: { times: ['08:00'] },
      startDate: dayAt(-60),
      reason: 'blood pressure',
    },
  });
  await client.medications.create({
    profileId: ada.id,
    route: 'oral',
    schedule: { timesPerDay: 1 },
    details: {
      name: 'Simvastatin',
      strength: '40 mg',
      schedule: { times: ['20:00'] },
      prescriber: 'Dr. Ito',
    },
  });
  for (const days of [-3, -2])
    await client.medications.logDose(medicine.id, { taken: true, loggedAt: new Date(at(days)) });
  for (let days = -40; days < 0; days += 2) {
    // A gap of two weeks.
    if (days > -30 && days < -16) continue;
    await client.healthStats.create({
      profileId: ada.id,
      recordedAt: at(days),
      details: {
        metric: 'blood_pressure',
        values: { systolic: 150 + Math.round(days / 3), diastolic: 92 + Math.round(days / 5) },
        unit: 'mm[Hg]',
      },
    });
  }
}

describeInBrowser('measures, visits and the sheet of the page', () => {
  let stage: PageStage;
  let profile: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    stage = await PageStage.start();
    await makeFamily(new HealthRecordsClient({ baseUrl: stage.url }));
    profile = await stage.profile();
    page = await stage.signIn(profile, 'ada@example.org', SECRET);
  }, STAGE_TIMEOUT_MS);
  afterAll(() => stage?.stop());

  const open = (path: string, title: string) => stage.open(page, path, title);
  const savedBy = async (press: () => Promise<void>): Promise<{ download: Download; text: string }> => {
    const [download] = await Promise.all([page.waitForEvent('download'), press()]);
    return { download, text: readFileSync(await download.path(), 'utf8') };
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  /** A message lies over the foot of the screen until it is closed. */
  const closeMessage = () => page.locator('.toast').getByRole('button', { name: 'Close' }).click();

  it('writes a reading down, shows it at once, and takes it back', async () => {
    await open('/app/measures', 'Measures');
    await page.getByRole('link', { name: /Blood pressure/ }).waitFor();
    await button('Add a reading').click();
    await page.getByLabel('Measure').selectOption('weight');
    await page.getByLabel('Value').fill('7250');
    await button('Save the reading').click();
    await page.getByText('This is too high to be right').waitFor();
    await page.getByLabel('Value').fill('72,5');
    await page.keyboard.press('Enter');
    const tile = page.getByRole('link', { name: /Weight/ });
    await tile.getByText('72.5 kg').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await tile.waitFor({ state: 'detached' });
    await page.getByLabel('Value').fill('72.4');
    await page.keyboard.press('Enter');
    await tile.getByText('72.4 kg').waitFor();
    await closeMessage();
  });

  it('draws both blood pressures, tells the direction and the gap, and has every number in the table', async () => {
    await open('/app/measures', 'Measures');
    await page.getByRole('link', { name: /Blood pressure/ }).click();
    await page
      .getByRole('img', { name: /Chart of Blood pressure/ })
      .locator('canvas')
      .waitFor();
    await page.getByText(/Upper: rising by about [\d.]+\smmHg a week, over \d+ days/).waitFor();
    await page.getByText(/One stretch without readings/).waitFor();
    const rows = page.getByRole('table').getByRole('row');
    expect(await rows.count()).toBe(1 + 14);
    const label = () => page.getByRole('img', { name: /Chart of/ }).getAttribute('aria-label');
    const before = await label();
    await button('Closer').click();
    await until('the chart shows less', async () => (await label()) !== before);
    await button('Set a target').click();
    await page.getByLabel('Upper, to').fill('140');
    await button('Save the target').click();
    await page.getByText(/Target: Upper … –\s140\smmHg/).waitFor();
    await page.getByLabel('Unit').selectOption('kPa');
    await page.getByText(/Target: Upper … –\s18.7\skPa/).waitFor();
    await closeMessage();
  });

  it('keeps a visit and a vaccination, in the list, the month and the calendar file', async () => {
    await open('/app/visits', 'Visits');
    await page.getByRole('link', { name: 'Add a visit' }).first().click();
    await button('Save').click();
    await page.getByText('Say what it is for.').waitFor();
    await page.getByLabel('For whom').selectOption({ label: 'Ada Canary' });
    await page.getByLabel('What for').fill('Eyes');
    await page.getByLabel('With whom').fill('Dr. Ito');
    await button('Save').click();
    await page.getByRole('link', { name: /Eyes/ }).waitFor();
    await closeMessage();
    await page.getByRole('link', { name: 'Add a vaccination' }).click();
    await page.getByLabel('For whom').selectOption({ label: 'Rex' });
    await page.getByLabel('Against what').fill('Rabies');
    await button('1 year').click();
    await button('Save').click();
    await page.getByRole('link', { name: /Rabies.*Next due/ }).waitFor();
    await closeMessage();
    const saved = async (words: string) => {
      await button('Calendar file').click();
      await page.getByLabel(words).check();
      return (await savedBy(() => button('Save the file').click())).text;
    };
    const discreet = await saved('Only “Appointment” and the time');
    expect(discreet.match(/BEGIN:VEVENT/g)).toHaveLength(2);
    expect(discreet).not.toMatch(/Eyes|Ito|Rabies|Rex/);
    expect(await saved('With title, place and notes')).toMatch(/SUMMARY:Eyes \(Ada Canary\)/);
    await page.getByLabel('Month', { exact: true }).check();
    await page
      .getByRole('table')
      .getByRole('button', { name: /one visit|visits/ })
      .first()
      .waitFor();
  });

  it('prints one page in another language, with the name on each sheet', async () => {
    await open('/app/doctor', 'For the doctor');
    await page.getByLabel('Language of the page').selectOption('de');
    const sheet = page.getByRole('region', { name: 'Preview of the page' });
    await sheet.getByText('Übersicht zur Gesundheit: Ada Canary').waitFor();
    for (const text of [
      'Amlodipine 5 mg (amlodipine besilate)',
      '1 Tablette',
      'Nierenfunktion (eGFR) 48 ml/min/1,73 m²',
      /72,4\skg am /,
      'verordnet von Dr. Ito',
      /^(Amlodipine|Simvastatin) \+ (Amlodipine|Simvastatin): /,
      'Penicillin',
      'Herzschwäche',
      'May I stop the tablets?',
      'Blutdruck',
    ])
      await sheet.getByText(text).first().waitFor();
    const titles = await sheet.locator('h3').allInnerTexts();
    expect(titles.indexOf('Allergien')).toBeLessThan(titles.indexOf('Messwerte'));
    await stage.picture(page, 'doctor-german');
    for (const format of ['A4', 'Letter'] as const) {
      const pdf = await page.pdf({ format, preferCSSPageSize: false });
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
      expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)!.length).toBeLessThanOrEqual(2);
      await stage.keep(`doctor-${format}.pdf`, pdf);
    }
  });

  it('exports FHIR that two validators accept, and a second account reads it without loss', async () => {
    await open('/app/doctor', 'For the doctor');
    await page.getByRole('region', { name: 'Preview of the page' }).waitFor();
    const { download, text } = await savedBy(() => button('FHIR file').click());
    expect(fhirProblems(JSON.parse(text) as object)).toEqual([]);
    const other = new HealthRecordsClient({ baseUrl: stage.url });
    await other.register({ email: 'grace@example.org', password: SECRET, recoveryPhrase: null });
    const second = await stage.profile();
    const there = await stage.signIn(second, 'grace@example.org', SECRET);
    await stage.open(there, '/app/transfer', 'Import and export');
    await there.getByLabel('Choose a file').setInputFiles({
      name: download.suggestedFilename(),
      mimeType: 'application/fhir+json',
      buffer: Buffer.from(text),
    });
    await there.getByText(/Holds: 2 medicines, 2 doses, 1 visit or vaccination, 15 measurements/).waitFor();
    expect(await other.profiles.list()).toEqual([]);
    await there.getByRole('button', { name: /^Store \d+ records$/ }).click();
    await there.getByText(/records were stored/).waitFor();
    const mine = new HealthRecordsClient({ baseUrl: stage.url });
    await mine.login('ada@example.org', SECRET);
    const of = async (client: HealthRecordsClient) =>
      (await client.transfer.exportAll()).profiles.find(({ details }) => details.name === 'Ada Canary')!;
    const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    // The page stores on the device first, and sends after that.
    await until('the outbox is empty', async () => (await of(other)).healthStats.length === 15);
    const [from, to] = [await of(mine), await of(other)];
    for (const list of ['medications', 'appointments', 'healthStats'] as const) {
      expect([...to[list]].sort(byId)).toEqual([...from[list]].sort(byId));
    }
    expect(to.details).toEqual(from.details);
    expect(digest(to.id)).toBe(digest(from.id));
    await second.close();
  });

  it('shows what is wrong with the rows of a table before anything is stored', async () => {
    await open('/app/transfer', 'Import and export');
    await page.getByLabel('Choose a file').setInputFiles({
      name: 'weights.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`date;weight (kg)\n${dayAt(-9)};71,5\n${dayAt(-8)};7150\nsoon;71`),
    });
    await page.getByText('One reading can be stored.').waitFor();
    const bad = page.getByRole('region', { name: 'Rows with a problem' });
    await bad.getByText('Too high to be right').waitFor();
    await bad.getByText('The date cannot be read').waitFor();
    await button('Store one record').click();
    await page.getByText('One record was stored.').waitFor();
  });

  it('stops an import at once, and says how much of it is kept', async () => {
    const reader = new HealthRecordsClient({ baseUrl: stage.url });
    await reader.register({ email: 'stop@example.org', password: SECRET, recoveryPhrase: null });
    await reader.profiles.create({ kind: 'human', relationship: 'self', details: { name: 'Ada' } });
    const profile = await stage.profile();
    const tab = await stage.signIn(profile, 'stop@example.org', SECRET);
    const total = 5_000;
    const rows = Array.from({ length: total }, (_, row) => {
      const at = new Date(Date.now() - (row + 1) * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
      return `${at};71,${row % 10}`;
    });
    await stage.open(tab, '/app/transfer', 'Import and export');
    await tab.getByLabel('Choose a file').setInputFiles({
      name: 'weights.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['date;weight (kg)', ...rows].join('\n')),
    });
    await tab.getByRole('button', { name: /^Store / }).click();
    await tab.getByRole('progressbar', { name: /^[1-9]\d* of / }).waitFor();
    await tab.getByRole('button', { name: 'Stop' }).click();
    const words = await tab.getByText(/^Stopped after \d+ of \d+/).innerText();
    const [done, of] = words.match(/\d+/g)!.map(Number);
    expect([of >= total, done > 0 && done < total]).toEqual([true, true]);
    const stored = async () => (await reader.healthStats.list()).length;
    await until('what was kept is sent', async () => (await stored()) >= done - 1);
    // Those that were under way are kept, too.
    expect(await stored()).toBeLessThan(done + 20);
    await profile.close();
  });

  it('shows a bar while it signs in, syncs first, unlocks, and reads or writes files', async () => {
    const third = await stage.profile();
    const tab = await third.newPage();
    tab.setDefaultTimeout(30_000);
    stage.listen(tab);
    const bar = (name: RegExp) => tab.getByRole('progressbar', { name });
    const [releaseLogin, releaseSync] = [await hold(tab, '**/api/auth/**'), await hold(tab, '**/api/sync*')];
    await tab.goto(`${stage.url}/app/sign-in`);
    await tab.getByLabel('Email').fill('ada@example.org');
    await tab.getByLabel('Password', { exact: true }).fill(SECRET);
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
    await bar(/^Deriving your key/).waitFor();
    releaseLogin();
    await bar(/^Fetching your records/).waitFor();
    releaseSync();
    await tab.getByText('Amlodipine').first().waitFor();
    expect(await bar(/./).count()).toBe(0);
    // The other acts need no network that a test could hold.
    const seen = await noteBars(tab);
    await tab.getByRole('button', { name: 'Lock', exact: true }).click();
    await tab.getByLabel('Password', { exact: true }).fill(SECRET);
    await tab.getByRole('button', { name: 'Unlock', exact: true }).click();
    await tab.getByRole('navigation', { name: 'Sections' }).waitFor();
    await stage.open(tab, '/app/transfer', 'Import and export');
    await tab.getByLabel('Password of the file').fill('a file of its own');
    await tab.getByLabel('The same password again').fill('a file of its own');
    const coming = tab.waitForEvent('download');
    await tab.getByRole('button', { name: 'Save the encrypted file' }).click();
    const file = await (await coming).path();
    await tab.getByLabel('Choose a file').setInputFiles(file);
    await tab.getByRole('button', { name: 'Open the file' }).waitFor();
    await tab.getByLabel('Password of the file').first().fill('a file of its own');
    await tab.getByRole('button', { name: 'Open the file' }).click();
    await tab
      .getByText(/^Holds: /)
      .first()
      .waitFor();
    await tab.getByRole('button', { name: 'Cancel' }).click();
    await tab.getByLabel('Choose a file').setInputFiles({
      name: 'weights.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`date;weight (kg)\n${dayAt(-5)};71,1\n${dayAt(-4)};71,2`),
    });
    await tab.getByRole('button', { name: 'Store 2 records' }).click();
    await tab.getByText('2 records were stored.').waitFor();
    expect(await seen()).toEqual(
      expect.arrayContaining([
        'Deriving your key. This takes a moment …',
        'Gathering all records …',
        'Opening the file …',
        expect.stringMatching(/^\d of [1-9] stored$/),
      ]),
    );
    await third.close();
  });

  describe('in the storage of the browser', () => {
    const CANARY = 'Planted Canary';
    /** The keys of the rows that hold encrypted records. */
    const RECORDS = 'record medication';
    const look = () =>
      findInStorage(page, ['Ada Canary', 'May I stop the tablets?', SECRET, CANARY, RECORDS]);

    it('leaves nothing readable after a lock', async () => {
      await plant(page, CANARY, true);
      const places = ['IndexedDB', 'caches', 'cookies', 'localStorage', 'sessionStorage'];
      expect((await look()).filter((line) => line.startsWith(CANARY))).toEqual(
        places.map((place) => `${CANARY} in ${place}`),
      );
      await plant(page, CANARY, false);
      await page.getByRole('button', { name: 'Lock', exact: true }).first().click();
      await page.getByRole('heading', { name: 'Locked' }).waitFor();
      expect(await look()).toEqual([`${RECORDS} in IndexedDB`]);
    });

    it('leaves nothing at all after a sign-out, which sends first what waits', async () => {
      const dialog = page.getByRole('dialog');
      await page.getByLabel('Password', { exact: true }).fill(SECRET);
      await button('Unlock').click();
      await page.getByRole('navigation', { name: 'Sections' }).waitFor();
      await open('/app/measures', 'Measures');
      await profile.setOffline(true);
      await button('Add a reading').click();
      await page.getByLabel('Measure').selectOption('weight');
      await page.getByLabel('Value').fill('71.8');
      await page.keyboard.press('Enter');
      await page.getByText('One change waits to be sent.').waitFor();
      await closeMessage();
      await open('/app/more', 'More');
      await button('Sign out').click();
      await dialog.getByRole('button', { name: 'Sign out' }).click();
      await dialog.getByText('If you sign out now, what waits is lost.').waitFor();
      await dialog.getByRole('button', { name: 'Send first' }).click();
      await dialog.getByText('Not everything could be sent. It is kept on this device.').waitFor();
      await profile.setOffline(false);
      await dialog.getByRole('button', { name: 'Send first' }).click();
      await page.getByRole('link', { name: 'I have an account' }).waitFor();
      expect(await look()).toEqual([]);
      const elsewhere = new HealthRecordsClient({ baseUrl: stage.url });
      await elsewhere.login('ada@example.org', SECRET);
      const weights = await elsewhere.healthStats.list();
      expect(weights.filter(({ details }) => details.values.value === 71.8)).toHaveLength(1);
    });
  });

  it('breaks the policy of the page nowhere, and complains of nothing', () => {
    expect(stage.complaints).toEqual([]);
  });
});
