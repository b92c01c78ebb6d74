import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium as driver } from 'playwright-core';
import { startPostgres } from '../bench/lib/postgres.mjs';
import { startUnlimitedService } from '../bench/lib/processes.mjs';
import browserOfTests from '../support/chromium.js';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];

/** The built service with an empty database, and a browser. `stop` ends both. */
export async function startPageStage(flags = []) {
  const scratch = mkdtempSync(join(tmpdir(), 'hrs-page-'));
  const postgres = await startPostgres();
  const service = await startUnlimitedService(postgres.url, '2000', join(scratch, 'log'));
  const { executablePath, env } = browserOfTests.chromium();
  const browser = await driver.launch({
    executablePath,
    args: [...FLAGS, ...flags],
    env: { ...process.env, ...env },
  });
  return {
    url: service.url,
    browser,
    stop: async () => {
      await browser.close();
      await service.stop();
      await postgres.stop();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}
