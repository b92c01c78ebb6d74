import { Injectable } from '@nestjs/common';
import type { Caller } from 'health-records-service/common';
import { Database, type Executor, type Statement } from 'health-records-service/database';
import type { OidcLinkEntity } from './entities/oidc-link.entity';

const FIND: Statement = {
  name: 'oidc links find',
  text: 'SELECT account_id FROM oidc_links WHERE identity = $1',
};
/** A repeat changes nothing. No row is returned if the identity belongs to another account. */
const INSERT: Statement = {
  name: 'oidc links insert',
  text: `INSERT INTO oidc_links (identity, account_id) VALUES ($1, $2)
    ON CONFLICT (identity) DO UPDATE SET identity = excluded.identity WHERE oidc_links.account_id = $2
    RETURNING created_at`,
};
const LIST: Statement = {
  name: 'oidc links list',
  text: `SELECT l.created_at FROM oidc_links l JOIN accounts a ON a.id = l.account_id
    WHERE l.account_id = $1 AND a.token_version = $2 ORDER BY l.created_at`,
};
const DELETE: Statement = {
  name: 'oidc links delete',
  text: 'DELETE FROM oidc_links WHERE account_id = $1 RETURNING identity',
};

type Link = Pick<OidcLinkEntity, 'created_at'>;

@Injectable()
export class OidcLinksRepository {
  constructor(private readonly database: Database) {}

  async find(executor: Executor, identity: string): Promise<string | undefined> {
    const rows = await executor.query<OidcLinkEntity>(FIND, [identity]);
    return rows[0]?.account_id;
  }

  /** @returns `undefined` if the identity belongs to another account. */
  async insert(transaction: Executor, identity: string, accountId: string): Promise<Link | undefined> {
    return (await transaction.query<Link>(INSERT, [identity, accountId]))[0];
  }

  async list({ accountId, tokenVersion }: Caller): Promise<Link[]> {
    return this.database.query<Link>(LIST, [accountId, tokenVersion]);
  }

  /** @returns how many links there were. */
  async delete(transaction: Executor, accountId: string): Promise<number> {
    return (await transaction.query(DELETE, [accountId])).length;
  }
}
