import type { DataSource } from 'typeorm';
import { recountOf, type Table } from '../schema/tables';

/** What a check of the stored data has found. Every number but `accounts` should be 0. */
export interface VerifyFindings {
  accounts: number;
  /** Accounts of which `account_usage` says something else than their records do. */
  usage_differs: number;
  accounts_without_login: number;
  logins_without_account: number;
  /** Records that are not in the feed, or entries of records that do not exist. */
  feed_differs: number;
  /** Erased accounts that exist. */
  erased_alive: number;
  invalid_indexes: number;
}

/** Compares counts, logins and the feed with the records. It reads every row. */
export async function verify(dataSource: DataSource, tables: readonly Table[]): Promise<VerifyFindings> {
  const records = tables.filter(({ isRecord }) => isRecord);
  const stored = records
    .map(({ name, kind }) => `SELECT account_id, '${kind}' AS kind, id FROM ${name}`)
    .join(' UNION ALL ');
  const kinds = records.map(({ kind }) => `'${kind}'`).join(', ');
  const counts: Record<keyof VerifyFindings, string> = {
    accounts: 'SELECT count(*) FROM accounts',
    usage_differs: `SELECT count(*) FROM ${differingUsage(tables)}`,
    // On Citus these two tables are on different shards: it joins them only if it has read one of them before.
    accounts_without_login: `WITH l AS MATERIALIZED (SELECT email, account_id FROM logins)
      SELECT count(*) FROM accounts a WHERE NOT EXISTS (
        SELECT FROM l WHERE l.email = a.email AND l.account_id = a.id)`,
    logins_without_account: `WITH a AS MATERIALIZED (SELECT id FROM accounts)
      SELECT count(*) FROM logins l WHERE NOT EXISTS (SELECT FROM a WHERE a.id = l.account_id)`,
    feed_differs: `SELECT count(*) FROM (${stored}) r FULL JOIN (
      SELECT * FROM changes WHERE deleted_at IS NULL AND kind IN (${kinds})
      ) c ON c.account_id = r.account_id AND c.kind = r.kind AND c.record_id = r.id
      WHERE r.id IS NULL OR c.record_id IS NULL`,
    erased_alive: 'SELECT count(*) FROM erasures e JOIN accounts a ON a.id = e.account_id',
    invalid_indexes: `SELECT count(*) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace`,
  };
  const findings: [string, number][] = [];
  for (const [name, query] of Object.entries(counts)) {
    const [{ count }] = await dataSource.query<{ count: string }[]>(query);
    findings.push([name, Number(count)]);
  }
  return Object.fromEntries(findings) as unknown as VerifyFindings;
}

/** Writes what the records say into `account_usage`. @returns the number of accounts that it corrected. */
export async function mendUsage(dataSource: DataSource, tables: readonly Table[]): Promise<number> {
  const rows = await dataSource.query<unknown[]>(`
    WITH wrong AS MATERIALIZED (SELECT * FROM ${differingUsage(tables)})
    UPDATE account_usage u SET records = wrong.records, bytes = wrong.bytes
      FROM wrong WHERE wrong.account_id = u.account_id RETURNING u.account_id`);
  // TypeORM returns the rows of an UPDATE with their number.
  return (rows[1] as number | undefined) ?? 0;
}

function differingUsage(tables: readonly Table[]): string {
  return `(
    SELECT u.account_id, coalesce(r.records, 0) AS records, coalesce(r.bytes, 0) AS bytes
    FROM account_usage u FULL JOIN (${recountOf(tables)}) r ON r.account_id = u.account_id
    WHERE u.account_id IS NULL OR u.records <> coalesce(r.records, 0) OR u.bytes <> coalesce(r.bytes, 0)
  ) differing`;
}
