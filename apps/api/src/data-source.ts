import { ConfigError, ServiceConfig } from '@app/config';
import { createDataSource } from '@app/database';
import type { Extensions } from '@app/extension';
import { composeService } from './domains';

/**
 * Creates a data source, not yet connected, with the tables and migrations of the service and of the
 * extension. It is made for TypeORM's command line and for tools.
 *
 * @throws ConfigError without `DATABASE_URL`.
 */
export function serviceDataSource(extension?: Extensions): ReturnType<typeof createDataSource> {
  const { schema, settings } = composeService(extension);
  const config = new ServiceConfig(undefined, settings);
  if (!config.databaseUrl) throw new ConfigError('Set DATABASE_URL to the database to work on.');
  return createDataSource(config, config.databaseUrl, schema);
}
