import { join } from 'node:path';
import { build } from 'esbuild';
import { type Browser, chromium as driver, type Page } from 'playwright-core';
import { chromium } from '../support/chromium';
import { describeInBrowser, STAGE_TIMEOUT_MS } from './browser';

const CLIENT = join(__dirname, '../../libs/client/dist');
const ORIGIN = 'http://localhost:1';

/** Of the page. */
declare const page: any;

/** The built hooks, with a service in memory, in a page of React under StrictMode. */
describeInBrowser('the hooks for React', () => {
  let browser: Browser;
  let tab: Page;
  const complaints: string[] = [];
  beforeAll(async () => {
    const { outputFiles } = await build({
      entryPoints: [join(__dirname, 'page/react-app.js')],
      bundle: true,
      write: false,
      format: 'esm',
      define: { 'process.env.NODE_ENV': '"development"' },
      alias: Object.fromEntries(
        ['testing', 'react'].map((name) => [`@health-records/client/${name}`, join(CLIENT, `${name}.js`)]),
      ),
    });
    const { executablePath, env } = chromium()!;
    browser = await driver.launch({
      executablePath,
      args: ['--no-sandbox'],
      env: { ...process.env, ...env },
    });
    tab = await browser.newPage();
    tab.on('pageerror', ({ message }) => complaints.push(message));
    tab.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await tab.route(`${ORIGIN}/**`, (route) => {
      const isScript = route.request().url().endsWith('.js');
      const html =
        '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/app.js"></script>';
      return route.fulfill({
        contentType: isScript ? 'text/javascript' : 'text/html',
        body: isScript ? outputFiles[0].text : html,
      });
    });
    await tab.goto(ORIGIN);
  }, STAGE_TIMEOUT_MS);
  afterAll(() => browser?.close());

  const state = (text: string) => tab.locator('#state', { hasText: text }).waitFor();
  const names = () => tab.locator('#list li').allTextContents();

  it('renders on a server as a page without a session', async () => {
    expect(await tab.evaluate(() => page.html)).toContain('false signed-out signed-out  0');
  });

  it('resumes once under StrictMode', async () => {
    await state('true signed-out signed-out  0');
    expect(await tab.evaluate(() => page.counts.resumed)).toBe(1);
  });

  it('shows records, and reads them again after a write', async () => {
    await tab.evaluate(async () => {
      const registration = {
        email: 'ada@example.org',
        password: 'correct horse battery staple',
        recoveryPhrase: null,
      };
      await page.client.register({ ...registration, profile: { details: { name: 'Ada' } } });
      const [{ id }] = await page.client.profiles.list();
      page.profileId = id;
      page.setProfileId(id);
    });
    await state('true unlocked unlocked ada@example.org 0');
    await tab.locator('#reading', { hasText: 'false' }).waitFor();
    expect(await names()).toEqual([]);
    await tab.evaluate(() => {
      const { client, profileId } = page;
      return client.medications.create({
        profileId,
        route: 'oral',
        schedule: null,
        details: { name: 'Canarine' },
      });
    });
    await tab.locator('#list li', { hasText: 'Canarine' }).waitFor();
    const before = await tab.evaluate(() => page.counts.listed);
    await tab.evaluate(() =>
      page.client.profiles.create({ kind: 'pet', relationship: 'cat', details: { name: 'Tom' } }),
    );
    expect(await tab.evaluate(() => page.counts.listed)).toBe(before);
  });

  it('keeps nothing after a lock, also of a reading under way, and reads again after the unlock', async () => {
    await tab.evaluate(async () => {
      const { service, client, profileId } = page;
      service.intercept = ({ path, method }: { path: string; method: string }) =>
        path === '/api/medications' && method === 'GET'
          ? new Promise((resolve) => setTimeout(() => resolve(undefined), 300))
          : undefined;
      await client.medications.create({
        profileId,
        route: 'oral',
        schedule: null,
        details: { name: 'Canarine at night' },
      });
      client.lock();
    });
    await state('true locked locked ada@example.org 0');
    expect(await names()).toEqual([]);
    await tab.waitForTimeout(500);
    expect(await names()).toEqual([]);
    await tab.evaluate(() => {
      page.service.intercept = undefined;
      return page.client.unlock('correct horse battery staple');
    });
    await tab.locator('#list li', { hasText: 'at night' }).waitFor();
    expect(await names()).toEqual(['Canarine at night', 'Canarine']);
  });

  it('says why a reading failed', async () => {
    await tab.evaluate(() => {
      const { service, client, profileId } = page;
      service.intercept = ({ path, method }: { path: string; method: string }) =>
        path === '/api/medications' && method === 'GET'
          ? { status: 400, body: { error: 'No.', code: 'validation_failed', details: [], request_id: 'r' } }
          : undefined;
      return client.medications.create({
        profileId,
        route: 'oral',
        schedule: null,
        details: { name: 'Second' },
      });
    });
    await tab.locator('#error', { hasText: 'validation_failed' }).waitFor();
  });

  it('stops listening when it is gone, and the page complains of nothing', async () => {
    await tab.evaluate(() => page.root.unmount());
    const before = await tab.evaluate(() => page.counts.listed);
    await tab.evaluate(() => {
      page.service.intercept = undefined;
      const { client, profileId } = page;
      return client.medications.create({
        profileId,
        route: 'oral',
        schedule: null,
        details: { name: 'Third' },
      });
    });
    expect(await tab.evaluate(() => page.counts.listed)).toBe(before);
    expect(complaints).toEqual([]);
  });
});
