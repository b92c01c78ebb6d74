import { type CustomDecorator, SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';

/**
 * What requests cost while they are in flight, in units of a short read. One table for all routes: a unit is
 * one short statement, about 256 KiB of an answer that is not read yet, or a millisecond of a processor.
 */
export const WEIGHTS = {
  /** The probes of an orchestrator. They are always answered. */
  probe: 0,
  /** By id. The default of a route that reads. */
  short: 1,
  /** A connection of the pool, on which writes of an account wait for each other. */
  write: 16,
  /** A list. A page of it takes up to 512 KiB. */
  list: 8,
  /** Counts doses; many of them take seconds of the database. */
  adherence: 8,
  /** A page of the feed: up to 512 KiB, and a connection of the pool. */
  sync: 16,
  /** A counter in the database that all requests of an address change. */
  counted: 16,
  /** Interactions of many names: processor time, and an answer of several MB. */
  check: 48,
  /** A large file. */
  download: 32,
} as const;

/** A row of `WEIGHTS`. */
export type WeightName = keyof typeof WEIGHTS;

const WEIGHT = Symbol('weight of a route');

/**
 * Sets the cost of the requests of a route; see `WEIGHTS`. Without it, a route whose query is a
 * `ListQuery` is a `list`, one that changes something is a `write`, and any other is `short`.
 */
export const Weight = (name: WeightName): CustomDecorator<symbol> => SetMetadata(WEIGHT, name);

/** The units of a method of a controller. @param usual if the method does not say it. */
export function weightOf(
  reflector: Reflector,
  handler: (...args: unknown[]) => unknown,
  usual: WeightName,
): number {
  return WEIGHTS[reflector.get<WeightName | undefined>(WEIGHT, handler) ?? usual];
}
