import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { Database } from '../connection/database';
import type { Statement } from '../connection/statement';
import { tablesOf } from '../schema/tables';
import { Housekeeping } from './housekeeping';

/** How long a repeated create gets the record of the first. */
export const KEY_VALID_HOURS = 24;
const ACCOUNTS_AT_ONCE = 500;
/** The rows of one statement: it holds their locks only for a moment. */
const ROWS_AT_ONCE = 1_000;

const EXPIRED = `idempotency_key IS NOT NULL AND created_at <= now() - interval '${KEY_VALID_HOURS} hours'`;

/**
 * Forgets idempotency keys that are no longer valid: they are a third of the bytes of a small record. Each write is of
 * one account, so that a sharded database sends it to one shard.
 */
@Injectable()
export class IdempotencyKeys {
  constructor(
    private readonly database: Database,
    housekeeping: Housekeeping,
  ) {
    for (const { name, isRecord } of tablesOf(database.dataSource))
      if (isRecord) housekeeping.add(() => this.forgetIn(name));
  }

  private async forgetIn(table: string): Promise<void> {
    // By the index of the keys, which holds no other rows.
    const findAccounts: Statement = {
      name: `${table} find expired keys`,
      text: `SELECT account_id FROM ${table} WHERE ${EXPIRED} AND account_id > $1
        GROUP BY account_id ORDER BY account_id LIMIT ${ACCOUNTS_AT_ONCE}`,
    };
    let after: string | undefined = NIL;
    while (after !== undefined) {
      const accounts: { account_id: string }[] = await this.database.query(findAccounts, [after]);
      for (const { account_id: account } of accounts) await this.forgetOf(account, table);
      after = accounts.at(ACCOUNTS_AT_ONCE - 1)?.account_id;
    }
  }

  private async forgetOf(account: string, table: string): Promise<void> {
    const find: Statement = {
      name: `${table} find expired keys of one`,
      text: `SELECT id FROM ${table} WHERE account_id = $1 AND ${EXPIRED} LIMIT ${ROWS_AT_ONCE}`,
    };
    const forget: Statement = {
      name: `${table} forget expired keys`,
      text: `UPDATE ${table} r SET idempotency_key = NULL, idempotency_body = NULL
        FROM unnest($2::uuid[]) AS expired(id) WHERE r.account_id = $1 AND r.id = expired.id`,
    };
    let found = ROWS_AT_ONCE;
    while (found === ROWS_AT_ONCE) {
      const rows = await this.database.query<{ id: string }>(find, [account]);
      if (rows.length > 0) await this.database.query(forget, [account, rows.map(({ id }) => id)]);
      found = rows.length;
    }
  }
}
