import { type ExecutionContext, RequestMethod, SetMetadata } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import type { Reflector } from '@nestjs/core';

const PUBLIC = Symbol('public route');
const WORKS_READ_ONLY = Symbol('works while the service is read-only');

/** Opens a route to callers without an access token. All other routes require one. */
export const Public = () => SetMetadata(PUBLIC, true);

type Handler = ReturnType<ExecutionContext['getHandler']>;
type Controller = ReturnType<ExecutionContext['getClass']>;

/** Whether a method of a controller, or its whole class, is marked with {@link Public}. */
export function isPublic(reflector: Reflector, handler: Handler, controller: Controller): boolean {
  return reflector.getAllAndOverride<boolean>(PUBLIC, [handler, controller]) === true;
}

/**
 * A route that works with `READ_ONLY=on` although its method is not GET: it signs in or out, lets people put a thief out, or only
 * computes.
 */
export const WorksReadOnly = () => SetMetadata(WORKS_READ_ONLY, true);

/** Whether a method of a controller is refused with `READ_ONLY=on`. */
export function isRefusedReadOnly(reflector: Reflector, handler: Handler): boolean {
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
  if (method === RequestMethod.GET || method === RequestMethod.HEAD) return false;
  return reflector.get<boolean | undefined>(WORKS_READ_ONLY, handler) !== true;
}
