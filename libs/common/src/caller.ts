/** Who makes a request, as the access token says; a statement that names both fields proves that it still holds. */
export interface Caller {
  accountId: string;
  tokenVersion: number;
  /** The session whose login or refresh issued the token. */
  sessionId: string;
  /** Where the request comes from. Security: never stored or logged as it is. */
  address: string;
}
