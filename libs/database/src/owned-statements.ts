import type { EntityMetadata, EntityTarget } from 'typeorm';
import type { Database, DatabaseSettings } from './database';
import type { Statement } from './statement';

/** Columns whose new value can make a record larger. */
const BLOBS = new Set(['encrypted_data', 'name_data', 'wrapped_profile_dek']);

/** Where records of a kind hang and how they are listed. */
export interface OwnedShape {
  entity: EntityTarget<object>;
  /** The record one step up, of the same account; absent for what hangs on the account itself. */
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
 * Builds the SQL of one kind of record from its entity metadata, each shape of statement once.
 *
 * Every statement asks `accounts` for `$1` (account) and `$2` (token version): a record comes back only while the
 * session is alive and the record is the caller's. Source: the contract's rule on ownership.
 */
export class OwnedStatements {
  readonly table: string;
  private readonly columns: Map<string, string>;
  private readonly returned: string;
  private readonly built = new Map<string, Statement>();

  constructor(
    dataSource: Database['metadata'],
    private readonly shape: OwnedShape,
    private readonly quotas: DatabaseSettings['quotas'],
  ) {
    const metadata = dataSource.getMetadata(shape.entity);
    this.table = metadata.tableName;
    this.columns = new Map(
      metadata.columns.map((column) => [column.databaseName, typeOf(dataSource, column)]),
    );
    this.returned = metadata.columns
      .filter((column) => column.isSelect)
      .map((column) => `r.${column.databaseName}`)
      .join(', ');
  }

  /** $3 id. */
  find(): Statement {
    return this.once(
      'find',
      () => `SELECT ${this.returned} FROM accounts a JOIN ${this.table} r ON r.account_id = a.id
        WHERE a.id = $1 AND a.token_version = $2 AND r.id = $3`,
    );
  }

  /** $3… the filters' values in the order of `filters`, then page instant and id where `paged`, then the limit where `limited`. */
  list(filters: string[], paged: boolean, limited: boolean): Statement {
    return this.once(`list ${filters.join()} ${paged ? 'p' : ''}${limited ? 'l' : ''}`, () => {
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
      // Not a join: PostgreSQL may look the account up again for each row of one.
      return `SELECT ${this.returned} FROM ${this.table} r
        WHERE r.account_id = $1 AND (SELECT true FROM accounts a WHERE a.id = $1 AND a.token_version = $2)${conditions.join('')}
        ORDER BY r.${orderBy} ${direction}, r.id ${direction}${limited ? ` LIMIT $${next}` : ''}`;
    });
  }

  /** $3… the values of `columns`, which begin with `id`. No row: session dead, parent missing, quota reached, id or request key taken. */
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
   * $3 id, $4 revisions allowed or null for any, $5… the values of `columns`.
   *
   * @param derived further assignments in SQL, such as a timestamp that depends on what changes; `$column` stands for
   *   that column's new value.
   */
  update(columns: string[], derived: Record<string, string> = {}): Statement {
    return this.once(`update ${columns.join()} ${Object.keys(derived).join()}`, () => {
      const params = new Map(columns.map((column, index) => [column, this.param(column, index + 5)]));
      const assignments = [...params].map(([column, param]) => `${column} = ${param}`);
      for (const [column, expression] of Object.entries(derived)) {
        assignments.push(
          `${column} = ${expression.replace(/\$(\w+)/g, (_, name: string) => params.get(name)!)}`,
        );
      }
      const growth = columns.some((column) => BLOBS.has(column)) ? ` AND NOT ${this.overQuota('bytes')}` : '';
      return `UPDATE ${this.table} r
        SET ${[...assignments, 'revision = r.revision + 1', 'updated_at = now()'].join(', ')}
        FROM accounts a WHERE a.id = $1 AND a.token_version = $2 AND r.account_id = a.id AND r.id = $3
        AND ($4::integer[] IS NULL OR r.revision = ANY ($4))${growth} RETURNING ${this.returned}`;
    });
  }

  /** $3 id, then the revisions allowed where `conditional`, then the parent's id where `ofParent`. */
  delete(conditional: boolean, ofParent: boolean): Statement {
    return this.once(`delete ${conditional} ${ofParent}`, () => {
      const condition = conditional ? ' AND r.revision = ANY ($4::integer[])' : '';
      // Found by its id: there may be very many under the parent.
      const parent = ofParent
        ? ` AND (r.${this.shape.parent!.column} = $${conditional ? 5 : 4}) IS TRUE`
        : '';
      return `DELETE FROM ${this.table} r USING accounts a
        WHERE a.id = $1 AND a.token_version = $2 AND r.account_id = a.id AND r.id = $3${condition}${parent} RETURNING r.id`;
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

  /** $3 digest of the request key. `fresh`: within the time for which a key counts. */
  findByRequestKey(): Statement {
    return this.once(
      'request',
      () => `SELECT ${this.returned}, r.idempotency_body, r.created_at > now() - interval '24 hours' AS fresh
        FROM accounts a JOIN ${this.table} r ON r.account_id = a.id
        WHERE a.id = $1 AND a.token_version = $2 AND r.idempotency_key = $3`,
    );
  }

  /** $3 digest of a request key that has lost its meaning. */
  releaseRequestKey(): Statement {
    return this.once(
      'release',
      () => `UPDATE ${this.table} r SET idempotency_key = NULL, idempotency_body = NULL FROM accounts a
        WHERE a.id = $1 AND a.token_version = $2 AND r.account_id = a.id AND r.idempotency_key = $3
        AND r.created_at <= now() - interval '24 hours'`,
    );
  }

  /** Whether the account stores more than it may. */
  reachedQuota(): Statement {
    return this.once(
      'quota',
      () => `SELECT ${this.overQuota('records')} AS records, ${this.overQuota('bytes')} AS bytes
        FROM accounts a WHERE a.id = $1 AND a.token_version = $2`,
    );
  }

  /** Names the account by `$1` and not by the row around it: so a sharded database knows the one shard. */
  private overQuota(...limits: (keyof DatabaseSettings['quotas'])[]): string {
    const reached = limits.map((limit) => `u.${limit} >= ${this.quotas[limit]}`).join(' OR ');
    return `EXISTS (SELECT 1 FROM account_usage u WHERE u.account_id = $1 AND (${reached}))`;
  }

  private param(column: string, number: number): string {
    return `$${number}::${this.columns.get(column)}`;
  }

  private once(key: string, build: () => string): Statement {
    let statement = this.built.get(key);
    if (!statement) {
      statement = { name: `${this.table} ${this.built.size}`, text: build().replace(/\s+/g, ' ') };
      this.built.set(key, statement);
    }
    return statement;
  }
}

function typeOf(dataSource: Database['metadata'], column: EntityMetadata['columns'][number]): string {
  return dataSource.driver.normalizeType(column);
}
