import type { DataSource, EntityMetadata, QueryRunner } from 'typeorm';

const ROWS_AT_ONCE = 500;

/** What proves something to the service, or is a mere digest: it says nothing about the person. */
const LEFT_OUT = /(_hash|^idempotency_(key|body)|^verification_token|^retired)$/;

/**
 * Writes everything that the database holds of an account as JSON: for each table, of modules too, an array of its rows.
 * All of it is as of one instant. Ciphertexts stay as they are: the service cannot open them. Bytes are hexadecimal.
 *
 * @param write gets pieces of the JSON text, in their order; the next one comes when it is done.
 */
export async function copyAccount(
  dataSource: DataSource,
  account: string,
  write: (text: string) => Promise<void> | void,
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction('REPEATABLE READ');
    await write(
      `{"account_id":${JSON.stringify(account)},"made_at":"${new Date().toISOString()}","tables":{`,
    );
    let before = '';
    for (const table of tablesOfAccounts(dataSource)) {
      await write(`${before}${JSON.stringify(table.name)}:[`);
      await copyRows(runner, table, account, write);
      await write(']');
      before = ',';
    }
    await write('}}');
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

interface AccountTable {
  name: string;
  /** The column that holds the account's id. */
  owner: string;
  columns: string[];
}

function tablesOfAccounts({ entityMetadatas }: DataSource): AccountTable[] {
  return entityMetadatas.flatMap((metadata: EntityMetadata) => {
    const names = metadata.columns.map(({ databaseName }) => databaseName);
    const owner = metadata.tableName === 'accounts' ? 'id' : 'account_id';
    if (!names.includes(owner)) return [];
    return [{ name: metadata.tableName, owner, columns: names.filter((name) => !LEFT_OUT.test(name)) }];
  });
}

async function copyRows(
  runner: QueryRunner,
  { name, owner, columns }: AccountTable,
  account: string,
  write: (text: string) => Promise<void> | void,
): Promise<void> {
  // The database makes the text: it keeps every digit of a number and of a time.
  await runner.query(
    `DECLARE copied NO SCROLL CURSOR FOR SELECT to_json(r)::text AS row
      FROM (SELECT ${columns.join(', ')} FROM ${name} WHERE ${owner} = $1) r`,
    [account],
  );
  let before = '';
  let found = ROWS_AT_ONCE;
  while (found === ROWS_AT_ONCE) {
    const rows = await runner.manager.query<{ row: string }[]>(`FETCH ${ROWS_AT_ONCE} FROM copied`);
    for (const { row } of rows) {
      await write(`${before}\n${row}`);
      before = ',';
    }
    found = rows.length;
  }
  await runner.query('CLOSE copied');
}
