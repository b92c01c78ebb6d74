import type { HttpTransport } from './http-transport';
import { ObjectReader } from './object-reader';

/** The tokens of an answer. */
export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/** @throws ProtocolError */
export function readTokens(body: unknown): Tokens {
  const answer = new ObjectReader(body, 'tokens');
  return { accessToken: answer.text('token'), refreshToken: answer.text('refresh_token') };
}

/**
 * Exchanges a refresh token. A repeat with the same key gets the same tokens, for 60 seconds or until they are
 * used.
 * @throws ApiError `refresh_token_invalid`, and all errors of {@link HttpTransport.send}.
 */
export async function exchange(http: HttpTransport, refreshToken: string, key: string): Promise<Tokens> {
  const answer = await http.send({
    method: 'POST',
    path: '/api/auth/refresh',
    body: { refresh_token: refreshToken },
    idempotencyKey: key,
    replayable: true,
  });
  return readTokens(answer.body);
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
