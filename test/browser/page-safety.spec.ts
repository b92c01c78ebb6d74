import { HealthRecordsClient, type Medication } from '@app/client';
import { memoryOfflineStore } from '@app/client/offline';
import type { BrowserContext, Page } from 'playwright-core';
import { ChangingMirror } from '../support/changing-mirror';
import { sql } from '../support/databases';
import { until } from '../support/until';
import { describeInBrowser, PageStage, STAGE_TIMEOUT_MS } from './page-stage';

/** Of the page, in functions that run there. */
declare const document: any, navigator: any, caches: any;

const PHONE = { width: 360, height: 740 };
const EMAIL = 'ada@example.org';
const SECRET = 'correct horse battery staple';
const DAY_MS = 86_400_000;

jest.setTimeout(STAGE_TIMEOUT_MS);

describeInBrowser('what the page keeps safe', () => {
  let stage: PageStage;
  let profile: BrowserContext;
  let page: Page;
  let elsewhere: HealthRecordsClient;
  let ada: string;
  let medicine: Medication;

  beforeAll(async () => {
    stage = await PageStage.start();
    elsewhere = new HealthRecordsClient({ baseUrl: stage.url });
    await elsewhere.register({ email: EMAIL, password: SECRET, recoveryPhrase: null });
    ada = (
      await elsewhere.profiles.create({
        kind: 'human',
        relationship: 'self',
        details: { name: 'Ada Canary' },
      })
    ).id;
    medicine = await elsewhere.medications.create({
      profileId: ada,
      route: 'oral',
      schedule: { timesPerDay: 1 },
      details: { name: 'Amlodipine', schedule: { times: ['11:00'] }, startDate: '2026-01-01' },
    });
    // So that the dose of this morning counts, although the medicine was entered after it.
    const yesterday = new Date(Date.now() - DAY_MS);
    await elsewhere.medications.logDose(medicine.id, { taken: true, loggedAt: yesterday });
    profile = await stage.profile();
    page = await stage.signIn(profile, EMAIL, SECRET);
  }, STAGE_TIMEOUT_MS);
  afterAll(() => stage?.stop());

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog');
  const unlock = async (tab = page) => {
    await tab.getByRole('heading', { name: 'Locked' }).waitFor();
    await tab.getByLabel('Password', { exact: true }).fill(SECRET);
    await tab.getByRole('button', { name: 'Unlock', exact: true }).click();
    await tab.getByRole('navigation', { name: 'Sections' }).waitFor();
  };

  /** The keys of the drafts on the device. @param erased the key of one to erase first. */
  const keptDrafts = (erased = '') =>
    page.evaluate(async (key) => {
      const done = (request: any) =>
        new Promise<any>((resolve) => (request.onsuccess = () => resolve(request.result)));
      const database = await done((globalThis as any).indexedDB.open('health-records-drafts'));
      const drafts = database.transaction('drafts', 'readwrite').objectStore('drafts');
      await done(drafts.delete(key));
      const keys = await done(drafts.getAllKeys());
      database.close();
      return keys as string[];
    }, erased);

  it('asks which of two doses of two devices is right, and takes the answer', async () => {
    const { id } = await elsewhere.medications.create({
      profileId: ada,
      route: 'oral',
      schedule: null,
      details: { name: 'Digoxin', strength: '0.0625 mg' },
    });
    const devices = [];
    for (const strength of ['0.125 mg', '0.25 mg']) {
      const device = new HealthRecordsClient({ baseUrl: stage.url, offline: memoryOfflineStore() });
      await device.login(EMAIL, SECRET);
      device.sync.stop();
      await device.sync.now();
      devices.push({ device, strength });
    }
    for (const { device, strength } of devices)
      await device.medications.update(await device.medications.get(id), { details: { strength } });
    // The second round tells the first device what the other has entered.
    for (const { device } of [...devices, ...devices]) await device.sync.now();
    for (const { device } of devices) await device.logout();

    await page.reload();
    await unlock();
    const other = page.getByRole('button', { name: /^Strength: 0\.125 mg \(/ });
    await other.waitFor();
    await page.getByRole('button', { name: /^Strength: 0\.25 mg \(/ }).waitFor();
    await stage.picture(page, 'question');
    await other.click();
    await other.waitFor({ state: 'detached' });
    await until('every device has the answer', async () => {
      const { details } = await elsewhere.medications.get(id);
      return details.strength === '0.125 mg';
    });
    await elsewhere.medications.delete(await elsewhere.medications.get(id));
  });

  it('asks about a reading and about allergies, on both devices', async () => {
    const { id } = await elsewhere.healthStats.create({
      profileId: ada,
      details: { metric: 'weight', values: { value: 70 }, unit: 'kg' },
    });
    const devices = [];
    for (const [value, text] of [
      [72.5, 'Penicillin'],
      [75.2, 'Wasps'],
    ] as const) {
      const device = new HealthRecordsClient({ baseUrl: stage.url, offline: memoryOfflineStore() });
      await device.login(EMAIL, SECRET);
      device.sync.stop();
      await device.sync.now();
      devices.push({ device, value, text });
    }
    for (const { device, value, text } of devices) {
      await device.healthStats.update(await device.healthStats.get(id), { details: { values: { value } } });
      const profile = await device.profiles.get(ada);
      await device.profiles.update(profile, { details: { allergies: [{ text }] } });
    }
    for (const { device } of [...devices, ...devices]) await device.sync.now();
    // An account has only so many sessions.
    for (const { device } of devices) await device.logout();

    await page.reload();
    await unlock();
    const second = await stage.signIn(await stage.profile(), EMAIL, SECRET);
    for (const tab of [page, second])
      for (const words of [
        /^72\.5.kg \(/,
        /^75\.2.kg \(/,
        /^Allergies: Penicillin \(/,
        /^Allergies: Wasps \(/,
      ])
        await tab.getByRole('button', { name: words }).waitFor();
    await page.getByText('Ada Canary, Weight:').waitFor();
    await stage.picture(page, 'question-reading');
    await page.getByRole('button', { name: /^72\.5.kg \(/ }).click();
    await page.getByRole('button', { name: /^75\.2.kg \(/ }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Allergies: Wasps \(/ }).click();
    await page.getByRole('button', { name: /^Allergies: Penicillin \(/ }).waitFor({ state: 'detached' });
    await until('every device has the answers', async () => {
      const { details } = await elsewhere.healthStats.get(id);
      const { allergies } = (await elsewhere.profiles.get(ada)).details;
      return details.values.value === 72.5 && JSON.stringify(allergies) === '[{"text":"Wasps"}]';
    });
    await second.reload();
    await unlock(second);
    await second.getByText('Amlodipine').first().waitFor();
    await second.getByRole('button', { name: /^75\.2.kg \(/ }).waitFor({ state: 'detached' });
    await second
      .getByRole('button', { name: /^Allergies: / })
      .first()
      .waitFor({ state: 'detached' });
    await second.context().close();
    await elsewhere.healthStats.delete(id);
  });

  it('takes the key of an unlocked tab, and locks with it', async () => {
    const second = await profile.newPage();
    stage.listen(second);
    await second.goto(`${stage.url}/app/today`);
    await second.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await button('Lock').click();
    await second.getByRole('heading', { name: 'Locked' }).waitFor();
    await second.close();
    await unlock();
  });

  it('reloads and unlocks without a network', async () => {
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await profile.setOffline(true);
    await page.reload();
    await unlock();
    await page.getByText('Amlodipine').first().waitFor();
    await profile.setOffline(false);
    await page.getByText('Offline. What you see is from').waitFor({ state: 'detached' });
  });

  it('puts a dose off, at another time where it is wanted, and keeps why one was skipped', async () => {
    await stage.open(page, '/app/today', 'Today');
    await page.getByRole('button', { name: /^Later: Amlodipine/ }).click();
    await button('Another time').first().click();
    await stage.picture(page, 'later-dialog');
    await dialog()
      .getByRole('button', { name: /^In 2 hours, at/ })
      .click();
    await page.getByText(/put off until/).waitFor();
    await stage.picture(page, 'today-put-off');
    await page.getByRole('button', { name: /^Another time: Amlodipine/ }).click();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await button('Lock').click();
    const readable = () =>
      page.evaluate(() =>
        JSON.stringify([(globalThis as any).localStorage, (globalThis as any).sessionStorage]),
      );
    expect(await readable()).toContain(EMAIL);
    expect(await readable()).not.toContain(medicine.id);
    await unlock();
    await page.getByText(/put off until/).waitFor();
    // As if the time had come.
    await keptDrafts('postponed');
    await page.reload();
    await unlock();
    await page.getByRole('button', { name: /^Skip: Amlodipine/ }).click();
    await page.getByRole('button', { name: /^Say why it was skipped: Amlodipine/ }).click();
    await stage.picture(page, 'skip-reason');
    await dialog().getByRole('button', { name: 'Side effects' }).click();
    await page.getByText('Skipped: Side effects').waitFor();
    await until('the reason is on the service, encrypted', async () => {
      const { details } = await elsewhere.medications.get(medicine.id);
      return JSON.stringify(details).includes('Side effects');
    });
    await page.getByRole('button', { name: /^Undo: Amlodipine/ }).click();
    await page.getByRole('button', { name: /^Taken: Amlodipine/ }).waitFor();
  });

  it('asks the service again when the person comes back to the page', async () => {
    const comeBack = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    const dose = await elsewhere.medications.logDose(medicine.id, { taken: true, loggedAt: new Date() });
    await comeBack();
    await page.getByRole('button', { name: /^Undo: Amlodipine/ }).waitFor();
    const second = await elsewhere.medications.logDose(medicine.id, { taken: true, loggedAt: new Date() });
    await comeBack();
    await page
      .getByText(/^Ada Canary, Amlodipine .*: noted twice, .* on another device and .*Was it given twice/)
      .waitFor();
    for (const { id } of [dose, second]) await elsewhere.medications.deleteDose(medicine.id, id);
    await comeBack();
    await page.getByRole('button', { name: /^Taken: Amlodipine/ }).waitFor();
  });

  it('keeps half-filled forms over a lock and a reload, and nothing of them in plain', async () => {
    const typed = 'Half-typed Canarin';
    await stage.open(page, '/app/cabinet/add', 'Add a medicine');
    await page.getByLabel('Name', { exact: true }).fill(typed);
    await page.getByLabel('Strength').fill('417.53 mg');
    await button('Lock').click();
    await unlock();
    const goOn = async (begun: string) => {
      await page.getByText(`You had begun: ${begun}.`).waitFor();
      // It is not poured into a new form.
      expect(await page.locator('main form input').count()).toBe(0);
      await button('Go on').click();
    };
    await goOn(`${typed} for Ada Canary`);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(typed);
    await page.reload();
    await unlock();
    await goOn(`${typed} for Ada Canary`);
    expect(await page.getByLabel('Strength').inputValue()).toBe('417.53 mg');
    await stage.open(page, '/app/visits/add', 'New visit');
    await page.getByLabel('What for').fill('Half-typed visit');
    await stage.open(page, '/app/measures', 'Measures');
    await button('Add a reading').click();
    await page.getByLabel('Measure').selectOption('weight');
    await page.getByLabel('Value').fill('71');
    // It is encrypted first.
    await until('the draft is stored', async () =>
      (await keptDrafts()).some((name) => name.startsWith('reading/')),
    );
    await page.reload();
    await unlock();
    await button('Add a reading').click();
    await goOn('Weight for Ada Canary');
    expect(await page.getByLabel('Value').inputValue()).toBe('71');
    await button('Close').click();
    await page.locator('.toast').getByText('What you had typed is dropped.').waitFor();
    await stage.open(page, '/app/visits/add', 'New visit');
    await goOn('Half-typed visit for Ada Canary');
    expect(await page.getByLabel('What for').inputValue()).toBe('Half-typed visit');
    const stored = await stage.stored(page);
    expect(stored.length).toBeGreaterThan(1000);
    expect(stored).toContain(EMAIL);
    // The knowledge base holds the names of medicines, so that one that is typed correctly proves nothing.
    for (const text of [typed, 'Half-typed visit', '417.53 mg']) expect(stored).not.toContain(text);
  });

  it('leaves the last button of a form free of messages on a phone', async () => {
    await page.setViewportSize(PHONE);
    await stage.open(page, '/app/measures', 'Measures');
    await button('Add a reading').click();
    await page.getByLabel('Value').fill('72.5');
    const save = button('Save the reading');
    await save.click();
    await page.locator('.toast').waitFor();
    await save.evaluate((element: any) => element.scrollIntoView({ block: 'end' }));
    await stage.picture(page, 'toast-phone');
    const isFree = await save.evaluate((element: any) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    expect(isFree).toBe(true);
  });

  it('says how full the account is, and warns in time', async () => {
    await stage.open(page, '/app/security', 'Security');
    await page.getByText(/\d records · .*\d.kB of 268.4.MB|\d of 1,000,000 records · /).waitFor();
    const answer = { records: 830, max_records: 1000, bytes: 12_345_678, max_bytes: 268_435_456 };
    await page.route('**/api/users/me/usage', (route) => route.fulfill({ json: answer }));
    await stage.open(page, '/app/more', 'More');
    await stage.open(page, '/app/security', 'Security');
    await page.getByText('830 of 1,000 records').waitFor();
    await page.getByText(/^Your account is 83% full\./).waitFor();
    await stage.picture(page, 'quota');
    await page.unroute('**/api/users/me/usage');
  });

  it('shows no older state as if it were the newest, says what to do, and does it', async () => {
    const { databaseUrl } = stage.service;
    const [before] = await sql<{ medicine: string; name_data: string; name_iv: string }>(
      databaseUrl,
      `SELECT m.encrypted_data::text AS medicine, p.name_data, p.name_iv
       FROM medications m JOIN profiles p ON p.id = m.profile_id
       WHERE m.id = '${medicine.id}'`,
    );
    medicine = await elsewhere.medications.update(await elsewhere.medications.get(medicine.id), {
      details: { name: 'Felodipine' },
    });
    await stage.open(page, '/app/security', 'Security');
    await button('Load again').click();
    await stage.open(page, '/app/cabinet', 'Cabinet');
    await page.getByRole('link', { name: /Felodipine/ }).waitFor();
    // The whole profile goes back: no record of the service contradicts another.
    await sql(
      databaseUrl,
      `UPDATE medications SET encrypted_data = '${before.medicine}', revision = revision + 1 WHERE id = '${medicine.id}'`,
    );
    await sql(
      databaseUrl,
      `UPDATE profiles SET name_data = '${before.name_data}', name_iv = '${before.name_iv}', revision = revision + 1
       WHERE id = '${ada}'`,
    );
    await page.reload();
    await unlock();
    // What this device had stays, and is still shown as the newest.
    await page.getByRole('link', { name: /Felodipine/ }).waitFor();
    expect(await page.getByText('Amlodipine').count()).toBe(0);
    await stage.open(page, '/app/security', 'Security');
    await button('Load again').click();
    await page.getByText('2 entries need your decision. Look at them.').waitFor();
    await page.getByText('The service returned an older state').first().waitFor();
    await stage.picture(page, 'rolled-back');
    const theirs = page.getByRole('button', { name: 'Take what the service shows' });
    expect(await theirs.count()).toBe(2);
    await theirs.first().click();
    await page.getByText('One entry needs your decision. Look at it.').waitFor();
    await theirs.first().click();
    await theirs.waitFor({ state: 'detached' });
    await stage.open(page, '/app/cabinet', 'Cabinet');
    await page.getByRole('link', { name: /Amlodipine/ }).waitFor();
    await until('every device has the state that was chosen', async () => {
      const [found] = await elsewhere.medications.list({}, { onUnreadable: () => undefined });
      return found?.details.name === 'Amlodipine' && found.lineage.generation > 2;
    });
  });

  it('reminds without names until it is answered, also from a locked page', async () => {
    await profile.grantPermissions(['notifications']);
    const tab = await profile.newPage();
    stage.listen(tab);
    await tab.addInitScript(() => {
      const scope = globalThis as any;
      scope.reminded = [];
      scope.badges = [];
      scope.ServiceWorkerRegistration.prototype.showNotification = (
        title: string,
        options: { body: string },
      ) => Promise.resolve(void scope.reminded.push(`${title}: ${options.body}`));
      navigator.setAppBadge = (count: number) => Promise.resolve(void scope.badges.push(count));
    });
    await tab.clock.install();
    await tab.goto(`${stage.url}/app/settings`);
    await tab.getByRole('heading', { level: 1, name: 'Look and language' }).waitFor();
    const said = () => tab.evaluate(() => (globalThis as any).reminded as string[]);
    expect(await said()).toEqual([]);
    await tab.getByLabel('Lock after').selectOption('1');
    await stage.open(tab, '/app/reminders', 'Reminders');
    await tab.getByLabel('Remind me when something is due').check();
    await until('it is said', async () => (await said()).length === 1);
    expect(await said()).toEqual(['Health Records: One medicine is due.']);
    expect(await tab.evaluate(() => (globalThis as any).badges.at(-1))).toBe(1);
    await tab.clock.fastForward('05:00');
    await tab.getByRole('heading', { name: 'Locked' }).waitFor();
    expect(await said()).toHaveLength(1);
    await tab.clock.fastForward('06:00');
    await until('it is said again', async () => (await said()).length === 2);
    expect((await said()).join()).not.toContain('Amlodipine');
    await tab.close();
  });

  it('opens the demo family again without a password, and erases it with one press', async () => {
    const context = await stage.profile();
    const tab = await context.newPage();
    stage.listen(tab);
    await tab.clock.install();
    await tab.goto(stage.url);
    await tab.getByRole('button', { name: 'Look around with a demo family' }).click();
    const banner = tab.getByText('Demo family. Nothing here is real.');
    await banner.waitFor();
    await tab.reload();
    await banner.waitFor();
    const isLocked = () => tab.evaluate(() => Boolean((globalThis as any).wasLocked));
    await tab.evaluate(() => {
      const scope = globalThis as any;
      new scope.MutationObserver(() => {
        if (document.querySelector('main.account')) scope.wasLocked = true;
      }).observe(document.body, { childList: true, subtree: true });
    });
    await tab.clock.fastForward('16:00');
    await until('it was locked', isLocked);
    await banner.waitFor();
    await tab.getByRole('button', { name: 'Lock' }).click();
    await tab.getByRole('button', { name: 'Open the demo family' }).click();
    await banner.waitFor();
    const demo = await tab.evaluate(
      () =>
        JSON.parse((globalThis as any).localStorage.getItem('health-records/page/demo')) as {
          email: string;
          secret: string;
        },
    );
    await stage.picture(tab, 'demo');
    await tab.getByRole('button', { name: 'Erase the demo family' }).click();
    await tab.getByRole('link', { name: 'I have an account' }).waitFor();
    // The first screen is there as soon as the session has ended, a moment before the password goes.
    await until('the password is gone', async () => !(await stage.stored(tab)).includes(demo.secret));
    const client = new HealthRecordsClient({ baseUrl: stage.url });
    await expect(client.login(demo.email, demo.secret)).rejects.toMatchObject({ code: 'password_wrong' });
    await context.close();
  });

  it('uses a new version only when the person says so, and then in whole', async () => {
    const mirror = await ChangingMirror.start(stage.url);
    const context = await stage.profile();
    try {
      const tab = await context.newPage();
      stage.listen(tab);
      await tab.goto(`${mirror.url}/app/sign-in`);
      await tab.getByLabel('Email').fill(EMAIL);
      await tab.getByLabel('Password', { exact: true }).fill(SECRET);
      await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
      await tab.getByRole('navigation', { name: 'Sections' }).waitFor();
      await tab.waitForFunction(() => navigator.serviceWorker.controller !== null);
      mirror.isNew = true;
      await tab.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
      await tab.getByText('A new version of this page is ready.').waitFor();
      const waits = () =>
        tab.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration()).waiting));
      expect(await waits()).toBe(true);
      await stage.picture(tab, 'update');
      await tab.getByRole('button', { name: 'Reload' }).click();
      await unlock(tab);
      expect(await waits()).toBe(false);
      const versions = await tab.evaluate(
        async () =>
          (await caches.keys()).filter((name: string) => name.includes('precache')).length as number,
      );
      expect(versions).toBe(1);
    } finally {
      await context.close();
      await mirror.stop();
    }
  });

  it('says that the browser stores nothing, where it refuses that', async () => {
    const context = await stage.profile();
    try {
      await context.addInitScript(() =>
        Object.defineProperty(globalThis, 'localStorage', {
          get: () => {
            throw new DOMException('Access is denied for this document.', 'SecurityError');
          },
        }),
      );
      const tab = await context.newPage();
      await tab.goto(stage.url);
      await tab.getByText('This browser does not let the page keep anything').waitFor();
      await stage.picture(tab, 'storage-refused');
    } finally {
      await context.close();
    }
  });

  it('breaks the policy of the page nowhere, and complains of nothing', () => {
    expect(stage.complaints).toEqual([]);
  });
});
