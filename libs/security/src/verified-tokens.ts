import type { TokenBearer } from './tokens';

const MAX_TOKENS = 10_000;
/** Of a header; a whole token with the longest email is shorter. What a client adds to one must not fill the memory. */
const MAX_LENGTH = 2_048;

/**
 * Access tokens whose signature this process has checked, so that each is checked once and not at every request.
 *
 * Only signature, kind and claims are remembered; the expiry is looked at every time, and whether the session is alive
 * the statement decides. Security: bounded, in memory, forgotten with the process.
 */
export class VerifiedTokens {
  private readonly bearers = new Map<string, { bearer: TokenBearer; expiresAtMs: number }>();

  /** The bearer of an `Authorization` header that was verified before and has not expired. */
  find(authorization: string): TokenBearer | undefined {
    const known = this.bearers.get(authorization);
    if (known === undefined) return undefined;
    if (known.expiresAtMs > Date.now()) return known.bearer;
    this.bearers.delete(authorization);
    return undefined;
  }

  /** @param expiresAtSeconds the token's `exp`. */
  remember(authorization: string, bearer: TokenBearer, expiresAtSeconds: number): void {
    if (authorization.length > MAX_LENGTH) return;
    if (this.bearers.size >= MAX_TOKENS) this.bearers.delete(this.bearers.keys().next().value!);
    this.bearers.set(authorization, { bearer, expiresAtMs: expiresAtSeconds * 1000 });
  }
}
