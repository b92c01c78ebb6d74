import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { type Caller, ServiceError } from '@app/common';
import { isPublic } from '@app/http';
import type { FastifyRequest } from 'fastify';
import { ACCESS_TOKEN_STRATEGY } from './access-token.strategy';
import { callerOf } from './tokens';
import { VerifiedTokens } from './verified-tokens';

/** Global: a route requires an access token unless it is marked `@Public()`. */
@Injectable()
export class AccessTokenGuard extends AuthGuard(ACCESS_TOKEN_STRATEGY) {
  constructor(
    private readonly reflector: Reflector,
    private readonly verified: VerifiedTokens,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isPublic(this.reflector, context.getHandler(), context.getClass())) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest & { user?: Caller }>();
    const bearer = this.verified.find(request.headers.authorization ?? '');
    if (bearer === undefined) return (await super.canActivate(context)) as boolean;
    request.user = callerOf(bearer, request.ip);
    return true;
  }

  override handleRequest<T>(error: unknown, caller: T, failure: unknown): T {
    if (caller) return caller;
    if (error) throw error;
    if (!(failure instanceof Error)) throw new ServiceError('token_invalid');
    if (failure.name === 'TokenExpiredError') throw new ServiceError('token_expired');
    throw new ServiceError(failure.message === 'No auth token' ? 'token_missing' : 'token_invalid');
  }
}
