import { Injectable } from '@nestjs/common';
import { allowedTags, type Caller, type RevisionCondition, ServiceError } from '@app/common';
import { Database, type Executor, revoked, type Statement, tagsAllow } from '@app/database';
import { AddressPseudonyms } from '@app/security';
import { hashOfDeviceToken } from '../devices/device-token.rule';
import type { AccountEntity } from './entities/account.entity';
import type { AccountUsage } from './entities/account-usage.entity';
import { DEVICE_TOKEN_DAYS } from '../devices/entities/device-token.entity';
import { KNOWN_ADDRESS_DAYS } from './entities/known-address.entity';

const COLUMNS = `id, email, email_verified, password_hash, wrapped_dek, wrapped_dek_iv, recovery_enabled,
  recovery_phrase_hash, second_step, token_version, erase_at, created_at, updated_at, revision, suspended_at, held_at`;

const IS_KNOWN_ADDRESS = (address: string) => `EXISTS (SELECT 1 FROM known_addresses k WHERE k.account_id = $1
  AND k.address = ${address} AND k.last_login_at > now() - interval '${KNOWN_ADDRESS_DAYS} days') AS is_known_address`;

const KNOWN_DEVICE = (hash: string) => `(SELECT d.token_hash FROM device_tokens d WHERE d.account_id = $1
  AND d.token_hash = ${hash} AND d.last_used_at > now() - interval '${DEVICE_TOKEN_DAYS} days') AS device_hash`;

/** Security: looks up the account, the address and the device, even if the account does not exist. */
const FIND: Statement = {
  name: 'accounts find',
  text: `SELECT ${COLUMNS}, is_known_address, device_hash
    FROM (SELECT ${IS_KNOWN_ADDRESS('$2')}, ${KNOWN_DEVICE('$3')}) known LEFT JOIN accounts ON id = $1`,
};
/** Only for a session that has not ended: an access token may outlive it by some seconds. */
const FIND_CALLER: Statement = {
  name: 'accounts find caller',
  text: `SELECT ${COLUMNS}, ${IS_KNOWN_ADDRESS('$3')} FROM accounts WHERE id = $1 AND token_version = $2
    AND EXISTS (SELECT 1 FROM sessions s WHERE s.account_id = $1 AND s.id = $4)`,
};
const LOCK: Statement = {
  name: 'accounts lock',
  text: 'SELECT id FROM accounts WHERE id = $1 AND token_version = $2 FOR NO KEY UPDATE',
};
const LOCK_BY_ID: Statement = {
  name: 'accounts lock by id',
  text: `SELECT ${COLUMNS} FROM accounts WHERE id = $1 FOR NO KEY UPDATE`,
};
/** Waits for writes to the account, which lock its key: the next statement sees them. */
const LOCK_TO_ERASE: Statement = {
  name: 'accounts lock to erase',
  text: 'SELECT id FROM accounts WHERE id = $1 FOR UPDATE',
};
/** Locks the row in the same way as `accounts lock`. */
const REHASH: Statement = {
  name: 'accounts rehash',
  text: 'UPDATE accounts SET password_hash = $3 WHERE id = $1 AND token_version = $2 RETURNING id',
};
const INSERT: Statement = {
  name: 'accounts insert',
  text: `INSERT INTO accounts (id, email, password_hash, wrapped_dek, wrapped_dek_iv, recovery_wrapped_dek,
      recovery_wrapped_dek_iv, recovery_phrase_hash, recovery_enabled)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8::text IS NOT NULL) ON CONFLICT (id) DO NOTHING RETURNING ${COLUMNS}`,
};
const IS_ERASED: Statement = {
  name: 'erasures find',
  text: 'SELECT account_id FROM erasures WHERE account_id = $1',
};
const REPLACE_SECRET: Statement = {
  name: 'accounts replace secret',
  text: `UPDATE accounts SET password_hash = $4, wrapped_dek = $5, wrapped_dek_iv = $6, email = coalesce($7, email),
      email_verified = email_verified AND ($7::text IS NULL OR $7 = email),
      verification_token = CASE WHEN $7::text IS NULL OR $7 = email THEN verification_token END,
      token_version = token_version + 1, revision = revision + 1, updated_at = now()
    WHERE id = $1 AND token_version = $2 AND ($3::text IS NULL OR recovery_phrase_hash = $3)
      AND ($8::text[] IS NULL OR ${tagsAllow('revision', '$8')}) RETURNING ${COLUMNS}`,
};
const RAISE_TOKEN_VERSION: Statement = {
  name: 'accounts raise token version',
  text: `UPDATE accounts SET token_version = token_version + 1, revision = revision + 1, updated_at = now()
    WHERE id = $1 AND token_version = $2 RETURNING id`,
};
const DELETE: Statement = {
  name: 'accounts delete',
  text: `DELETE FROM accounts WHERE id = $1 AND token_version = $2 AND held_at IS NULL
      AND ($3::text[] IS NULL OR ${tagsAllow('revision', '$3')}) RETURNING email`,
};
const ASK_ERASURE: Statement = {
  name: 'accounts ask erasure',
  text: `UPDATE accounts SET erasure_asked_at = now()
    WHERE id = $1 AND token_version = $2 AND held_at IS NOT NULL RETURNING id`,
};
/** Whoever plans it signs out: a sign-in is what stops it. */
const PLAN_ERASURE: Statement = {
  name: 'accounts plan erasure',
  text: `UPDATE accounts SET erase_at = now() + make_interval(days => $4), token_version = token_version + 1,
      revision = revision + 1, updated_at = now()
    WHERE id = $1 AND token_version = $2 AND held_at IS NULL AND ($3::text[] IS NULL OR ${tagsAllow('revision', '$3')}) RETURNING id`,
};
const STOP_ERASURE: Statement = {
  name: 'accounts stop erasure',
  text: 'UPDATE accounts SET erase_at = NULL WHERE id = $1',
};
const USAGE: Statement = {
  name: 'accounts usage',
  text: `SELECT coalesce(u.records, 0) AS records, coalesce(u.bytes, 0) AS bytes,
      extract(epoch FROM now() - a.created_at)::float8 AS age FROM accounts a
    LEFT JOIN account_usage u ON u.account_id = a.id WHERE a.id = $1 AND a.token_version = $2`,
};
const RECORD_ERASURE: Statement = {
  name: 'erasures insert',
  text: 'INSERT INTO erasures (account_id, erased_at) VALUES ($1, now()) ON CONFLICT DO NOTHING',
};

