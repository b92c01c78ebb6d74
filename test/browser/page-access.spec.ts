import type { Page } from 'playwright-core';
import { until } from '../support/until';
import { describeInBrowser, hold, PageStage, STAGE_TIMEOUT_MS, zoneAt } from './page-stage';

/** Of the page, in functions that run there. */
declare const document: any;
declare const getComputedStyle: any;
declare const innerWidth: number;

/** A screen: how one gets there from where one is, and its title. */
type Way = [title: string, go: () => Promise<void>];

const LONG_MS = 2 * STAGE_TIMEOUT_MS;

describeInBrowser('every screen of the page, for everyone', () => {
  let stage: PageStage;
  let page: Page;

  beforeAll(async () => {
    stage = await PageStage.start();
    page = await (await stage.profile({ timezoneId: zoneAt(9) })).newPage();
    page.setDefaultTimeout(30_000);
    stage.listen(page);
    await page.goto(stage.url);
  }, STAGE_TIMEOUT_MS);
  afterAll(() => stage?.stop());

  const follow = (name: string | RegExp) => page.getByRole('link', { name }).first().click();
  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
  const section = (name: string) =>
    page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name, exact: true }).click();
  const underMore = (title: string): Way => [title, () => section('More').then(() => follow(title))];

  /** What is wrong with the shown screen: axe in both themes and two sizes, and whether large type has room. */
  async function faultsOf(title: string): Promise<string[]> {
    await page.waitForFunction(() => !document.querySelector('.skeleton, [aria-busy="true"]'));
    const found: string[] = [];
    const note = (where: string, list: string[]) =>
      found.push(...list.map((each) => `${title}, ${where}: ${each}`));
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      note(`${width} px`, await stage.axe(page));
      note(`${width} px`, await tooWide());
      await page.emulateMedia({ colorScheme: 'dark' });
      // A theme changes colours and nothing else.
      note(`${width} px, dark`, await stage.axe(page, 'color-contrast'));
      await stage.picture(page, `${title.replaceAll(/\W+/g, '-')}-${width}-dark`);
      await page.emulateMedia({ colorScheme: 'light' });
      await stage.picture(page, `${title.replaceAll(/\W+/g, '-')}-${width}-light`);
    }
    // A phone of 360 px whose browser enlarges everything twice.
    await page.setViewportSize({ width: 180, height: 450 });
    note('180 px', await tooWide());
    await page.setViewportSize({ width: 640, height: 900 });
    await setTextSize('200%');
    note('text at 200 %', await tooWide());
    await stage.picture(page, `${title.replaceAll(/\W+/g, '-')}-200-percent`);
    await setTextSize('');
    return found;
  }

  const setTextSize = (size: string) =>
    page.evaluate((value) => (document.documentElement.style.fontSize = value), size);

  /** What needs more width than there is: the page itself, or a text in a box that cuts it. */
  const tooWide = async (tries = 20): Promise<string[]> => {
    const found = await widthFaults();
    // A chart follows a new width a little later.
    if (found.length === 0 || tries === 0) return found;
    await page.waitForTimeout(50);
    return tooWide(tries - 1);
  };

  const widthFaults = () =>
    page.evaluate<string[]>(() => {
      const isCut = (element: any) => {
        const { overflowX, textOverflow } = getComputedStyle(element);
        const isClipped = overflowX === 'hidden' || overflowX === 'clip';
        return isClipped && textOverflow === 'clip' && element.scrollWidth > element.clientWidth + 1;
      };
      const cut = [...document.querySelectorAll('body :not(.visually-hidden)')].filter(
        (element) => element.clientWidth > 1 && isCut(element),
      );
      const over = document.documentElement.scrollWidth - innerWidth;
      return [
        ...(over > 0 ? [`${over} px too wide`] : []),
        ...cut.map((element) => `cut: ${element.outerHTML.slice(0, 120)}`),
      ];
    });

  async function faultsOfAll(ways: Way[]): Promise<string[]> {
    const found: string[] = [];
    for (const [title, go] of ways) {
      await go();
      await page.getByRole('heading', { name: title, exact: true }).waitFor();
      found.push(...(await faultsOf(title)));
    }
    return found;
  }

  it(
    'shows an opening before its script has run, in the place of the first screen',
    async () => {
      const early = await (await stage.profile({ colorScheme: 'dark' })).newPage();
      stage.listen(early);
      const release = await hold(early, '**/*.js');
      const loaded = early.goto(stage.url);
      const heading = early.getByRole('heading', { level: 1, name: 'Health Records' });
      await heading.waitFor();
      expect(await early.title()).toBe('Health Records');
      expect(await stage.axe(early)).toEqual([]);
      await stage.picture(early, 'opening-dark');
      const paper = () =>
        early.evaluate<string>(() => getComputedStyle(document.body).backgroundColor as string);
      const [place, dark] = [await heading.boundingBox(), await paper()];
      release();
      await loaded;
      await early.getByRole('link', { name: 'Create an account' }).waitFor();
      const { x, y } = (await heading.boundingBox())!;
      expect({ x, y }).toEqual({ x: place!.x, y: place!.y });
      expect(await paper()).toBe(dark);
      expect(await early.locator('[aria-busy]').count()).toBe(0);
      // Also where the first screen is a part of its own, which comes later.
      await early.goto(`${stage.url}/app/recover`);
      await early.getByLabel('Twelve words').waitFor();
      expect(await early.locator('main').count()).toBe(1);
      await early.context().close();
    },
    STAGE_TIMEOUT_MS,
  );

  it(
    'says so where the code of a screen does not arrive',
    async () => {
      const cut = await (await stage.profile({ serviceWorkers: 'block' })).newPage();
      await cut.goto(stage.url);
      await cut.route(/assets\/sign-up/, (route) => route.abort());
      await cut.getByRole('link', { name: 'Create an account' }).click();
      await cut.getByText('A part of the page could not be loaded. Reload the page.').first().waitFor();
      await cut.unroute(/assets\/sign-up/);
      await cut.getByRole('button', { name: 'Reload' }).click();
      await cut.getByRole('heading', { name: 'Create an account' }).waitFor();
      await cut.context().close();
    },
    STAGE_TIMEOUT_MS,
  );

  it(
    'has no fault before somebody is signed in',
    async () => {
      const back = () => follow('Back');
      const found = await faultsOfAll([
        ['Health Records', async () => {}],
        [
          'Create an account',
          async () => {
            await follow('Create an account');
            await page.getByLabel('Password', { exact: true }).fill('short');
            await press('Continue');
            await page.getByText('Too short').first().waitFor();
          },
        ],
        ['Sign in', () => back().then(() => follow('I have an account'))],
        ['Use your twelve words', () => back().then(() => follow('I lost my password'))],
      ]);
      expect(found).toEqual([]);
    },
    LONG_MS,
  );

  it(
    'has no fault with a family in it',
    async () => {
      await follow('Back');
      await press('Look around with a demo family');
      await page
        .getByRole('button', { name: /^Taken/ })
        .first()
        .waitFor();
      const cabinet = () => section('Cabinet');
      const medicine = () => cabinet().then(() => follow(/Ramipril/));
      const visits = () => section('Visits');
      const found = await faultsOfAll([
        ['Today', () => section('Today')],
        ['Cabinet', cabinet],
        [
          'Check medicines together',
          async () => {
            await follow('Check medicines together');
            await page.locator('details summary').first().click();
          },
        ],
        [
          'Add a medicine',
          async () => {
            await cabinet();
            await follow('Add a medicine');
            await page.getByLabel('Name', { exact: true }).fill('Ibuprofin');
            await page.getByText('Right?').waitFor();
            await page.getByLabel('On weekdays').check();
            await page.getByText('More about it').click();
          },
        ],
        ['Ramipril 5 mg', medicine],
        ['Change the medicine', () => medicine().then(() => follow('Change'))],
        ['Measures', () => section('Measures').then(() => press('Add a reading'))],
        ['Blood pressure', () => section('Measures').then(() => follow(/Blood pressure/))],
        ['Visits', visits],
        ['New visit', () => follow('Add a visit')],
        ['New vaccination', () => visits().then(() => follow('Add a vaccination'))],
        ['For the doctor', () => section('More').then(() => follow('For the doctor'))],
        ['More', () => section('More')],
        underMore('People and pets'),
        ['Change Rosa', () => follow(/^Rosa/)],
        underMore('Reminders'),
        underMore('Security'),
        underMore('Import and export'),
        underMore('Trash'),
        underMore('Look and language'),
        underMore('About'),
      ]);
      expect(found).toEqual([]);
    },
    LONG_MS,
  );

  it(
    'has no fault in a dialog, which keeps the focus and gives it back',
    async () => {
      await section('Cabinet');
      await follow(/Ramipril/);
      const pause = page.getByRole('button', { name: 'Pause' });
      await pause.focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Pause' });
      await dialog.waitFor();
      expect(await dialog.evaluate((element: any) => element.contains(document.activeElement))).toBe(true);
      expect(await faultsOf('Pause')).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await pause.evaluate((element: any) => element === document.activeElement)).toBe(true);
    },
    STAGE_TIMEOUT_MS,
  );

  it(
    'is used by the keyboard alone: each act is reached, seen, and the title has the focus after a link',
    async () => {
      await page.setViewportSize({ width: 320, height: 640 });
      await section('Today');
      const heading = page.getByRole('heading', { level: 1, name: 'Today' });
      await heading.waitFor();
      expect(await heading.evaluate((element: any) => element === document.activeElement)).toBe(true);
      await page.evaluate(() => document.activeElement.blur());
      const all = await page.evaluate<number>(
        () => document.querySelectorAll('a[href], button, input, select, textarea, summary').length,
      );
      const reached = new Set<string>();
      const unseen: string[] = [];
      // Once on the way the focus leaves the page.
      for (let press = 0; press <= all; press += 1) {
        await page.keyboard.press('Tab');
        if (await page.evaluate<boolean>(() => document.activeElement === document.body)) continue;
        const found = await page.evaluate<{ at: number; name: string; isSeen: boolean }>(() => {
          const { activeElement } = document;
          const box = activeElement.getBoundingClientRect();
          const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
          const over = document.elementFromPoint(x, y);
          const hasRing = getComputedStyle(activeElement).outlineStyle !== 'none';
          return {
            at: [...document.querySelectorAll('*')].indexOf(activeElement),
            name: activeElement.getAttribute('aria-label') ?? activeElement.textContent,
            isSeen: hasRing && activeElement.contains(over),
          };
        });
        reached.add(String(found.at));
        if (!found.isSeen) unseen.push(found.name);
      }
      expect(unseen).toEqual([]);
      expect(reached.size).toBe(all);
    },
    STAGE_TIMEOUT_MS,
  );

  it('says what happened, and moves only where that is wanted', async () => {
    const taken = page.getByRole('button', { name: /^Taken/ }).first();
    const name = /^Taken: (.*?),/.exec((await taken.getAttribute('aria-label'))!)![1];
    await taken.click();
    await page.getByRole('status').getByText(`${name}: taken.`).waitFor();
    const duration = () =>
      page.evaluate<string>(() => getComputedStyle(document.querySelector('.button')).transitionDuration);
    expect(await duration()).toBe('0s');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await duration()).toMatch(/^0\.15s/);
    await page.emulateMedia({ reducedMotion: 'reduce' });
  });

  it(
    'has no fault while it is locked',
    async () => {
      await press('Lock');
      await page.getByRole('heading', { name: 'Locked' }).waitFor();
      expect(await faultsOf('Locked')).toEqual([]);
    },
    STAGE_TIMEOUT_MS,
  );

  it('breaks the policy of the page nowhere, and a breach would be seen', async () => {
    expect(stage.complaints).toEqual([]);
    const markup = page.evaluate(() => (document.body.innerHTML = '<b>not trusted</b>'));
    await expect(markup).rejects.toThrow(/TrustedHTML/);
    await page.evaluate(() => {
      const picture = document.createElement('img');
      picture.src = 'https://example.org/tracker.png';
      document.body.append(picture);
    });
    const isBreach = (complaint: string) => complaint.includes('Content Security Policy');
    await until('the browser complains', () => Promise.resolve(stage.complaints.some(isBreach)));
  });
});
