import { ServiceConfig } from '@app/config';
import type { Extensions } from '@app/extension';
import { startTestService, type TestService as AnyTestService } from '@app/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp, type TIMEOUTS } from '../../apps/api/src/configure-app';
import { composeService } from '../../apps/api/src/domains';
import { createDatabase, dropDatabase, runCluster, settingsOfServer } from './databases';

export type ServiceHere = AnyTestService<NestFastifyApplication>;

/**
 * Starts the service in the process of the test, for tests that look into the application, replace a part of it or
 * extend it. All others start it by `startService`, which takes two seconds less of a processor for each file.
 */
export async function startServiceHere(
  environment: Record<string, string> = {},
  timeouts?: typeof TIMEOUTS,
  extension?: Extensions,
): Promise<ServiceHere> {
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
