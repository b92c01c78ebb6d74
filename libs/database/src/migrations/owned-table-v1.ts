import { ExtensionError } from '@app/common';
import type { QueryRunner } from 'typeorm';
import { createTriggersV1, dropTriggersV1 } from './record-triggers-v1';

/** A table whose rows belong to an account, in the form in which its migration creates it. */
export interface OwnedTableV1 {
  /** At most 40 characters; lower-case letters, digits and `_`. */
  name: string;
  /** The name of the records in the feed. It equals the entity's `@RecordKind()`. */
  kind: string;
  /**
   * The parent record, of the same account, and the column that refers to it. If absent, the account is the
   * parent.
   */
  parent?: { table: string; column: string };
  /** The table's own columns, in order: `{ status: 'text NOT NULL' }`. */
  columns: Record<string, string>;
  /** The timestamp that orders lists: `created_at` (the default) or one of `columns`. */
  orderBy?: string;
  /** Whether rows can change. If so, they have `updated_at` and `revision`. Default true. */
  revised?: boolean;
  /**
   * The columns whose bytes count against the quota. They are the ones that the entity marks with
   * `@ClientBytes()`.
   */
  clientBytes?: readonly string[];
}

/** The location of the service's tables. */
export interface PlaceV1 {
  /** Already quoted for SQL. */
  schema: string;
  /** Hash partitions of each table; 0 for plain tables. */
  partitions: number;
}

/**
 * Creates and drops an owned table completely: the common columns, keys, the foreign key to its parent, the
 * indexes of lists and of idempotency keys, the triggers of quotas and of the feed, and as many hash
 * partitions as `accounts` has.
 *
 * Names: `<name>_pkey`, `<name>_<parent>_fkey`, `<name>_of_<parent>`, `<name>_by_age` (`_by_time` if the
 * order uses another column than `created_at`), `<name>_idempotency`; `<parent>` is the parent's column
 * without `_id`, or `account`.
 *
 * The result of this version never changes, so that a migration always creates the same table. A new form
 * needs a V2.
 *
 * @throws ExtensionError for an invalid description.
 */
export function ownedTableV1(table: OwnedTableV1): {
  /** For `up` of the migration. */
  create(queryRunner: QueryRunner): Promise<void>;
  /** For `down` of the migration. */
  drop(queryRunner: QueryRunner): Promise<void>;
} {
  check(table);
  return {
    async create(queryRunner) {
      await queryRunner.query(createOwnedTableV1(table, await placeV1(queryRunner)));
    },
    async drop(queryRunner) {
      const { schema } = await placeV1(queryRunner);
      await queryRunner.query(`DROP TABLE ${schema}.${table.name};\n${dropTriggersV1(table.name, schema)}`);
    },
  };
}

/** Finds the schema and the partitions of `accounts`, so that a new table gets the same. */
export async function placeV1(queryRunner: QueryRunner): Promise<PlaceV1> {
  const [place] = (await queryRunner.query(
    `SELECT quote_ident(n.nspname) AS schema,
        (SELECT count(*)::integer FROM pg_inherits WHERE inhparent = c.oid) AS partitions
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = 'accounts'::regclass`,
  )) as PlaceV1[];
  return place;
}

/** The SQL that creates one table. */
export function createOwnedTableV1(table: OwnedTableV1, { schema, partitions }: PlaceV1): string {
  const { name, parent, orderBy = 'created_at' } = table;
  const whole = `${schema}.${name}`;
  const role = parent ? parent.column.replace(/_id$/, '') : 'account';
  const [own, referenced] = parent
    ? [`account_id, ${parent.column}`, `${schema}.${parent.table} (account_id, id)`]
    : ['account_id', `${schema}.accounts (id)`];
  const lines = [
    ...columnsOf(table),
    `CONSTRAINT ${name}_pkey PRIMARY KEY (account_id, id)`,
    `CONSTRAINT ${name}_${role}_fkey FOREIGN KEY (${own}) REFERENCES ${referenced} ON DELETE CASCADE`,
  ];
  const byOrder = orderBy === 'created_at' ? 'by_age' : 'by_time';
  return [
    `CREATE TABLE ${whole} (\n  ${lines.join(',\n  ')}\n)${partitionsV1(whole, partitions)}`,
    `CREATE INDEX ${name}_${byOrder} ON ${whole} (account_id, ${orderBy}, id);`,
    ...(parent
      ? [`CREATE INDEX ${name}_of_${role} ON ${whole} (account_id, ${parent.column}, ${orderBy}, id);`]
      : []),
    `CREATE UNIQUE INDEX ${name}_idempotency ON ${whole} (account_id, idempotency_key) WHERE idempotency_key IS NOT NULL;`,
    createTriggersV1(
      { name, kind: table.kind, revised: table.revised ?? true, clientBytes: table.clientBytes ?? [] },
      schema,
    ),
  ].join('\n');
}

/**
 * The end of a `CREATE TABLE` of an account's rows: by what it is partitioned, and its partitions.
 *
 * @param table with its schema, quoted for SQL.
 */
export function partitionsV1(table: string, partitions: number): string {
  if (partitions === 0) return ';';
  const each = Array.from(
    { length: partitions },
    (_, remainder) =>
      `CREATE TABLE ${table}_${remainder} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${remainder});`,
  );
  return [' PARTITION BY HASH (account_id);', ...each].join('\n');
}

function columnsOf({ parent, columns, revised = true }: OwnedTableV1): string[] {
  return [
    'account_id uuid NOT NULL',
    'id uuid NOT NULL',
    'created_at timestamptz(3) NOT NULL DEFAULT now()',
    'idempotency_key bytea',
    'idempotency_body bytea',
    ...(revised
      ? ['updated_at timestamptz(3) NOT NULL DEFAULT now()', 'revision integer NOT NULL DEFAULT 1']
      : []),
    ...(parent ? [`${parent.column} uuid NOT NULL`] : []),
    ...Object.entries(columns).map(([column, definition]) => `${column} ${definition}`),
  ];
}

/**
 * Names are used in SQL without quotes, and other names are built from them. PostgreSQL cuts names at 63
 * bytes.
 */
function check({ name, kind, parent, columns, orderBy, clientBytes = [] }: OwnedTableV1): void {
  const names = [name, kind, ...Object.keys(columns), ...(parent ? [parent.table, parent.column] : [])];
  const unfit = names.find((each) => !/^[a-z][a-z0-9_]{0,39}$/.test(each));
  if (unfit !== undefined)
    throw new ExtensionError(`The migration of ${name} has a name that cannot be used: ${unfit}.`);
  const unknown = [...clientBytes, ...(orderBy ? [orderBy] : [])].find(
    (column) => !(column in columns) && column !== 'created_at',
  );
  if (unknown !== undefined) throw new ExtensionError(`The migration of ${name} has no column ${unknown}.`);
}