/** The sender of a request that proves who owns an account. */
export interface Sender {
  address: string;
  /** As the client sent it, so it may be wrong. */
  deviceToken?: string;
}

/** An account, with what is known about the sender of the request. */
export interface FoundAccount extends AccountEntity {
  /** Whether the account opened a session from this address in the last 30 days. */
  is_known_address: boolean;
  /** The hash of the sender's device token, if it is a valid one of this account. */
  device_hash?: Buffer | null;
}

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
  /** The new email, if the email changes with the secret. */
  email?: string;
  /**
   * The stored hash of the recovery proof, if a proof was checked. It is compared because a new phrase does
   * not raise the token version.
   */
  proofHash?: string;
  /** The entity tags that the account may have, if the client named any. */
  condition?: RevisionCondition;
}

/**
 * Statements compare the token version to find out whether a checked password is still valid: every change of
 * the password raises it. The stored hash is not suitable for this: a concurrent login may replace it with a
 * hash of the same password at a higher cost.
 */
@Injectable()
export class AccountsRepository {
  constructor(
    private readonly database: Database,
    private readonly pseudonyms: AddressPseudonyms,
  ) {}

  async find(id: string, { address, deviceToken }: Sender): Promise<FoundAccount | undefined> {
    const deviceHash = deviceToken === undefined ? null : hashOfDeviceToken(deviceToken);
    const values = [id, this.pseudonyms.of(id, address), deviceHash];
    const [row] = await this.database.strangers.query<FoundAccount | { id: null }>(FIND, values);
    return row.id === null ? undefined : row;
  }

  /** @throws ServiceError `token_revoked`. */
  async findCaller({ accountId, tokenVersion, sessionId, address }: Caller): Promise<FoundAccount> {
    const values = [accountId, tokenVersion, this.pseudonyms.of(accountId, address), sessionId];
    const [account] = await this.database.query<FoundAccount>(FIND_CALLER, values);
    if (!account) throw new ServiceError('token_revoked');
    return account;
  }

