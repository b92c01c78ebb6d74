import { applyDecorators, SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { ApiHeader } from '@nestjs/swagger';
import type { ErrorCode, SpaceRole } from '@app/common';

const IN_SPACES = Symbol('access to a route in a space');

/** The header by which a request goes to a space. */
export const SPACE_HEADER = 'Health-Space';

/**
 * The least role that a route asks of a member, or the code with which it refuses every member. `only`: a route that has no
 * meaning outside of a space.
 */
export type SpaceAccess = SpaceRole | { only: SpaceRole } | { refusal: ErrorCode };

/** What a request can be refused for in a space, beside the errors of its route. */
export function spaceErrorsOf(access: SpaceAccess | undefined): ErrorCode[] {
  if (access === undefined) return [];
  const role = leastRole(access);
  if (role === undefined) return ['not_found', (access as { refusal: ErrorCode }).refusal];
  return ['not_found', 'space_changed', ...(role === 'viewer' ? [] : (['space_role_too_low'] as const))];
}

/** @returns `undefined` if every member is refused. */
export function leastRole(access: SpaceAccess): SpaceRole | undefined {
  if (typeof access === 'string') return access;
  return 'only' in access ? access.only : undefined;
}

/** Whether a request without the header is refused. */
export function isOnlyInSpaces(access: SpaceAccess | undefined): boolean {
  return typeof access === 'object' && 'only' in access;
}

/** Opens a route in spaces, and documents the header. Of any other route, a request with the header is refused. */
export function InSpaces(access: SpaceAccess): MethodDecorator & ClassDecorator {
  return applyDecorators(
    SetMetadata(IN_SPACES, access),
    ApiHeader({
      name: SPACE_HEADER,
      required: isOnlyInSpaces(access),
      description:
        'For a shared profile: `<space id>;<version>`, both as `GET /api/space` gives them. A read may leave out the version.',
      schema: { type: 'string' },
    }),
  );
}

export function spaceAccessOf(
  reflector: Reflector,
  handler: (...args: unknown[]) => unknown,
): SpaceAccess | undefined {
  return reflector.get<SpaceAccess | undefined>(IN_SPACES, handler);
}
