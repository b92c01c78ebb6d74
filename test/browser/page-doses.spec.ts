import { HealthRecordsClient, type JsonObject } from '@app/client';
import type { BrowserContext, Page } from 'playwright-core';
import { until } from '../support/until';
import { describeInBrowser, PageStage, STAGE_TIMEOUT_MS } from './page-stage';

const PHONE = { width: 360, height: 740 };
const bornYearsAgo = (years: number) => `${new Date().getFullYear() - years}-01-01`;
const EMAIL = 'ada@example.org';
const SECRET = 'correct horse battery staple';

jest.setTimeout(STAGE_TIMEOUT_MS);

describeInBrowser('right doses, on a phone', () => {
  let stage: PageStage;
  let client: HealthRecordsClient;
  let profile: BrowserContext;
  let page: Page;
  const people: Record<string, string> = {};
  const medicines: Record<string, string> = {};

  beforeAll(async () => {
    stage = await PageStage.start();
    client = new HealthRecordsClient({ baseUrl: stage.url });
    await client.register({ email: EMAIL, password: SECRET, recoveryPhrase: null });
    for (const [name, birthDate] of [
      ['Otto', '1941-05-01'],
      ['Lena', '2022-02-01'],
      ['Ida', '1980-03-01'],
      ['Tom', bornYearsAgo(15)],
      ['Mia', bornYearsAgo(6)],
    ])
      people[name] = (
        await client.profiles.create({ kind: 'human', relationship: 'other', details: { name, birthDate } })
      ).id;
    const add = async (who: string, name: string, details: JsonObject) => {
      const { id } = await client.medications.create({
        profileId: people[who],
        route: 'oral',
        schedule: null,
        details: { name, startDate: '2026-01-01', ...details },
      });
      medicines[name] = id;
    };
    const tablet = { amount: 1, unit: 'tablet' };
    await add('Otto', 'Methotrexate', { strength: '10 mg', dose: tablet, schedule: { times: ['20:00'] } });
    await add('Otto', 'Paracetamol', {
      strength: '500 mg',
      dose: { amount: 2, unit: 'tablet' },
      schedule: { times: [], asNeeded: true, minHoursBetween: 4 },
    });
    await add('Lena', 'Bilastine', { strength: '20 mg', dose: tablet, schedule: { times: ['19:00'] } });
    const thrice = { times: ['08:00', '14:00', '20:00'] };
    // At 16 kg that is too much; of a child of this age, whose weight nobody knows, it is not known.
    await add('Lena', 'Ibuprofen', { strength: '200 mg', dose: tablet, schedule: thrice });
    await client.healthStats.create({
      profileId: people.Lena,
      details: { metric: 'weight', values: { value: 16 }, unit: 'kg' },
    });
    await client.healthStats.create({
      profileId: people.Mia,
      details: { metric: 'weight', values: { value: 20 }, unit: 'kg' },
    });
    await add('Ida', 'Paracetamol 500', {
      strength: '500 mg',
      dose: { amount: 2, unit: 'tablet' },
      schedule: thrice,
    });
    profile = await stage.profile({ viewport: PHONE });
    page = await stage.signIn(profile, EMAIL, SECRET);
  }, STAGE_TIMEOUT_MS);
  afterAll(() => stage?.stop());

  const row = (name: string) => page.getByRole('link', { name: new RegExp(name) });

  it('warns of a daily dose of a weekly medicine on Today, in the cabinet and on its page', async () => {
    const strip = page.locator('.strip a');
    await strip.first().waitFor();
    expect(await strip.first().innerText()).toMatch(
      /Otto: Methotrexate\.\s+Don’t take it like this: ask first/,
    );
    await stage.picture(page, 'doses-today');
    await stage.open(page, '/app/cabinet', 'Cabinet');
    await row('Methotrexate').getByText('Don’t take it like this: ask first').waitFor();
    // 1 g every 4 hours is 6 g a day.
    await row('Paracetamol').getByText('Ask about the dose').waitFor();
    expect(await row('Bilastine').locator('.severity').count()).toBe(0);
    await stage.picture(page, 'doses-cabinet');
    expect(await stage.axe(page)).toEqual([]);
    await stage.open(page, `/app/cabinet/${medicines.Methotrexate}`, 'Methotrexate 10 mg');
    await page.locator('.finding').first().getByText('Don’t take it like this: ask first').waitFor();
    await stage.picture(page, 'doses-medicine');
    expect(await stage.axe(page)).toEqual([]);
  });

  it('checks the dose of a child by its weight, says what it cannot check, and never that all is well', async () => {
    await stage.open(page, '/app/cabinet/together', 'Check medicines together');
    const lena = page.locator('section', { has: page.getByRole('heading', { level: 2, name: 'Lena' }) });
    const ibuprofen = lena.locator('.finding', { hasText: 'Ibuprofen' });
    await ibuprofen.getByText('Ask about the dose').waitFor();
    expect(await ibuprofen.innerText()).toContain('16 kg');
    await lena.getByText('Whether the dose is right was not checked: Bilastine.').waitFor();
    expect(await lena.getByText('Checked: nothing is known').count()).toBe(0);
    await stage.open(page, `/app/cabinet/${medicines.Bilastine}`, 'Bilastine 20 mg');
    await page.getByText('Whether the dose is right was not checked: Bilastine.').waitFor();
  });

  it('checks a dose before it is saved: alone, and with the other products of the person', async () => {
    await stage.open(page, '/app/cabinet/add', 'Add a medicine');
    await page.getByLabel('For whom').selectOption({ label: 'Ida' });
    const name = page.getByLabel('Name', { exact: true });
    const strength = page.getByLabel('Strength');
    await name.fill('Methotrexate');
    await strength.fill('10 mg');
    await page.getByText('Don’t take it like this: ask first').waitFor();
    await name.fill('Panadol');
    await strength.fill('500 mg');
    await page.getByLabel('How much at a time').fill('2');
    const sum = page.locator('.finding', { hasText: 'Ask about the dose' });
    await page.locator('.finding', { hasText: 'Panadol' }).first().waitFor();
    expect(await sum.count()).toBe(0);
    for (const time of ['13:00', '20:00']) {
      await page.getByRole('button', { name: 'Another time' }).click();
      await page.getByLabel(/^Time/).last().fill(time);
    }
    // 3 g are no more than a day allows; with the 3 g of the other product they are.
    await sum.waitFor();
    expect(await sum.locator('.finding-names').innerText()).toMatch(
      /Panadol.*Paracetamol 500|Paracetamol 500.*Panadol/,
    );
    await stage.picture(page, 'doses-form');
    expect(await stage.axe(page)).toEqual([]);
    await page.getByRole('link', { name: 'Cancel' }).click();
  });

  it('asks in how many ml a strength is, and never calls a dose checked that was not', async () => {
    await stage.open(page, '/app/cabinet/add', 'Add a medicine');
    await page.getByLabel('For whom').selectOption({ label: 'Mia' });
    await page.getByLabel('Name', { exact: true }).fill('Nurofen');
    const amount = page.getByLabel('How much at a time');
    await amount.fill('5');
    await page.getByLabel('Unit').selectOption({ label: 'ml' });
    await page.getByText('For example “200 mg/5 ml”.', { exact: true }).waitFor();
    for (const time of ['14:00', '20:00']) {
      await page.getByRole('button', { name: 'Another time' }).click();
      await page.getByLabel(/^Time/).last().fill(time);
    }
    const strength = page.getByLabel('Strength');
    const asked = page.getByText('In how many ml is the strength?');
    const checked = page.getByText('Checked: nothing is known against it.');
    for (const said of ['40 mg', '200 mg']) {
      for (const much of ['5', '100']) {
        await strength.fill('200 mg/5 ml');
        await asked.waitFor({ state: 'hidden' });
        await strength.fill(said);
        await amount.fill(much);
        await asked.waitFor();
        expect(await checked.count()).toBe(0);
        await page.getByText('Whether the dose is right was not checked: Nurofen.').waitFor();
      }
    }
    await stage.picture(page, 'doses-how-many-ml');
    expect(await stage.axe(page)).toEqual([]);
    // At 20 kg 4 % allows 5 ml at a time.
    await strength.fill('4 %');
    await checked.waitFor();
    expect(await asked.count()).toBe(0);
    await amount.fill('10');
    await page.locator('.finding', { hasText: 'Ask about the dose' }).waitFor();
    await page.getByRole('link', { name: 'Cancel' }).click();
  });

  it('asks for the weight of a young person, and says where it is entered', async () => {
    await stage.open(page, '/app/cabinet/add', 'Add a medicine');
    await page.getByLabel('For whom').selectOption({ label: 'Tom' });
    await page.getByLabel('Name', { exact: true }).fill('Ibuprofen');
    await page.getByLabel('Strength').fill('600 mg');
    const words = page.getByText('there is no weight of Tom yet. Enter it as a reading here:');
    await words.waitFor();
    expect(await page.getByText('Checked: nothing is known against it.').count()).toBe(0);
    await stage.picture(page, 'doses-weight');
    expect(await stage.axe(page)).toEqual([]);
    await words.getByRole('link', { name: 'Measures' }).click();
    await page.getByRole('heading', { level: 1, name: 'Measures' }).waitFor();
    // What was typed is kept.
    await stage.open(page, '/app/cabinet/add', 'Add a medicine');
    await page.getByText('You had begun: Ibuprofen for Tom.').waitFor();
    await page.getByRole('button', { name: 'Start new', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).waitFor();
  });

  it('names what was begun, asks for whom it is, and stops at a second one of the same', async () => {
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const name = page.getByLabel('Name', { exact: true });
    const who = page.getByLabel('For whom');
    const add = () => stage.open(page, '/app/cabinet/add', 'Add a medicine');
    await add();
    await name.fill('Calpol');
    await press('Save');
    await page.getByText('Choose for whom it is.').waitFor();
    await who.selectOption({ label: 'Lena' });
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.locator('.toast').getByText('What you had typed is dropped.').waitFor();
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('You had begun: Calpol for Lena.').waitFor();
    await stage.picture(page, 'draft-begun');
    expect(await stage.axe(page)).toEqual([]);
    await press('Start new');
    await name.waitFor();
    expect(await name.inputValue()).toBe('');
    await name.fill('bilastine');
    await who.selectOption({ label: 'Lena' });
    await page.getByRole('button', { name: /^Save/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Bilastine 20 mg is already there' });
    await dialog.getByText('Lena has Bilastine 20 mg in the cabinet. Change that one?').waitFor();
    await stage.picture(page, 'already-there');
    expect(await stage.axe(page)).toEqual([]);
    await dialog.getByRole('link', { name: 'Change that one' }).click();
    await page.getByRole('heading', { level: 1, name: 'Change the medicine' }).waitFor();
    expect(await page.getByLabel('Strength').inputValue()).toBe('20 mg');
    await add();
    await page.getByText('You had begun: bilastine for Lena.').waitFor();
    await press('Go on');
    await page.getByRole('button', { name: /^Save/ }).click();
    await press('Add it a second time');
    await page.getByRole('heading', { level: 1, name: 'Cabinet' }).waitFor();
    expect(await page.getByRole('link', { name: /bilastine/i }).count()).toBe(2);
    // Each of the two is checked beside the other.
    await stage.open(page, `/app/cabinet/${medicines.Bilastine}/edit`, 'Change the medicine');
    await page
      .locator('.finding', { hasText: /bilastine/i })
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Cancel' }).click();
    // Nothing was typed there, so nothing is dropped.
    expect(await page.getByText('What you had typed is dropped.').count()).toBe(0);
  });

  it('keeps a name that the person keeps, also after a change of something else', async () => {
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await stage.open(page, '/app/cabinet/add', 'Add a medicine');
    await page.getByLabel('Name', { exact: true }).fill('Asprin herbal');
    await page.getByLabel('For whom').selectOption({ label: 'Otto' });
    await press('No, keep the name as I typed it');
    await page.getByText('The name stays as you typed it.').waitFor();
    await page.getByRole('button', { name: /^Save/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Cabinet' }).waitFor();
    const stored = async () =>
      (await client.medications.list({ profileId: people.Otto })).find(
        ({ details }) => details.name === 'Asprin herbal',
      );
    const kept = { ingredients: [], confirmed: true };
    await until('the service has it', async () => (await stored()) !== undefined);
    const { id, details } = (await stored())!;
    expect(details.reading).toEqual(kept);
    await stage.open(page, `/app/cabinet/${id}/edit`, 'Change the medicine');
    await page.getByText('The name stays as you typed it.').waitFor();
    await page.getByLabel('Strength').fill('75 mg');
    await page.getByRole('button', { name: /^Save/ }).click();
    await until('the service has the change', async () => (await stored())?.details.strength === '75 mg');
    expect((await stored())!.details.reading).toEqual(kept);
    // With the name of another one it stops, too.
    const rename = async () => {
      await page.getByLabel('Name', { exact: true }).fill('methotrexate');
      await page.getByRole('button', { name: /^Save/ }).click();
    };
    const dialog = page.getByRole('dialog', { name: 'Methotrexate 10 mg is already there' });
    await stage.open(page, `/app/cabinet/${id}/edit`, 'Change the medicine');
    await rename();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await client.medications.get(id)).details.name).toBe('Asprin herbal');
    await page.getByRole('button', { name: /^Save/ }).click();
    await stage.picture(page, 'renamed-to-another');
    await dialog.getByRole('button', { name: 'Save it under this name all the same' }).click();
    await until('it has the name', async () => {
      return (await client.medications.get(id)).details.name === 'methotrexate';
    });
    await client.medications.delete(await client.medications.get(id));
  });

  it.each([
    [
      'Deutsch',
      'Look and language',
      'Medikamente zusammen prüfen',
      'So nicht nehmen: erst fragen',
      'Ob die Dosis stimmt',
    ],
    [
      'Español',
      'Aussehen und Sprache',
      'Revisar los medicamentos juntos',
      'No lo tome así: pregunte antes',
      'No se comprobó si',
    ],
    [
      'English',
      'Aspecto e idioma',
      'Check medicines together',
      'Don’t take it like this: ask first',
      'Whether the dose is right',
    ],
  ])('says the same in %s', async (language, settings, together, worst, unsure) => {
    await stage.open(page, '/app/settings', settings);
    await page.locator('select').first().selectOption({ label: language });
    await stage.open(page, '/app/cabinet/together', together);
    await page.getByText(worst).first().waitFor();
    await page.getByText(unsure).first().waitFor();
    await stage.picture(page, `doses-${language}`);
  });

  it('breaks the policy of the page nowhere, and complains of nothing', () => {
    expect(stage.complaints).toEqual([]);
  });
});
