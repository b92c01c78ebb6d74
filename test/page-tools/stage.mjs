import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium as driver } from 'playwright-core';
import { startPostgres } from '../bench/lib/postgres.mjs';
import { startService } from '../bench/lib/processes.mjs';
import browserOfTests from '../support/chromium.js';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];

/** The built service with an empty database, and a browser. `stop` ends both. */
export async function startPageStage(flags = []) {
  const scratch = mkdtempSync(join(tmpdir(), 'hrs-page-'));
  const postgres = await startPostgres();
  const service = await startService(
    'service',
    {
      NODE_ENV: 'development',
      DATABASE_URL: postgres.url,
      JWT_SECRET: randomBytes(32).toString('hex'),
      DECOY_SECRET: randomBytes(32).toString('hex'),
      PASSWORD_HASH_ITERATIONS: '2000',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    },
    join(scratch, 'log'),
  );
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
