import type { Browser, Locator, Page } from 'playwright-core';
import { type BuiltService, startBuiltService } from '../support/built-service';
import { createDatabase, dropDatabase } from '../support/databases';
import { anAccount } from '../support/factories';
import { describeInBrowser, launchBrowser, STAGE_TIMEOUT_MS } from './browser';

/** The page of the documentation, of the built service: it sends the source text of two functions. */
describeInBrowser('Swagger UI', () => {
  let databaseUrl: string;
  let service: BuiltService;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  beforeAll(async () => {
    databaseUrl = await createDatabase();
    service = await startBuiltService({ DATABASE_URL: databaseUrl });
    browser = await launchBrowser();
  }, STAGE_TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
    await service?.end();
    await dropDatabase(databaseUrl);
  });
  beforeEach(async () => {
    page = await browser.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      const isRefusal = message.text().startsWith('Failed to load resource: the server responded');
      if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
    });
    await page.goto(`${service.api.url}/api/docs`);
    await page.locator('.opblock').first().waitFor();
  }, STAGE_TIMEOUT_MS);
  afterEach(async () => {
    await page.close();
    expect(complaints).toEqual([]);
  });

  /** Opens an operation by its id, as `Medications.create`. Swagger UI escapes the dot. */
  async function open(operationId: string): Promise<Locator> {
    const operation = page.locator(`[id$="${operationId.replace('.', '\\\\.')}"].opblock`);
    await operation.locator('.opblock-summary-control').first().click();
    await operation.locator('.execute').waitFor();
    return operation;
  }

  /** Sends an operation as the page shows it. @returns the status of its answer. */
  async function send(operation: Locator): Promise<string> {
    await operation.locator('.execute').click();
    const status = operation.locator('.live-responses-table .response-col_status').last();
    await status.waitFor();
    return (await status.innerText()).trim();
  }

  it(
    'carries the token and the ids of answers to the next operations',
    async () => {
      const register = await open('Auth.register');
      // The example never collides.
      expect(await send(register)).toBe('201');
      expect(await send(register)).toBe('201');
      expect(await send(await open('Auth.login'))).toBe('200');
      const createProfile = await open('Profiles.create');
      expect(await send(createProfile)).toBe('201');
      expect(await send(createProfile)).toBe('201');
      expect(await send(await open('Medications.create'))).toBe('201');
      expect(await send(await open('Doses.logDose'))).toBe('201');
      expect(await send(await open('Doses.adherence'))).toBe('200');
      expect(await send(await open('Doses.delete'))).toBe('204');
      const update = await open('Medications.update');
      expect(await send(update)).toBe('200');
      // What the page shows is what it has sent.
      expect(await update.locator('.request-url').innerText()).not.toContain('01994c5e');
      expect(await send(await open('Auth.refresh'))).toBe('200');
      expect(await send(await open('Users.me'))).toBe('200');
    },
    STAGE_TIMEOUT_MS,
  );

  it(
    'takes a token that is pasted with or without "Bearer"',
    async () => {
      const { token } = await anAccount(service.api);
      const me = await open('Users.me');
      for (const prefix of ['', 'Bearer ', ' bearer  ']) {
        await page.locator('.btn.authorize').first().click();
        await page.locator('.auth-container input').fill(`${prefix}${token}`);
        await page.locator('.auth-btn-wrapper .authorize').click();
        await page.locator('.auth-btn-wrapper .btn-done').click();
        expect([prefix, await send(me)]).toEqual([prefix, '200']);
        await me.locator('.btn-clear').click();
        await page.locator('.btn.authorize').first().click();
        await page.locator('.auth-btn-wrapper button', { hasText: 'Logout' }).click();
        await page.locator('.auth-btn-wrapper .btn-done').click();
        expect([prefix, await send(me)]).toEqual([prefix, '401']);
        await me.locator('.btn-clear').click();
      }
    },
    STAGE_TIMEOUT_MS,
  );

  it(
    'shows the beginning of the knowledge base, which is too long for the page',
    async () => {
      const operation = await open('Interactions.knowledgeBase');
      expect(await send(operation)).toBe('200');
      const shown = await operation.locator('.live-responses-table .highlight-code').first().innerText();
      expect(shown).toMatch(/"not_shown": "This answer has \d{7} characters/);
      expect(shown.length).toBeLessThan(10_000);
      // The page still works.
      expect(await send(await open('Auth.prelogin'))).toBe('200');
    },
    STAGE_TIMEOUT_MS,
  );
});
