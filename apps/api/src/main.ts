import 'reflect-metadata';
import { ConfigError, ServiceConfig } from '@app/config';
import { createApp } from './configure-app';

async function main(): Promise<void> {
  const config = new ServiceConfig();
  const app = await createApp(config);
  app.enableShutdownHooks();
  await app.listen(config.port, config.host);
  process.stdout.write(`Health Records Service is ready at ${await app.getUrl()} - its documentation at /api/docs\n`);
}

main().catch((error: unknown) => {
  const isOperatorsToMend = error instanceof ConfigError || (error as Error).name === 'DataDirectoryInUseError';
  process.stderr.write(`${isOperatorsToMend ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`);
  process.exit(1);
});
