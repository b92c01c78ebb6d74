/** Metadata keys; read by `describeTables`. */
export const CLIENT_BYTES = Symbol('columns whose bytes count');
export const LABEL_COLUMNS = Symbol('columns of labels, whose bytes count');
export const DISTRIBUTED_BY = Symbol('the column by which a table is distributed');
export const RECORD_KIND = Symbol('the kind of records');
export const SHARED_TABLE = Symbol('rows of no account');
export const ON_EVERY_NODE = Symbol('rows that every node needs');

/**
 * A column with bytes that a client chooses. They count against the account's quota. For `text` and `bytea`.
 *
 * The migration must count the same columns; see `ownedTableV1`.
 *
 * @param options `isLabel`: a label of at most a few hundred bytes. An update may change it when the quota is
 *   reached.
 */
export function ClientBytes({ isLabel = false } = {}): PropertyDecorator {
  return (target, property) => {
    for (const key of isLabel ? [CLIENT_BYTES, LABEL_COLUMNS] : [CLIENT_BYTES]) {
      const marked = (Reflect.getMetadata(key, target) ?? []) as (string | symbol)[];
      Reflect.defineMetadata(key, [...marked, property], target);
    }
  };
}

/**
 * An entity that is distributed by another column than `account_id`. That column must be the first of its
 * primary key.
 *
 * No foreign key can refer from such a table to the account. Its author must delete its rows with the
 * account's rows.
 */
export function DistributedBy(column: string): ClassDecorator {
  return (target) => Reflect.defineMetadata(DISTRIBUTED_BY, column, target);
}

/**
 * An entity whose rows belong to no account, such as a list of codes. A sharded database does not distribute
 * it.
 *
 * @param options `onEveryNode`: statements of accounts read the table, so each node needs a copy. Every write
 *   then goes to every node.
 */
export function SharedTable({ onEveryNode = false } = {}): ClassDecorator {
  return (target) => {
    Reflect.defineMetadata(SHARED_TABLE, true, target);
    Reflect.defineMetadata(ON_EVERY_NODE, onEveryNode, target);
  };
}

/**
 * Names the records of an entity, in the feed of `GET /api/sync` and in messages. Each entity that extends
 * `RepeatableEntity` has one.
 *
 * @param kind lower-case letters, digits and `_`; the migration uses the same name, see `ownedTableV1`.
 */
export function RecordKind(kind: string): ClassDecorator {
  return (target) => Reflect.defineMetadata(RECORD_KIND, kind, target);
}
