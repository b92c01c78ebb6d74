import type { EntityMetadata } from 'typeorm';
import type { TableMetadata } from '../connection/database';
import { tagsAllow } from '../operations/epoch';
import { KEY_VALID_HOURS } from '../operations/idempotency-keys';
import { type Quotas, reachedBytes } from './quotas';
import { IS_VALID_CALLER } from './sessions';
import type { Statement } from '../connection/statement';
import { describeTable, type EntityClass } from '../schema/tables';

/** What a record weighs in an answer without its texts. */
const ROW_BYTES = 200;

/** The parent and the lists of a kind of record. */
export interface OwnedShape {
  entity: EntityClass;
  /** The parent record, of the same account. If absent, the account is the parent. */
  parent?: { table: string; column: string };
  /** The timestamp that orders lists; the id breaks ties. */
  orderBy: string;
  direction: 'ASC' | 'DESC';
  /** The timestamp that `updated_since` bounds. */
  changedAt: string;
  /** Filters of a list: name → condition on `r` with `?` for the value. */
  filters: Record<string, string>;
}

/**
 * Builds the SQL of one kind of record from its entity metadata, once for each form of statement.
 *
 * Every statement checks `$1` (account) and `$2` (token version) in `accounts`. It returns a record only
 * while the session is valid and if the record belongs to the caller.
 */
export class OwnedStatements {
  readonly table: string;
  private readonly columns: Map<string, string>;
  private readonly returned: string;
  /** Columns whose new value can make a record much larger. */
  private readonly growing: string[];
  /** Columns of text, which can be long. */
  private readonly texts: string[];
  private readonly built = new Map<string, Statement>();

  constructor(
    dataSource: TableMetadata,
    private readonly shape: OwnedShape,
    private readonly quotas: Quotas,
  ) {
    const metadata = dataSource.getMetadata(shape.entity);
    this.table = metadata.tableName;
    const { clientBytes, labels } = describeTable(shape.entity);
    this.growing = clientBytes.filter((column) => !labels.includes(column));
    this.columns = new Map(
      metadata.columns.map((column) => [column.databaseName, typeOf(dataSource, column)]),
    );
    const returned = metadata.columns
      .filter((column) => column.isSelect)
      .map((column) => column.databaseName);
    this.returned = returned.map((name) => `r.${name}`).join(', ');
    this.texts = returned.filter((name) => this.columns.get(name) === 'text');
  }

  /** $3 id. */
  find(): Statement {
    return this.once(
      'find',
      () => `SELECT ${this.returned} FROM accounts a JOIN ${this.table} r ON r.account_id = a.id
        WHERE a.id = $1 AND a.token_version = $2 AND r.id = $3`,
    );
  }

  /** $3 ids. */
  findByIds(): Statement {
    return this.once(
      'find by ids',
      // A join, because for a condition on the ids PostgreSQL may choose an unsuitable index.
      () => `SELECT ${this.returned} FROM unnest($3::uuid[]) AS wanted (id)
        JOIN ${this.table} r ON r.account_id = $1 AND r.id = wanted.id
        WHERE ${IS_VALID_CALLER}`,
    );
  }

  /**
   * A page of a list that is read only if it is small. No row is returned if the account stores more than the
   * bytes, and either the page has more than `maxMeasured` records or its records have more bytes.
   *
   * $3… the values of the filters in the order of `filters`, then (if `paged`) the instant and id of the
   * previous record, then the maximum numbers of records and bytes.
   */
  shortList(filters: string[], paged: boolean, maxMeasured: number): Statement {
    return this.once(`short list ${filters.join()} ${paged ? 'p' : ''}`, () => {
      const { rows, order, most, bytes } = this.page(filters, paged);
      return `SELECT ${this.returned} ${rows} ${order} LIMIT CASE
        WHEN ${storesMoreThan(bytes)} AND (${most} > ${maxMeasured + 1}
          OR (SELECT sum(bytes) FROM (SELECT ${this.size} AS bytes ${rows} ${order} LIMIT ${most}) sized) > ${bytes})
        THEN 0 ELSE ${most} END`;
    });
  }

