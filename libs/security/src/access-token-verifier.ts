import { Injectable } from '@nestjs/common';
import { type Caller, ServiceError } from '@app/common';
import type { FastifyRequest } from 'fastify';
import { EndedSessions } from './ended-sessions';
import { callerOf, Tokens } from './tokens';
import { VerifiedTokens } from './verified-tokens';

/** Text behind a token belongs to it, so that it is refused. Source: RFC 6750 section 2.1. */
const BEARER = /^bearer\s+(\S.*)/i;

/** Finds the caller of a request by its access token. The signature of a token is verified once in each process. */
@Injectable()
export class AccessTokenVerifier {
  private readonly verified = new VerifiedTokens();

  constructor(
    private readonly tokens: Tokens,
    private readonly ended: EndedSessions,
  ) {}

  /** @throws ServiceError `token_missing`, `token_invalid`, `token_expired`, `token_revoked`. */
  verify({ headers: { authorization = '' }, ip }: FastifyRequest): Caller {
    let bearer = this.verified.find(authorization);
    if (!bearer) {
      const token = BEARER.exec(authorization)?.[1];
      if (token === undefined) throw new ServiceError('token_missing');
      const read = this.tokens.readAccessToken(token);
      bearer = read.bearer;
      this.verified.remember(authorization, bearer, read.expiresAtSeconds);
    }
    if (this.ended.has(bearer.sessionId)) throw new ServiceError('token_revoked');
    return callerOf(bearer, ip);
  }
}
