import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { anEmail } from '../support/factories';
import { packClient, runIn } from '../support/packed-service';
import { describeInBrowser, Stage, STAGE_TIMEOUT_MS } from './browser';

const EXAMPLE = join(__dirname, '../../examples/web-minimal');
const PASSWORD = 'correct horse battery staple';

/** The example as somebody else has it: on the packed client alone, with no other package. */
describeInBrowser('the smallest page, on the packed client', () => {
  let stage: Stage;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hrs-web-minimal-'));
    cpSync(EXAMPLE, folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
    const { tarball } = await packClient(folder);
    const installed = join(folder, 'node_modules/@health-records/client');
    mkdirSync(installed, { recursive: true });
    await runIn(folder, 'tar', '-xzf', tarball, '--strip-components=1', '-C', installed);
    stage = await Stage.start(folder);
  }, STAGE_TIMEOUT_MS);
  afterAll(async () => {
    await stage?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(page: Page): Promise<void> {
    await page.goto(`${stage.origin}/example/index.html?service=${encodeURIComponent(stage.proxy.url)}`);
  }
  const shown = (page: Page) => page.locator('#list li').allTextContents();

  it('makes an account, keeps a medicine, locks, and opens it again after a reload', async () => {
    const profile = await stage.profile();
    const page = await profile.newPage();
    page.on('pageerror', (error) => stage.complaints.push(error.message));
    await open(page);
    await page.fill('#sign-in [name=email]', anEmail());
    await page.fill('#sign-in [name=password]', 'password1');
    await page.click('button[value=register]');
    await page.locator('#message', { hasText: 'secret_weak' }).waitFor();
    await page.fill('#sign-in [name=email]', anEmail());
    await page.fill('#sign-in [name=password]', PASSWORD);
    await page.click('button[value=register]');
    await page.waitForSelector('#cabinet:not([hidden])');
    await page.fill('#add [name=name]', 'Quendelin <b>5 mg</b>');
    await page.click('#add button');
    await page.waitForSelector('#list li');
    expect(await shown(page)).toEqual(['Quendelin <b>5 mg</b>']);

    // A second tab takes the keys of the first.
    const second = await profile.newPage();
    await open(second);
    await second.waitForSelector('#list li');
    // A lock in one tab locks both.
    await second.click('#lock');
    await page.waitForSelector('#unlock:not([hidden])');
    expect(await shown(page)).toEqual([]);
    await second.close();

    await page.reload();
    await page.waitForSelector('#unlock:not([hidden])');
    await page.fill('#unlock [name=password]', PASSWORD);
    await page.click('#unlock button');
    await page.waitForSelector('#list li');
    expect(await shown(page)).toEqual(['Quendelin <b>5 mg</b>']);
    await page.click('#logout');
    await page.waitForSelector('#sign-in:not([hidden])');
    expect(stage.proxy.requests.filter(({ text }) => /Quendelin/i.test(text))).toEqual([]);
    expect(stage.complaints).toEqual([]);
  });
});
