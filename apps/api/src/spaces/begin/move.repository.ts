import { Injectable } from '@nestjs/common';
import { notFound, ServiceError } from '@app/common';
import { bytesOfRow, Database, type Executor, OwnedEntity, type Statement, tablesOf } from '@app/database';
import type { EntityMetadata } from 'typeorm';
import { MAX_MOVED_RECORDS } from '../space-limits.rule';

const PROFILES = 'profiles';
const ROWS_AT_ONCE = 1_000;
/** Of one statement, unless a row has more. */
const BYTES_AT_ONCE = 4 * 1024 * 1024;
/** Each member has a wrap of their own. */
const EMPTIED = ['wrapped_profile_dek', 'wrapped_profile_dek_iv'];

/** New children wait for this lock, and then find no parent. */
const LOCK: Statement = {
  name: 'profiles move lock',
  text: 'SELECT id FROM profiles WHERE account_id = $1 AND id = $2 FOR UPDATE',
};
const DELETE: Statement = {
  name: 'profiles move delete',
  text: 'DELETE FROM profiles WHERE account_id = $1 AND id = $2',
};

/** The statements that move the rows of one table. */
interface MovedTable {
  /** $1 account, $2 profile: ids with their bytes. The rows are locked. */
  list: Statement;
  /** $1 account, $2 ids: each column as text, which loses nothing of any type. */
  read: Statement;
  /** $1 the new account, then a list of texts for each column. */
  write: Statement;
  columns: string[];
}

/**
 * Moves a profile with all rows under it, of every kind that there is, from one account to another. Statements name one
 * account each, so a sharded database sends them to one shard.
 */
@Injectable()
export class MoveRepository {
  private built: MovedTable[] | undefined;

  constructor(private readonly database: Database) {}

  /**
   * Ids, revisions and times stay. The feed of the old account tells deletions, that of the new one creates.
   *
   * @throws ServiceError `not_found`, `profile_too_large`.
   */
  async move(
    transaction: Executor,
    profileId: string,
    { from, to }: Record<'from' | 'to', string>,
  ): Promise<void> {
    const found = await transaction.query(LOCK, [from, profileId]);
    if (found.length === 0) throw notFound();
    let records = 0;
    for (const table of this.tables) {
      const rows = await transaction.query<{ id: string; bytes: number }>(table.list, [from, profileId]);
      records += rows.length;
      // The profile itself does not count.
      if (records > MAX_MOVED_RECORDS + 1) throw new ServiceError('profile_too_large');
      for (const ids of inParts(rows)) await this.copy(transaction, table, ids, { from, to });
    }
    await transaction.query(DELETE, [from, profileId]);
  }

  private async copy(
    transaction: Executor,
    { read, write, columns }: MovedTable,
    ids: string[],
    { from, to }: Record<'from' | 'to', string>,
  ): Promise<void> {
    const rows = await transaction.query<Record<string, string | null>>(read, [from, ids]);
    await transaction.query(write, [to, ...columns.map((column) => rows.map((row) => row[column]))]);
  }

  /** Parents before children. */
  private get tables(): MovedTable[] {
    return (this.built ??= this.describe());
  }

  private describe(): MovedTable[] {
    const isUnder = new Map([[PROFILES, 'r.id = $2']]);
    const tables = tablesOf(this.database.dataSource).filter(
      ({ entity }) => entity.prototype instanceof OwnedEntity,
    );
    const moved: MovedTable[] = [];
    const add = (name: string): void => {
      const { entity, clientBytes } = tables.find((table) => table.name === name)!;
      const metadata = this.database.metadata.getMetadata(entity);
      moved.push(this.statementsOf(metadata, isUnder.get(name)!, bytesOfRow(clientBytes)));
    };
    add(PROFILES);
    // A table comes when all of its parents that move are there, so the rounds end when one adds nothing.
    for (let count = 0; count < moved.length;) {
      count = moved.length;
      for (const { name, entity } of tables) {
        const conditions = parentsOf(this.database.metadata.getMetadata(entity)).flatMap((parent) => {
          const under = isUnder.get(parent.table);
          if (under === undefined) return [];
          return parent.table === PROFILES
            ? [`r.${parent.column} = $2`]
            : [
                `r.${parent.column} IN (SELECT r.id FROM ${parent.table} r WHERE r.account_id = $1 AND (${under}))`,
              ];
        });
        if (isUnder.has(name) || conditions.length === 0) continue;
        isUnder.set(name, conditions.join(' OR '));
        add(name);
      }
    }
    return moved;
  }

  private statementsOf({ tableName, columns }: EntityMetadata, under: string, bytes: string): MovedTable {
    const { driver } = this.database.metadata;
    const kept = columns.filter(({ databaseName }) => databaseName !== 'account_id');
    const names = kept.map(({ databaseName }) => databaseName);
    const values = kept.map((column) => {
      const type = `${driver.normalizeType(column)}${column.isArray ? '[]' : ''}`;
      return EMPTIED.includes(column.databaseName) && tableName === PROFILES
        ? `''`
        : `v.${column.databaseName}::${type}`;
    });
    const lists = names.map((_, index) => `$${index + 2}::text[]`);
    return {
      columns: names,
      list: {
        name: `${tableName} move list`,
        // With the profile itself, one more than may move.
        text: `SELECT r.id, ${bytes} AS bytes FROM ${tableName} r WHERE r.account_id = $1 AND (${under})
          LIMIT ${MAX_MOVED_RECORDS + 2} FOR UPDATE`,
      },
      read: {
        name: `${tableName} move read`,
        text: `SELECT ${names.map((name) => `r.${name}::text`).join(', ')} 
          FROM unnest($2::uuid[]) AS wanted (id) JOIN ${tableName} r ON r.account_id = $1 AND r.id = wanted.id`,
      },
      write: {
        name: `${tableName} move write`,
        text: `INSERT INTO ${tableName} (account_id, ${names.join(', ')})
          SELECT a.id, ${values.join(', ')} FROM accounts a
          CROSS JOIN unnest(${lists.join(', ')}) AS v (${names.join(', ')}) WHERE a.id = $1`,
      },
    };
  }
}

/** The tables of the account under whose rows those of an entity are deleted, each with the column that names the row. */
function parentsOf({ foreignKeys }: EntityMetadata): { table: string; column: string }[] {
  return foreignKeys.flatMap(({ columnNames, referencedTablePath, onDelete }) =>
    onDelete === 'CASCADE' && columnNames.length === 2 && columnNames[0] === 'account_id'
      ? [{ table: referencedTablePath.split('.').pop()!, column: columnNames[1] }]
      : [],
  );
}

/** The ids in parts for one statement each. */
function inParts(rows: { id: string; bytes: number }[]): string[][] {
  const parts: string[][] = [];
  let part: string[] = [];
  let room = 0;
  for (const { id, bytes } of rows) {
    room -= bytes;
    if (room < 0 || part.length === 0 || part.length === ROWS_AT_ONCE) {
      parts.push((part = []));
      room = BYTES_AT_ONCE - bytes;
    }
    part.push(id);
  }
  return parts;
}
