import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Caller } from '@app/common';
import { Weight } from '@app/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from './network';
import type { RatePolicy } from './policies';
import { RateLimits } from './rate-limits';

const LIMIT = Symbol('rate limit of a route');

/** Limits a route by address, for all replicas together. */
export const LimitByAddress = (policy: RatePolicy) =>
  applyDecorators(SetMetadata(LIMIT, policy), Weight('counted'));

/** Exempts a route from all limits. Only for the probes of an orchestrator. */
export const Unlimited = () => applyDecorators(SetMetadata(LIMIT, 'none'), Weight('probe'));

/**
 * Global, after the access-token guard: a request counts against its account or, on a public route, against
 * its address.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limits: RateLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const limit = this.reflector.get<RatePolicy | 'none' | undefined>(LIMIT, context.getHandler());
    if (limit === 'none') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest & { user?: Caller }>();
    if (limit) {
      await this.limits.takeFromAddress(limit, request.ip);
      return true;
    }
    const headers = await this.limits.takeFromAccount(request.user?.accountId ?? networkOf(request.ip));
    if (headers) void http.getResponse<FastifyReply>().headers(headers);
    return true;
  }
}
