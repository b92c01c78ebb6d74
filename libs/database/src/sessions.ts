import { type Caller, ServiceError } from '@app/common';
import type { Executor } from './database';
import type { Statement } from './statement';

const FIND_SESSION: Statement = {
  name: 'live session',
  text: 'SELECT 1 AS alive FROM accounts WHERE id = $1 AND token_version = $2',
};

/**
 * Proves that the caller's tokens still hold: for routes that touch no record, and to tell 401 from 404 where a statement
 * that carries the same condition came back empty.
 *
 * @throws ServiceError `token_revoked`.
 */
export async function assertLiveSession(executor: Executor, caller: Caller): Promise<void> {
  const rows = await executor.query(FIND_SESSION, [caller.accountId, caller.tokenVersion]);
  if (rows.length === 0) throw new ServiceError('token_revoked');
}
