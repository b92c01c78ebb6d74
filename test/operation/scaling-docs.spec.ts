import {
  aHousehold,
  aRecord,
  countChecks,
  decodeToken,
  deleteRecord,
  idFieldOf,
  isUnderProfile,
  SERVICE_KINDS,
  SERVICE_REGISTRY,
  updateRecord,
} from '@app/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { ServiceConfig, SETTINGS } from '@app/config';
import { createDataSource, describeTables, distributeTables, findSchemaFaults } from '@app/database';
import { composeService } from '../../apps/api/src/domains';
import {
  LONG_READ_CONNECTIONS,
  READ_CONNECTIONS,
  STRANGER_CONNECTIONS,
} from '../../libs/database/src/connection/data-source-options';
import { runChecks } from '../support/checks';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { startService, type TestService } from '../support/service';
import { namesInCode } from './statements';

const DOCUMENT = readFileSync(join(__dirname, '../../docs/scaling.md'), 'utf8');

/** What Citus brings, as far as `distributeTables` uses it: it notes what it was told. */
const STAND_IN = `
  CREATE TABLE distributed (name text, by text, colocated text);
  CREATE VIEW pg_dist_partition AS SELECT name::regclass AS logicalrelid FROM distributed;
  CREATE FUNCTION create_distributed_table(name regclass, by text, colocate_with text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace) THEN
      RAISE 'a foreign key is in the way';
    END IF;
    INSERT INTO distributed VALUES (name, by, colocate_with);
  END $$;
  CREATE FUNCTION create_reference_table(name regclass) RETURNS void LANGUAGE sql AS
    $$ INSERT INTO distributed VALUES (name) $$`;

const KEYS = `SELECT conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) AS key
  FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY 1`;

const TABLES = describeTables(composeService().schema.entities);

it('docs/scaling.md names every statement that the code names', () => {
  const isNamed = (name: string) => DOCUMENT.includes(`\`${name}\``);
  expect(namesInCode().length).toBeGreaterThan(25);
  expect(namesInCode().filter((name) => !isNamed(name))).toEqual([]);
});

describe('docs/scaling.md and the start agree', () => {
  it('about the connections of a process', () => {
    const reads = READ_CONNECTIONS + LONG_READ_CONNECTIONS;
    const { DATABASE_POOL_SIZE } = SETTINGS;
    const pool = DATABASE_POOL_SIZE.parse(undefined);
    expect(DOCUMENT).toContain(
      `DATABASE_POOL_SIZE (${pool}) + ${reads} for reads + ${STRANGER_CONNECTIONS} for strangers `,
    );
    expect(DOCUMENT).toMatch(new RegExp(`^ +${reads} for reads +to the replica`, 'm'));
    const most = pool + reads + STRANGER_CONNECTIONS;
    expect(DOCUMENT).toContain(`Twenty processes need ${20 * most} connections`);
  });

  it('about what DATABASE_PREPARED=off goes with', () => {
    const url = 'postgres://localhost/health';
    const start = (settings: Record<string, string>) => () =>
      new ServiceConfig({ DATABASE_URL: url, DATABASE_PREPARED: 'off', ...settings });
    expect(start({})).not.toThrow();
    expect(DOCUMENT.replaceAll('\n', ' ')).toMatch(
      /with `DATABASE_PREPARED=off` and `DATABASE_REPLICA_URL` the service does not +start/,
    );
    expect(start({ DATABASE_REPLICA_URL: url })).toThrow('DATABASE_PREPARED must be on');
    expect(DOCUMENT).toContain('Keep `DATABASE_PARTITIONS` at 0');
    expect(start({ DATABASE_PARTITIONS: '4' })).toThrow('DATABASE_PREPARED must be on');
  });
});

