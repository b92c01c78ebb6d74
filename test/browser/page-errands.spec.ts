import { HealthRecordsClient } from '@app/client';
import { STORED_ROUTE } from '@app/client/documents';
import type { Locator, Page } from 'playwright-core';
import { until } from '../support/until';
import { describeInBrowser, PageStage, STAGE_TIMEOUT_MS } from './page-stage';

const PHONE = { width: 360, height: 740 };
const EMAIL = 'errands@example.org';
const SECRET = 'correct horse battery staple';
const DAY_MS = 86_400_000;

jest.setTimeout(STAGE_TIMEOUT_MS);

/** Counts what a person does for an errand: taps, and fields that are filled. */
class Acts {
  count = 0;

  async tap(what: Locator): Promise<void> {
    await what.click();
    this.count += 1;
  }

  async fill(field: Locator, text: string): Promise<void> {
    await field.fill(text);
    this.count += 1;
  }
}

describeInBrowser('how many acts an errand takes, on a phone', () => {
  let stage: PageStage;
  let client: HealthRecordsClient;
  let page: Page;
  let acts: Acts;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    stage = await PageStage.start();
    client = new HealthRecordsClient({ baseUrl: stage.url });
    await client.register({ email: EMAIL, password: SECRET, recoveryPhrase: null });
    for (const name of ['Ada', 'Otto'])
      ids[name] = (
        await client.profiles.create({
          kind: 'human',
          relationship: name === 'Ada' ? 'self' : 'parent',
          details: { name },
        })
      ).id;
    await add('Otto', 'Metformin', ['13:00']);
    await add('Otto', 'Ramipril', ['13:00']);
    await add('Ada', 'Bisoprolol', ['13:00']);
    await add('Ada', 'Cetirizine', ['11:00'], 3 * DAY_MS);
    await add('Ada', 'Loratadine', ['08:00', '22:00']);
    page = await stage.signIn(await stage.profile({ viewport: PHONE }), EMAIL, SECRET);
    await button(/^All of Otto’s 13:00/).waitFor();
  }, STAGE_TIMEOUT_MS);
  afterAll(() => stage?.stop());
  beforeEach(async () => {
    acts = new Acts();
    await stage.open(page, '/app/today', 'Today');
    // The next tap must not look like the second one of a double tap.
    await page.waitForTimeout(800);
  });

  /** @param known how long ago, in milliseconds, there was a dose: what was due since then was missed */
  async function add(who: string, name: string, times: string[], known = 0): Promise<void> {
    const details = { name, dose: { amount: 1, unit: 'tablet' }, schedule: { times } };
    const profileId = ids[who];
    const { id } = await client.medications.create({ profileId, route: 'oral', schedule: null, details });
    ids[name] = id;
    const loggedAt = new Date(Date.now() - known);
    if (known > 0) await client.medications.logDose(id, { taken: true, loggedAt });
  }

  const button = (name: RegExp) => page.getByRole('button', { name });
  const stored = (name: string) => client.medications.doses(ids[name]);

  it('a dose: 1', async () => {
    await acts.tap(button(/^Taken: Bisoprolol/));
    await until('it is stored', async () => (await stored('Bisoprolol')).length === 1);
    expect(acts.count).toBe(1);
  });

  it('all doses of a person at one time: 1', async () => {
    await acts.tap(button(/^All of Otto’s 13:00/));
    await until('both are stored', async () => {
      const all = [await stored('Metformin'), await stored('Ramipril')];
      return all.every(([dose]) => dose?.taken);
    });
    expect(acts.count).toBe(1);
  });

  it('a missed dose, with its time: 2', async () => {
    await acts.tap(
      page
        .locator('section', { hasText: 'Missed yesterday?' })
        .getByRole('button', { name: /^Taken: Cetirizine/ }),
    );
    await acts.tap(page.getByRole('dialog').getByRole('button', { name: /^At its time/ }));
    await until('it is stored', async () => (await stored('Cetirizine')).length === 2);
    const [newest] = await stored('Cetirizine');
    const shown = await page.evaluate(
      (at) => new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' }),
      newest.loggedAt,
    );
    expect(shown).toBe('11:00');
    expect(acts.count).toBe(2);
  });

  it('a dose that was due before the medicine was entered: 1, and none where it was not taken', async () => {
    const before = page.locator('section', { hasText: 'Today, before you entered it' });
    await before.getByText('8:00, before you entered it').waitFor();
    await stage.picture(page, 'before-entry');
    expect(await stage.axe(page)).toEqual([]);
    await acts.tap(button(/^Not today: Loratadine, 8:00, Ada/));
    await before.waitFor({ state: 'detached' });
    expect(await stored('Loratadine')).toEqual([]);
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await page.waitForTimeout(800);
    await acts.tap(button(/^Already taken: Loratadine, 8:00, Ada/));
    await until('it is stored for its time', async () => {
      const [dose] = await stored('Loratadine');
      return dose?.taken === true && new Date(dose.loggedAt).getUTCMinutes() === 0;
    });
    expect(acts.count).toBe(2);
    await stage.open(page, `/app/cabinet/${ids.Loratadine}`, 'Loratadine');
    expect(await page.getByText(/missed/i).count()).toBe(0);
  });

  it('a medicine, with the list of names: at most 6', async () => {
    await acts.tap(page.getByRole('link', { name: 'Cabinet', exact: true }));
    await acts.tap(page.getByRole('link', { name: 'Add a medicine' }));
    await page.getByLabel('For whom').selectOption({ label: 'Otto' });
    acts.count += 1;
    const name = page.getByLabel('Name', { exact: true });
    await name.pressSequentially('gluco');
    await page.locator('datalist option[value="Glucophage"]').waitFor({ state: 'attached' });
    // What the browser does when a person takes an offer. Its own list is not part of the page.
    await acts.fill(name, 'Glucophage');
    await page.getByText('Read as metformin.').waitFor();
    await acts.fill(page.getByLabel('Strength'), '500 mg');
    await acts.tap(button(/^Save/));
    await page.getByText('Otto · Glucophage 500 mg: saved.').first().waitFor();
    expect(acts.count).toBeLessThanOrEqual(6);
    await until('it is stored, with a route that tells nothing of its name', async () => {
      const added = (await client.medications.list()).find(({ details }) => details.name === 'Glucophage');
      return added?.route === STORED_ROUTE;
    });
  });

  it('another person: at most 4', async () => {
    await acts.tap(page.getByRole('link', { name: 'Add a person', exact: true }));
    const name = page.getByLabel('Name', { exact: true });
    expect(await page.getByLabel('A person', { exact: true }).isChecked()).toBe(true);
    await acts.fill(name, 'Lena');
    await acts.tap(button(/^Save/));
    await button(/^Lena$/).waitFor();
    expect(acts.count).toBeLessThanOrEqual(4);
    await until('she is stored, and is nobody’s self', async () => {
      const all = await client.profiles.list();
      return all.some(({ details, relationship }) => details.name === 'Lena' && relationship === 'other');
    });
    expect(await stage.axe(page)).toEqual([]);
  });

  it('complains of nothing', () => expect(stage.complaints).toEqual([]));
});
