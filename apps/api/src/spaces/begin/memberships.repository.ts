import { Injectable } from '@nestjs/common';
import { type Caller, ServiceError } from '@app/common';
import {
  assertLiveSession,
  Database,
  type Executor,
  isForeignKeyViolation,
  isLiveSession,
  type Statement,
} from '@app/database';
import { MAX_MEMBERSHIPS } from '../space-limits.rule';

const LIST: Statement = {
  name: 'memberships list',
  text: 'SELECT space_id FROM memberships WHERE account_id = $1 ORDER BY created_at, space_id',
};
const INSERT: Statement = {
  name: 'memberships insert',
  text: `INSERT INTO memberships (account_id, space_id)
    SELECT a.id, $4 FROM accounts a WHERE a.id = $1 AND a.token_version = $2 AND ${isLiveSession('$3')}
      AND (SELECT count(*) FROM memberships m WHERE m.account_id = $1) < ${MAX_MEMBERSHIPS}
    ON CONFLICT DO NOTHING RETURNING space_id`,
};
const DELETE: Statement = {
  name: 'memberships delete',
  text: 'DELETE FROM memberships WHERE account_id = $1 AND space_id = $2',
};

/** The hints of an account where it has to ask for its spaces. */
@Injectable()
export class MembershipsRepository {
  constructor(private readonly database: Database) {}

  /** @returns ids of spaces, oldest hint first. */
  async list(accountId: string, executor: Executor = this.database.shortReads): Promise<string[]> {
    const rows = await executor.query<{ space_id: string }>(LIST, [accountId]);
    return rows.map(({ space_id: id }) => id);
  }

  /** Does nothing for a hint that is there already. @throws ServiceError `spaces_exceeded`, `token_revoked`. */
  async add(caller: Caller, spaceId: string, executor: Executor = this.database): Promise<void> {
    const { accountId, tokenVersion, sessionId } = caller;
    const values = [accountId, tokenVersion, sessionId, spaceId];
    const rows = await executor.query(INSERT, values).catch((error: unknown) => {
      // The account was erased meanwhile.
      throw isForeignKeyViolation(error) ? new ServiceError('token_revoked') : error;
    });
    if (rows.length > 0) return;
    await assertLiveSession(executor, caller);
    if (!(await this.list(accountId, executor)).includes(spaceId)) throw new ServiceError('spaces_exceeded');
  }

  async delete(accountId: string, spaceId: string): Promise<void> {
    await this.database.query(DELETE, [accountId, spaceId]);
  }
}
