import type { DataSource, EntityManager } from 'typeorm';
import { createTriggerV1, TRIGGERS_V1 } from '../migrations/record-triggers-v1';
import { bytesOfRow, recountOf, SIZES_OF_TABLES, type Table } from '../schema/tables';
import { Progress } from './progress';

/** What a check of the stored data has found. Every number but `accounts` should be 0. */
export interface VerifyFindings {
  accounts: number;
  /** Triggers of records that are not there. */
  triggers_missing: number;
  /** Triggers that are switched off: counts and the feed go wrong without them. */
  triggers_off: number;
  /** Accounts of which `account_usage` says something else than their records do. */
  usage_differs: number;
  /** Accounts whose next change would get a position that the feed has used: their creates fail. */
  last_change_low: number;
  /** Accounts with a record that is not in the feed, or with an entry of a record that does not exist. */
  feed_differs: number;
  /** Those of spaces have none. */
  accounts_without_login: number;
  logins_without_account: number;
  /** Spaces that nobody can open. */
  spaces_without_member: number;
  /** Spaces with a member whose account does not exist. */
  members_without_account: number;
  /** Spaces whose profile is not there. */
  spaces_without_profile: number;
  /** Erased accounts that exist. */
  erased_alive: number;
  /** Accounts with entries in the feed of kinds that this program does not know. */
  unknown_kinds: number;
  invalid_indexes: number;
  /** Indexes that are not there, each as the statement that makes it. */
  indexes_missing: number;
  foreign_keys_not_valid: number;
  /** For each finding, the first of what it is about: ids of accounts, names of triggers, indexes or keys. */
  ids: Record<string, string[]>;
}

type Finding = Exclude<keyof VerifyFindings, 'accounts' | 'ids'>;

interface Check {
  /** SQL whose rows have a text `id`, or what finds the ids. */
  find: string | ((dataSource: DataSource) => Promise<string[]>);
  /** The tables of which it reads every row. */
  reads?: readonly string[];
  /** Corrects what is about `id`, without a loss. Absent where a person has to decide. */
  mend?: (manager: EntityManager, id: string) => Promise<void>;
}

const SHOWN_IDS = 20;

/**
 * Compares triggers, counts, logins and the feed with the records. It reads every row. The service may run.
 *
 * @param mend corrects what can be corrected without a loss, and checks again. @param log gets how far it is.
 * @throws QueryFailedError if the database fails.
 */
export async function verify(
  dataSource: DataSource,
  tables: readonly Table[],
  mend = false,
  log: (line: string) => void = () => undefined,
): Promise<VerifyFindings & { mended?: number }> {
  let mended = 0;
  const ids: Record<string, string[]> = {};
  const counts: Record<string, number> = {};
  const checks = Object.entries(checksOf(tables));
  const { bytesOf, total } = await bytesOfChecks(
    dataSource,
    checks.map(([, check]) => check),
  );
  const progress = new Progress('Checked', total, log);
  for (const [name, check] of checks) {
    let found = await find(dataSource, check);
    if (mend && check.mend && found.length > 0) {
      const before = found.length;
      for (const id of found) await dataSource.transaction((manager) => check.mend!(manager, id));
      found = await find(dataSource, check);
      mended += before - found.length;
    }
    counts[name] = found.length;
    progress.add(bytesOf(check));
    if (found.length > 0) ids[name] = found.slice(0, SHOWN_IDS);
  }
  const [{ accounts }] = await dataSource.query<{ accounts: string }[]>(
    'SELECT count(*) AS accounts FROM accounts',
  );
  const findings = { accounts: Number(accounts), ...(counts as Record<Finding, number>), ids };
  return mend ? { ...findings, mended } : findings;
}

/** What each check reads. */
async function bytesOfChecks(dataSource: DataSource, checks: readonly Check[]) {
  const names = [...new Set(checks.flatMap(({ reads = [] }) => reads))];
  const sizes = await dataSource.query<{ name: string; bytes: number }[]>(SIZES_OF_TABLES, [names]);
  const bytesOf = ({ reads = [] }: Check) =>
    sizes.filter(({ name }) => reads.includes(name)).reduce((sum, { bytes }) => sum + bytes, 0);
  return { bytesOf, total: checks.reduce((sum, check) => sum + bytesOf(check), 0) };
}

async function find(dataSource: DataSource, { find: by }: Check): Promise<string[]> {
  if (typeof by === 'function') return by(dataSource);
  return (await dataSource.query<{ id: string }[]>(by)).map(({ id }) => id);
}

