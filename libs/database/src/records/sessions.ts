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

/** In a space: no session is there, and the guard has asked for the one of the member. */
const FIND_VERSION: Statement = {
  name: 'space version',
  text: 'SELECT 1 AS alive FROM accounts WHERE id = $1 AND token_version = $2',
};

/**
 * Checks that the caller's tokens are still valid and that the session has not ended. It is for routes that read no record, and to distinguish
 * 401 from 404 after a statement with the same condition returned nothing.
 *
 * @throws ServiceError `token_revoked`; `space_changed` in a space.
 */
export async function assertLiveSession(executor: Executor, caller: Caller): Promise<void> {
  const { accountId, tokenVersion, sessionId, member } = caller;
  const rows = member
    ? await executor.query(FIND_VERSION, [accountId, tokenVersion])
    : await executor.query(FIND_SESSION, [accountId, tokenVersion, sessionId]);
  if (rows.length === 0) throw revoked(caller);
}

/**
 * For what goes on after its first statement: in a space its statements compare the version of the space, and not the token
 * of the member.
 *
 * @throws ServiceError `token_revoked`.
 */
export async function assertMemberSession(executor: Executor, { member, sessionId }: Caller): Promise<void> {
  if (!member) return;
  const rows = await executor.query(FIND_SESSION, [member.id, member.tokenVersion, sessionId]);
  if (rows.length === 0) throw new ServiceError('token_revoked');
}

/** Why a statement that compares the token version found nothing. In a space a 401 would end the session of the person. */
export function revoked({ member }: Caller): ServiceError {
  return new ServiceError(member ? 'space_changed' : 'token_revoked');
}
