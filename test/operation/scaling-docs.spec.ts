import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { aHousehold, aRecord, deleteRecord, RECORD_KINDS, updateRecord } from '../support/record-kinds';
import { startService, type TestService } from '../support/service';
import { namesInCode } from './statements';

const DOCUMENT = readFileSync(join(__dirname, '../../docs/scaling.md'), 'utf8');
const STEPS = [...DOCUMENT.matchAll(/```sql\n(.*?)```/gs)].map(([, text]) => text);

/** What Citus brings, as far as the steps use it: it notes what it was told. */
const STAND_IN = `
  CREATE TABLE distributed (name text, by text, colocated text);
  CREATE FUNCTION create_distributed_table(name text, by text, colocate_with text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM name::regclass;
    IF EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace) THEN
      RAISE 'a foreign key is in the way';
    END IF;
    INSERT INTO distributed VALUES (name, by, colocate_with);
  END $$`;

const KEYS = `SELECT conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) AS key
  FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY 1`;

const blobs = (table: string, bytes = 'octet_length(encrypted_data)') =>
  `SELECT account_id, ${bytes} AS bytes FROM ${table}`;
/** Accounts of which the counts are not what is there. */
const MISCOUNTED = `
  SELECT account_id FROM account_usage u LEFT JOIN (
    SELECT account_id, count(*) AS records, sum(bytes) AS bytes FROM (
      ${blobs('profiles', 'octet_length(name_data) + octet_length(wrapped_profile_dek)')}
      UNION ALL ${blobs('medications')} UNION ALL ${blobs('doses', '0')}
      UNION ALL ${blobs('appointments')} UNION ALL ${blobs('health_stats')}) stored
    GROUP BY account_id) real USING (account_id)
  WHERE (u.records, u.bytes) IS DISTINCT FROM (coalesce(real.records, 0), coalesce(real.bytes, 0))`;

it('docs/scaling.md names every statement that the code names', () => {
  const isNamed = (name: string) => DOCUMENT.includes(`\`${name}\``);
  expect(namesInCode().length).toBeGreaterThan(25);
  expect(namesInCode().filter((name) => !isNamed(name))).toEqual([]);
});

describe('the steps to Citus in docs/scaling.md', () => {
  let databaseUrl: string;
  let service: TestService;
  let keys: object[];
  beforeAll(async () => {
    databaseUrl = await createDatabase(false);
    service = await startService({ DATABASE_URL: databaseUrl });
    await sql(databaseUrl, STAND_IN);
    keys = await sql(databaseUrl, KEYS);
    for (const step of STEPS) await sql(databaseUrl, step);
  });
  afterAll(async () => {
    await service.stop();
    await dropDatabase(databaseUrl);
  });

  it('distribute every table but the few small ones, by the first column of its primary key', async () => {
    expect(STEPS).toHaveLength(2);
    const rest = await sql<{ name: string }>(
      databaseUrl,
      `SELECT t.relname AS name FROM pg_class t JOIN pg_index i ON i.indrelid = t.oid AND i.indisprimary
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
        WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relispartition
          AND NOT EXISTS (SELECT FROM distributed d WHERE d.name = t.relname AND d.by = a.attname) ORDER BY 1`,
    );
    expect(rest.map(({ name }) => name)).toEqual(['migrations', 'rate_limits', 'secret_fingerprints']);
  });

  it('leave the foreign keys as they were', async () => {
    expect(keys.length).toBeGreaterThan(8);
    expect(await sql(databaseUrl, KEYS)).toEqual(keys);
  });

  it('leave what an account stores counted', async () => {
    const { api } = service;
    const household = await aHousehold(api);
    for (const kind of RECORD_KINDS) {
      const [first] = [await aRecord(api, kind, household), await aRecord(api, kind, household)];
      const id = first[kind.idField] as string;
      if (kind.update) {
        const change =
          kind.name === 'profile' ? { wrapped_profile_dek: 'longer'.repeat(20) } : { encrypted_data: 'xx' };
        expect((await updateRecord(api, kind, household, id, change)).status).toBe(200);
      }
      expect((await deleteRecord(api, kind, household, id)).status).toBe(204);
    }
    await api.delete(`/api/profiles/${household.profileId}`, undefined, { token: household.token });
    const [usage] = await sql<{ records: string }>(databaseUrl, 'SELECT records FROM account_usage');
    expect(usage.records).toBe('1');
    expect(await sql(databaseUrl, MISCOUNTED)).toEqual([]);
  });
});
