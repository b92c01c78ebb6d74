import { type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';

const PUBLIC = Symbol('public route');

/** Opens a route to callers without an access token. All other routes require one. */
export const Public = () => SetMetadata(PUBLIC, true);

type Handler = ReturnType<ExecutionContext['getHandler']>;
type Controller = ReturnType<ExecutionContext['getClass']>;

/** Whether a method of a controller, or its whole class, is marked with {@link Public}. */
export function isPublic(reflector: Reflector, handler: Handler, controller: Controller): boolean {
  return reflector.getAllAndOverride<boolean>(PUBLIC, [handler, controller]) === true;
}
