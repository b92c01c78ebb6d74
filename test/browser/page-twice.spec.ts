import { HealthRecordsClient } from '@app/client';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { until } from '../support/until';
import { describeInBrowser, hurry, PageStage, STAGE_TIMEOUT_MS } from './page-stage';

const EMAIL = 'two.phones@example.org';
const SECRET = 'correct horse battery staple';
const PHONE = { width: 360, height: 740 };
/** The page asks for news so often. */
const NEWS_MS = 20_000;
/** Shorter than the minute in which the client asks by itself. */
const SOON_MS = 35_000;

jest.setTimeout(2 * STAGE_TIMEOUT_MS);

describeInBrowser('a dose that two phones of an account show as open', () => {
  let stage: PageStage;
  let client: HealthRecordsClient;
  let profileId: string;
  const phones: { context: BrowserContext; page: Page }[] = [];

  beforeAll(async () => {
    stage = await PageStage.start();
    client = new HealthRecordsClient({ baseUrl: stage.url });
    await client.register({ email: EMAIL, password: SECRET, recoveryPhrase: null });
    const otto = { kind: 'human' as const, relationship: 'parent' as const, details: { name: 'Otto' } };
    profileId = (await client.profiles.create(otto)).id;
    for (const name of ['Metformin', 'Ramipril', 'Bisoprolol']) await add(name, ['13:00', '23:00']);
    for (let phone = 0; phone < 2; phone += 1) {
      const context = await stage.profile({ viewport: PHONE });
      await hurry(context, NEWS_MS);
      const page = await stage.signIn(context, EMAIL, SECRET);
      await taken(page, 'Metformin').waitFor();
      phones.push({ context, page });
    }
  }, STAGE_TIMEOUT_MS);
  afterAll(() => stage?.stop());

  async function add(name: string, times: string[]) {
    const details = {
      name,
      dose: { amount: 1, unit: 'tablet' },
      schedule: { times },
      startDate: '2026-01-01',
    };
    return client.medications.create({ profileId, route: 'oral', schedule: null, details });
  }

  const taken = (page: Page, name: string): Locator =>
    page.getByRole('button', { name: new RegExp(`^Taken: ${name}, 13:00`) });
  const evening = (page: Page, name: string): Locator =>
    page.getByRole('button', { name: new RegExp(`^Taken: ${name}, 23:00`) });
  const question = (page: Page, name: string): Locator =>
    page.locator('.twice', { hasText: `Otto, ${name}` });

  async function dosesOf(name: string) {
    const found = (await client.medications.list()).find(({ details }) => details.name === name)!;
    return client.medications.doses(found.id);
  }

  /** Both phones note the dose, the second one without a network, which then comes back. */
  async function noteTwice(name: string): Promise<void> {
    const [first, second] = phones;
    await second.context.setOffline(true);
    await taken(second.page, name).click();
    await taken(second.page, name).waitFor({ state: 'detached' });
    expect(await question(second.page, name).count()).toBe(0);
    await taken(first.page, name).click();
    await until('the first is sent', async () => (await dosesOf(name)).length === 1);
    await second.context.setOffline(false);
    await question(second.page, name).waitFor({ timeout: 2 * SOON_MS });
  }

  it('is answered on the other one within half a minute, while both lie in sight', async () => {
    const [first, second] = phones;
    await taken(first.page, 'Metformin').click();
    await taken(second.page, 'Metformin').waitFor({ state: 'detached', timeout: SOON_MS });
    expect(await question(second.page, 'Metformin').count()).toBe(0);
  });

  it('is asked about by name where both have noted it, and the own note goes with one tap', async () => {
    const [first, second] = phones;
    await noteTwice('Ramipril');
    const asked = question(second.page, 'Ramipril');
    expect(await asked.innerText()).toMatch(
      /Otto, Ramipril 13:00: noted twice, (\S+ here and \S+ on another device|\S+ on another device and \S+ here)\. Was it given twice\?/,
    );
    // What was noted twice answers the dose of 13:00 alone.
    await evening(second.page, 'Ramipril').waitFor();
    // It stands first.
    const top = await second.page.locator('.content .strip, .content .today-group').first().innerText();
    expect(top).toContain('noted twice');
    await stage.picture(second.page, 'noted-twice');
    expect(await stage.axe(second.page)).toEqual([]);
    await question(first.page, 'Ramipril').waitFor({ timeout: SOON_MS });
    await asked.getByRole('button', { name: /^Remove mine/ }).click();
    await asked.waitFor({ state: 'detached' });
    await until('one is left', async () => (await dosesOf('Ramipril')).length === 1);
    await question(first.page, 'Ramipril').waitFor({ state: 'detached', timeout: SOON_MS });
    await evening(first.page, 'Ramipril').waitFor();
  });

  it('is asked about no more, on any phone and after a reload, where both were given', async () => {
    const [first, second] = phones;
    await noteTwice('Bisoprolol');
    await question(first.page, 'Bisoprolol').waitFor({ timeout: SOON_MS });
    await question(second.page, 'Bisoprolol')
      .getByRole('button', { name: /^Both were given/ })
      .click();
    for (const { page } of phones)
      await question(page, 'Bisoprolol').waitFor({ state: 'detached', timeout: SOON_MS });
    expect(await dosesOf('Bisoprolol')).toHaveLength(2);
    await first.page.reload();
    await first.page.getByLabel('Password', { exact: true }).fill(SECRET);
    await first.page.getByRole('button', { name: 'Unlock', exact: true }).click();
    await evening(first.page, 'Bisoprolol').waitFor();
    await first.page.getByText(/Taken at .*, not planned/).waitFor();
    expect(await first.page.locator('.twice').count()).toBe(0);
    expect(stage.complaints).toEqual([]);
  });
});
