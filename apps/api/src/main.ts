import 'reflect-metadata';
import { ConfigError, ServiceConfig } from '@app/config';
import { DataDirectoryInUseError } from '@app/database';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from './configure-app';

async function main(): Promise<void> {
  const config = new ServiceConfig();
  const app = await createApp(config);
  closeOnSignal(app);
  await app.listen(config.port, config.host);
  process.stdout.write(
    `Health Records Service is ready at ${await app.getUrl()} - its documentation at /api/docs\n`,
  );
}

/** The first signal lets requests in flight finish and ends the embedded database; a second one does not wait. */
function closeOnSignal(app: NestFastifyApplication): void {
  let closing = false;
  const close = () => {
    if (closing) process.exit(1);
    closing = true;
    app.close().then(() => process.exit(), fail);
  };
  process.on('SIGTERM', close);
  process.on('SIGINT', close);
}

function fail(error: unknown): never {
  // An operator can mend these two by what their sentence says; for all else the place in the code matters.
  const isForOperator = error instanceof ConfigError || error instanceof DataDirectoryInUseError;
  const { message, stack } = error as Error;
  process.stderr.write(`${isForOperator ? message : (stack ?? String(error))}\n`);
  process.exit(1);
}

main().catch(fail);
