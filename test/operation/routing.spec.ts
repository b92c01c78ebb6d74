import { Api, aRegistration } from '@app/testing';
import { createDataSource, Housekeeping } from '@app/database';
import { SignupsService } from '../../apps/api/src/auth/invites/signups.service';
import { composeService } from '../../apps/api/src/domains';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { aHealthStat, anAccount, aProfile } from '../support/factories';
import { OF_TIMERS } from '../support/observed-work';
import { startServiceHere } from '../support/service-here';
import { askToEraseHeld } from './held-account';
import { aMailDay, MAIL_SETTINGS, SQL_OF_MAIL_DAY } from './mail-day';
import { signInByModule } from './module-sign-in';
import {
  changeableFunctions,
  collectStatements,
  faultsOfRouting,
  namesInCode,
  refusedByCitus,
  type SentStatement,
  touchedBy,
} from './statements';
import { aDayInSpaces } from './spaces-day';
import { aWholeDay } from './whole-day';

const PARTITIONS = 4;
const RECORDS = ['profiles', 'medications', 'doses', 'appointments', 'health_stats'];
/** A short list of all accounts, which each process reads. */
const OF_ALL_ACCOUNTS = ['ended sessions list'];
const AGE = `UPDATE health_stats SET created_at = created_at - interval '1 day 1 second'`;

/** Tables of which each request uses one partition at most: a partition stands for a shard. */
async function createPartitionedDatabase(): Promise<string> {
  const url = await createDatabase(false);
  const settings = { databasePoolSize: 2, databasePrepared: true, databasePartitions: PARTITIONS };
  const dataSource = await createDataSource(settings, url, composeService().schema).initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
  return url;
}

/** Remembers which operations have succeeded. */
class RecordingApi extends Api {
  constructor(
    url: string,
    readonly done = new Set<string>(),
  ) {
    super(url);
  }

  override async call(...args: Parameters<Api['call']>) {
    const answer = await super.call(...args);
    if (answer.status < 300) this.done.add(`${args[0].toLowerCase()} ${args[1].split('?')[0]}`);
    return answer;
  }

