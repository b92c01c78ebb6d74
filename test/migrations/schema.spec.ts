import { randomUUID } from 'node:crypto';
import { createDataSource, findSchemaFaults } from '@app/database';
import { composeService } from '../../apps/api/src/domains';
import { createDatabase, dropDatabase, sql } from '../support/databases';

const connect = (url: string, databasePartitions = 0) =>
  createDataSource(
    { databasePoolSize: 2, databasePrepared: true, databasePartitions },
    url,
    composeService().schema,
  ).initialize();

/** All that makes a schema, as text, in an order that does not depend on how it came about. */
async function describeSchema(url: string): Promise<string[]> {
  const rows = await sql<{ line: string }>(
    url,
    `SELECT format('column %s.%s %s %s %s', table_name, column_name, data_type || coalesce('(' || datetime_precision || ')', ''),
        is_nullable, column_default) AS line
      FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT format('index %s', indexdef) FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT format('trigger %s', pg_get_triggerdef(oid)) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT format('function %s %s', oid::regprocedure, prosrc) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT format('table %s %s %s', relname, relkind, relpersistence) FROM pg_class
      WHERE relnamespace = 'public'::regnamespace`,
  );
  return rows.map(({ line }) => line).sort();
}

describe('the migrations', () => {
  let url: string;
  beforeEach(async () => (url = await createDatabase(false)));
  afterEach(() => dropDatabase(url));

  it.each([0, 4])(
    'go up, down and up again, with %i partitions, and leave nothing behind',
    async (partitions) => {
      const dataSource = await connect(url, partitions);
      const migrations = await dataSource.runMigrations();
      expect(migrations.length).toBe(dataSource.migrations.length);
      const up = await describeSchema(url);
      expect(up.length).toBeGreaterThan(100);
      for (let count = migrations.length; count > 0; count--) await dataSource.undoLastMigration();
      const left = (await describeSchema(url)).filter((line) => !/\bmigrations(_|\b)/.test(line));
      expect(left).toEqual([]);
      await dataSource.runMigrations();
      expect(await describeSchema(url)).toEqual(up);
      await dataSource.destroy();
    },
  );

  it('are run once, however often they are asked to', async () => {
    const dataSource = await connect(url);
    expect(await dataSource.runMigrations()).not.toEqual([]);
    expect(await dataSource.runMigrations()).toEqual([]);
    await dataSource.destroy();
  });
});

