import { ServiceConfig } from '@app/config';
import { dataSourceOptions } from '@app/database';
import { DataSource } from 'typeorm';
import { ENTITIES } from './apps/api/src/database-schema';

/** For TypeORM's command line: `DATABASE_URL=… npx typeorm migration:show -d dist/ormconfig.js`. */
const config = new ServiceConfig();
if (!config.databaseUrl) throw new Error('Set DATABASE_URL to the database to work on.');

export default new DataSource(dataSourceOptions(config, config.databaseUrl, ENTITIES));
