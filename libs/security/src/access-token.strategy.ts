import type { KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { type Caller, ServiceError } from '@app/common';
import { type Secrets, SECRETS } from '@app/config';
import type { FastifyRequest } from 'fastify';
import { Strategy } from 'passport-jwt';
import { EndedSessions } from './ended-sessions';
import { ACCESS_TOKEN_TYPE, bearerOf, callerOf, decodeHeader } from './tokens';
import { verificationKeys } from './verification-key';
import { VerifiedTokens } from './verified-tokens';

/**
 * Security: replaces the pattern of passport-jwt, which has no anchor. For one long word, its time grows with
 * the square of the length, before any limit applies. Text behind a token belongs to it, so that it is refused.
 * Source: RFC 6750 section 2.1.
 */
const BEARER = /^bearer\s+(\S.*)/i;

type Header = Record<string, unknown>;

/**
 * Verifies the bearer token: signature, algorithm, expiry and kind, and that its session has not ended. Each
 * statement checks that the account's tokens are not revoked.
 */
@Injectable()
export class AccessTokenStrategy extends PassportStrategy(Strategy, 'access-token') {
  constructor(
    @Inject(SECRETS) secrets: Secrets,
    private readonly verified: VerifiedTokens,
    private readonly ended: EndedSessions,
  ) {
    const keyOf = verificationKeys(secrets);
    super({
      jwtFromRequest: ({ headers }: FastifyRequest) => BEARER.exec(headers.authorization ?? '')?.[1] ?? null,
      algorithms: ['HS256'],
      passReqToCallback: true,
      // This function receives the token before the verification. It is the only place where the header is
      // available.
      secretOrKeyProvider: (
        request: { tokenHeader?: Header },
        token: string,
        done: (error: unknown, key?: KeyObject) => void,
      ) => {
        try {
          request.tokenHeader = decodeHeader(token);
          done(null, keyOf(token));
        } catch {
          done(new ServiceError('token_invalid'));
        }
      },
    } as never);
  }

  validate(request: FastifyRequest & { tokenHeader: Header }, payload: Header): Caller {
    const bearer = bearerOf({ header: request.tokenHeader, payload }, ACCESS_TOKEN_TYPE);
    if (!bearer) throw new ServiceError('token_invalid');
    if (this.ended.has(bearer.sessionId)) throw new ServiceError('token_revoked');
    this.verified.remember(request.headers.authorization!, bearer, payload.exp as number);
    return callerOf(bearer, request.ip);
  }
}
