import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '@app/common';
import type { FastifyRequest } from 'fastify';

/** The request's `User-Agent`; empty without one. */
export const UserAgent = createParamDecorator(
  (_: unknown, context: ExecutionContext): string =>
    context.switchToHttp().getRequest<FastifyRequest>().headers['user-agent'] ?? '',
);

/** The client's address. `TRUST_PROXY_HOPS` limits how many proxies are trusted. */
export const ClientAddress = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => context.switchToHttp().getRequest<FastifyRequest>().ip,
);

/** The caller that the access token names; in a space, the caller that this person is there. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { inSpace, user } = context.switchToHttp().getRequest<FastifyRequest>();
  return inSpace ?? user!;
});

/** The caller that the access token names, in a space too. */
export const CurrentPerson = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller =>
    context.switchToHttp().getRequest<FastifyRequest>().user!,
);