  /**
   * A page of a list, with the parameters of `shortList`: the records that fit into the bytes, at least one. The
   * measurement does not read the texts, because PostgreSQL stores their lengths.
   */
  list(filters: string[], paged: boolean): Statement {
    return this.once(`list ${filters.join()} ${paged ? 'p' : ''}`, () => {
      const { rows, order, most, bytes } = this.page(filters, paged);
      return `SELECT ${this.returned} ${rows} ${order} LIMIT least(${most}, CASE WHEN ${storesMoreThan(bytes)} THEN (
        SELECT greatest(count(*), 1) FROM (SELECT sum(${this.size}) OVER (${order}) AS bytes ${rows} ${order} LIMIT ${most}) sized
        WHERE sized.bytes <= ${bytes}) END)`;
    });
  }

  /** Whether a list has records: `any`. The parameters are those of `shortList` without the maxima. */
  hasRecords(filters: string[], paged: boolean): Statement {
    return this.once(`has records ${filters.join()} ${paged ? 'p' : ''}`, () => {
      const { rows } = this.page(filters, paged);
      return `SELECT EXISTS (SELECT 1 ${rows}) AS any FROM accounts a WHERE a.id = $1 AND a.token_version = $2`;
    });
  }

  /**
   * $3… the values of `columns`, starting with `id`. No row is returned if the session has ended, the parent
   * is missing, the quota is reached, or the id or request key is taken.
   */
  insert(columns: string[]): Statement {
    return this.once(`insert ${columns.join()}`, () => {
      const values = columns.map((column, index) => this.param(column, index + 3));
      const { parent } = this.shape;
      const parentJoin = parent
        ? ` JOIN ${parent.table} p ON p.account_id = a.id AND p.id = ${values[columns.indexOf(parent.column)]}`
        : '';
      return `INSERT INTO ${this.table} AS r (account_id, ${columns.join(', ')})
        SELECT a.id, ${values.join(', ')} FROM accounts a${parentJoin}
        WHERE a.id = $1 AND a.token_version = $2 AND NOT ${this.overQuota('records', 'bytes')}
        ON CONFLICT DO NOTHING RETURNING ${this.returned}`;
    });
  }

  /**
   * $3 id, $4 the allowed entity tags or null for any, $5… the values of `columns`.
   *
   * @param derived SQL for some of the columns, such as a timestamp that depends on the change; `$column`
   *   stands for the new value of a column. Citus allows no `now()` inside CASE or COALESCE.
   * @param ofAuthor only a record of the author that `columns` name.
   */
  update(columns: string[], derived: Record<string, string> = {}, ofAuthor = false): Statement {
    return this.once(`update ${columns.join()} ${Object.keys(derived).join()} ${ofAuthor}`, () => {
      const params = new Map(columns.map((column, index) => [column, this.param(column, index + 5)]));
      const assignments = [...params].map(([column, param]) => {
        const expression = derived[column]?.replace(/\$(\w+)/g, (_, name: string) => params.get(name)!);
        return `${column} = ${expression ?? param}`;
      });
      const grows = columns.some((column) => this.growing.includes(column));
      const growth = grows ? ` AND NOT ${this.overQuota('bytes')}` : '';
      const author = ofAuthor ? ` AND r.author_id = ${params.get('author_id')}` : '';
      return `UPDATE ${this.table} r
        SET ${[...assignments, 'revision = r.revision + 1', 'updated_at = now()'].join(', ')}
        FROM accounts a WHERE a.id = $1 AND a.token_version = $2 AND r.account_id = a.id AND r.id = $3
        AND ($4::text[] IS NULL OR ${tagsAllow('r.revision', '$4')})${growth}${author} RETURNING ${this.returned}`;
    });
  }

  /** $3 id, then the allowed entity tags if `conditional`, the parent's id if `ofParent`, the author if `ofAuthor`. */
  delete({
    conditional,
    ofParent,
    ofAuthor,
  }: Record<'conditional' | 'ofParent' | 'ofAuthor', boolean>): Statement {
    return this.once(`delete ${conditional} ${ofParent} ${ofAuthor}`, () => {
      let next = 4;
      const condition = conditional ? ` AND ${tagsAllow('r.revision', `$${next++}`)}` : '';
      // The row is found by its id, because the parent may have very many rows.
      const parent = ofParent ? ` AND (r.${this.shape.parent!.column} = $${next++}) IS TRUE` : '';
      const author = ofAuthor ? ` AND r.author_id = $${next}` : '';
      return `DELETE FROM ${this.table} r USING accounts a
        WHERE a.id = $1 AND a.token_version = $2 AND r.account_id = a.id AND r.id = $3${condition}${parent}${author} RETURNING r.id`;
    });
  }

