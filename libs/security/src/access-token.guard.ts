import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ServiceError } from '@app/common';
import { isPublic } from '@app/http';
import type { FastifyRequest } from 'fastify';

/**
 * Global: a route requires a caller unless it is marked `@Public()`. The caller was found in the admission of
 * the request, before its body was read. Security: closes a route that the admission does not know.
 */
@Injectable()
export class AccessTokenGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (context.switchToHttp().getRequest<FastifyRequest>().user !== undefined) return true;
    if (isPublic(this.reflector, context.getHandler(), context.getClass())) return true;
    throw new ServiceError('token_missing');
  }
}
