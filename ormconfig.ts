import { serviceDataSource } from './apps/api/src/data-source';

/** For TypeORM's command line: `DATABASE_URL=… npx typeorm migration:show -d dist/ormconfig.js`. */
export default serviceDataSource();
