import { Api, type CheckedService, TEST_SETTINGS } from '@app/testing';
import type { TIMEOUTS } from '../../apps/api/src/configure-app';

/** The settings of tests: as the service's own, but quick and quiet. */
export const TEST_ENVIRONMENT = TEST_SETTINGS;

export type SharedService = CheckedService;

export interface TestService extends SharedService {
  /** Stops the service and drops its database. */
  stop(): Promise<void>;
}

/**
 * The service that all test files of a worker share, on a free port, over a real connection. It has no settings of its
 * own, and its database holds what other files have stored: for tests that look at the accounts which they have made.
 */
export async function sharedService(): Promise<SharedService> {
  const { url, databaseUrl } = await askHost('/shared', {});
  return { api: new Api(url), databaseUrl };
}

/**
 * A service with these settings, on a database of its own unless `DATABASE_URL` is given. It runs in a process beside
 * the test's, see service-host.js.
 */
export async function startService(
  environment: Record<string, string> = {},
  timeouts?: typeof TIMEOUTS,
): Promise<TestService> {
  const { url, databaseUrl } = await askHost('/start', { environment, timeouts });
  const stop = async () => void (await askHost('/stop', { url }));
  return { api: new Api(url), databaseUrl, stop };
}

/** Lets the clock of a service stand still at this time, or go again without one. */
export async function setClock({ api }: SharedService, time?: string): Promise<void> {
  await askHost('/clock', { url: api.url, time });
}

/** Deletes now what the service would delete within the hour. */
export async function keepHouse({ api }: SharedService): Promise<void> {
  await askHost('/housekeeping', { url: api.url });
}

async function askHost(path: string, body: object): Promise<{ url: string; databaseUrl: string }> {
  const hosts = process.env.TEST_SERVICE_HOSTS!.split(' ');
  const host = hosts[(Number(process.env.JEST_WORKER_ID) - 1) % hosts.length];
  const answer = await fetch(host + path, { method: 'POST', body: JSON.stringify(body) });
  const result = (await answer.json()) as { url: string; databaseUrl: string; message: string };
  if (!answer.ok) throw new Error(result.message);
  return result;
}
