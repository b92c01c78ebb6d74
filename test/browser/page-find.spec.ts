import { readFileSync } from 'node:fs';
import { HealthRecordsClient } from '@app/client';
import type { BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, PageStage, STAGE_TIMEOUT_MS } from './page-stage';

const PHONE = { width: 360, height: 740 };
const EMAIL = 'kim@example.org';
const SECRET = 'correct horse battery staple';

jest.setTimeout(STAGE_TIMEOUT_MS);

describeInBrowser('what a family looks for, on a phone', () => {
  let stage: PageStage;
  let client: HealthRecordsClient;
  let profile: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    stage = await PageStage.start();
    client = new HealthRecordsClient({ baseUrl: stage.url });
    await client.register({ email: EMAIL, password: SECRET, recoveryPhrase: null });
    const { id: profileId } = await client.profiles.create({
      kind: 'human',
      relationship: 'parent',
      details: {
        name: 'Otto Müller',
        birthDate: '1941-05-01',
        allergies: [{ text: 'Penicillin', code: 'penicillin' }, { text: 'Bees' }],
      },
    });
    await client.medications.create({
      profileId,
      route: 'oral',
      schedule: null,
      details: {
        name: 'Marcumar',
        strength: '3 mg',
        reading: { ingredients: ['phenprocoumon'], confirmed: true },
        dose: { amount: 1.5, unit: 'tablet' },
        schedule: { times: ['18:00'], amounts: { by: 'weekday', of: [1, 1.5, 1, 0, 1, 1.5, 1] } },
      },
    });
    await client.appointments.create({
      profileId,
      status: 'scheduled',
      details: { title: 'Eyes', startsAt: '2026-12-03T09:00:00Z', practitioner: 'Dr. Ito' },
    });
    profile = await stage.profile({ viewport: PHONE, acceptDownloads: true });
    page = await stage.signIn(profile, EMAIL, SECRET);
  }, STAGE_TIMEOUT_MS);
  afterAll(() => stage?.stop());

  it('completes a name while one types, with the substance beside it', async () => {
    await stage.open(page, '/app/cabinet', 'Cabinet');
    await page.getByRole('link', { name: 'Add a medicine' }).click();
    const name = page.getByLabel('Name', { exact: true });
    await name.pressSequentially('gluco');
    const offers = page.locator('datalist option');
    await offers.first().waitFor({ state: 'attached' });
    const offered = await offers.evaluateAll((all: any[]) => all.map(({ value, text }) => [value, text]));
    expect(offered).toContainEqual(['Glucophage', 'metformin']);
    expect(offered.length).toBeLessThanOrEqual(8);
    expect(await stage.axe(page)).toEqual([]);
    // A half-typed name is called unknown only when the field is left; what begins with it comes first.
    await name.fill('');
    await name.pressSequentially('rami');
    await page.locator('datalist option[value="ramipril"]').waitFor({ state: 'attached' });
    expect(await offers.first().getAttribute('value')).toBe('ramipril');
    const unknown = page.getByText('We don’t know this name. It will not be checked.');
    await page.waitForTimeout(1000);
    expect(await unknown.count()).toBe(0);
    await name.blur();
    await unknown.waitFor();
    await stage.picture(page, 'name-unknown');
    expect(await page.locator('.note-warn button').first().textContent()).toBe('ramipril');
    // What the browser does when a person takes an offer. Its own list is not part of the page.
    await name.fill('Glucophage');
    await page.getByText('Read as metformin.').waitFor();
    await page.getByLabel('Strength').fill('500 mg');
    await page.getByLabel('Time 1').fill('08:00');
    await page.getByRole('button', { name: /^Save/ }).click();
    await page.getByText('Otto Müller · Glucophage 500 mg: saved.').first().waitFor();
    await page.getByRole('link', { name: /Glucophage/ }).waitFor();
  });

  it('finds a medicine by its substance, a visit by its doctor, a person without accents, by keyboard', async () => {
    await stage.open(page, '/app/more', 'More');
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    const field = page.getByLabel('Search everything');
    await field.fill('phenpro');
    await page.getByRole('link', { name: /Marcumar 3 mg/ }).waitFor();
    await page.getByText('One result').waitFor();
    await field.fill('ito');
    await page.getByRole('link', { name: /Eyes/ }).waitFor();
    await field.fill('muller');
    await page.getByRole('link', { name: /^Otto Müller/ }).waitFor();
    await stage.picture(page, 'search');
    expect(await stage.axe(page)).toEqual([]);
    await field.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Change Otto Müller' }).waitFor();
  });

  it('makes an emergency card of what is entered, in two languages, without a network', async () => {
    await page.getByText('Emergency card', { exact: true }).click();
    await page.getByLabel('Blood group').fill('0 positive');
    await page.getByLabel(/^Whom to call/).fill('Ada 030 1234');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'People and pets' }).waitFor();
    await stage.open(page, '/app/settings', 'Look and language');
    await page.locator('select').first().selectOption({ label: 'Deutsch' });
    await stage.open(page, '/app/more', 'Mehr');
    await page.getByRole('link', { name: 'Notfallkarte' }).click();
    const [german, english] = [page.locator('.card[lang=de]'), page.locator('.card[lang=en]')];
    await german.getByText('Marcumar 3 mg (phenprocoumon): 18:00, 1,5 Tabletten am Mo und Fr').waitFor();
    await english.getByText('1.5 tablets on Mon and Fri; 1 tablet on Tue, Thu, Sat').waitFor();
    await german.getByText('Krankheiten').waitFor();
    await german.getByText('nichts eingetragen').first().waitFor();
    for (const card of [german, english])
      for (const text of ['Otto Müller', 'Penicillin', 'Bees', '0 positive', 'Ada 030 1234'])
        await card.getByText(text, { exact: true }).waitFor();
    await stage.picture(page, 'card');
    expect(await stage.axe(page)).toEqual([]);
    await profile.setOffline(true);
    await stage.open(page, '/app/more', 'Mehr');
    await page.getByRole('link', { name: 'Notfallkarte' }).click();
    await english.getByText('Ada 030 1234').waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Als Bild speichern' }).click();
    const file = await saving;
    expect(file.suggestedFilename()).toMatch(/^otto-m.*\.png$/);
    const bytes = readFileSync(await file.path());
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    await stage.keep('card-saved.png', bytes);
    await profile.setOffline(false);
  });

  it('breaks the policy of the page nowhere, and complains of nothing', () => {
    expect(stage.complaints).toEqual([]);
  });
});
