import { type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { type Caller, ServiceError } from '@app/common';
import type { FastifyRequest } from 'fastify';
import { ACCESS_TOKEN_STRATEGY } from './access-token.strategy';
import { callerOf } from './tokens';
import { VerifiedTokens } from './verified-tokens';

const PUBLIC = Symbol('public route');

/** Opens a route to callers without an access token; everything else is closed. */
export const Public = () => SetMetadata(PUBLIC, true);

/** Global: a route is open only where it says {@link Public}. */
@Injectable()
export class AccessTokenGuard extends AuthGuard(ACCESS_TOKEN_STRATEGY) {
  constructor(
    private readonly reflector: Reflector,
    private readonly verified: VerifiedTokens,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isPublic(this.reflector, context)) return true;
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

export function isPublic(reflector: Reflector, context: ExecutionContext): boolean {
  return reflector.getAllAndOverride<boolean>(PUBLIC, [context.getHandler(), context.getClass()]) === true;
}
