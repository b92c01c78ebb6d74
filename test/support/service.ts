import { startTestService, TEST_SETTINGS, type TestService as AnyTestService } from '@app/testing';
import { ServiceConfig } from '@app/config';
import type { Extensions } from '@app/extension';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp, type TIMEOUTS } from '../../apps/api/src/configure-app';
import { composeService } from '../../apps/api/src/domains';
import { createDatabase, dropDatabase, runCluster, settingsOfServer } from './databases';

/** The settings of tests: as the service's own, but quick and quiet. */
export const TEST_ENVIRONMENT = TEST_SETTINGS;

export type TestService = AnyTestService<NestFastifyApplication>;

/** The whole service on a free port, over a real connection, on a database of its own. */
export async function startService(
  environment: Record<string, string> = {},
  timeouts?: typeof TIMEOUTS,
  extension?: Extensions,
): Promise<TestService> {
  const databaseUrl = environment.DATABASE_URL ?? (await createDatabase());
  const startApp = async (settings: Record<string, string>) => {
    const environment = { ...settings, ...(await settingsOfServer(databaseUrl)) };
    const config = new ServiceConfig(environment, composeService(extension).settings);
    return createApp(config, extension, timeouts);
  };
  const given = { ...environment, DATABASE_URL: databaseUrl };
  const service = await startTestService(runCluster(), startApp, given);
  const stop = async () => {
    await service.stop();
    if (!environment.DATABASE_URL) await dropDatabase(databaseUrl);
  };
  return { ...service, stop };
}
