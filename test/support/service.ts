import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ServiceConfig } from '@app/config';
import { createApp, type TIMEOUTS } from '../../apps/api/src/configure-app';
import { Api } from './api';
import { createDatabase, dropDatabase, throughPgBouncer } from './databases';

/** The settings of tests: as the service's own, but quick and quiet. */
export const TEST_ENVIRONMENT = {
  NODE_ENV: 'test',
  PORT: '0',
  JWT_SECRET: 'a secret of the tests, at least 32 bytes',
  DECOY_SECRET: 'another secret of the tests, as long as that',
  PASSWORD_HASH_ITERATIONS: '1',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'silent',
};

export interface TestService {
  app: NestFastifyApplication;
  api: Api;
  databaseUrl: string;
  /** Ends the service and drops its database. */
  stop(): Promise<void>;
}

/** The whole service on a free port, over a real connection, on a database of its own. */
export async function startService(
  environment: Record<string, string> = {},
  timeouts?: typeof TIMEOUTS,
): Promise<TestService> {
  const databaseUrl = environment.DATABASE_URL ?? (await createDatabase());
  const settings = { ...TEST_ENVIRONMENT, DATABASE_URL: databaseUrl, ...environment };
  const config = new ServiceConfig({ ...settings, ...(await throughPgBouncer(databaseUrl)) });
  const app = await createApp(config, timeouts);
  await app.listen(0, '127.0.0.1');
  const api = new Api(await app.getUrl());
  const stop = async () => {
    await app.close();
    if (!environment.DATABASE_URL) await dropDatabase(databaseUrl);
  };
  return { app, api, databaseUrl, stop };
}
