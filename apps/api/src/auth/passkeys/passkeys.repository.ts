import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/common';
import { Database, type Executor, IS_VALID_CALLER, isLiveSession, type Statement } from '@app/database';
import type { PasskeyEntity } from './entities/passkey.entity';

export const MAX_PASSKEYS = 10;

const COLUMNS = `id, created_at, credential_id, public_key, counter, transports, backed_up, label, wrapped_dek,
  wrapped_dek_iv, account_key_id, last_used_at`;

const LIST: Statement = {
  name: 'passkeys list',
  text: `SELECT ${COLUMNS} FROM passkeys WHERE account_id = $1 AND ${IS_VALID_CALLER} ORDER BY created_at, id`,
};
const INSERT: Statement = {
  name: 'passkeys insert',
  text: `INSERT INTO passkeys (account_id, id, credential_id, public_key, counter, transports, backed_up, label,
      wrapped_dek, wrapped_dek_iv, account_key_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING ${COLUMNS}`,
};
const FIND: Statement = {
  name: 'passkeys find',
  text: `SELECT ${COLUMNS} FROM passkeys WHERE account_id = $1 AND credential_id = $2`,
};
const OF_ACCOUNT: Statement = {
  name: 'passkeys of account',
  text: 'SELECT credential_id, transports FROM passkeys WHERE account_id = $1 ORDER BY created_at, id',
};
const UPDATE: Statement = {
  name: 'passkeys update',
  text: `UPDATE passkeys SET label = coalesce($5, label), wrapped_dek = coalesce($6, wrapped_dek),
      wrapped_dek_iv = coalesce($7, wrapped_dek_iv), account_key_id = coalesce($8, account_key_id)
    WHERE account_id = $1 AND id = $4 AND ${IS_VALID_CALLER} AND ${isLiveSession('$3')} RETURNING ${COLUMNS}`,
};
/** Of many uses of one ticket one succeeds, and an older ticket never does. So does a counter that goes back. */
const USE: Statement = {
  name: 'passkeys use',
  text: `UPDATE passkeys SET ticket_at = $3, counter = $4, backed_up = $5, last_used_at = now()
    WHERE account_id = $1 AND id = $2 AND (ticket_at IS NULL OR ticket_at < $3)
      AND (counter < $4 OR (counter = 0 AND $4 = 0)) RETURNING ${COLUMNS}`,
};
const DELETE: Statement = {
  name: 'passkeys delete',
  text: 'DELETE FROM passkeys WHERE account_id = $1 AND id = $2 RETURNING id',
};
const DELETE_ALL: Statement = {
  name: 'passkeys delete all',
  text: 'DELETE FROM passkeys WHERE account_id = $1',
};
const END_WRAPS: Statement = {
  name: 'passkeys end wraps',
  text: 'UPDATE passkeys SET wrapped_dek = NULL, wrapped_dek_iv = NULL, account_key_id = NULL WHERE account_id = $1',
};

export type NewPasskey = Omit<PasskeyEntity, 'account_id' | 'created_at' | 'ticket_at' | 'last_used_at'>;
export type PasskeyChange = Partial<
  Pick<PasskeyEntity, 'label' | 'wrapped_dek' | 'wrapped_dek_iv' | 'account_key_id'>
>;

/** What a passkey has proven. */
export interface PasskeyUse {
  accountId: string;
  id: string;
  /** When its ticket was issued. */
  issuedAt: Date;
  counter: number;
  backedUp: boolean;
}

@Injectable()
export class PasskeysRepository {
  constructor(private readonly database: Database) {}

  /** Oldest first. Empty also if the caller's tokens are no longer valid. */
  async list(
    { accountId, tokenVersion }: Caller,
    executor: Executor = this.database,
  ): Promise<PasskeyEntity[]> {
    return executor.query<PasskeyEntity>(LIST, [accountId, tokenVersion]);
  }

  /** For somebody who has not signed in. */
  async find(accountId: string, credentialId: Buffer): Promise<PasskeyEntity | undefined> {
    return (await this.database.strangers.query<PasskeyEntity>(FIND, [accountId, credentialId]))[0];
  }

  /** How to ask for those of an account whose password was right. */
  async ofAccount(accountId: string): Promise<Pick<PasskeyEntity, 'credential_id' | 'transports'>[]> {
    return this.database.strangers.query(OF_ACCOUNT, [accountId]);
  }

  async insert(transaction: Executor, accountId: string, passkey: NewPasskey): Promise<PasskeyEntity> {
    const rows = await transaction.query<PasskeyEntity>(INSERT, [
      accountId,
      passkey.id,
      passkey.credential_id,
      passkey.public_key,
      passkey.counter,
      passkey.transports,
      passkey.backed_up,
      passkey.label,
      passkey.wrapped_dek,
      passkey.wrapped_dek_iv,
      passkey.account_key_id,
    ]);
    return rows[0];
  }

  /** @returns `undefined` if the caller's session has ended or the caller has no such passkey. */
  async update(caller: Caller, id: string, change: PasskeyChange): Promise<PasskeyEntity | undefined> {
    const rows = await this.database.query<PasskeyEntity>(UPDATE, [
      caller.accountId,
      caller.tokenVersion,
      caller.sessionId,
      id,
      change.label ?? null,
      change.wrapped_dek ?? null,
      change.wrapped_dek_iv ?? null,
      change.account_key_id ?? null,
    ]);
    return rows[0];
  }

  /** @returns `undefined` if the passkey is gone, or its ticket or its counter was used already. */
  async use(transaction: Executor, use: PasskeyUse): Promise<PasskeyEntity | undefined> {
    const values = [use.accountId, use.id, use.issuedAt.toISOString(), use.counter, use.backedUp];
    return (await transaction.query<PasskeyEntity>(USE, values))[0];
  }

  /** @returns whether there was one. */
  async delete(transaction: Executor, accountId: string, id: string): Promise<boolean> {
    return (await transaction.query(DELETE, [accountId, id])).length > 0;
  }

  async deleteAll(transaction: Executor, accountId: string): Promise<void> {
    await transaction.query(DELETE_ALL, [accountId]);
  }

  /** The account has another key: its passkeys sign in, and unlock nothing until they get a wrap of the new one. */
  async endWraps(transaction: Executor, accountId: string): Promise<void> {
    await transaction.query(END_WRAPS, [accountId]);
  }
}