/** By TypeORM's own comparison. An index that an operator has added is none of them. */
async function missingIndexes(dataSource: DataSource): Promise<string[]> {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  return upQueries
    .map(({ query }) => query.trim())
    .filter((query) => /^CREATE (?:UNIQUE )?INDEX /.test(query))
    .map((query) => query.replace(' INDEX ', ' INDEX CONCURRENTLY '));
}

/** The checks in the order in which they are mended: a trigger that is off makes all counts wrong again. */
function checksOf(tables: readonly Table[]): Record<Finding, Check> {
  const records = tables.filter(({ isRecord }) => isRecord);
  const names = records.map(({ name }) => name);
  const kinds = records.map(({ kind }) => `'${kind}'`).join(', ');
  const recount = recountOf(tables);
  const feed = differencesOfFeed(records, kinds);
  const triggers = records.flatMap(({ name }) =>
    TRIGGERS_V1.map((suffix) => `('${name}', '${name}_${suffix}')`),
  );
  return {
    triggers_missing: {
      find: `SELECT e.name || '.' || e.trigger AS id FROM (VALUES ${triggers.join(', ')}) e (name, trigger)
        WHERE NOT EXISTS (SELECT FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
          WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = e.name AND t.tgname = e.trigger)`,
      mend: async (manager, id) => {
        const [table, trigger] = id.split('.');
        const suffix = TRIGGERS_V1.find((each) => trigger === `${table}_${each}`)!;
        const [{ schema }] = await manager.query<{ schema: string }[]>(
          'SELECT quote_ident(current_schema()) AS schema',
        );
        await manager.query(createTriggerV1(table, suffix, schema));
      },
    },
    triggers_off: {
      find: `SELECT c.relname || '.' || t.tgname AS id FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE c.relnamespace = current_schema()::regnamespace AND t.tgenabled <> 'O' AND NOT t.tgisinternal`,
      mend: async (manager, id) => {
        const [table, trigger] = id.split('.').map((name) => manager.connection.driver.escape(name));
        await manager.query(`ALTER TABLE ${table} ENABLE TRIGGER ${trigger}`);
      },
    },
    usage_differs: {
      reads: names,
      find: `SELECT coalesce(u.account_id, r.account_id)::text AS id
        FROM account_usage u FULL JOIN (${recount}) r ON r.account_id = u.account_id
        WHERE u.account_id IS NULL OR u.records <> coalesce(r.records, 0) OR u.bytes <> coalesce(r.bytes, 0)`,
      mend: async (manager, id) => {
        await lockUsage(manager, id);
        const [actual] = await manager.query<object[]>(
          `SELECT records, bytes FROM (${recount}) r WHERE account_id = $1`,
          [id],
        );
        const { records, bytes } = { records: 0, bytes: 0, ...actual };
        await manager.query('UPDATE account_usage SET records = $2, bytes = $3 WHERE account_id = $1', [
          id,
          records,
          bytes,
        ]);
      },
    },
    last_change_low: {
      find: `SELECT u.account_id::text AS id FROM account_usage u WHERE u.last_change <
        (SELECT max(c.position) FROM changes c WHERE c.account_id = u.account_id)`,
      mend: async (manager, id) => {
        await lockUsage(manager, id);
        await manager.query(
          `UPDATE account_usage SET last_change =
            (SELECT max(c.position) FROM changes c WHERE c.account_id = $1) WHERE account_id = $1`,
          [id],
        );
      },
    },
    feed_differs: {
      reads: [...names, 'changes'],
      find: `SELECT DISTINCT account_id::text AS id FROM (${feed}) differing`,
      mend: async (manager, id) => {
        await lockUsage(manager, id);
        const wrong = await manager.query<{ kind: string; record_id: string; bytes: number | null }[]>(
          `SELECT kind, record_id, bytes FROM (${feed}) differing WHERE account_id = $1`,
          [id],
        );
        for (const { kind, record_id: record, bytes } of wrong) {
          // A change of its own: every client hears of it at its next sync.
          await manager.query(
            'UPDATE account_usage SET last_change = last_change + 1 WHERE account_id = $1',
            [id],
          );
          await enterInFeed(manager, [id, kind, record, bytes ?? 0, bytes === null]);
        }
      },
    },
    accounts_without_login: {
      // On Citus these two tables are on different shards: it joins them only if it has read one of them before.
      find: `WITH l AS MATERIALIZED (SELECT email, account_id FROM logins)
        SELECT a.id::text AS id FROM accounts a
        WHERE NOT EXISTS (SELECT FROM l WHERE l.email = a.email AND l.account_id = a.id)
          AND NOT EXISTS (SELECT FROM spaces s WHERE s.account_id = a.id)`,
    },
    logins_without_account: {
      find: `WITH a AS MATERIALIZED (SELECT id FROM accounts)
        SELECT l.account_id::text AS id FROM logins l WHERE NOT EXISTS (SELECT FROM a WHERE a.id = l.account_id)`,
      // It opens nothing, and keeps its email from everybody.
      mend: async (manager, id) =>
        void (await manager.query('DELETE FROM logins WHERE account_id = $1', [id])),
    },
    spaces_without_member: {
      find: `SELECT s.account_id::text AS id FROM spaces s
        WHERE NOT EXISTS (SELECT FROM space_members m WHERE m.account_id = s.account_id)`,
    },
    members_without_account: {
      // Members are on other shards than their accounts.
      find: `WITH a AS MATERIALIZED (SELECT id FROM accounts)
        SELECT DISTINCT m.account_id::text AS id FROM space_members m
        WHERE NOT EXISTS (SELECT FROM a WHERE a.id = m.member_id)`,
    },
    spaces_without_profile: {
      find: `SELECT s.account_id::text AS id FROM spaces s WHERE NOT EXISTS (
        SELECT FROM profiles p WHERE p.account_id = s.account_id AND p.id = s.profile_id)`,
    },
    erased_alive: {
      find: 'SELECT a.id::text AS id FROM erasures e JOIN accounts a ON a.id = e.account_id',
    },
    unknown_kinds: {
      reads: ['changes'],
      find: `SELECT DISTINCT account_id::text AS id FROM changes WHERE kind NOT IN (${kinds})`,
    },
    invalid_indexes: {
      find: `SELECT c.relname AS id FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace`,
    },
    indexes_missing: { find: missingIndexes },
    foreign_keys_not_valid: {
      find: `SELECT conrelid::regclass || '.' || conname AS id FROM pg_constraint
        WHERE NOT convalidated AND connamespace = current_schema()::regnamespace`,
    },
  };
}