  /** $3 id of the parent. */
  findParent(): Statement {
    return this.once(
      'parent',
      () => `SELECT p.id FROM accounts a JOIN ${this.shape.parent!.table} p ON p.account_id = a.id
        WHERE a.id = $1 AND a.token_version = $2 AND p.id = $3`,
    );
  }

  /** $3 digest of the request key. `fresh`: the key is still within its period of validity. */
  findByRequestKey(): Statement {
    return this.once(
      'request',
      () => `SELECT ${this.returned}, r.idempotency_body, r.created_at > now() - interval '${KEY_VALID_HOURS} hours' AS fresh
        FROM accounts a JOIN ${this.table} r ON r.account_id = a.id
        WHERE a.id = $1 AND a.token_version = $2 AND r.idempotency_key = $3`,
    );
  }

  /** $3 digest of an expired request key. */
  releaseRequestKey(): Statement {
    return this.once(
      'release',
      () => `UPDATE ${this.table} r SET idempotency_key = NULL, idempotency_body = NULL FROM accounts a
        WHERE a.id = $1 AND a.token_version = $2 AND r.account_id = a.id AND r.idempotency_key = $3
        AND r.created_at <= now() - interval '${KEY_VALID_HOURS} hours'`,
    );
  }

  /** Whether the account has reached its quota. */
  reachedQuota(): Statement {
    return this.once(
      'quota',
      () => `SELECT ${this.overQuota('records')} AS records, ${this.overQuota('bytes')} AS bytes,
        extract(epoch FROM now() - a.created_at)::float8 AS age FROM accounts a WHERE a.id = $1 AND a.token_version = $2`,
    );
  }

  /** The parts of a statement that reads a page. */
  private page(filters: string[], paged: boolean) {
    const { orderBy, direction } = this.shape;
    let next = 3;
    const conditions = filters.map((name) => {
      const condition =
        name === 'updated_since' ? `r.${this.shape.changedAt} >= ?` : this.shape.filters[name];
      return ` AND ${condition.replace('?', `$${next++}`)}`;
    });
    if (paged) {
      const beyond = direction === 'ASC' ? '>' : '<';
      conditions.push(` AND (r.${orderBy}, r.id) ${beyond} ($${next++}::timestamptz, $${next++}::uuid)`);
    }
    return {
      // Not a join: with a join, PostgreSQL may look up the account again for each row.
      rows: `FROM ${this.table} r
        WHERE r.account_id = $1 AND ${IS_VALID_CALLER}${conditions.join('')}`,
      order: `ORDER BY r.${orderBy} ${direction}, r.id ${direction}`,
      most: `$${next}::bigint`,
      bytes: `$${next + 1}::bigint`,
    };
  }

  /** SQL for the size of a row. */
  private get size(): string {
    return [ROW_BYTES, ...this.texts.map((name) => `coalesce(octet_length(r.${name}), 0)`)].join(' + ');
  }

  /** Names the account by `$1` and not by the outer row, so that a sharded database needs only one shard. */
  private overQuota(...limits: ('records' | 'bytes')[]): string {
    const sql = {
      records: `u.records >= ${this.quotas.records}`,
      bytes: reachedBytes(this.quotas, 'u.bytes'),
    };
    const reached = limits.map((limit) => sql[limit]).join(' OR ');
    return `EXISTS (SELECT 1 FROM account_usage u WHERE u.account_id = $1 AND (${reached}))`;
  }

  private param(column: string, number: number): string {
    return `$${number}::${this.columns.get(column)}`;
  }

  private once(key: string, build: () => string): Statement {
    let statement = this.built.get(key);
    if (!statement) {
      // The number tells the variants of an action apart.
      const name = `${this.table} ${key.split(' ', 1)[0]} ${this.built.size}`;
      statement = { name, text: build().replace(/\s+/g, ' ') };
      this.built.set(key, statement);
    }
    return statement;
  }
}

/** Whether all records of the account together have more bytes. */
const storesMoreThan = (bytes: string) =>
  `(SELECT u.bytes + u.records * ${ROW_BYTES} > ${bytes} FROM account_usage u WHERE u.account_id = $1)`;

function typeOf(dataSource: TableMetadata, column: EntityMetadata['columns'][number]): string {
  return dataSource.driver.normalizeType(column);
}
