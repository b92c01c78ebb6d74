import { HealthRecordsClient } from '@app/client';
import type { BrowserContext, Page } from 'playwright-core';
import { until } from '../support/until';
import { describeInBrowser, PageStage, STAGE_TIMEOUT_MS } from './page-stage';

const PHONE = { width: 360, height: 740 };
const EMAIL = 'ida@example.org';
const SECRET = 'correct horse battery staple';

jest.setTimeout(STAGE_TIMEOUT_MS);

describeInBrowser('plans as doctors write them, on a phone', () => {
  let stage: PageStage;
  let client: HealthRecordsClient;
  let profile: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    stage = await PageStage.start();
    client = new HealthRecordsClient({ baseUrl: stage.url });
    await client.register({ email: EMAIL, password: SECRET, recoveryPhrase: null });
    await client.profiles.create({ kind: 'human', relationship: 'self', details: { name: 'Ida' } });
    profile = await stage.profile({ viewport: PHONE });
    page = await stage.signIn(profile, EMAIL, SECRET);
  }, STAGE_TIMEOUT_MS);
  afterAll(() => stage?.stop());

  const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
  const pick = (label: string) => page.getByText(label, { exact: true }).click();
  const stored = async (name: string) =>
    (await client.medications.list()).find(({ details }) => details.name === name)?.details;

  const begin = async (name: string) => {
    await stage.open(page, '/app/cabinet/add', 'Add a medicine');
    await page.getByLabel('Name', { exact: true }).waitFor();
    await fill('Name', name);
  };
  const inWords = (words: string | RegExp) => page.getByText(words).first().waitFor();
  const save = async (name: string) => {
    await page.getByRole('button', { name: /^Save/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Cabinet' }).waitFor();
    await until('the service has it', async () => (await stored(name)) !== undefined);
    return stored(name);
  };

  it('takes another amount on each day of the week', async () => {
    await begin('Phenprocoumon');
    await page.getByLabel('Strength').fill('3 mg');
    await fill('Time 1', '18:00');
    await pick('The amount is not always the same');
    await pick('By day of the week');
    for (const [day, amount] of [
      ['Mon', '1 1/2'],
      ['Tue', '1'],
      ['Thu', '1'],
      ['Fri', '1½'],
      ['Sat', '1'],
      ['Sun', '1'],
    ])
      await fill(`Amount on ${day}`, amount);
    // The day that is wrong is named at its field, which gets the focus.
    await fill('Amount on Wed', 'half');
    await page.getByRole('button', { name: /^Save/ }).click();
    await page.getByText('Enter a number for Wed, for example 1, 0.5 or 1/2.').waitFor();
    const wednesday = page.getByLabel('Amount on Wed', { exact: true });
    await until('the field has the focus', () =>
      wednesday.evaluate((field) => field === (globalThis as any).document.activeElement),
    );
    await stage.picture(page, 'plan-weekday-wrong');
    expect(await stage.axe(page)).toEqual([]);
    await fill('Amount on Wed', '');
    await inWords('In words: 18:00, 1.5 tablets on Mon and Fri; 1 tablet on Tue, Thu, Sat and Sun');
    await stage.picture(page, 'plan-weekday');
    expect(await stage.axe(page)).toEqual([]);
    expect(await save('Phenprocoumon')).toMatchObject({
      dose: { amount: 1.5, unit: 'tablet' },
      schedule: { times: ['18:00'], amounts: { by: 'weekday', of: [1, 1.5, 1, 0, 1, 1.5, 1] } },
    });
  });

  it('loses no time of day: another one differs, and two equal ones are not saved', async () => {
    await begin('Metformin');
    for (const number of [2, 3]) {
      await page.getByRole('button', { name: 'Another time' }).click();
      await page.getByLabel(`Time ${number}`, { exact: true }).waitFor();
    }
    const times = () => page.getByLabel(/^Time \d$/).evaluateAll((all) => all.map((each: any) => each.value));
    expect(await times()).toEqual(['08:00', '20:00', '12:00']);
    await fill('Time 3', '20:00');
    await page.getByRole('button', { name: /^Save/ }).click();
    await page.getByText('This time is already there. Choose another one.').waitFor();
    expect(await stored('Metformin')).toBeUndefined();
    expect(await stage.axe(page)).toEqual([]);
    await fill('Time 3', '14:00');
    expect(await save('Metformin')).toMatchObject({ schedule: { times: ['08:00', '14:00', '20:00'] } });
  });

  it('takes steps that fall, and knows the last day', async () => {
    await begin('Prednisolone');
    await page.getByLabel('Strength').fill('5 mg');
    // What was due before it was entered was not missed, so it is due after noon.
    await fill('Time 1', '13:00');
    await pick('The amount is not always the same');
    await pick('In steps');
    await page.getByRole('button', { name: /^Save/ }).click();
    await page.getByText('Enter a number for Step 1, for example 1, 0.5 or 1/2.').waitFor();
    await page.getByText('Enter the days of step 1. Only the last step may have none.').waitFor();
    expect(
      await page.evaluate(() => (globalThis as any).document.activeElement?.getAttribute('aria-invalid')),
    ).toBe('true');
    await fill('Step 1: amount', '4');
    await fill('Step 1: days', '5');
    await fill('Step 2: amount', '2');
    await fill('Step 2: days', '5');
    await inWords(/In words: 13:00, 4 tablets for 5 days, then 2 tablets for 5 days, every day, until/);
    expect(await page.getByLabel('Last day').count()).toBe(0);
    await stage.picture(page, 'plan-steps');
    expect(await stage.axe(page)).toEqual([]);
    expect(await save('Prednisolone')).toMatchObject({
      schedule: {
        amounts: {
          by: 'step',
          of: [
            { amount: 4, days: 5 },
            { amount: 2, days: 5 },
          ],
        },
      },
    });
  });

  it('takes every few hours, cycles, months, and the most of 24 hours', async () => {
    await begin('Amoxicillin');
    await pick('Every few hours');
    await fill('First dose at', '06:00');
    await inWords(/every 8 hours from 0?6:00 on/);
    expect((await save('Amoxicillin'))!.schedule).toEqual({ times: ['06:00'], everyHours: 8 });

    await begin('Drospirenone');
    await pick('In cycles');
    await inWords('21 days, then 7 days without');
    expect((await save('Drospirenone'))!.schedule).toEqual({ times: ['08:00'], cycle: { on: 21, off: 7 } });

    await begin('Denosumab');
    await pick('Every month');
    await fill('Every how many months', '6');
    await fill('Day of the month', '31');
    await inWords('every 6 months on day 31');
    expect((await save('Denosumab'))!.schedule).toEqual({
      times: ['08:00'],
      everyMonths: 6,
      dayOfMonth: 31,
    });

    await begin('Paracetamol');
    await page.getByLabel('How much at a time').fill('2');
    await pick('As needed');
    await page.getByLabel('Hours between two doses, at least').fill('4');
    await page.getByLabel('At most in 24 hours').fill('2');
    await inWords('2 tablets, as needed, at least 4 hours apart, at most 2 tablets in 24 hours');
    await stage.picture(page, 'plan-as-needed');
    expect(await stage.axe(page)).toEqual([]);
    expect((await save('Paracetamol'))!.schedule).toEqual({
      times: [],
      asNeeded: true,
      minHoursBetween: 4,
      mostIn24Hours: 2,
    });
  });

  it('asks how much insulin it was, and shows the correction', async () => {
    await begin('Insulin lispro');
    await page.getByLabel('Unit').selectOption({ label: 'units' });
    await page.getByLabel('How much at a time').fill('8');
    await page.getByLabel('Correction').fill('1 unit more for each 50 mg/dl above 150');
    await fill('Time 1', '13:00');
    await save('Insulin lispro');
    await stage.open(page, '/app/today', 'Today');
    const row = page.locator('li.due', { hasText: 'Insulin lispro' });
    await row.getByText('Correction: 1 unit more for each 50 mg/dl above 150').waitFor();
    await row.getByRole('button', { name: /^Taken: Insulin lispro/ }).click();
    const dialog = page.getByRole('dialog', { name: /Insulin lispro: how much was it\?/ });
    await dialog.getByLabel('How much at a time').fill('10');
    await stage.picture(page, 'plan-insulin');
    expect(await stage.axe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await until('the amount is kept', async () => {
      const { remarks = [] } = (await stored('Insulin lispro')) as { remarks?: { amount: number }[] };
      return remarks[0]?.amount === 10;
    });
  });

  it('shows the amount of the day on Today, and holds to the most of 24 hours', async () => {
    await stage.open(page, '/app/today', 'Today');
    await page.locator('li.due', { hasText: 'Prednisolone' }).getByText('4 tablets').waitFor();
    const needed = page.locator('li.due', { hasText: 'Paracetamol' });
    await needed.getByText('0 of at most 2 tablets in 24 hours.').waitFor();
    await needed.getByRole('button').click();
    await needed.getByText('2 of at most 2 tablets in 24 hours.').waitFor();
    await needed.getByText(/Next not before tomorrow, /).waitFor();
    await stage.picture(page, 'plan-today');
    expect(await stage.axe(page)).toEqual([]);
  });

  it('tells the doctor the same, in each language', async () => {
    await stage.open(page, '/app/doctor', 'For the doctor');
    const sheet = page.locator('.sheet');
    await sheet.getByText('1.5 tablets on Mon and Fri; 1 tablet on Tue, Thu, Sat and Sun').waitFor();
    await sheet.getByText('1 unit more for each 50 mg/dl above 150').waitFor();
    const language = page.getByLabel('Language of the page');
    await language.selectOption({ label: 'Deutsch' });
    await sheet.getByText('4 Tabletten für 5 Tage, danach 2 Tabletten für 5 Tage').waitFor();
    await stage.picture(page, 'plan-doctor');
    await language.selectOption({ label: 'Español' });
    await sheet.getByText('cada 8 horas, desde las').waitFor();
  });

  it('breaks the policy of the page nowhere, and complains of nothing', () => {
    expect(stage.complaints).toEqual([]);
  });
});
