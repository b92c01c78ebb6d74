import { fromBase64, fromUtf8 } from '../encoding';
import { IntegrityError, ProtocolError } from '../errors';
import { isJsonObject, parseJson, type Json } from '../json';
import { isId } from '../ids';
import type { HttpTransport } from './http-transport';
import { ObjectReader } from './object-reader';

/** The tokens of an answer. */
export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/** Tokens, and the account that both of them name. */
export interface AccountTokens extends Tokens {
  accountId: string;
}

/**
 * The account that a token names in its claim `sub`. The client cannot check the signature: it finds out a
 * service or a cache that mixes up accounts, not one that lies about whose token it is.
 * Source: RFC 7519, section 4.1.2.
 */
export function accountOfToken(token: string): string | undefined {
  const part = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
  const bytes = fromBase64(part.padEnd(Math.ceil(part.length / 4) * 4, '='));
  let claims: Json;
  try {
    claims = bytes ? parseJson(fromUtf8(bytes)) : null;
  } catch {
    return undefined;
  }
  return isJsonObject(claims) && isId(claims.sub) ? claims.sub : undefined;
}

/** The account of a stored session; `undefined` where its parts are of several accounts. */
export function accountOfSession(session: {
  accountId?: unknown;
  accessToken?: unknown;
  refreshToken?: unknown;
}): string | undefined {
  const accountId = accountOfToken(String(session.accessToken));
  const others = [accountOfToken(String(session.refreshToken)), session.accountId ?? accountId];
  return others.every((other) => other === accountId) ? accountId : undefined;
}

/**
 * @param expected the account that the tokens must be of, where it is known.
 * @throws ProtocolError; IntegrityError `account_mismatch` for tokens of another account, or of two accounts.
 */
export function readTokens(body: unknown, expected?: string): AccountTokens {
  const answer = new ObjectReader(body, 'tokens');
  const tokens = { accessToken: answer.text('token'), refreshToken: answer.text('refresh_token') };
  const [accountId, other] = [tokens.accessToken, tokens.refreshToken].map(accountOfToken);
  if (!accountId || !other) throw new ProtocolError('The tokens name no account.');
  requireAccount(other, accountId);
  requireAccount(accountId, expected ?? accountId);
  return { ...tokens, accountId };
}

/** @throws IntegrityError `account_mismatch` */
export function requireAccount(accountId: string, expected: string): void {
  if (accountId === expected) return;
  const message = 'The service answered with data of another account.';
  throw new IntegrityError('account_mismatch', message, { kind: 'account', id: expected });
}

/**
 * Exchanges a refresh token. A repeat with the same key gets the same tokens, for 60 seconds or until they are
 * used.
 * @throws ApiError `refresh_token_invalid`, IntegrityError `account_mismatch`, and all errors of
 * {@link HttpTransport.send}.
 */
export async function exchange(
  http: HttpTransport,
  { refreshToken, accountId }: AccountTokens,
  key: string,
): Promise<AccountTokens> {
  const answer = await http.send({
    method: 'POST',
    path: '/api/auth/refresh',
    body: { refresh_token: refreshToken },
    idempotencyKey: key,
    replayable: true,
  });
  return readTokens(answer.body, accountId);
}

/** Ends the session of a refresh token at the service. */
export async function revoke(http: HttpTransport, refreshToken: string, signal?: AbortSignal): Promise<void> {
  await http.send({
    method: 'POST',
    path: '/api/auth/logout',
    body: { refresh_token: refreshToken },
    replayable: true,
    ...(signal ? { signal } : {}),
  });
}
