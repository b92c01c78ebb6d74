import { randomUUID } from 'node:crypto';
import { encodeCursor } from '@app/common';
import { BASE_SCHEMA, dataSourceOptions, Housekeeping } from '@app/database';
import {
  aHousehold,
  aWorld,
  createRecord,
  type Operation,
  readOperations,
  SERVICE_KINDS,
  SERVICE_REGISTRY,
  urlOf,
  type World,
  aRegistration,
} from '@app/testing';
import { Client, type ClientConfig } from 'pg';
import { SignupsService } from '../../apps/api/src/auth/invites/signups.service';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { aHealthStat, anAccount, aProfile } from '../support/factories';
import { type ServiceHere, startServiceHere } from '../support/service-here';
import { fillWithCrowd } from './crowd';
import { askToEraseHeld } from './held-account';
import { aMailDay, MAIL_SETTINGS } from './mail-day';
import { signInByModule } from './module-sign-in';
import { faultsOfPlan, type PlanNode } from './plans';
import { collectStatements, namesInCode, type SentStatement } from './statements';
import { aDayInSpaces } from './spaces-day';
import { aWholeDay } from './whole-day';

/** Asks for every list with every choice of its filters, whole, and as a first and a further page. */
async function askForLists({ api }: ServiceHere, operations: Operation[], world: World): Promise<number> {
  const cursor = encodeCursor({ at: '2026-01-01T00:00:00.000Z', id: randomUUID() });
  const pages = [{}, { limit: '2' }, { limit: '2', cursor }];
  const known: Record<string, string> = { profile_id: world.ids['/api/profiles/{id}'], status: 'scheduled' };
  let count = 0;
  for (const { path, parameters } of operations) {
    const names = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name);
    if (!names.includes('updated_since')) continue;
    const filters = names.filter((name) => !['limit', 'cursor'].includes(name));
    for (let choice = 0; choice < 2 ** filters.length; choice++) {
      const chosen = filters.filter((_, index) => choice & (1 << index));
      const values = chosen.map((name) => [name, known[name] ?? '2026-01-01T00:00:00Z']);
      for (const page of pages) {
        const query = new URLSearchParams({ ...Object.fromEntries(values), ...page }).toString();
        const answer = await api.get(`${urlOf(path, world.ids)}?${query}`, { token: world.token });
        expect([path, query, answer.status]).toEqual([path, query, 200]);
        count++;
      }
    }
  }
  return count;
}

