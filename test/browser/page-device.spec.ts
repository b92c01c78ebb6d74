import { HealthRecordsClient } from '@app/client';
import type { BrowserContext, Page } from 'playwright-core';
import { until } from '../support/until';
import { describeInBrowser, PageStage, STAGE_TIMEOUT_MS } from './page-stage';
import { findInStorage } from './raw-storage';

/** Of the page, in functions that run there. */
declare const caches: any, IDBObjectStore: any, indexedDB: any, localStorage: any, sessionStorage: any;

const PHONE = { width: 360, height: 740 };
const EMAIL = 'person.of.this.device@example.org';
const SECRET = 'correct horse battery staple';

jest.setTimeout(STAGE_TIMEOUT_MS);

describeInBrowser('what this device keeps for the page', () => {
  let stage: PageStage;
  let ada: string;
  let elsewhere: HealthRecordsClient;

  beforeAll(async () => {
    stage = await PageStage.start();
    elsewhere = new HealthRecordsClient({ baseUrl: stage.url });
    await elsewhere.register({ email: EMAIL, password: SECRET, recoveryPhrase: null });
    const profile = {
      kind: 'human' as const,
      relationship: 'self' as const,
      details: { name: 'Ada Canary' },
    };
    ada = (await elsewhere.profiles.create(profile)).id;
    for (const name of ['Warfarin', 'Ibuprofen', 'Metformin', 'Simvastatin'])
      await elsewhere.medications.create({
        profileId: ada,
        route: 'oral',
        schedule: { timesPerDay: 1 },
        details: { name, schedule: { times: ['13:00'] }, startDate: '2026-01-01' },
      });
  }, STAGE_TIMEOUT_MS);
  afterAll(() => stage?.stop());

  /** The names of everything that the origin keeps, and the rows that are left in its databases. */
  const kept = (page: Page) =>
    page.evaluate(async () => {
      const done = (request: any) =>
        new Promise<any>((resolve) => (request.onsuccess = () => resolve(request.result)));
      const rows: string[] = [];
      for (const { name } of await indexedDB.databases()) {
        const database = await done(indexedDB.open(name));
        for (const store of database.objectStoreNames)
          for (const key of await done(database.transaction(store).objectStore(store).getAllKeys()))
            rows.push(`${name}/${store}/${String(key)}`);
        database.close();
      }
      return {
        texts: Object.keys(localStorage).sort(),
        session: Object.keys(sessionStorage),
        rows: rows.sort(),
        caches: ((await caches.keys()) as string[]).map((name) => name.replace(/-http.*/, '')).sort(),
      };
    });

  const signOut = async (page: Page) => {
    await stage.open(page, '/app/more', 'More');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'I have an account' }).waitFor();
  };

  it('keeps nothing of the account after a sign-out, in any tab, and the choices of the device alone', async () => {
    const profile = await stage.profile({ viewport: PHONE });
    const page = await stage.signIn(profile, EMAIL, SECRET);
    const { accountId } = (await page.evaluate(() =>
      JSON.parse(localStorage.getItem('health-records/session') as string),
    )) as { accountId: string };
    await stage.open(page, '/app/settings', 'Look and language');
    await page.getByText('Dark', { exact: true }).click();
    await page.getByLabel('Language').selectOption('en');
    await stage.open(page, '/app/cabinet/add', 'Add a medicine');
    await page.getByLabel('Name', { exact: true }).fill('Half-typed Canarin');
    // A write, so that this device keeps a head.
    await stage.open(page, '/app/today', 'Today');
    await page
      .getByRole('button', { name: /^Taken: Warfarin/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take now' }).click();
    const second = await profile.newPage();
    stage.listen(second);
    await second.goto(`${stage.url}/app/today`);
    await second.getByRole('heading', { level: 1, name: 'Today' }).waitFor();

    const traces = [EMAIL, accountId, ada, 'Canar'];
    expect(await findInStorage(page, [EMAIL, accountId, ada])).toEqual(
      expect.arrayContaining([`${EMAIL} in localStorage`, `${EMAIL} in IndexedDB`, `${ada} in IndexedDB`]),
    );
    await signOut(page);
    await second.getByRole('link', { name: 'I have an account' }).waitFor();
    await until('nothing is left', async () => (await findInStorage(page, traces)).length === 0);
    expect(await kept(page)).toEqual({
      texts: ['health-records/knowledge', 'health-records/page/language', 'health-records/page/theme'],
      session: [],
      rows: ['health-records/counters/version', 'health-records/counters/wholeSince'],
      caches: expect.arrayContaining(['workbox-precache-v2']) as unknown,
    });
    for (const tab of [page, second]) {
      await tab.getByRole('link', { name: 'I have an account' }).click();
      expect(await tab.getByLabel('Email').inputValue()).toBe('');
    }
    await profile.close();
  });

  it.each([
    ['en-GB', 'Password', 'Sign in', 'There is no room left on this device', 'Taken: Ibuprofen'],
    ['de-DE', 'Passwort', 'Anmelden', 'Auf diesem Gerät ist kein Platz mehr', 'Genommen: Metformin'],
    ['es-ES', 'Contraseña', 'Iniciar sesión', 'No queda espacio en este dispositivo', 'Tomado: Simvastatin'],
  ])(
    'says where the person is that the device is full, and goes on when it is not: %s',
    async (locale, ...words) => {
      const [secret, signIn, full, taken] = words;
      const profile = await stage.profile({ viewport: PHONE, locale });
      const page = await profile.newPage();
      stage.listen(page);
      await page.goto(`${stage.url}/app/sign-in`);
      await page.locator('input[type=email]').fill(EMAIL);
      await page.getByLabel(secret, { exact: true }).fill(SECRET);
      await page.getByRole('button', { name: signIn, exact: true }).click();
      const take = page.getByRole('button', { name: new RegExp(`^${taken}`) }).first();
      await take.waitFor();
      // The quota of a browser is looked at only now and then, so the test does not wait for it.
      await page.evaluate(() => {
        const put = IDBObjectStore.prototype.put;
        IDBObjectStore.prototype.put = function (...row: unknown[]) {
          if ((globalThis as any).isFull) throw new DOMException('', 'QuotaExceededError');
          return put.apply(this, row);
        };
      });
      const fill = (isFull: boolean) => page.evaluate((full) => ((globalThis as any).isFull = full), isFull);
      await fill(true);
      await take.click();
      await page.locator('.toast').getByText(full).waitFor();
      // The text has the whole width, and the page does not say the same a second time.
      const widthOf = async (part: string) => (await page.locator(part).boundingBox())!.width;
      expect(await widthOf('.toast-text')).toBeGreaterThan(280);
      expect(await page.locator('.note', { hasText: full }).count()).toBe(0);
      await stage.picture(page, `device-full-${locale}`);
      expect(await stage.axe(page)).toEqual([]);
      await fill(false);
      await page.locator('.toast button').first().click();
      await take.waitFor({ state: 'detached' });
      await until('no message is left', async () => (await page.getByText(full).count()) === 0);
      await page.locator('.toast button').first().click();
      await take.waitFor();
      await profile.close();
    },
  );

  describe('of the knowledge base', () => {
    const ADDRESS = '**/api/interactions/knowledge-base*';
    interface Base {
      rules: unknown[];
      texts: string[];
    }
    /** The page with what a service says in place of an edition. A worker would ask past the test. */
    const withBase = async (change: (base: Base, language: string | null) => void, inGerman = false) => {
      const profile: BrowserContext = await stage.profile({
        viewport: PHONE,
        ...(inGerman && { locale: 'de-DE' }),
      });
      await profile.addInitScript('delete Navigator.prototype.serviceWorker');
      const asked: string[] = [];
      await profile.route(ADDRESS, async (route) => {
        const { searchParams, search } = new URL(route.request().url());
        asked.push(search);
        const edition = await fetch(`${stage.url}/api/interactions/knowledge-base${search}`);
        const base = (await edition.json()) as Base;
        change(base, searchParams.get('language'));
        await route.fulfill({ json: base });
      });
      const page = inGerman ? await signInGerman(profile) : await stage.signIn(profile, EMAIL, SECRET);
      const title = inGerman ? 'Medikamente zusammen prüfen' : 'Check medicines together';
      await stage.open(page, '/app/cabinet/together', title);
      const close = async () => {
        // The page may ask again while it closes: that is no fault.
        await profile.unrouteAll({ behavior: 'ignoreErrors' });
        await profile.close();
      };
      return { page, close, asked };
    };

    it('finds with the base of its build', async () => {
      const { page, close, asked } = await withBase(() => undefined);
      await page.getByText('Ask before you take both').first().waitFor();
      expect(asked.length).toBeGreaterThan(0);
      await close();
    });

    const signInGerman = async (profile: BrowserContext): Promise<Page> => {
      const page = await profile.newPage();
      stage.listen(page);
      await page.goto(`${stage.url}/app/sign-in`);
      await page.locator('input[type=email]').fill(EMAIL);
      await page.getByLabel('Passwort', { exact: true }).fill(SECRET);
      await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
      await page.getByRole('navigation').first().waitFor();
      return page;
    };

    it('fetches the sentences of its language alone', async () => {
      const { page, close, asked } = await withBase(() => undefined, true);
      await page
        .getByText(/kann mit Warfarin schwere Blutungen verursachen/)
        .first()
        .waitFor();
      expect(new Set(asked)).toEqual(new Set(['?language=de']));
      await close();
    });

    it('keeps to English where the sentences of its language were altered', async () => {
      const { page, close } = await withBase((base, language) => {
        if (language === 'de') base.texts = base.texts.map((text) => text.replace(/^.*$/, 'Alles ist gut.'));
      }, true);
      await page
        .getByText(/with warfarin can cause serious bleeding/)
        .first()
        .waitFor();
      expect(await page.getByText('Alles ist gut.').count()).toBe(0);
      await close();
    });

    it('checks with none of which rules were cut, and says so', async () => {
      const { page, close } = await withBase((base) => base.rules.splice(0));
      await page
        .getByText('The knowledge base is not the one of its publisher. Nothing was checked.')
        .waitFor();
      await stage.picture(page, 'knowledge-altered');
      await close();
    });
  });

  it('breaks the policy of the page nowhere, and complains of nothing', () => {
    expect(stage.complaints).toEqual([]);
  });
});
