import { type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { MAX_BODY_BYTES, MAX_LARGE_BODY_BYTES } from '@app/opaque';

const BODY_LIMIT = Symbol('body limit of a route');
const RATE_LIMIT = Symbol('rate limit of a route');

/** The largest body of a public route, in bytes. Anybody can send one. */
export const MAX_PUBLIC_BODY_BYTES = 32 * 1024;

/** One limit: at most `points` in a window. The window begins with the first point. */
export interface RatePolicy {
  /** Prefix of the keys, and the name in the `RateLimit` headers. */
  name: string;
  points: number;
  windowSeconds: number;
  /** A further limit, for the IPv6 /48 or the IPv4 /24 of the address. Not for a local policy. */
  ofBlock?: RatePolicy;
  /** Counted in the memory of each process, without a statement. Otherwise all replicas count together. */
  isLocal?: true;
}

/**
 * The largest body of a route, or of each route of a controller. Longer bodies get 413 before they are read.
 * Default: 1 MiB, for a public route 32 KiB.
 *
 * @param bytes 1 to 4 MiB.
 */
export const BodyLimit = (bytes: number) => SetMetadata(BODY_LIMIT, bytes);

/** Limits a route by address, instead of by the budget of all other requests. */
export const LimitByAddress = (policy: RatePolicy) => SetMetadata(RATE_LIMIT, policy);

/** Exempts a route from all limits. Only for the probe that tells whether the process runs. */
export const Unlimited = () => SetMetadata(RATE_LIMIT, 'none');

type Handler = ReturnType<ExecutionContext['getHandler']>;
type Controller = ReturnType<ExecutionContext['getClass']>;

export function bodyLimitOf(
  reflector: Reflector,
  handler: Handler,
  controller: Controller,
  isPublic: boolean,
): number {
  const bytes = reflector.getAllAndOverride<number | undefined>(BODY_LIMIT, [handler, controller]);
  return Math.min(bytes ?? (isPublic ? MAX_PUBLIC_BODY_BYTES : MAX_BODY_BYTES), MAX_LARGE_BODY_BYTES);
}

/** `undefined`: the route counts against the budget of the account or of the address. */
export function rateLimitOf(reflector: Reflector, handler: Handler): RatePolicy | 'none' | undefined {
  return reflector.get<RatePolicy | 'none' | undefined>(RATE_LIMIT, handler);
}