describe('the plans of a database with a crowd', () => {
  let url: string;
  let client: Client;
  let statements: SentStatement[];
  let lists: number;
  let firstColumns: Map<string, string>;
  /** Ended also where a step fails: a service that is left running keeps the run from its end. */
  const running: ServiceHere[] = [];
  const start = async (settings: Record<string, string> = {}): Promise<ServiceHere> => {
    const environment = { DATABASE_URL: url, RATE_LIMITS: 'on', STORAGE_LIMIT: String(2 ** 50) };
    const service = await startServiceHere({ ...environment, ...settings });
    running.push(service);
    return service;
  };
  const stopAll = async () => {
    for (const service of running.splice(0)) await service.stop();
  };

  beforeAll(async () => {
    url = await createDatabase();
    const service = await start();
    await fillWithCrowd(service);
    const world = await aWorld(service.api, SERVICE_REGISTRY);
    const end = collectStatements();
    await aWholeDay(service.api);
    await aDayInSpaces(service.api);
    await aRareDay(service);
    await signInByModule(service);
    await askToEraseHeld(service);
    await aMailDay(await start(MAIL_SETTINGS));
    await service.api.get('/readyz');
    lists = await askForLists(service, await readOperations(service.api), world);
    await service.app.get(Housekeeping, { strict: false }).run();
    statements = end().filter(({ name }) => name !== undefined);
    await stopAll();
    // Planned as the service's own sessions plan.
    const { extra } = dataSourceOptions({ databasePoolSize: 1, databasePrepared: true }, url, BASE_SCHEMA);
    client = new Client({ connectionString: url, ...(extra as ClientConfig) });
    await client.connect();
    const { rows } = await client.query<{ index: string; column: string }>(
      `SELECT indexrelid::regclass::text AS index, attname AS column FROM pg_index
        JOIN pg_attribute ON attrelid = indexrelid AND attnum = 1`,
    );
    firstColumns = new Map(rows.map(({ index, column }) => [index, column]));
  }, 300_000);

  afterAll(async () => {
    await client?.end();
    await stopAll();
    if (url) await dropDatabase(url);
  });

  /** What does not happen every day: a create sent twice, a key used again, a hash that costs more now, a full account. */
  async function aRareDay({ api }: ServiceHere): Promise<void> {
    const household = await aHousehold(api, SERVICE_REGISTRY);
    for (const kind of SERVICE_KINDS) {
      const options = { headers: { 'Idempotency-Key': 'sent-twice' } };
      const body = kind.body(household);
      const answers = [1, 2].map(() => createRecord(api, kind, household, body, options));
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([201, 201]);
    }
    const { token, email, password } = await anAccount(api);
    const body = { profile_id: await aProfile(api, token), encrypted_data: 'x' };
    const withKey = { token, headers: { 'Idempotency-Key': 'used-again-a-day-later' } };
    await api.post('/api/health-stats', body, withKey);
    await sql(
      url,
      `UPDATE health_stats SET created_at = created_at - interval '25 hours' WHERE profile_id = $1`,
      [body.profile_id],
    );
    expect((await api.post('/api/health-stats', body, withKey)).status).toBe(201);
    const strict = await start({ PASSWORD_HASH_ITERATIONS: '2', QUOTA_RECORDS: '1' });
    expect((await strict.api.post('/api/auth/login', { email, password })).status).toBe(200);
    await expect(aHealthStat(strict.api, token, body.profile_id)).rejects.toThrow('quota_exceeded');
    const invited = await start({ SIGNUPS: 'invite' });
    const { code } = await invited.app.get(SignupsService, { strict: false }).invite(1, 1);
    await invited.api.post('/api/auth/register', aRegistration({ invite_code: code }));
  }

  async function planOf({ text }: SentStatement): Promise<PlanNode> {
    const { rows } = await client.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`);
    return rows[0]['QUERY PLAN'][0].Plan;
  }

  async function findings(): Promise<Record<string, string[]>> {
    const found: Record<string, string[]> = {};
    for (const statement of statements) {
      const faults = faultsOfPlan(await planOf(statement), firstColumns);
      if (faults.length > 0) found[statement.text] = faults;
    }
    return found;
  }

  it('are those of every statement that the service has', () => {
    const names = new Set(statements.map(({ name }) => name));
    // Two read no table, and no push service knows a browser here.
    const notRun = ['push subscriptions end', 'replica lag', 'replica settings'];
    expect(
      namesInCode()
        .filter((name) => !names.has(name))
        .sort(),
    ).toEqual(notRun);
    expect(lists).toBeGreaterThan(100);
    expect(statements.length).toBeGreaterThan(140);
  });

  it('read no table and no index as a whole, and sort no list', async () => {
    expect(await findings()).toEqual({});
  });

  it('need every index that there is: without it one of them is found to be slow', async () => {
    const { rows: indexes } = await client.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid AND NOT c.relispartition
        WHERE c.relnamespace = 'public'::regnamespace AND NOT i.indisprimary AND c.relname NOT LIKE 'migrations%'`,
    );
    expect(indexes.length).toBeGreaterThan(15);
    const useless: string[] = [];
    for (const { name } of indexes) {
      await client.query('BEGIN');
      await client.query(`DROP INDEX ${name}`);
      if (Object.keys(await findings()).length === 0) useless.push(name);
      await client.query('ROLLBACK');
    }
    expect(useless).toEqual([]);
  });

  it('find what hangs under a deleted record by an index', async () => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT conname AS name FROM pg_constraint f WHERE contype = 'f' AND conparentid = 0 AND NOT EXISTS (
        SELECT 1 FROM pg_index i WHERE i.indrelid = f.conrelid AND i.indpred IS NULL
          AND (i.indkey::int2[])[0:cardinality(f.conkey) - 1] @> f.conkey)
        -- An account has few of them, and its key finds these.
        AND conrelid::regclass::text NOT IN ('push_subscriptions', 'reminders')`,
    );
    expect(rows).toEqual([]);
  });
});
