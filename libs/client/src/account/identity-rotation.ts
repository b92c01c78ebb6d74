import type { AccountKey } from '../crypto/account-key';
import { ifAny, IntegrityError } from '../errors';
import type { SessionTransport } from '../http/session-transport';
import { signalOf } from '../records/encrypted-collection';
import type { CallOptions } from '../records/record-types';
import { identityIdOf, makeIdentity, rewrapIdentity, type StoredIdentity } from '../spaces/formats/identity';
import { IDENTITY_PATH, readStoredIdentity, storedFormOf } from '../spaces/stored-identity';

/** The identity of an account under its new key. */
export interface RotatedIdentity {
  keys: StoredIdentity;
  /** The one of before, where this is another one. */
  former?: StoredIdentity;
}

/**
 * Wraps the identity of an account by the new account key. After a theft it is another one: the thief has the seeds.
 * @param mustExist whether the account shares something: then a service that shows no identity withholds it.
 * @returns `undefined` for an account without one.
 * @throws IntegrityError `records_missing`; `tampered` for one that the former key does not open.
 */
export async function rotatedIdentity(
  sessions: SessionTransport,
  {
    former,
    next,
    wasStolen,
    mustExist,
  }: { former: AccountKey; next: AccountKey; wasStolen: boolean; mustExist: boolean },
  options: CallOptions,
): Promise<RotatedIdentity | undefined> {
  const accountId = sessions.accountId!;
  const answer = await ifAny(sessions.send({ method: 'GET', path: IDENTITY_PATH, ...signalOf(options) }));
  if (!answer) {
    if (!mustExist) return undefined;
    throw new IntegrityError('records_missing', 'The service does not show the keys of this account.', {
      kind: 'key:identity',
      id: accountId,
    });
  }
  const stored = readStoredIdentity(answer);
  const { sharing_public: sharing, signing_public: signing, wrapped, wrapped_iv: iv } = stored;
  const known = { account: accountId, sharing, signing };
  const own = { ...known, id: await identityIdOf(known), wrapped: { wrapped, iv } };
  // Also where it ends: only the identity of this account is kept as the former one.
  const rewrapped = await rewrapIdentity(own, former, next);
  if (!wasStolen) return { keys: storedFormOf(rewrapped) };
  return { keys: storedFormOf(await makeIdentity(next, accountId)), former: stored };
}
