import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { validationError } from '@app/common';
import { fieldName } from '@app/opaque';
import type { FastifyRequest } from 'fastify';

/**
 * Global: a route without query parameters refuses each one by name. On other routes, the query's DTO
 * decides.
 */
@Injectable()
export class KnownQueryGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const query = context.switchToHttp().getRequest<FastifyRequest>().query as Record<string, unknown>;
    const names = Object.keys(query);
    if (names.length === 0 || takesQuery(context)) return true;
    throw validationError(
      names
        .map(fieldName)
        .map((field) => ({ field, message: `${field} is not a parameter of this request` })),
    );
  }
}

function takesQuery(context: ExecutionContext): boolean {
  const params = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name) ??
    {}) as Record<string, unknown>;
  return Object.keys(params).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`));
}
