import { Client } from 'pg';
import { createDatabase, dropDatabase } from '../support/databases';
import {
  connectionOptions,
  type ConnectionSettings,
  dataSourceOptions,
  longReadOptions,
} from '../../libs/database/src/connection/data-source-options';
import { BASE_SCHEMA } from '../../libs/database/src/schema/schema';

const CONFIG: ConnectionSettings = { databasePoolSize: 10, databasePrepared: true, databasePartitions: 4 };
const PARAMETERS = new URLSearchParams({
  options: '-c work_mem=5MB -c TimeZone=Asia/Tokyo',
  lock_timeout: '3000',
  application_name: 'another',
});

let databaseUrl: string;
beforeAll(async () => (databaseUrl = await createDatabase(false)));
afterAll(() => dropDatabase(databaseUrl));

/** What a session has that is opened with these. */
async function settingsOf(options: ConstructorParameters<typeof Client>[0]): Promise<Record<string, string>> {
  const client = new Client(options);
  await client.connect();
  const { rows } = await client.query<Record<string, string>>(
    `SELECT current_setting('work_mem') AS work_mem, current_setting('TimeZone') AS zone,
      current_setting('lock_timeout') AS lock_timeout, current_setting('health_records.partitions') AS partitions,
      current_setting('application_name') AS application, current_setting('statement_timeout') AS statement_timeout,
      current_setting('max_parallel_workers_per_gather') AS workers`,
  );
  await client.end();
  return rows[0];
}

describe('a database URL with parameters', () => {
  const options = () => dataSourceOptions(CONFIG, `${databaseUrl}?${PARAMETERS.toString()}`, BASE_SCHEMA);

  it('adds to the settings of the service, and changes what may be changed', async () => {
    expect(await settingsOf(connectionOptions(options()))).toMatchObject({
      work_mem: '5MB',
      zone: 'UTC',
      lock_timeout: '3s',
      partitions: '4',
      application: 'another',
    });
  });

  it('lets no long read take long, whatever the URL says', async () => {
    const url = `${databaseUrl}?statement_timeout=60000`;
    const settings = await settingsOf(longReadOptions(dataSourceOptions(CONFIG, url, BASE_SCHEMA)));
    expect(settings).toMatchObject({ statement_timeout: '5s', workers: '0', partitions: '4' });
  });

  it('is left as it is where nothing of it is in the way', () => {
    const url = 'postgres://a:%40b+c@/health?host=/run/pg&sslmode=require';
    expect(longReadOptions(dataSourceOptions(CONFIG, url, BASE_SCHEMA)).connectionString).toBe(url);
  });
});
