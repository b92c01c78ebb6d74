import { sql } from './databases';

/** What a backup holds of a shared profile, parents first. */
const TABLES = ['spaces', 'space_members', 'space_rosters', 'profiles', 'trust_books'];

/**
 * Takes a backup of a space and of the accounts in it.
 * @returns restores it, as an operator does: the version of the space rises by 1,000.
 */
export async function backupOf(
  databaseUrl: string,
  spaceId: string,
  accountIds: readonly string[],
): Promise<() => Promise<void>> {
  const ids = [spaceId, ...accountIds];
  const read = (table: string) =>
    sql(databaseUrl, `SELECT to_json(t) AS row FROM ${table} t WHERE account_id = ANY ($1)`, [ids]);
  const rows = await Promise.all(TABLES.map(read));
  return async () => {
    for (const table of TABLES.toReversed())
      await sql(databaseUrl, `DELETE FROM ${table} WHERE account_id = ANY ($1)`, [ids]);
    for (const [at, table] of TABLES.entries())
      for (const { row } of rows[at] as { row: object }[])
        await sql(
          databaseUrl,
          `INSERT INTO ${table} SELECT * FROM json_populate_record(NULL::${table}, $1)`,
          [JSON.stringify(row)],
        );
    await sql(databaseUrl, 'UPDATE accounts SET token_version = token_version + 1000 WHERE id = $1', [
      spaceId,
    ]);
  };
}