  /** @throws ServiceError `token_revoked`; `space_changed` in a space. */
  async usage(caller: Caller): Promise<AccountUsage> {
    const [usage] = await this.database.query<AccountUsage>(USAGE, [caller.accountId, caller.tokenVersion]);
    if (!usage) throw revoked(caller);
    return usage;
  }

  /**
   * Locks the account until the transaction ends, if its secret has not changed since it was checked.
   *
   * @param newHash a hash of the same secret at a higher cost. The same statement stores it.
   */
  async lock(
    transaction: Executor,
    account: Pick<AccountEntity, 'id' | 'token_version'>,
    newHash?: string,
  ): Promise<boolean> {
    const values = [account.id, account.token_version];
    const rows = newHash
      ? await transaction.query(REHASH, [...values, newHash])
      : await transaction.query(LOCK, values);
    return rows.length > 0;
  }

  /** Locks an account until the transaction ends, for a sign-in that needs no password. */
  async lockById(transaction: Executor, id: string): Promise<AccountEntity | undefined> {
    return (await transaction.query<AccountEntity>(LOCK_BY_ID, [id]))[0];
  }

  /** Locks an account so that until the transaction ends nothing refers to it that did not before. */
  async lockToErase(transaction: Executor, id: string): Promise<void> {
    await transaction.query(LOCK_TO_ERASE, [id]);
  }

  /** @throws ServiceError `id_taken` for the id of another account, or of an erased one: a restore would erase it. */
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
    if (rows.length === 0 || (await this.wasErased(transaction, account.id)))
      throw new ServiceError('id_taken');
    return rows[0];
  }

  /** Whether there was an account of this id: a restore of an older backup erases it again. */
  async wasErased(transaction: Executor, id: string): Promise<boolean> {
    return (await transaction.query(IS_ERASED, [id])).length > 0;
  }

  /**
   * Sets a new secret and raises the token version, if the checked secret is still valid. Of two concurrent
   * changes only one succeeds.
   */
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
      allowedTags(secret.condition),
    ]);
    return rows[0];
  }

  /** Ends all tokens of the account. @returns whether the caller's token was still valid before. */
  async raiseTokenVersion(transaction: Executor, caller: Caller): Promise<boolean> {
    const rows = await transaction.query(RAISE_TOKEN_VERSION, [caller.accountId, caller.tokenVersion]);
    return rows.length > 0;
  }

  /**
   * Deletes the account and, by cascade, everything that it owns. @returns `false` if its secret or revision
   * has changed, or if it is held.
   */
  async delete(
    transaction: Executor,
    account: AccountEntity,
    condition?: RevisionCondition,
  ): Promise<boolean> {
    const { id, token_version: tokenVersion } = account;
    const rows = await transaction.query(DELETE, [id, tokenVersion, allowedTags(condition)]);
    return rows.length > 0;
  }

  /** Notes that the owner of a held account wants it erased. @returns `false` if it is not held any more. */
  async askErasure(
    transaction: Executor,
    { id, token_version: tokenVersion }: AccountEntity,
  ): Promise<boolean> {
    return (await transaction.query(ASK_ERASURE, [id, tokenVersion])).length > 0;
  }

  /**
   * Lets the account be erased in so many days, and ends its tokens. @returns `false` if its secret or revision has
   * changed.
   */
  async planErasure(
    transaction: Executor,
    { id, token_version: tokenVersion }: AccountEntity,
    days: number,
    condition?: RevisionCondition,
  ): Promise<boolean> {
    const rows = await transaction.query(PLAN_ERASURE, [id, tokenVersion, allowedTags(condition), days]);
    return rows.length > 0;
  }

  async stopErasure(transaction: Executor, id: string): Promise<void> {
    await transaction.query(STOP_ERASURE, [id]);
  }

  /** Records an erasure, so that a restore of an older backup repeats it. */
  async recordErasure(transaction: Executor, id: string): Promise<void> {
    await transaction.query(RECORD_ERASURE, [id]);
  }
}
