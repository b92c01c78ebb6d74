import type { DataSource } from 'typeorm';
import { type Table, tablesOf } from './tables';

type Queryable = Pick<DataSource, 'query'>;

/** The columns and events that the triggers on one table count. */
interface Counted {
  events: number;
  kinds: Set<string>;
  columns: Set<string>;
}

/** Bits of `pg_trigger.tgtype`. Source: PostgreSQL, src/include/catalog/pg_trigger.h. */
const EVENTS = { INSERT: 4, DELETE: 8, UPDATE: 16 };

/**
 * Enabled triggers that run once for each statement and write `account_usage`, with the columns that their
 * function counts.
 */
const FIND_COUNTERS = `
  SELECT c.relname AS name, t.tgtype AS type, p.prosrc AS source FROM pg_trigger t
    JOIN pg_class c ON c.oid = t.tgrelid AND pg_table_is_visible(c.oid)
    JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE c.relname = ANY ($1) AND t.tgenabled IN ('O', 'A') AND t.tgtype & 3 = 0 AND p.prosrc LIKE '%account_usage%'`;

/**
 * Compares the marked columns of the entities with the columns that the triggers in the database count.
 *
 * @returns a sentence for each table with a missing count. Additional counts are allowed, because a newer
 *   version may have migrated already.
 */
export async function findUncounted(database: Queryable, tables: readonly Table[]): Promise<string[]> {
  const counted = await countedIn(database, tables);
  return tables
    .filter(({ isRecord }) => isRecord)
    .flatMap((table) => uncounted(table, counted.get(table.name)));
}

/**
 * Compares the entities with the migrated database: columns, keys and indexes by TypeORM's own comparison,
 * and the counters of quotas. For tests.
 *
 * @param dataSource connected; all of its entities are compared.
 * @param ownIndexes the names of indexes that a migration of yours has added to tables of the service.
 * @returns the differences: SQL that would correct them, or a sentence. Empty if both agree.
 */
export async function findSchemaFaults(
  dataSource: DataSource,
  ownIndexes: readonly string[] = [],
): Promise<string[]> {
  const tables = tablesOf(dataSource);
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  const counted = await countedIn(dataSource, tables);
  const tooMuch = tables.flatMap(({ entity, name, isRecord, clientBytes }) => {
    const columns = [...(counted.get(name)?.columns ?? [])].filter((column) => !clientBytes.includes(column));
    if (columns.length > 0)
      return [
        `The counters of ${name} count ${columns.join(', ')}: ${entity.name} lacks @ClientBytes() there.`,
      ];
    return !isRecord && counted.has(name)
      ? [`The table ${name} has counters: ${entity.name} must extend RepeatableEntity.`]
      : [];
  });
  // TypeORM would drop what no entity names.
  const dropped = (name: string) => (query: string) =>
    query.startsWith('DROP INDEX') && query.endsWith(`"${name}"`);
  const queries = upQueries.map(({ query }) => query);
  const missing = ownIndexes
    .filter((name) => !queries.some(dropped(name)))
    .map((name) => `There is no index ${name}.`);
  const others = queries.filter((query) => !ownIndexes.some((name) => dropped(name)(query)));
  return [...others, ...missing, ...(await findUncounted(dataSource, tables)), ...tooMuch];
}

async function countedIn(database: Queryable, tables: readonly Table[]): Promise<Map<string, Counted>> {
  const rows = await database.query<{ name: string; type: number; source: string }[]>(FIND_COUNTERS, [
    tables.map(({ name }) => name),
  ]);
  const counted = new Map<string, Counted>();
  for (const { name, type, source } of rows) {
    const ofTable = counted.get(name) ?? { events: 0, kinds: new Set(), columns: new Set() };
    ofTable.events |= type;
    for (const [, column] of source.matchAll(/octet_length\((\w+)\)/g)) ofTable.columns.add(column);
    for (const [, kind] of source.matchAll(/c\.kind = '(\w+)'/g)) ofTable.kinds.add(kind);
    counted.set(name, ofTable);
  }
  return counted;
}

function uncounted({ entity, name, kind, clientBytes }: Table, counted: Counted | undefined): string[] {
  const events = Object.entries(EVENTS).filter(([, bit]) => !((counted?.events ?? 0) & bit));
  if (events.length > 0) {
    const missing = events.map(([event]) => event).join(', ');
    return [
      `The table ${name} of ${entity.name} has no counters for ${missing}: create it with ownedTableV1, or add them in a migration.`,
    ];
  }
  if (!counted!.kinds.has(kind!))
    return [
      `The triggers of ${name} enter no ${kind} into the feed, which ${entity.name} names with @RecordKind().`,
    ];
  const columns = clientBytes.filter((column) => !counted!.columns.has(column));
  return columns.length > 0
    ? [
        `The counters of ${name} do not count ${columns.join(', ')}, which ${entity.name} marks with @ClientBytes().`,
      ]
    : [];
}
