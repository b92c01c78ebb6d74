import type { DataSource, EntityManager } from 'typeorm';
import { Progress } from '../operations/progress';
import { distributedTriggerFunction } from './distributed-triggers';
import { SIZES_OF_TABLES, type Table, tablesOf } from './tables';

/** The foreign keys between tables of the schema, as `ALTER TABLE … ADD CONSTRAINT` takes them. */
const FOREIGN_KEYS = `
  SELECT conrelid::regclass::text AS table_name, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
  FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY 1, 2`;

/**
 * Triggers that use tables of other shards, which a trigger on a shard cannot reach. The service itself
 * deletes a login with its account. Data are loaded by `restore`, before the distribution.
 */
const TRIGGERS_OF_ONE_SERVER = [
  ['accounts', 'accounts_erased'],
  ['account_usage', 'account_usage_loaded'],
  ['changes', 'changes_loaded'],
];

interface ForeignKey {
  table_name: string;
  name: string;
  definition: string;
}

/**
 * Distributes the tables of a migrated database over the workers of its Citus cluster, and replaces the
 * functions of the triggers by functions that Citus can route. Tables that are distributed already stay.
 * Everything happens in one transaction.
 *
 * The tables must be empty or small: Citus copies their rows to the shards.
 *
 * @param log gets how far it is, after each table.
 * @returns the names of the tables that it distributed.
 * @throws QueryFailedError if the extension is missing or the server refuses a step.
 */
export function distributeTables(
  dataSource: DataSource,
  log: (line: string) => void = () => undefined,
): Promise<string[]> {
  return dataSource.transaction(async (manager) => {
    // In parallel, Citus takes a connection for each shard and refuses the functions that follow.
    await manager.query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
    for (const [table, trigger] of TRIGGERS_OF_ONE_SERVER)
      await manager.query(`DROP TRIGGER IF EXISTS ${trigger} ON ${table}`);
    const tables = inOrder(tablesOf(dataSource));
    const done = await manager.query<{ name: string }[]>(
      'SELECT logicalrelid::text AS name FROM pg_dist_partition',
    );
    const isDone = new Set(done.map(({ name }) => name));
    const added = tables.filter(({ name }) => !isDone.has(name));
    if (added.length > 0) await withoutForeignKeys(manager, () => distribute(manager, added, log));
    const [{ schema }] = await manager.query<{ schema: string }[]>(
      'SELECT quote_ident(current_schema()) AS schema',
    );
    for (const table of tables.filter(({ isRecord }) => isRecord))
      await manager.query(distributedTriggerFunction(table, schema));
    return added.map(({ name }) => name);
  });
}

/** The tables that are distributed. `accounts` comes first, because the others are colocated with it. */
function inOrder(tables: readonly Table[]): Table[] {
  const distributed = tables.filter(
    ({ distributedBy, isOnEveryNode }) => distributedBy !== undefined || isOnEveryNode,
  );
  const isRoot = ({ name }: Table) => (name === 'accounts' ? 0 : 1);
  return distributed.sort((one, other) => isRoot(one) - isRoot(other));
}

async function distribute(
  manager: EntityManager,
  tables: readonly Table[],
  log: (line: string) => void,
): Promise<void> {
  const sizes = await manager.query<{ name: string; bytes: number }[]>(SIZES_OF_TABLES, [
    tables.map(({ name }) => name),
  ]);
  const bytesOf = (table: string) => sizes.find(({ name }) => name === table)?.bytes ?? 0;
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  // It tells of each table, however quick.
  const progress = new Progress('Distributed', total, () => undefined);
  for (const [index, { name, distributedBy }] of tables.entries()) {
    const startedAt = performance.now();
    if (distributedBy === undefined) {
      await manager.query('SELECT create_reference_table($1)', [name]);
    } else {
      const company = distributedBy === 'account_id' ? 'accounts' : 'none';
      await manager.query(
        'SELECT create_distributed_table($1::regclass, $2::text, colocate_with => $3::text)',
        [name, distributedBy, company],
      );
    }
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    progress.add(bytesOf(name));
    log(`Distributed ${index + 1} of ${tables.length}: ${name}, in ${seconds} s; ${progress.state}.`);
  }
}

/** A distributed table and a local table cannot refer to each other, so all keys are away meanwhile. */
async function withoutForeignKeys(manager: EntityManager, work: () => Promise<void>): Promise<void> {
  const keys = await manager.query<ForeignKey[]>(FOREIGN_KEYS);
  for (const { table_name, name } of keys)
    await manager.query(`ALTER TABLE ${table_name} DROP CONSTRAINT ${name}`);
  await work();
  for (const { table_name, name, definition } of keys)
    await manager.query(`ALTER TABLE ${table_name} ADD CONSTRAINT ${name} ${definition}`);
}