/** Where the feed and the records differ: `account_id`, `kind`, `record_id`, and `bytes`, null without a record. */
function differencesOfFeed(records: readonly Table[], kinds: string): string {
  const stored = records
    .map(({ name, kind, clientBytes }) => {
      return `SELECT account_id, '${kind}' AS kind, id, ${bytesOfRow(clientBytes)} AS bytes FROM ${name}`;
    })
    .join(' UNION ALL ');
  return `SELECT coalesce(r.account_id, c.account_id) AS account_id, coalesce(r.kind, c.kind) AS kind,
      coalesce(r.id, c.record_id) AS record_id, r.bytes
    FROM (${stored}) r FULL JOIN (
      SELECT * FROM changes WHERE deleted_at IS NULL AND kind IN (${kinds})
    ) c ON c.account_id = r.account_id AND c.kind = r.kind AND c.record_id = r.id
    WHERE r.id IS NULL OR c.record_id IS NULL`;
}

/** The triggers of every write lock this row, too: until the end of the transaction the account does not change. */
async function lockUsage(manager: EntityManager, account: string): Promise<void> {
  const rows = await manager.query<unknown[]>('SELECT FROM account_usage WHERE account_id = $1 FOR UPDATE', [
    account,
  ]);
  if (rows.length > 0) return;
  await pastTheTriggerOfLoads(manager, 'account_usage', () =>
    manager.query(
      `INSERT INTO account_usage (account_id, records, bytes, last_change)
        SELECT $1, 0, 0, coalesce(max(position), 0) FROM changes WHERE account_id = $1`,
      [account],
    ),
  );
}

/** Enters a record as the account's newest change. `values`: account, kind, record, bytes, whether it is deleted. */
function enterInFeed(
  manager: EntityManager,
  values: [string, string, string, number, boolean],
): Promise<unknown> {
  return pastTheTriggerOfLoads(manager, 'changes', () =>
    manager.query(
      `INSERT INTO changes AS c (account_id, kind, record_id, position, bytes, deleted_at)
        SELECT $1, $2, $3, u.last_change, $4, CASE WHEN $5 THEN now() END FROM account_usage u WHERE u.account_id = $1
        ON CONFLICT (account_id, kind, record_id) DO UPDATE
        SET position = excluded.position, bytes = excluded.bytes, deleted_at = excluded.deleted_at`,
      values,
    ),
  );
}

/** A trigger skips rows of these tables that do not come from a trigger of records, so that a load counts once. */
async function pastTheTriggerOfLoads(
  manager: EntityManager,
  table: 'account_usage' | 'changes',
  insert: () => Promise<unknown>,
): Promise<unknown> {
  await manager.query(`ALTER TABLE ${table} DISABLE TRIGGER ${table}_loaded`);
  const inserted = await insert();
  await manager.query(`ALTER TABLE ${table} ENABLE TRIGGER ${table}_loaded`);
  return inserted;
}
