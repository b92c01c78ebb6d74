import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { validationError } from '@app/common';
import { fieldName, RESERVED_NAMES } from '@app/opaque';
import type { FastifyRequest } from 'fastify';

/**
 * Global: refuses the query parameters that a route does not take, by name. On a route with a DTO for the whole
 * query, the DTO decides.
 */
@Injectable()
export class KnownQueryGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const query = context.switchToHttp().getRequest<FastifyRequest>().query as Record<string, unknown>;
    const names = Object.keys(query);
    if (names.length === 0) return true;
    const known = knownNames(context);
    const unknown = names.filter((name) => RESERVED_NAMES.has(name) || !(known === 'all' || known.has(name)));
    if (unknown.length === 0) return true;
    throw validationError(
      unknown
        .map(fieldName)
        .map((field) => ({ field, message: `${field} is not a parameter of this request` })),
    );
  }
}

/** The names in `@Query('name')`, or `all` for a route with `@Query()`. */
function knownNames(context: ExecutionContext): ReadonlySet<string> | 'all' {
  const params = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name) ??
    {}) as Record<string, { data?: string }>;
  const names = new Set<string>();
  for (const [key, { data }] of Object.entries(params)) {
    if (!key.startsWith(`${RouteParamtypes.QUERY}:`)) continue;
    if (data === undefined) return 'all';
    names.add(data);
  }
  return names;
}
