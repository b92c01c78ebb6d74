import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Caller } from '@app/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from './network';
import type { RatePolicy } from './policies';
import { RateLimits } from './rate-limits';

const LIMIT = Symbol('rate limit of a route');

/** Limits a route by address, over all replicas. */
export const LimitByAddress = (policy: RatePolicy) => SetMetadata(LIMIT, policy);

/** Takes a route out of the limits: only for what an orchestrator asks all the time. */
export const Unlimited = () => SetMetadata(LIMIT, 'none');

/** Global, after the access token: every route counts against its account, or against the address where it has none. */
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