describe('the migrated schema', () => {
  let url: string;
  beforeAll(async () => (url = await createDatabase()));
  afterAll(() => dropDatabase(url));

  it('is what the entities say: there is nothing to change', async () => {
    const dataSource = await connect(url);
    const faults = await findSchemaFaults(dataSource);
    await dataSource.destroy();
    expect(faults).toEqual([]);
  });

  it('has an entity for every column of a table that has an entity', async () => {
    const dataSource = await connect(url);
    const known = dataSource.entityMetadatas.flatMap(({ tableName, columns }) =>
      columns.map(({ databaseName }) => `${tableName}.${databaseName}`),
    );
    const tables = dataSource.entityMetadatas.map(({ tableName }) => tableName);
    await dataSource.destroy();
    const rows = await sql<{ name: string }>(
      url,
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name = ANY ($1)`,
      [tables],
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(known.sort());
  });

  it('begins every primary key under an account with the account', async () => {
    const rows = await sql<{ table_name: string; first_column: string; has_account: boolean }>(
      url,
      `SELECT i.indrelid::regclass::text AS table_name, a.attname AS first_column,
          EXISTS (SELECT 1 FROM pg_attribute o WHERE o.attrelid = i.indrelid AND o.attname = 'account_id') AS has_account
        FROM pg_index i
        JOIN pg_class c ON c.oid = i.indrelid AND c.relnamespace = 'public'::regnamespace
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
        WHERE i.indisprimary ORDER BY 1`,
    );
    // The way in by email lives by the email.
    const under = rows.filter(
      ({ has_account, table_name }) => has_account && !/^logins(_\d+)?$/.test(table_name),
    );
    expect(under.filter(({ first_column }) => first_column !== 'account_id')).toEqual([]);
    expect(under.map(({ table_name }) => table_name)).toEqual(
      expect.arrayContaining([
        'appointments',
        'doses',
        'health_stats',
        'medications',
        'profiles',
        'sessions',
      ]),
    );
    const outside = rows.filter(({ has_account }) => !has_account).map(({ table_name }) => table_name);
    expect(outside.filter((name) => !/^accounts(_\d+)?$/.test(name))).toEqual([
      'done_work',
      'epochs',
      'invites',
      'migrations',
      'rate_limits',
      'secret_fingerprints',
    ]);
  });

  it('gives every table a primary key', async () => {
    const rows = await sql(
      url,
      `SELECT relname FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
        AND NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)`,
    );
    expect(rows).toEqual([]);
  });

  it('carries the account in every foreign key, and deletes in cascade', async () => {
    const rows = await sql<{ name: string; definition: string }>(
      url,
      `SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
        WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0`,
    );
    expect(rows.length).toBeGreaterThan(8);
    for (const { definition } of rows) {
      expect(definition).toMatch(/^FOREIGN KEY \(account_id[,)].*ON DELETE CASCADE$/);
    }
  });
});

describe('a record under a foreign parent', () => {
  let url: string;
  const [ana, ben] = [randomUUID(), randomUUID()];
  const [profileOfAna, profileOfBen] = [randomUUID(), randomUUID()];
  beforeAll(async () => {
    url = await createDatabase();
    for (const [account, profile] of [
      [ana, profileOfAna],
      [ben, profileOfBen],
    ]) {
      await sql(
        url,
        `INSERT INTO accounts (id, email, password_hash, wrapped_dek, wrapped_dek_iv, recovery_wrapped_dek, recovery_wrapped_dek_iv)
          VALUES ($1, $2, '', '', '', '', '')`,
        [account, `${account}@example.org`],
      );
      await sql(
        url,
        `INSERT INTO profiles (account_id, id, kind, relationship, wrapped_profile_dek, wrapped_profile_dek_iv, name_data, name_iv)
          VALUES ($1, $2, 'human', 'self', '', '', '""', '')`,
        [account, profile],
      );
    }
  });
  afterAll(() => dropDatabase(url));

  const INSERTS = {
    medications: `INSERT INTO medications (account_id, id, profile_id, route, encrypted_data) VALUES ($1, $2, $3, 'oral', '"x"')`,
    appointments: `INSERT INTO appointments (account_id, id, profile_id, status, encrypted_data) VALUES ($1, $2, $3, 'x', '"x"')`,
    health_stats: `INSERT INTO health_stats (account_id, id, profile_id, encrypted_data) VALUES ($1, $2, $3, '"x"')`,
    doses: `INSERT INTO doses (account_id, id, medication_id, taken, logged_at) VALUES ($1, $2, $3, true, now())`,
  };

  it.each(['medications', 'appointments', 'health_stats'] as const)('is impossible in %s', async (table) => {
    const insert = (profile: string) => sql(url, INSERTS[table], [ana, randomUUID(), profile]);
    await expect(insert(profileOfAna)).resolves.toEqual([]);
    await expect(insert(profileOfBen)).rejects.toMatchObject({ code: '23503' });
    const move = `UPDATE ${table} SET profile_id = $1 WHERE account_id = $2`;
    await expect(sql(url, move, [profileOfBen, ana])).rejects.toMatchObject({ code: '23503' });
    const give = `UPDATE ${table} SET account_id = $1 WHERE account_id = $2`;
    await expect(sql(url, give, [ben, ana])).rejects.toMatchObject({ code: '23503' });
  });

  it('is impossible in doses', async () => {
    const medication = randomUUID();
    await sql(url, INSERTS.medications, [ana, medication, profileOfAna]);
    const insert = (account: string) => sql(url, INSERTS.doses, [account, randomUUID(), medication]);
    await expect(insert(ana)).resolves.toEqual([]);
    await expect(insert(ben)).rejects.toMatchObject({ code: '23503' });
  });
});
