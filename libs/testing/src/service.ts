import type { INestApplication } from '@nestjs/common';
import { Api } from './api';
import type { TestCluster } from './databases';

/** The settings of tests: a fast password hash, no rate limits and no log. Others keep their defaults. */
export const TEST_SETTINGS = {
  NODE_ENV: 'test',
  PORT: '0',
  WEB_ORIGIN: 'http://localhost',
  JWT_SECRET: 'a secret of the tests, at least 32 bytes',
  DECOY_SECRET: 'another secret of the tests, as long as that',
  SECOND_STEP_SECRET: 'a third secret of the tests, for second steps',
  VAPID_PRIVATE_KEY: 'DCJ-2B5tUJsTt2GRwOUWg1EGKjAs6oiJ34eY7X037ZE',
  PASSWORD_HASH_ITERATIONS: '1',
  RATE_LIMITS: 'off',
  // Nobody listens there: a test sends nothing to the internet.
  PUSH_SERVICES: '127.0.0.1:9',
  LOG_LEVEL: 'silent',
};

/** A service of a test, on a database of its own. */
export interface TestService<App extends INestApplication = INestApplication> {
  app: App;
  api: Api;
  databaseUrl: string;
  /** Stops the service and drops its database. */
  stop(): Promise<void>;
}

/**
 * Makes the application for these settings, ready to listen:
 * `(settings) => createApp(new ServiceConfig(settings, [YOUR_SETTINGS]), YOUR_EXTENSION)`.
 */
export type StartApp<App extends INestApplication = INestApplication> = (
  settings: Record<string, string>,
) => Promise<App>;

/**
 * Starts the whole service in this process, on a free port of loopback, with a separate database.
 *
 * @param settings in addition to {@link TEST_SETTINGS}, for example `{ QUOTA_RECORDS: '20' }`. A
 *   database given as `DATABASE_URL` is used unchanged and not dropped.
 */
export async function startTestService<App extends INestApplication>(
  cluster: TestCluster,
  startApp: StartApp<App>,
  settings: Record<string, string> = {},
): Promise<TestService<App>> {
  const databaseUrl = settings.DATABASE_URL ?? (await cluster.createDatabase());
  const app = await startApp({ ...TEST_SETTINGS, DATABASE_URL: databaseUrl, ...settings });
  await app.listen(0, '127.0.0.1');
  const stop = async () => {
    await app.close();
    if (!settings.DATABASE_URL) await cluster.dropDatabase(databaseUrl);
  };
  return { app, api: new Api(await app.getUrl()), databaseUrl, stop };
}

/**
 * Starts the service once to migrate a template database. Each database of the cluster
 * is then a copy of the template.
 */
export function makeServiceTemplate(
  cluster: TestCluster,
  startApp: StartApp,
  settings: Record<string, string> = {},
): Promise<void> {
  return cluster.makeTemplate(async (databaseUrl) => {
    const app = await startApp({ ...TEST_SETTINGS, ...settings, DATABASE_URL: databaseUrl });
    await app.close();
  });
}
