import { createHash, createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { type Caller, isUuid, ServiceError } from '@app/common';
import { type Secrets, SECRETS } from '@app/config';
import { verificationKeys } from './verification-key';

export const ACCESS_TOKEN_TTL_SECONDS = 15 * 60;
export const REFRESH_TOKEN_TTL_SECONDS = 30 * 24 * 60 * 60;

/**
 * The `typ` header of each kind of token. One kind is never accepted as the other. Source: RFC 9068, RFC 8725
 * section 3.11.
 */
export const ACCESS_TOKEN_TYPE = 'at+jwt';
const REFRESH_TOKEN_TYPE = 'rt+jwt';

const JTI_BYTES = 16;

/** The account in a token's claims. */
export interface TokenSubject {
  id: string;
  email: string;
  token_version: number;
}

/** The bearer of a verified token. */
export type TokenBearer = Omit<Caller, 'address'>;

/** Without spread syntax, because V8 would create a new object shape for each request. */
export function callerOf({ accountId, tokenVersion, sessionId }: TokenBearer, address: string): Caller {
  return { accountId, tokenVersion, sessionId, address };
}

export interface RefreshTicket extends TokenBearer {
  tokenHash: Buffer;
}

/** A refresh token and its SHA-256. Only the hash is stored. */
export interface IssuedToken {
  token: string;
  hash: Buffer;
}

interface Decoded {
  header: Record<string, unknown>;
  payload: Record<string, unknown>;
}

/**
 * Issues and reads both kinds of token: JWT signed with HS256.
 *
 * The header's `jti` is `<session id>.<128 random bits>`. Two tokens of the same second therefore differ, and
 * the token names its session without another claim.
 */
@Injectable()
export class Tokens {
  private readonly keyOf: (token: string) => KeyObject;

  constructor(
    private readonly jwt: JwtService,
    @Inject(SECRETS) private readonly secrets: Secrets,
  ) {
    this.keyOf = verificationKeys(secrets);
  }

  issueAccessToken(subject: TokenSubject, sessionId: string): string {
    const claims = { ...accountClaims(subject.id, subject.token_version), email: subject.email };
    return this.sign(claims, ACCESS_TOKEN_TYPE, ACCESS_TOKEN_TTL_SECONDS, sessionId);
  }

  issueRefreshToken(accountId: string, tokenVersion: number, sessionId: string): IssuedToken {
    return this.signRefresh(accountClaims(accountId, tokenVersion), sessionId, randomBytes(JTI_BYTES));
  }

  /**
   * The token that follows another one. With the same `issuedAt` and `key` it is the same token again, so it
   * need not be stored.
   *
   * Security: the random part is an HMAC of the old token's hash and the key, with the secret that signs the
   * tokens. Only a holder of that secret can compute it. The service computes it only for a request with both the
   * old token and the key.
   * @param issuedAt seconds since the epoch.
   * @param key digest of the request's `Idempotency-Key`. Without it the random part is random.
   */
  issueSuccessor(ticket: RefreshTicket, issuedAt: number, key?: Buffer): IssuedToken {
    return this.successor(ticket, issuedAt, key);
  }

  /**
   * The tokens that `issueSuccessor` may have returned for this key: a replica that still signs with the
   * secret of before the replacement returned another one.
   */
  successorsOf(ticket: RefreshTicket, issuedAt: number, key: Buffer): IssuedToken[] {
    const { jwtSecretPrevious } = this.secrets;
    const secrets = [undefined, ...(jwtSecretPrevious === undefined ? [] : [jwtSecretPrevious])];
    return secrets.map((secret) => this.successor(ticket, issuedAt, key, secret));
  }

  /**
   * @throws ServiceError `refresh_token_invalid` if the text is not a refresh token of this service, or has
   *   expired.
   */
  readRefreshToken(token: string): RefreshTicket {
    const ticket = this.tryReadRefreshToken(token);
    if (!ticket) throw new ServiceError('refresh_token_invalid');
    return ticket;
  }

  tryReadRefreshToken(token: string): RefreshTicket | undefined {
    try {
      const bearer = bearerOf(
        this.jwt.verify<Decoded>(token, { complete: true, secret: this.keyOf(token) as never }),
        REFRESH_TOKEN_TYPE,
      );
      return bearer && { ...bearer, tokenHash: hashToken(token) };
    } catch {
      return undefined;
    }
  }

  /** @param secret that signs, where it is not the present one. */
  private successor(ticket: RefreshTicket, issuedAt: number, key?: Buffer, secret?: string): IssuedToken {
    const claims = { ...accountClaims(ticket.accountId, ticket.tokenVersion), iat: issuedAt };
    const random = key
      ? derive(secret ?? this.secrets.jwtSecret, ticket.tokenHash, key)
      : randomBytes(JTI_BYTES);
    return this.signRefresh(claims, ticket.sessionId, random, secret);
  }

  private signRefresh(claims: object, sessionId: string, random: Buffer, secret?: string): IssuedToken {
    const token = this.sign(claims, REFRESH_TOKEN_TYPE, REFRESH_TOKEN_TTL_SECONDS, sessionId, random, secret);
    return { token, hash: hashToken(token) };
  }

  private sign(
    claims: object,
    typ: string,
    expiresIn: number,
    sessionId: string,
    random: Buffer = randomBytes(JTI_BYTES),
    secret?: string,
  ): string {
    const jti = `${sessionId}.${random.toString('base64url')}`;
    const header = { alg: 'HS256', typ, jti } as never;
    return this.jwt.sign(claims, { expiresIn, header, ...(secret === undefined ? {} : { secret }) });
  }
}

/** The random part of a successor. */
function derive(secret: string, tokenHash: Buffer, key: Buffer): Buffer {
  const hmac = createHmac('sha256', secret).update('refresh successor\0');
  return hmac.update(tokenHash).update(key).digest().subarray(0, JTI_BYTES);
}

/**
 * Settings of `@nestjs/jwt`. A `KeyObject` is prepared once. A string is prepared for each call, which costs
 * fifty times as much.
 */
export function jwtOptions(key: KeyObject) {
  return {
    secret: key,
    verifyOptions: { algorithms: ['HS256' as const] },
    signOptions: { algorithm: 'HS256' as const },
  };
}

/** The bearer in a verified token, or `undefined` if the token is of another kind. */
export function bearerOf({ header, payload }: Decoded, typ: string): TokenBearer | undefined {
  const { sub, token_version: tokenVersion } = payload;
  const sessionId = typeof header.jti === 'string' ? header.jti.split('.')[0] : undefined;
  if (
    header.typ !== typ ||
    // Extensions that a reader must understand, and this one knows none. Source: RFC 7515 section 4.1.11.
    header.crit !== undefined ||
    typeof payload.exp !== 'number' ||
    !isUuid(sub) ||
    !isUuid(sessionId) ||
    !Number.isInteger(tokenVersion)
  )
    return undefined;
  return { accountId: sub, tokenVersion: tokenVersion as number, sessionId };
}

/** The header of a token that is not verified yet. It throws if the text is not a token. */
export function decodeHeader(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString('utf8')) as Record<
    string,
    unknown
  >;
}

function accountClaims(accountId: string, tokenVersion: number) {
  return { sub: accountId, user_id: accountId, token_version: tokenVersion };
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
