import { Injectable } from '@nestjs/common';
import { allowedRevisions, type Caller, type RevisionCondition, ServiceError } from '@app/common';
import { Database, type Executor, type Statement } from '@app/database';
import type { AccountEntity } from './entities/account.entity';

const COLUMNS = `id, email, email_verified, password_hash, wrapped_dek, wrapped_dek_iv, recovery_enabled,
  recovery_phrase_hash, token_version, created_at, updated_at, revision`;

const FIND: Statement = { name: 'accounts find', text: `SELECT ${COLUMNS} FROM accounts WHERE id = $1` };
const FIND_CALLER: Statement = {
  name: 'accounts find caller',
  text: `SELECT ${COLUMNS} FROM accounts WHERE id = $1 AND token_version = $2`,
};
const LOCK: Statement = {
  name: 'accounts lock',
  text: 'SELECT id FROM accounts WHERE id = $1 AND token_version = $2 FOR NO KEY UPDATE',
};
const INSERT: Statement = {
  name: 'accounts insert',
  text: `INSERT INTO accounts (id, email, password_hash, wrapped_dek, wrapped_dek_iv, recovery_wrapped_dek,
      recovery_wrapped_dek_iv, recovery_phrase_hash, recovery_enabled)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8::text IS NOT NULL) RETURNING ${COLUMNS}`,
};
const REHASH: Statement = {
  name: 'accounts rehash',
  text: 'UPDATE accounts SET password_hash = $3 WHERE id = $1 AND password_hash = $2',
};
const REPLACE_SECRET: Statement = {
  name: 'accounts replace secret',
  text: `UPDATE accounts SET password_hash = $4, wrapped_dek = $5, wrapped_dek_iv = $6, email = coalesce($7, email),
      token_version = token_version + 1, revision = revision + 1, updated_at = now()
    WHERE id = $1 AND token_version = $2 AND ($3::text IS NULL OR recovery_phrase_hash = $3)
      AND ($8::integer[] IS NULL OR revision = ANY ($8)) RETURNING ${COLUMNS}`,
};
const RAISE_TOKEN_VERSION: Statement = {
  name: 'accounts raise token version',
  text: `UPDATE accounts SET token_version = token_version + 1, revision = revision + 1, updated_at = now()
    WHERE id = $1 AND token_version = $2 RETURNING id`,
};
const DELETE: Statement = {
  name: 'accounts delete',
  text: `DELETE FROM accounts WHERE id = $1 AND token_version = $2
      AND ($3::integer[] IS NULL OR revision = ANY ($3)) RETURNING email`,
};

export interface NewAccount extends Pick<
  AccountEntity,
  | 'id'
  | 'email'
  | 'password_hash'
  | 'wrapped_dek'
  | 'wrapped_dek_iv'
  | 'recovery_wrapped_dek'
  | 'recovery_wrapped_dek_iv'
  | 'recovery_phrase_hash'
> {}

export interface NewSecret {
  passwordHash: string;
  wrappedDek: string;
  wrappedDekIv: string;
  /** Where the email changes with it. */
  email?: string;
  /** Where a recovery proof was checked: the stored hash, since a new phrase does not raise the token version. */
  proofHash?: string;
  /** Where the account must still be at a revision. */
  condition?: RevisionCondition;
}

/**
 * Whether a password that was checked is still the account's, the token version tells: every change of it raises that. The
 * stored hash may differ meanwhile, where a login at the same time has raised its cost.
 */
@Injectable()
export class AccountsRepository {
  constructor(private readonly database: Database) {}

  async find(id: string): Promise<AccountEntity | undefined> {
    return (await this.database.query<AccountEntity>(FIND, [id]))[0];
  }

  /** @throws ServiceError `token_revoked`. */
  async findCaller(caller: Caller): Promise<AccountEntity> {
    const [account] = await this.database.query<AccountEntity>(FIND_CALLER, [
      caller.accountId,
      caller.tokenVersion,
    ]);
    if (!account) throw new ServiceError('token_revoked');
    return account;
  }

  /** Holds the account until the transaction ends, if its secret is still the one that was checked. */
  async lock(transaction: Executor, account: AccountEntity): Promise<boolean> {
    const rows = await transaction.query(LOCK, [account.id, account.token_version]);
    return rows.length > 0;
  }

  async insert(transaction: Executor, account: NewAccount): Promise<AccountEntity> {
    const rows = await transaction.query<AccountEntity>(INSERT, [
      account.id,
      account.email,
      account.password_hash,
      account.wrapped_dek,
      account.wrapped_dek_iv,
      account.recovery_wrapped_dek,
      account.recovery_wrapped_dek_iv,
      account.recovery_phrase_hash,
    ]);
    return rows[0];
  }

  /** Stores the same secret at another cost, unless another request has done so, or has changed the secret. */
  async rehash(account: AccountEntity, passwordHash: string): Promise<void> {
    await this.database.query(REHASH, [account.id, account.password_hash, passwordHash]);
  }

  /** Sets a new secret and raises the token version, if what was proven still holds: of two changes at once, one wins. */
  async replaceSecret(
    transaction: Executor,
    account: AccountEntity,
    secret: NewSecret,
  ): Promise<AccountEntity | undefined> {
    const rows = await transaction.query<AccountEntity>(REPLACE_SECRET, [
      account.id,
      account.token_version,
      secret.proofHash ?? null,
      secret.passwordHash,
      secret.wrappedDek,
      secret.wrappedDekIv,
      secret.email ?? null,
      allowedRevisions(secret.condition),
    ]);
    return rows[0];
  }

  /** @returns whether the caller's tokens were still alive; they are not any more. */
  async raiseTokenVersion(transaction: Executor, caller: Caller): Promise<boolean> {
    const rows = await transaction.query(RAISE_TOKEN_VERSION, [caller.accountId, caller.tokenVersion]);
    return rows.length > 0;
  }

  /** Removes the account and, by cascade, all that it owns. @returns whether it was there, with that secret and revision. */
  async delete(
    transaction: Executor,
    account: AccountEntity,
    condition?: RevisionCondition,
  ): Promise<boolean> {
    const { id, token_version: tokenVersion } = account;
    const rows = await transaction.query(DELETE, [id, tokenVersion, allowedRevisions(condition)]);
    return rows.length > 0;
  }
}
