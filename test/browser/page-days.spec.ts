import { HealthRecordsClient, type MedicationDetails } from '@app/client';
import type { BrowserContext, Page } from 'playwright-core';
import { until } from '../support/until';
import { describeInBrowser, PageStage, STAGE_TIMEOUT_MS, zoneAt } from './page-stage';

const PHONE = { width: 360, height: 740 };
const EMAIL = 'ada@example.org';
const SECRET = 'correct horse battery staple';
const DAY_MS = 86_400_000;
/** The title of the settings in each language. */
const CABINETS = { English: 'Cabinet', Deutsch: 'Hausapotheke', Español: 'Botiquín' };
const SETTINGS = {
  Deutsch: 'Aussehen und Sprache',
  Español: 'Aspecto e idioma',
  English: 'Look and language',
} as const;

/** The words of the rows that go over two lines. */
const brokenWords = (tab: Page): Promise<string[]> =>
  tab.evaluate(() => {
    const { document, NodeFilter } = globalThis as any;
    const broken: string[] = [];
    for (const row of document.querySelectorAll('main .list-link')) {
      const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode())
        for (const { 0: word, index } of text.data.matchAll(/\p{L}+/gu)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, Number(index) + String(word).length);
          if (range.getClientRects().length > 1) broken.push(word);
        }
    }
    return broken;
  });

jest.setTimeout(STAGE_TIMEOUT_MS);

