import { sql } from './databases';

/** Partitions are parts of a table, not tables of their own. */
const WHOLE = 'table_name NOT IN (SELECT relname FROM pg_class JOIN pg_inherits ON inhrelid = oid)';

/** Every table of the schema, ordered by name, including those of added modules. */
async function tableNames(databaseUrl: string): Promise<string[]> {
  const rows = await sql<{ table_name: string }>(
    databaseUrl,
    `SELECT table_name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND ${WHOLE} ORDER BY table_name`,
  );
  return rows.map((row) => row.table_name);
}

/** Every table that has a column of this name, ordered by name. */
export async function tablesWith(databaseUrl: string, column: string): Promise<string[]> {
  const rows = await sql<{ table_name: string }>(
    databaseUrl,
    `SELECT table_name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = $1 AND ${WHOLE} ORDER BY table_name`,
    [column],
  );
  return rows.map((row) => row.table_name);
}

/** The ids of erased accounts. They stay, so that a restore of an older backup erases the accounts again. */
export const TOMBSTONES = 'erasures';

/** Every table whose rows belong to an account. */
export async function accountTables(databaseUrl: string): Promise<string[]> {
  const owned = await tablesWith(databaseUrl, 'account_id');
  return ['accounts', ...owned.filter((table) => table !== TOMBSTONES)].sort();
}

/** The columns of a table, in their order. */
export async function columnsOf(databaseUrl: string, table: string): Promise<string[]> {
  const rows = await sql<{ column_name: string }>(
    databaseUrl,
    `SELECT column_name FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = $1 ORDER BY ordinal_position`,
    [table],
  );
  return rows.map((row) => row.column_name);
}

/**
 * The tables that contain `text` in any column of any row. In columns of bytes the
 * search is for its UTF-8 encoding.
 */
export async function tablesHolding(databaseUrl: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of await tableNames(databaseUrl)) {
    const [{ count }] = await sql<{ count: string }>(
      databaseUrl,
      `SELECT count(*) FROM "${table}" t WHERE strpos(t::text, $1) > 0 OR strpos(t::text, $2) > 0`,
      [text, Buffer.from(text).toString('hex')],
    );
    if (count !== '0') found.push(table);
  }
  return found;
}
