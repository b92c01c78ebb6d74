import { Injectable } from '@nestjs/common';
import { type Caller, ServiceError } from '@app/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import passport from 'passport';
import { AccessTokenStrategy } from './access-token.strategy';
import { EndedSessions } from './ended-sessions';
import { callerOf } from './tokens';
import { VerifiedTokens } from './verified-tokens';

type Middleware = (request: FastifyRequest, reply: FastifyReply, next: (error: unknown) => void) => void;

/** Finds the caller of a request by its access token. A token is verified once in each process. */
@Injectable()
export class AccessTokenVerifier {
  constructor(
    private readonly strategy: AccessTokenStrategy,
    private readonly verified: VerifiedTokens,
    private readonly ended: EndedSessions,
  ) {}

  /** The caller, if the token was verified earlier, has not expired, and its session has not ended. */
  find(request: FastifyRequest): Caller | undefined {
    const bearer = this.verified.find(request.headers.authorization ?? '');
    return bearer && !this.ended.has(bearer.sessionId) ? callerOf(bearer, request.ip) : undefined;
  }

  /**
   * Verifies the token of a request.
   *
   * @param done gets the caller, or a ServiceError `token_missing`, `token_invalid`, `token_expired` or
   *   `token_revoked`.
   */
  verify(
    request: FastifyRequest,
    reply: FastifyReply,
    done: (error: unknown, caller?: Caller) => void,
  ): void {
    const judged = (error: unknown, caller: Caller | false, failure: unknown) => {
      if (caller) done(null, caller);
      else done(error ?? refusalOf(failure));
    };
    // Passport sets functions for this request on the strategy, so it gets a copy.
    const strategy = Object.create(this.strategy) as AccessTokenStrategy;
    const authenticate = passport.authenticate(strategy, { session: false }, judged) as Middleware;
    authenticate(request, reply, done);
  }
}

function refusalOf(failure: unknown): ServiceError {
  if (!(failure instanceof Error)) return new ServiceError('token_invalid');
  if (failure.name === 'TokenExpiredError') return new ServiceError('token_expired');
  return new ServiceError(failure.message === 'No auth token' ? 'token_missing' : 'token_invalid');
}
