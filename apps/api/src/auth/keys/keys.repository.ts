import { Injectable } from '@nestjs/common';
import { type Caller, ServiceError } from '@app/common';
import {
  assertLiveSession,
  Database,
  type Executor,
  IS_VALID_CALLER,
  isLiveSession,
  reachedBytes,
  type Statement,
  tablesOf,
} from '@app/database';
import type { ResealedRecordRequest } from './dto/reseal.request';
import type { RotatedProfileRequest, RotateKeysRequest } from './dto/rotate-keys.request';
import type { PutTrustBookRequest } from './dto/trust-book.request';
import type { TrustBookEntity } from './entities/trust-book.entity';

const BOOK_COLUMNS = 'revision, encrypted_data, updated_at';

const FIND_BOOK: Statement = {
  name: 'trust books find',
  text: `SELECT ${BOOK_COLUMNS} FROM trust_books WHERE account_id = $1 AND ${IS_VALID_CALLER}`,
};
const IS_CALLERS = `${IS_VALID_CALLER} AND ${isLiveSession('$3')}`;
/** In a space there is no session: $3 is null. */
const IS_CALLERS_OR_MEMBERS = `${IS_VALID_CALLER} AND ($3::uuid IS NULL OR ${isLiveSession('$3')})`;
const INSERT_BOOK: Statement = {
  name: 'trust books insert',
  text: `INSERT INTO trust_books (account_id, encrypted_data)
    SELECT a.id, $4 FROM accounts a WHERE a.id = $1 AND a.token_version = $2 AND ${isLiveSession('$3')}
    ON CONFLICT DO NOTHING RETURNING ${BOOK_COLUMNS}`,
};
const UPDATE_BOOK: Statement = {
  name: 'trust books update',
  text: `UPDATE trust_books SET encrypted_data = $4, revision = revision + 1, updated_at = now()
    WHERE account_id = $1 AND revision = $5 AND ${IS_CALLERS} RETURNING ${BOOK_COLUMNS}`,
};
const ROTATE_INSERT_BOOK: Statement = {
  name: 'rotate insert trust book',
  text: `INSERT INTO trust_books (account_id, encrypted_data) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING revision`,
};
const ROTATE_UPDATE_BOOK: Statement = {
  name: 'rotate update trust book',
  text: `UPDATE trust_books SET encrypted_data = $2, revision = revision + 1, updated_at = now()
    WHERE account_id = $1 AND revision = $3 RETURNING revision`,
};
const SET_RECOVERY: Statement = {
  name: 'rotate recovery',
  text: `UPDATE accounts SET recovery_enabled = true, recovery_phrase_hash = $2, recovery_wrapped_dek = $3,
      recovery_wrapped_dek_iv = $4 WHERE id = $1`,
};
/** The deletion of a profile waits, and so does a change that has begun. */
const LOCK_PROFILES: Statement = {
  name: 'rotate lock profiles',
  text: 'SELECT id, revision FROM profiles WHERE account_id = $1 FOR UPDATE',
};
const ROTATE_PROFILES: Statement = {
  name: 'rotate profiles',
  text: `UPDATE profiles r SET wrapped_profile_dek = v.dek, wrapped_profile_dek_iv = v.dek_iv, name_data = v.name,
      name_iv = v.name_iv, revision = r.revision + 1, updated_at = now()
    FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[]) AS v (id, dek, dek_iv, name, name_iv)
    WHERE r.account_id = $1 AND r.id = v.id`,
};
/** Others know the account by these: they are there before and after, or not at all. */
const LOCK_ACCOUNT_KEYS: Statement = {
  name: 'rotate lock account keys',
  text: 'SELECT account_id FROM account_keys WHERE account_id = $1 FOR UPDATE',
};
const ROTATE_ACCOUNT_KEYS: Statement = {
  name: 'rotate account keys',
  text: `UPDATE account_keys SET sharing_public = $2, signing_public = $3, wrapped = $4, wrapped_iv = $5
    WHERE account_id = $1`,
};
const RESEAL_DOSES: Statement = {
  name: 'reseal doses',
  text: `UPDATE doses r SET proof = v.proof FROM unnest($4::uuid[], $5::text[], $6::text[]) AS v (id, former, proof)
    WHERE r.account_id = $1 AND r.id = v.id AND r.proof = v.former AND ${IS_CALLERS_OR_MEMBERS} RETURNING r.id`,
};

/** The statements by which an account gets other keys. */
@Injectable()
export class KeysRepository {
  private readonly reseals = new Map<string, Statement>();

  constructor(private readonly database: Database) {}

  /** @returns `undefined` if there is none, or the caller's tokens are no longer valid. */
  async findTrustBook({ accountId, tokenVersion }: Caller): Promise<TrustBookEntity | undefined> {
    return (await this.database.query<TrustBookEntity>(FIND_BOOK, [accountId, tokenVersion]))[0];
  }

  /** @returns `undefined` if the stored one has another revision, or the caller's session has ended. */
  async putTrustBook(caller: Caller, book: PutTrustBookRequest): Promise<TrustBookEntity | undefined> {
    const { revision, encrypted_data } = book;
    const values = [caller.accountId, caller.tokenVersion, caller.sessionId, encrypted_data.text];
    const rows = !revision
      ? await this.database.query<TrustBookEntity>(INSERT_BOOK, values)
      : await this.database.query<TrustBookEntity>(UPDATE_BOOK, [...values, revision]);
    return rows[0];
  }