describeInBrowser('quick and calm days, on a phone', () => {
  let stage: PageStage;
  let client: HealthRecordsClient;
  let profile: BrowserContext;
  let page: Page;
  const medicines: Record<string, string> = {};
  let other: HealthRecordsClient;
  let tab: Page;

  /** The instant of a local time of the page, so many days ago. */
  const instantOf = (time: string, daysAgo: number) => {
    const apart =
      Number(/-?\d+$/.exec(zoneAt(12))![0].replace(/^-?/, '')) * (zoneAt(12).includes('-') ? 1 : -1);
    const local = new Date(Date.now() + apart * 3_600_000 - daysAgo * DAY_MS).toISOString().slice(0, 10);
    return new Date(Date.parse(`${local}T${time}:00Z`) - apart * 3_600_000).toISOString();
  };
  const dosesOf = (name: string) => client.medications.doses(medicines[name]);
  /** Waits until the service has these doses, newest first. */
  const hasDoses = (name: string, ...times: string[]) =>
    until(
      `${name} at ${times.join()}`,
      async () => (await dosesOf(name)).map(({ loggedAt }) => loggedAt).join() === times.join(),
    );
  const detailsOf = async (name: string) => (await client.medications.get(medicines[name])).details;
  const button = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });
  const dialog = () => page.getByRole('dialog');

  beforeAll(async () => {
    stage = await PageStage.start();
    client = new HealthRecordsClient({ baseUrl: stage.url });
    await client.register({ email: EMAIL, password: SECRET, recoveryPhrase: null });
    const add = async (profileId: string, name: string, details: Partial<MedicationDetails>) => {
      const dose = { amount: 1, unit: 'tablet' };
      const stock = { count: 30, countedAt: instantOf('00:00', 5), perDose: 1, refillAt: 2 };
      const all = { name, startDate: '2026-01-01', dose, stock, ...details };
      const { id } = await client.medications.create({
        profileId,
        route: 'oral',
        schedule: null,
        details: all,
      });
      medicines[name] = id;
    };
    const person = async (name: string) =>
      (await client.profiles.create({ kind: 'human', relationship: 'other', details: { name } })).id;
    const [otto, lena] = [await person('Otto'), await person('Lena')];
    await add(otto, 'Metformin', { schedule: { times: ['08:00', '20:00'] } });
    await add(otto, 'Ramipril', { schedule: { times: ['11:30'] } });
    await add(lena, 'Cetirizine', { schedule: { times: ['11:45'] } });
    await add(lena, 'Montelukast', { schedule: { times: ['20:00'] } });
    await add(lena, 'Lantus', {
      dose: { amount: 10, unit: 'unit' },
      schedule: { times: ['11:50'] },
      stock: undefined,
    });
    // Since then it counts what was missed.
    const first = { Metformin: '08:00', Ramipril: '11:30', Cetirizine: '11:45', Lantus: '11:50' };
    for (const [name, time] of Object.entries(first))
      await client.medications.logDose(medicines[name], { taken: true, loggedAt: instantOf(time, 1) });
    await client.medications.logDose(medicines.Montelukast, { taken: true, loggedAt: instantOf('20:00', 2) });
    profile = await stage.profile({ viewport: PHONE });
    page = await stage.signIn(profile, EMAIL, SECRET);
    page.setDefaultTimeout(30_000);
  }, STAGE_TIMEOUT_MS);
  afterAll(() => stage?.stop());

  it('asks when a missed dose was taken, and writes the time that is said', async () => {
    const missed = page.locator('section', { has: page.getByRole('heading', { name: 'Missed yesterday?' }) });
    await missed.getByRole('button', { name: /^Taken: Metformin/ }).click();
    await dialog()
      .getByRole('button', { name: /^At its time \(yesterday, 20:00\)/ })
      .waitFor();
    await dialog()
      .getByRole('button', { name: /^Just now/ })
      .waitFor();
    await stage.picture(page, 'dose-when');
    expect(await stage.axe(page)).toEqual([]);
    await dialog()
      .getByRole('button', { name: /^At its time/ })
      .click();
    await page.locator('.toast').getByText('Otto · Metformin: noted for yesterday, 20:00.').waitFor();
    await hasDoses('Metformin', instantOf('20:00', 1), instantOf('08:00', 1));
    // Today’s dose of 8:00 is still asked for.
    await button('Taken: Metformin, 8:00').waitFor();
  });

  it('asks no more for a missed dose that was taken more than twelve hours later', async () => {
    const missed = page.getByRole('heading', { name: 'Missed yesterday?' });
    await button('Taken: Montelukast, 20:00, Lena').first().click();
    await dialog()
      .getByRole('button', { name: /^Just now/ })
      .click();
    await page.locator('.toast').getByText('Lena · Montelukast: noted for today').waitFor();
    await missed.waitFor({ state: 'detached' });
    expect((await dosesOf('Montelukast')).length).toBe(2);
    // That of today is still due.
    await button('Taken: Montelukast, 20:00, Lena').waitFor();
  });

  it('keeps an answered row in place, where a second tap answers nobody else', async () => {
    const taken = button('Taken: Ramipril');
    await page.mouse.move(0, 0);
    await taken.evaluate((element: any) => element.scrollIntoView({ block: 'center' }));
    const box = (await taken.boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.click(x, y);
    await button('Undo: Ramipril').waitFor();
    await stage.picture(page, 'answered-in-place');
    expect(await stage.axe(page)).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 800));
    await page.mouse.click(x, y);
    await page.locator('.toast').getByText('Otto · Ramipril: taken.').waitFor();
    expect((await dosesOf('Cetirizine')).length).toBe(1);
    const toast = (await page.locator('.toast').boundingBox())!;
    const bar = (await page.getByRole('navigation', { name: 'Sections' }).boundingBox())!;
    expect(toast.y + toast.height).toBeLessThanOrEqual(bar.y);
    expect(toast.y).toBeGreaterThan(PHONE.height / 2);
    // At rest it moves to what is done.
    await page.getByRole('button', { name: /^Change 11:30 · Ramipril Otto/ }).waitFor();
    await button('Taken: Cetirizine').waitFor();
  });

  it('asks about a dose long before its time, and names amount and person of an insulin', async () => {
    await button('Taken: Metformin, 20:00').click();
    await page.getByRole('dialog', { name: 'This is for 20:00. Take it now?' }).waitFor();
    await dialog().getByText('Otto · Metformin: 1 tablet').waitFor();
    await stage.picture(page, 'dose-early');
    expect(await stage.axe(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await button('Taken: Lantus').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Lena: is this right?' }).waitFor();
    await dialog().getByText('Lena · Lantus: 10 units').waitFor();
    await stage.picture(page, 'dose-care');
    await page.keyboard.press('Escape');
    expect((await dosesOf('Lantus')).length).toBe(1);
    await button('Taken: Lantus').click();
    await dialog().getByRole('button', { name: 'Take now' }).click();
    await page.locator('.toast').getByText('Lena · Lantus: taken.').waitFor();
    await until('the insulin is logged', async () => (await dosesOf('Lantus')).length === 2);
    await hasDoses('Metformin', instantOf('20:00', 1), instantOf('08:00', 1));
  });

  it('changes time, amount and note of a dose by keyboard, and the stock follows', async () => {
    await page.getByRole('button', { name: /^Change 11:30 · Ramipril Otto/ }).focus();
    await page.keyboard.press('Enter');
    await dialog().getByLabel('Day and time').waitFor();
    const yesterday = await page.evaluate(() => {
      const at = new Date(Date.now() - 86_400_000);
      const two = (part: number) => String(part).padStart(2, '0');
      return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T21:15`;
    });
    await dialog().getByLabel('Day and time').fill('2999-01-01T08:00');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByText('Enter a time that is not in the future.').waitFor();
    await dialog().getByLabel('Day and time').fill(yesterday);
    await dialog()
      .getByLabel(/^How much at a time/)
      .fill('2.5');
    await dialog().getByLabel('Note').fill('after supper');
    await stage.picture(page, 'dose-change');
    expect(await stage.axe(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await hasDoses('Ramipril', instantOf('21:15', 1), instantOf('11:30', 1));
    const [dose] = await dosesOf('Ramipril');
    expect((await detailsOf('Ramipril')).remarks).toEqual([
      { dose: dose.id, amount: 2.5, unit: 'tablet', note: 'after supper' },
    ]);
    // The dose of today is open again.
    await button('Taken: Ramipril').waitFor();
    await stage.open(page, `/app/cabinet/${medicines.Ramipril}`, 'Ramipril');
    await page.getByText('2.5 tablets · after supper').waitFor();
    await page.getByText(/^26\.5 left/).waitFor();
    await stage.picture(page, 'dose-on-medicine');
    expect(await stage.axe(page)).toEqual([]);
  });

  it('adds a dose, also of a day before the medicine was entered', async () => {
    await page.getByRole('button', { name: 'Add a dose' }).click();
    const before = instantOf('09:00', 4);
    const local = await page.evaluate((iso) => {
      const at = new Date(iso);
      return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    }, before);
    await dialog().getByLabel('Day and time').fill(local);
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().waitFor({ state: 'detached' });
    await hasDoses('Ramipril', instantOf('21:15', 1), instantOf('11:30', 1), before);
    await page.getByText(/^25\.5 left/).waitFor();
  });

  it('shows sixty doses on three screens, and answers those of one person and time with one tap', async () => {
    other = new HealthRecordsClient({ baseUrl: stage.url });
    await other.register({ email: 'many@example.org', password: SECRET, recoveryPhrase: null });
    const names = ['Amlodipine', 'Bisoprolol', 'Pantoprazole', 'Lantus'];
    const ids: string[] = [];
    for (const name of ['Otto', 'Lena', 'Ida', 'Maximilian', 'Bello']) {
      const { id: profileId } = await other.profiles.create({
        kind: 'human',
        relationship: 'other',
        details: { name },
      });
      for (const [at, medicine] of names.entries()) {
        const dose = { amount: 1, unit: 'tablet' };
        const schedule = { times: ['13:00', '17:00', '20:00'] };
        const details = {
          name: medicine,
          strength: `${at + 1}0 mg`,
          dose,
          schedule,
          startDate: '2026-01-01',
        };
        const added = await other.medications.create({ profileId, route: 'oral', schedule: null, details });
        if (name === 'Ida') ids.push(added.id);
      }
      if (name === 'Otto')
        await other.appointments.create({
          profileId,
          status: 'completed',
          details: { title: 'MMR', type: 'vaccination', vaccine: 'MMR', startsAt: instantOf('09:00', 30) },
        });
    }
    const many = await stage.profile({ viewport: PHONE });
    tab = await stage.signIn(many, 'many@example.org', SECRET);
    const all = tab.getByRole('button', { name: 'All of Ida’s 13:00' });
    await all.waitFor();
    expect(await tab.getByRole('button', { name: /^All of/ }).count()).toBe(15);
    await stage.picture(tab, 'sixty-doses');
    expect(await stage.axe(tab)).toEqual([]);
    const height = await tab.evaluate(
      () => (globalThis as any).document.documentElement.scrollHeight as number,
    );
    expect(height).toBeLessThanOrEqual(3 * PHONE.height);
    const logged = async () =>
      (await Promise.all(ids.map((id) => other.medications.doses(id)))).filter((doses) => doses.length > 0)
        .length;
    await all.click();
    // One of them is an insulin.
    await tab
      .getByRole('dialog', { name: 'Ida · 13:00: is this right?' })
      .getByText('Ida · Lantus 40 mg: 1 tablet')
      .waitFor();
    expect(await logged()).toBe(0);
    await tab.getByRole('dialog').getByRole('button', { name: 'Take now' }).click();
    await tab.locator('.toast').getByText('Ida · 13:00: taken.').waitFor();
    await tab.getByText('Ida, 13:00: answered').waitFor();
    await until('all four are logged', async () => (await logged()) === 4);
    await tab.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await until('none is logged', async () => (await logged()) === 0);
    await all.waitFor();
    // Each of them alone, too.
    await tab.getByRole('button', { name: /^Show each dose: Ida, 13:00/ }).click();
    await tab.getByRole('button', { name: 'Taken: Bisoprolol 20 mg, 13:00, Ida' }).click();
    await until('one is logged', async () => (await logged()) === 1);
    await stage.picture(tab, 'sixty-doses-one');
  });

  /** The places of the bar whose word is broken or out of sight. */
  const brokenPlaces = () =>
    tab.evaluate(() =>
      [...(globalThis as any).document.querySelectorAll('.nav a span')]
        .filter((word: any) => {
          const range = (globalThis as any).document.createRange();
          range.selectNodeContents(word);
          const { left, right } = word.getBoundingClientRect();
          return range.getClientRects().length > 1 || left < 0 || right > (globalThis as any).innerWidth;
        })
        .map((word: any) => word.textContent),
    );

  it('fits a family of five on a phone, at 200 % too: everybody in sight, no word of the places broken', async () => {
    const isIn = (name: string) => tab.getByRole('button', { name, exact: true });
    expect(new URL(tab.url()).pathname).toBe('/app/today');
    for (const size of ['100%', '200%']) {
      await tab.evaluate((to) => {
        (globalThis as any).document.documentElement.style.fontSize = to;
      }, size);
      const icon = (await tab.locator('.nav svg').first().boundingBox())!;
      expect(icon.width).toBe(size === '100%' ? 22 : 44);
      const word = tab.locator('.nav a span').first();
      const typeSize = await word.evaluate((each) => (globalThis as any).getComputedStyle(each).fontSize);
      expect(typeSize).toBe(size === '100%' ? '13px' : '26px');
      for (const name of ['Everyone', 'Otto', 'Lena', 'Ida', 'Maximilian', 'Bello', 'Lock']) {
        const box = (await isIn(name).boundingBox())!;
        expect([size, name, box.x >= 0 && box.x + box.width <= PHONE.width]).toEqual([size, name, true]);
        expect([size, name, box.height >= 44 && box.width >= 44]).toEqual([size, name, true]);
      }
      await stage.open(tab, '/app/settings', SETTINGS.English);
      for (const [language, title] of Object.entries(SETTINGS)) {
        await tab.locator('select').first().selectOption({ label: language });
        await tab.getByRole('heading', { level: 1, name: title }).waitFor();
        for (const width of [320, PHONE.width]) {
          await tab.setViewportSize({ ...PHONE, width });
          expect([size, language, width, await brokenPlaces()]).toEqual([size, language, width, []]);
          // In large letters they take two rows, and cover nothing of the screen at its end.
          const bar = (await tab.locator('.nav').boundingBox())!;
          const room = await tab
            .locator('.shell')
            .evaluate((each) => parseFloat((globalThis as any).getComputedStyle(each).paddingBottom));
          expect([size, language, width, Math.abs(bar.height - room) <= 2]).toEqual([
            size,
            language,
            width,
            true,
          ]);
          expect(bar.height).toBeLessThan(size === '100%' ? 70 : 180);
          await stage.picture(tab, `places-${language}-${size}-${width}`);
        }
        await tab.setViewportSize(PHONE);
        await stage.open(tab, '/app/cabinet', CABINETS[language as keyof typeof SETTINGS]);
        await stage.picture(tab, `cabinet-${language}-${size}`);
        expect([size, language, await brokenWords(tab)]).toEqual([size, language, []]);
        await stage.open(tab, '/app/settings', title);
      }
      await stage.open(tab, '/app/today', 'Today');
      const width = await tab.evaluate(
        () => (globalThis as any).document.documentElement.scrollWidth as number,
      );
      expect([size, width]).toEqual([size, PHONE.width]);
      await stage.picture(tab, `five-${size}`);
    }
  });

  it('says that a vaccination has no next date, and begins with the sign-in after one elsewhere', async () => {
    await stage.open(tab, '/app/visits', 'Visits');
    await tab.getByText('No next date').waitFor();
    expect(await tab.getByText('Not due again').count()).toBe(0);
    await other.logoutEverywhere();
    await tab.evaluate(() => (globalThis as any).document.dispatchEvent(new Event('visibilitychange')));
    const signIn = tab.getByRole('link', { name: 'Sign in' });
    await signIn.waitFor();
    expect(await signIn.getAttribute('class')).toContain('button-primary');
    for (const size of ['200%', '100%']) {
      await tab.evaluate((to) => {
        (globalThis as any).document.documentElement.style.fontSize = to;
      }, size);
      // Without scrolling.
      const box = (await tab.getByRole('button', { name: 'Deutsch' }).boundingBox())!;
      expect(box.y >= 0 && box.y + box.height <= PHONE.height).toBe(true);
      await stage.picture(tab, `ended-${size}`);
    }
    expect(await stage.axe(tab)).toEqual([]);
    await tab.context().close();
  });

  it('breaks the policy of the page nowhere, and complains of nothing', () => {
    expect(stage.complaints).toEqual([]);
  });
});