describe('the way to Citus', () => {
  let databaseUrl: string;
  let service: TestService;
  let keys: object[];
  beforeAll(async () => {
    databaseUrl = await createDatabase(false);
    service = await startService({ DATABASE_URL: databaseUrl });
    await sql(databaseUrl, STAND_IN);
    keys = await sql(databaseUrl, KEYS);
    const said = TABLES.filter(({ distributedBy, isOnEveryNode }) => distributedBy || isOnEveryNode);
    const told: string[] = [];
    const done = await onDatabase((dataSource) => distributeTables(dataSource, (line) => told.push(line)));
    expect(done.sort()).toEqual(said.map(({ name }) => name).sort());
    expect(told).toHaveLength(said.length);
    expect(told[0]).toMatch(
      /^Distributed 1 of \d+: accounts, in \d+\.\d s; [\d.]+ of [\d.]+ MB, about \d+ s left\.$/,
    );
  });
  afterAll(async () => {
    await service.stop();
    await dropDatabase(databaseUrl);
  });

  /** Runs `work` on a new connection to the database. */
  async function onDatabase<T>(work: (dataSource: DataSource) => Promise<T>): Promise<T> {
    const settings = { databasePoolSize: 2, databasePrepared: true };
    const dataSource = await createDataSource(settings, databaseUrl, composeService().schema).initialize();
    try {
      return await work(dataSource);
    } finally {
      await dataSource.destroy();
    }
  }

  it('distributes nothing twice', async () => expect(await onDatabase(distributeTables)).toEqual([]));

  it('distributes every table but the few small ones, by the first column of its primary key', async () => {
    const rest = await sql<{ name: string }>(
      databaseUrl,
      `SELECT t.relname AS name FROM pg_class t JOIN pg_index i ON i.indrelid = t.oid AND i.indisprimary
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
        WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relispartition
          AND NOT EXISTS (SELECT FROM distributed d WHERE d.name = t.relname AND d.by = a.attname) ORDER BY 1`,
    );
    expect(rest.map(({ name }) => name)).toEqual([
      'done_work',
      'epochs',
      'erasures',
      'invites',
      'migrations',
      'rate_limits',
      'secret_fingerprints',
    ]);
  });

  it('distributes what the entities say, and by that column', async () => {
    const distributed = await sql<{ name: string; by: string }>(
      databaseUrl,
      'SELECT name, by FROM distributed ORDER BY name',
    );
    const said = TABLES.flatMap(({ name, distributedBy: by, isOnEveryNode }) =>
      by || isOnEveryNode ? [{ name, by: by ?? null }] : [],
    );
    expect(distributed).toEqual(said.sort((one, other) => (one.name < other.name ? -1 : 1)));
  });

  it('leaves the counters counting what the entities mark', async () => {
    expect(await onDatabase(findSchemaFaults)).toEqual([]);
  });

  it('leaves the foreign keys as they were', async () => {
    expect(keys.length).toBeGreaterThan(8);
    expect(await sql(databaseUrl, KEYS)).toEqual(keys);
  });

  describe.each(SERVICE_KINDS)('leaves a $name counted', (kind) => {
    runChecks(countChecks(() => service, kind, SERVICE_REGISTRY));
  });

  it('leaves the changes of an account told', async () => {
    const { api } = service;
    const household = await aHousehold(api, SERVICE_REGISTRY);
    const { token } = household;
    const { cursor } = (await api.get('/api/sync', { token })).body;
    const deleted = new Set([household.profileId, household.ids['/api/medications/{id}']]);
    for (const kind of SERVICE_KINDS) {
      const [first] = [await aRecord(api, kind, household), await aRecord(api, kind, household)];
      const id = first[idFieldOf(kind)] as string;
      if (kind.update) {
        expect((await updateRecord(api, kind, household, id, kind.update.change())).status).toBe(200);
      }
      expect((await deleteRecord(api, kind, household, id)).status).toBe(204);
      deleted.add(id);
    }
    await api.delete(`/api/profiles/${household.profileId}`, undefined, { token });
    // One profile is left, and one record of each kind that does not hang under a profile.
    const left = SERVICE_KINDS.filter((kind) => !isUnderProfile(kind, SERVICE_REGISTRY));
    const [usage] = await sql<{ records: string; last_change: string; told: string }>(
      databaseUrl,
      `SELECT records, last_change, (SELECT max(position) FROM changes c WHERE c.account_id = u.account_id) AS told
        FROM account_usage u WHERE account_id = $1`,
      [decodeToken(token).payload.sub],
    );
    expect([usage.records, usage.last_change]).toEqual([String(left.length), usage.told]);
    const { changes } = (await api.get(`/api/sync?cursor=${cursor}`, { token })).body;
    expect(changes.filter((change: any) => change.record)).toHaveLength(left.length);
    for (const id of deleted) expect(changes).toContainEqual(expect.objectContaining({ id, deleted: true }));
    expect(changes).toHaveLength(deleted.size + 1 + SERVICE_KINDS.length - 1);
  });
});