  /** The transaction must hold the lock of the account's row. @param proofHash of the new phrase. */
  async setRecovery(
    transaction: Executor,
    accountId: string,
    request: RotateKeysRequest,
    proofHash: string,
  ): Promise<void> {
    const { recovery_wrapped_dek, recovery_wrapped_dek_iv } = request;
    await transaction.query(SET_RECOVERY, [
      accountId,
      proofHash,
      recovery_wrapped_dek,
      recovery_wrapped_dek_iv,
    ]);
  }

  /** Replaces the keys by which others know the account. @throws ServiceError `keys_changed` unless both have some, or none. */
  async replaceAccountKeys(
    transaction: Executor,
    accountId: string,
    { keys }: RotateKeysRequest,
  ): Promise<void> {
    const stored = await transaction.query(LOCK_ACCOUNT_KEYS, [accountId]);
    if (stored.length > 0 !== (keys !== undefined)) throw new ServiceError('keys_changed');
    if (!keys) return;
    const { sharing_public, signing_public, wrapped, wrapped_iv } = keys;
    await transaction.query(ROTATE_ACCOUNT_KEYS, [
      accountId,
      sharing_public,
      signing_public,
      wrapped,
      wrapped_iv,
    ]);
  }

  /**
   * Replaces the trust book and all profiles.
   *
   * @throws ServiceError `keys_changed` unless the profiles are exactly those of the account, and all have the
   *   revisions that the caller has seen.
   */
  async replaceSealed(
    transaction: Executor,
    accountId: string,
    { trust_book, profiles }: RotateKeysRequest,
  ): Promise<void> {
    const { revision, encrypted_data } = trust_book;
    const book = !revision
      ? await transaction.query(ROTATE_INSERT_BOOK, [accountId, encrypted_data.text])
      : await transaction.query(ROTATE_UPDATE_BOOK, [accountId, encrypted_data.text, revision]);
    const stored = await transaction.query<{ id: string; revision: number }>(LOCK_PROFILES, [accountId]);
    if (book.length === 0 || !isExactly(stored, profiles)) throw new ServiceError('keys_changed');
    if (profiles.length === 0) return;
    await transaction.query(ROTATE_PROFILES, [
      accountId,
      profiles.map(({ profile_id }) => profile_id),
      profiles.map(({ wrapped_profile_dek }) => wrapped_profile_dek),
      profiles.map(({ wrapped_profile_dek_iv }) => wrapped_profile_dek_iv),
      profiles.map(({ name_data }) => name_data.text),
      profiles.map(({ name_iv }) => name_iv),
    ]);
  }

  /**
   * Replaces the ciphertexts of records that still have the revisions, or the proofs of doses, in one statement.
   *
   * @returns the ids of the replaced ones. @throws ServiceError `token_revoked`; `space_changed` in a space.
   */
  async reseal(caller: Caller, statement: Statement, records: ResealedRecordRequest[]): Promise<string[]> {
    const ofDoses = statement === RESEAL_DOSES;
    const rows = await this.database.query<{ id: string }>(statement, [
      caller.accountId,
      caller.tokenVersion,
      caller.member ? null : caller.sessionId,
      records.map(({ id }) => id),
      records.map(({ former_proof, revision }) => (ofDoses ? former_proof : revision)),
      records.map(({ proof, encrypted_data }) => (ofDoses ? proof : encrypted_data?.text)),
    ]);
    if (rows.length === 0) await assertLiveSession(this.database, caller);
    return rows.map(({ id }) => id);
  }

  /** @returns the statement of a kind, for {@link reseal}; `undefined` for a kind that holds nothing sealed. */
  resealOf(kind: string): Statement | undefined {
    if (kind === 'dose') return RESEAL_DOSES;
    const table = tablesOf(this.database.dataSource).find((each) => each.kind === kind);
    if (!table?.clientBytes.includes('encrypted_data')) return undefined;
    const known = this.reseals.get(kind);
    if (known) return known;
    const { quotas } = this.database.settings;
    // At the quota nothing may grow.
    const text = `UPDATE ${table.name} r SET encrypted_data = v.data, revision = r.revision + 1, updated_at = now()
      FROM unnest($4::uuid[], $5::int[], $6::text[]) AS v (id, revision, data)
      WHERE r.account_id = $1 AND r.id = v.id AND r.revision = v.revision AND ${IS_CALLERS_OR_MEMBERS}
        AND (octet_length(v.data) <= octet_length(r.encrypted_data)
          OR NOT EXISTS (SELECT 1 FROM account_usage u WHERE u.account_id = $1 AND ${reachedBytes(quotas, 'u.bytes')}))
      RETURNING r.id`;
    const statement = { name: `reseal ${table.name}`, text: text.replace(/\s+/g, ' ') };
    this.reseals.set(kind, statement);
    return statement;
  }
}

function isExactly(
  stored: { id: string; revision: number }[],
  sent: Pick<RotatedProfileRequest, 'profile_id' | 'revision'>[],
): boolean {
  const revisions = new Map(sent.map(({ profile_id, revision }) => [profile_id.toLowerCase(), revision]));
  return (
    stored.length === sent.length &&
    revisions.size === sent.length &&
    stored.every(({ id, revision }) => revisions.get(id) === revision)
  );
}
