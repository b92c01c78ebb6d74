import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/common';
import { Database, type Executor, type Statement } from '@app/database';
import type { RecoveryInfoResponse } from './dto/recovery.responses';

const FIND_WRAP: Statement = {
  name: 'recovery find wrap',
  text: 'SELECT recovery_wrapped_dek, recovery_wrapped_dek_iv FROM accounts WHERE id = $1',
};
const ENABLE: Statement = {
  name: 'recovery enable',
  text: `UPDATE accounts SET recovery_enabled = true, recovery_phrase_hash = $3,
      recovery_wrapped_dek = coalesce($4, recovery_wrapped_dek),
      recovery_wrapped_dek_iv = coalesce($5, recovery_wrapped_dek_iv), revision = revision + 1, updated_at = now()
    WHERE id = $1 AND token_version = $2 AND (NOT recovery_enabled OR $4::text IS NOT NULL)
    RETURNING id`,
};

export interface RecoverySetup {
  /** The caller. The current password was checked before. */
  caller: Caller;
  proofHash: string;
  wrap: RecoveryInfoResponse | undefined;
}

@Injectable()
export class RecoveryRepository {
  constructor(private readonly database: Database) {}

  async findWrap(accountId: string): Promise<RecoveryInfoResponse | undefined> {
    return (await this.database.strangers.query<RecoveryInfoResponse>(FIND_WRAP, [accountId]))[0];
  }

  /**
   * @returns `false` if the caller's tokens have ended, or if recovery is already set up and there is no new
   * wrap.
   */
  async enable(transaction: Executor, setup: RecoverySetup): Promise<boolean> {
    const rows = await transaction.query(ENABLE, [
      setup.caller.accountId,
      setup.caller.tokenVersion,
      setup.proofHash,
      setup.wrap?.recovery_wrapped_dek ?? null,
      setup.wrap?.recovery_wrapped_dek_iv ?? null,
    ]);
    return rows.length > 0;
  }
}
