/**
 * The caller of a request, from the access token. A statement that checks account and token version proves
 * that the token is still valid.
 */
export interface Caller {
  accountId: string;
  tokenVersion: number;
  /** The session whose login or refresh issued the token. */
  sessionId: string;
  /** The client's address. Security: never stored or logged in this form. */
  address: string;
}
