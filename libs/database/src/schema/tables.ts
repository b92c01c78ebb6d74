import { ExtensionError } from '@app/common';
import { type DataSource, getMetadataArgsStorage } from 'typeorm';
import { RepeatableEntity } from './entities';
import {
  CLIENT_BYTES,
  DISTRIBUTED_BY,
  LABEL_COLUMNS,
  ON_EVERY_NODE,
  RECORD_KIND,
  SHARED_TABLE,
} from './table-decorators';

/** The class in an `*.entity.ts` file. */
export type EntityClass = abstract new () => object;

/** The facts about a table that follow from its entity's class and decorators, without a database. */
export interface Table {
  entity: EntityClass;
  name: string;
  /**
   * The column by which a sharded database distributes the table: the first of its primary key. Absent if the
   * table is not distributed.
   */
  distributedBy: string | undefined;
  /** Whether every node of a sharded database has a copy. */
  isOnEveryNode: boolean;
  /**
   * Whether each row counts as a record against the account's quota and appears in its feed. This is true for
   * all rows that a client creates.
   */
  isRecord: boolean;
  /** The name of a record in the feed; only for records. */
  kind: string | undefined;
  /** The columns whose bytes count, in the order of the class's properties. */
  clientBytes: string[];
  /** Those of them that an update may change when the quota is reached. */
  labels: string[];
}

/**
 * Describes the table of each entity, in the same order.
 *
 * @throws ExtensionError that names the class: it is not an entity, its table belongs to another entity, or
 *   its rows belong neither to an account nor (by `@DistributedBy()` or `@SharedTable()`) explicitly to none.
 */
export function describeTables(entities: readonly EntityClass[]): Table[] {
  const byName = new Map<string, EntityClass>();
  const byKind = new Map<string, EntityClass>();
  return entities.map((entity) => {
    const table = describeTable(entity);
    const other = byName.get(table.name);
    if (other === entity) throw new ExtensionError(`${entity.name} is named twice among the entities.`);
    if (other) throw new ExtensionError(`${entity.name} and ${other.name} are both the table ${table.name}.`);
    byName.set(table.name, entity);
    if (table.kind !== undefined) {
      const sibling = byKind.get(table.kind);
      if (sibling)
        throw new ExtensionError(`${entity.name} and ${sibling.name} are both of the kind ${table.kind}.`);
      byKind.set(table.kind, entity);
    }
    return table;
  });
}

/** Describes the tables of a data source; see {@link describeTables}. */
export function tablesOf({ options }: Pick<DataSource, 'options'>): Table[] {
  return describeTables(options.entities as EntityClass[]);
}

/**
 * SQL that counts again what accounts store, from the rows themselves: `account_id`, `records`, `bytes`. It
 * reads every row.
 */
export function recountOf(tables: readonly Table[]): string {
  const rows = tables
    .filter(({ isRecord }) => isRecord)
    .map(({ name, clientBytes }) => `SELECT account_id, ${bytesOfRow(clientBytes)} AS bytes FROM ${name}`);
  return `SELECT account_id, count(*) AS records, sum(bytes) AS bytes FROM (${rows.join(' UNION ALL ')}) stored GROUP BY account_id`;
}

/** SQL: the bytes of each table of the names `$1`, without its indexes: `name`, `bytes`. It reads no row. */
export const SIZES_OF_TABLES = `SELECT t.name, sum(pg_table_size(c.oid))::float8 AS bytes
  FROM unnest($1::text[]) AS t (name)
  JOIN pg_class c ON c.oid = t.name::regclass OR c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = t.name::regclass)
  GROUP BY t.name`;

/** SQL for the bytes of a row that count. */
export function bytesOfRow(clientBytes: readonly string[]): string {
  return clientBytes.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ') || '0';
}

/** {@link describeTables} for one entity. */
export function describeTable(entity: EntityClass): Table {
  const storage = getMetadataArgsStorage();
  const [table] = storage.filterTables(entity);
  if (!table) throw new ExtensionError(`${entity.name} has no @Entity().`);
  const name = table.name ?? entity.name;
  const columns = storage.filterColumns(inheritanceOf(entity));
  const nameOf = (property: string | symbol) =>
    columns.find(({ propertyName }) => propertyName === property)?.options.name ?? String(property);
  const markedWith = (key: symbol) =>
    (Reflect.getMetadata(key, entity.prototype as object) ?? []) as string[];
  const marked = markedWith(CLIENT_BYTES);
  const isRecord = entity.prototype instanceof RepeatableEntity;
  if (marked.length > 0 && !isRecord)
    throw new ExtensionError(
      `${entity.name} has @ClientBytes() and must extend RepeatableEntity: bytes are counted with their record.`,
    );
  const kind = Reflect.getMetadata(RECORD_KIND, entity) as string | undefined;
  if (isRecord !== (kind !== undefined))
    throw new ExtensionError(
      isRecord
        ? `${entity.name} lacks @RecordKind(): the name of its records in the feed.`
        : `${entity.name} has @RecordKind() and must extend RepeatableEntity: only records are in the feed.`,
    );
  const firstKey = columns.find(({ options }) => options.primary);
  return {
    entity,
    name,
    distributedBy: distributionOf(entity, firstKey && nameOf(firstKey.propertyName)),
    isOnEveryNode: Reflect.getMetadata(ON_EVERY_NODE, entity) === true,
    isRecord,
    kind,
    clientBytes: marked.map(nameOf),
    labels: markedWith(LABEL_COLUMNS).map(nameOf),
  };
}

function distributionOf(entity: EntityClass, firstKey: string | undefined): string | undefined {
  if (Reflect.getMetadata(SHARED_TABLE, entity)) return undefined;
  const said = Reflect.getMetadata(DISTRIBUTED_BY, entity) as string | undefined;
  if ((said ?? 'account_id') !== firstKey)
    throw new ExtensionError(
      said
        ? `${entity.name} is distributed by ${said}, which must be the first column of its primary key.`
        : `${entity.name} belongs to no account: its primary key must begin with account_id (extend OwnedEntity), or it says @SharedTable().`,
    );
  if (!said && !hasErasure(entity))
    throw new ExtensionError(
      `${entity.name} outlives its account: it needs a foreign key that begins with account_id, with onDelete: 'CASCADE'.`,
    );
  return firstKey;
}

/** Whether the rows are deleted with the account or with a parent record. */
function hasErasure(entity: EntityClass): boolean {
  const keys = getMetadataArgsStorage().filterForeignKeys(inheritanceOf(entity));
  return keys.some(
    ({ columnNames, propertyName, onDelete }) =>
      (columnNames?.[0] ?? propertyName) === 'account_id' && onDelete === 'CASCADE',
  );
}

/** The class and its base classes, nearest first. */
function inheritanceOf(entity: EntityClass): EntityClass[] {
  const parent = Object.getPrototypeOf(entity) as EntityClass | null;
  return parent?.name ? [entity, ...inheritanceOf(parent)] : [entity];
}
