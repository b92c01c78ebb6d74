import { type Caller, ServiceError } from '@app/common';
import type { Executor, Statement } from '../connection/statement';

/** A condition of a statement: the tokens of the caller are valid. $1 account, $2 token version. */
export const IS_VALID_CALLER = '(SELECT true FROM accounts a WHERE a.id = $1 AND a.token_version = $2)';

/** A condition of a statement: the session has not ended. $1 account. @param id the place of the session's id. */
export const isLiveSession = (id: `$${number}`): string =>
  `EXISTS (SELECT 1 FROM sessions s WHERE s.account_id = $1 AND s.id = ${id})`;

const FIND_SESSION: Statement = {
  name: 'live session',
  text: `SELECT 1 AS alive FROM accounts WHERE id = $1 AND token_version = $2
    AND ${isLiveSession('$3')}`,
};

/**
 * Checks that the caller's tokens are still valid and that the session has not ended. It is for routes that read no record, and to distinguish
 * 401 from 404 after a statement with the same condition returned nothing.
 *
 * @throws ServiceError `token_revoked`.
 */
export async function assertLiveSession(executor: Executor, caller: Caller): Promise<void> {
  const rows = await executor.query(FIND_SESSION, [caller.accountId, caller.tokenVersion, caller.sessionId]);
  if (rows.length === 0) throw new ServiceError('token_revoked');
}
