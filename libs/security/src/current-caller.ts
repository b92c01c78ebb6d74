import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '@app/common';

/** The caller that the access token names. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller =>
    context.switchToHttp().getRequest<{ user: Caller }>().user,
);