  /** Operations of the document that have not. */
  async missing(): Promise<string[]> {
    const { paths } = (await this.get('/api/openapi.json')).body;
    const operations = Object.entries<object>(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    const isDone = (operation: string) => {
      const pattern = new RegExp(`^${operation.replace(/\{\w+\}/g, '[^/]+')}$`);
      return [...this.done].some((line) => pattern.test(line));
    };
    expect(operations.length).toBeGreaterThan(40);
    return operations.filter((operation) => !isDone(operation));
  }
}

describe('on tables that are partitioned by account', () => {
  let url: string;
  let ofRequests: SentStatement[];
  let ofHousekeeping: SentStatement[];
  let missing: string[];

  beforeAll(async () => {
    url = await createPartitionedDatabase();
    const environment = { DATABASE_URL: url, RATE_LIMITS: 'on' };
    const service = await startServiceHere(environment);
    const strict = await startServiceHere({
      ...environment,
      PASSWORD_HASH_ITERATIONS: '2',
      QUOTA_RECORDS: '1',
    });
    const invited = await startServiceHere({ ...environment, SIGNUPS: 'invite' });
    const mail = await startServiceHere({ ...environment, ...MAIL_SETTINGS });
    const endOfRequests = collectStatements();
    const api = new RecordingApi(service.api.url);
    await aWholeDay(api);
    await aDayInSpaces(api);
    await seldom(service.api, strict.api);
    await aMailDay(mail, new RecordingApi(mail.api.url, api.done));
    await mail.stop();
    await signInByModule(service);
    await askToEraseHeld(service);
    const { code } = await invited.app.get(SignupsService, { strict: false }).invite(1, 1);
    await invited.api.post('/api/auth/register', aRegistration({ invite_code: code }));
    await invited.stop();
    ofRequests = endOfRequests();
    missing = await api.missing();
    const endOfHousekeeping = collectStatements();
    await service.app.get(Housekeeping, { strict: false }).run();
    ofHousekeeping = endOfHousekeeping().filter(({ name }) => !OF_TIMERS.includes(name!));
    await strict.stop();
    await service.stop();
  });
  afterAll(() => dropDatabase(url));

  /** What does not happen every day. */
  async function seldom(api: Api, strict: Api): Promise<void> {
    await api.get('/readyz');
    const { token, email, password } = await anAccount(api);
    const body = { profile_id: await aProfile(api, token), encrypted_data: 'x' };
    const withKey = { token, headers: { 'Idempotency-Key': 'used-again-a-day-later' } };
    await api.post('/api/health-stats', body, withKey);
    await sql(url, AGE);
    expect((await api.post('/api/health-stats', body, withKey)).status).toBe(201);
    expect((await strict.post('/api/auth/login', { email, password })).status).toBe(200);
    await expect(aHealthStat(strict, token, body.profile_id)).rejects.toThrow('quota_exceeded');
  }

  it('a whole day uses every route', () => expect(missing).toEqual([]));

  it('and every statement of the service, on every kind of record', () => {
    const names = new Set([...ofRequests, ...ofHousekeeping].map(({ name }) => name));
    expect(namesInCode().length).toBeGreaterThan(25);
    // There is no replica here, no `STORAGE_LIMIT`, and no push service that knows a browser.
    const unused = namesInCode().filter((name) => !names.has(name));
    expect(unused.sort()).toEqual([
      'push subscriptions end',
      'replica lag',
      'replica settings',
      'storage size',
    ]);
    for (const table of ['profiles', 'medications', 'appointments', 'health_stats', 'doses', 'sessions']) {
      const list = `SELECT .*(FROM|JOIN) ${table} r .* ORDER BY`;
      for (const start of [list, `INSERT INTO ${table}`, `DELETE FROM ${table}`]) {
        const isSent = ofRequests.some(({ text }) => new RegExp(`^(WITH .*)?${start} `, 's').test(text));
        expect([start, isSent]).toEqual([start, true]);
      }
    }
  });

  it('every statement of a request touches one partition of each of its tables, all of one account', async () => {
    const named = ofRequests.filter(({ name }) => name !== undefined);
    expect(named.length).toBeGreaterThan(75);
    expect(ofRequests.filter((each) => !named.includes(each)).map(({ text }) => text)).toEqual([
      AGE,
      ...SQL_OF_MAIL_DAY,
    ]);
    const findings: Record<string, string[]> = {};
    for (const statement of named) {
      if (OF_ALL_ACCOUNTS.includes(statement.name!)) continue;
      // They look for accounts, of which each is then erased by its id.
      if (statement.name!.startsWith('operator ')) continue;
      const faults = faultsOfRouting(statement, await touchedBy(url, statement));
      if (faults.length > 0) findings[`${statement.name}: ${statement.text}`] = faults;
    }
    expect(findings).toEqual({});
  });

  it('no write has what Citus refuses', async () => {
    const changeable = await changeableFunctions(url);
    expect(changeable.has('now') && changeable.has('jsonb_build_object')).toBe(true);
    const findings: Record<string, string[]> = {};
    for (const { name, text } of [...ofRequests, ...ofHousekeeping]) {
      const faults = refusedByCitus(text, changeable);
      if (faults.length > 0) findings[`${name}: ${text}`] = faults;
    }
    expect(findings).toEqual({});
  });

  it.each([
    ['INSERT INTO t (a) VALUES ($1) ON CONFLICT (a) DO UPDATE SET b = now()', ['now in ON CONFLICT']],
    ['UPDATE t SET a = CASE WHEN b THEN now() ELSE c END', ['now inside CASE']],
    ['UPDATE t SET a = coalesce(lower($1), (SELECT max(now())), $2)', ['now inside COALESCE']],
    ['UPDATE t SET a = jsonb_build_object($1, lower(t.b))', ['jsonb_build_object with a column']],
    ['WITH a AS (SELECT now()) DELETE FROM t WHERE a > now() AND b = coalesce($1, lower(t.b))', []],
  ])('such a write would be found: %s', async (text, faults) => {
    expect(refusedByCitus(text, await changeableFunctions(url))).toEqual(faults);
  });

  it('housekeeping, and nothing else, touches all', async () => {
    const touched: Record<string, unknown> = {};
    for (const statement of ofHousekeeping) touched[statement.name!] = await touchedBy(url, statement);
    expect(touched).toEqual({
      'sessions expire': { sessions: [0, 1, 2, 3] },
      'security events forget': { security_events: [0, 1, 2, 3] },
      'changes forget': { account_usage: [0, 1, 2, 3], changes: [0, 1, 2, 3] },
      'known addresses forget': { known_addresses: [0, 1, 2, 3] },
      'device tokens forget': { device_tokens: [0, 1, 2, 3] },
      'ended sessions forget': { ended_sessions: [0, 1, 2, 3] },
      'operator find due erasures': { accounts: [0, 1, 2, 3] },
      'operator find old accounts': { accounts: [0, 1, 2, 3] },
      'reminders forget': { reminders: [0, 1, 2, 3] },
      'invites forget': { invites: [] },
      'rate limits forget': { rate_limits: [] },
      ...Object.fromEntries(RECORDS.map((name) => [`${name} find expired keys`, { [name]: [0, 1, 2, 3] }])),
    });
  });

  it.each([
    ['SELECT 1 FROM doses WHERE id = $1', ['4 partitions of doses']],
    ['SELECT 1 FROM accounts WHERE email = $1::text', ['4 partitions of accounts']],
    [
      'SELECT 1 FROM accounts a JOIN logins l ON l.email = a.email WHERE a.id = $1',
      ['4 partitions of logins', 'logins together with tables of accounts'],
    ],
    [
      'INSERT INTO known_addresses (address, account_id) VALUES (NULL, $1)',
      ['a new row whose owner is not the first value'],
    ],
    [
      'WITH b AS (INSERT INTO known_addresses (address, account_id) VALUES (NULL, $1)) SELECT 1',
      ['a new row whose owner is not the first value'],
    ],
  ])('a statement that is not for one shard would be found: %s', async (text, faults) => {
    const statement = { text, values: ['00000000-0000-0000-0000-000000000000'] };
    expect(faultsOfRouting(statement, await touchedBy(url, statement))).toEqual(faults);
  });
});
