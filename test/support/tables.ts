import { sql } from './databases';

/** Partitions are parts of a table, not tables of their own. */
const WHOLE = 'table_name NOT IN (SELECT relname FROM pg_class JOIN pg_inherits ON inhrelid = oid)';

/** Every table of the schema, by name, whoever added it. */
async function tableNames(databaseUrl: string): Promise<string[]> {
  const rows = await sql<{ table_name: string }>(
    databaseUrl,
    `SELECT table_name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND ${WHOLE} ORDER BY table_name`,
  );
  return rows.map((row) => row.table_name);
}

/** Every table whose rows belong to an account. */
export async function accountTables(databaseUrl: string): Promise<string[]> {
  const rows = await sql<{ table_name: string }>(
    databaseUrl,
    `SELECT DISTINCT table_name FROM information_schema.columns
      WHERE table_schema = 'public' AND (column_name = 'account_id' OR table_name = 'accounts') AND ${WHOLE}
      ORDER BY table_name`,
  );
  return rows.map((row) => row.table_name);
}

/** The tables in which some column of some row holds `text`; bytes are searched for its UTF-8. */
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
