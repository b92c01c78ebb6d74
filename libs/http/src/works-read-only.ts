import { RequestMethod, SetMetadata } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import type { Reflector } from '@nestjs/core';

const WORKS_READ_ONLY = Symbol('works while the service is read-only');

/** A route that works with `READ_ONLY=on` although its method is not GET: it signs in or out, or only computes. */
export const WorksReadOnly = () => SetMetadata(WORKS_READ_ONLY, true);

type Handler = (...args: unknown[]) => unknown;

/** Whether a method of a controller is refused with `READ_ONLY=on`. */
export function isRefusedReadOnly(reflector: Reflector, handler: Handler): boolean {
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
  if (method === RequestMethod.GET || method === RequestMethod.HEAD) return false;
  return reflector.get<boolean | undefined>(WORKS_READ_ONLY, handler) !== true;
}
