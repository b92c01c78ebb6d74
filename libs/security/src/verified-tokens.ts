import type { TokenBearer } from './tokens';

const MAX_TOKENS = 10_000;
/**
 * Longest header that is kept. A token with the longest email is shorter, and longer headers would waste
 * memory.
 */
const MAX_LENGTH = 2_048;

/**
 * Access tokens whose signature this process has checked. Each token is checked once, not for every request.
 *
 * Only the result for signature, kind and claims is kept. The expiry is checked every time, and each
 * statement checks that the token is not revoked. Security: limited in size, and only in memory.
 */
export class VerifiedTokens {
  private readonly bearers = new Map<string, { bearer: TokenBearer; expiresAtMs: number }>();

  /** The bearer for an `Authorization` header that was verified earlier and whose token has not expired. */
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
