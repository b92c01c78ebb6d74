import { RequestMethod, type Type } from '@nestjs/common';
import {
  HTTP_CODE_METADATA,
  METHOD_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { type NestFastifyApplication, RouteConfig } from '@nestjs/platform-fastify';
import { ExtensionError } from '@app/common';
import { opaqueFieldsOf } from '@app/opaque';
import type { FastifyInstance } from 'fastify';
import { ListQuery } from '../requests/list.query';
import { isPublic } from './route-access';
import { bodyLimitOf, rateLimitOf, type RatePolicy } from './route-limits';
import { spaceAccessOf, type SpaceAccess } from './route-spaces';
import { type WeightName, weightOf } from './route-weight';
import { isRefusedReadOnly } from './route-access';

/** The facts about a route that are known before a request is read. */
export interface RouteFacts {
  /** Whether callers without a token have access. */
  isPublic: boolean;
  /** The request class of the body; absent if the route has no body. */
  body: Type | undefined;
  /** The fields of the body whose source text is kept. */
  opaqueFields: readonly string[];
  /** The largest body, in bytes. */
  maxBodyBytes: number;
  /** The limit of the route; absent if the budget of the account or of the address counts. */
  rateLimit: RatePolicy | 'none' | undefined;
  /** What a request costs while it is in flight; see `WEIGHTS`. */
  weight: number;
  /** Whether a request can make the database larger: a create, or an update of a record. */
  stores: boolean;
  /** Whether the route is refused while the service is read-only. */
  writes: boolean;
  /** Who may use the route in a space. Absent: nobody. */
  inSpaces: SpaceAccess | undefined;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Available in any hook as `request.routeOptions.config.facts`. Absent if no controller answers, such as
     * for a 404.
     */
    facts?: RouteFacts;
  }
}

type Handler = (...args: unknown[]) => unknown;

/**
 * Determines the facts of every route of every module and passes them to Fastify. Call it before the
 * application listens.
 *
 * The application must import Nest's `DiscoveryModule`. If two methods answer the same requests, an
 * `ExtensionError` that names both stops the start.
 */
export function describeRoutes(app: NestFastifyApplication): void {
  const reflector = app.get(Reflector);
  const described = new Map<Handler, { name: string; facts: RouteFacts }>();
  for (const { metatype } of app.get(DiscoveryService).getControllers()) {
    const controller = metatype as Type;
    const prototype = controller.prototype as Record<string, Handler>;
    for (const method of new MetadataScanner().getAllMethodNames(prototype)) {
      const handler = prototype[method];
      if (!Reflect.hasMetadata(METHOD_METADATA, handler)) continue;
      const body = typeOf(controller, method, RouteParamtypes.BODY);
      const query = typeOf(controller, method, RouteParamtypes.QUERY);
      const isOpen = isPublic(reflector, handler, controller);
      const rateLimit = rateLimitOf(reflector, handler);
      const writes = isRefusedReadOnly(reflector, handler);
      const facts: RouteFacts = {
        isPublic: isOpen,
        body,
        opaqueFields: body ? opaqueFieldsOf(body) : [],
        maxBodyBytes: bodyLimitOf(reflector, handler, controller, isOpen),
        rateLimit,
        weight: weightOf(reflector, handler, usualWeight(query, rateLimit, writes)),
        stores: canStore(handler),
        writes,
        inSpaces: spaceAccessOf(reflector, handler),
      };
      // Several controllers may inherit one method, but Fastify keeps only one set of facts for it.
      const name = `${controller.name}.${method}`;
      const inherited = described.get(handler);
      if (inherited && inherited.facts.isPublic !== facts.isPublic)
        throw new ExtensionError(`${name} and ${inherited.name} are one method, and only one is public.`);
      if (inherited && inherited.facts.maxBodyBytes !== facts.maxBodyBytes)
        throw new ExtensionError(`${name} and ${inherited.name} are one method with two body limits.`);
      described.set(handler, { name, facts });
      giveFacts(handler, facts);
    }
  }
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  refuseDuplicates(fastify);
  limitBodies(fastify);
}

/** Adds the facts to the options that the method sets with `@RouteConfig()`. */
function giveFacts(handler: Handler, facts: RouteFacts): void {
  const key = RouteConfig({}).KEY;
  const given = Reflect.getMetadata(key, handler) as object | undefined;
  Reflect.defineMetadata(key, { ...given, facts }, handler);
}

/** Fastify also refuses the second route, but its message does not name the methods. */
function refuseDuplicates(fastify: FastifyInstance): void {
  const answering = new Map<string, string>();
  fastify.addHook('onRoute', ({ method, url, constraints, config, handler }) => {
    // Fastify adds a HEAD route to each GET route.
    if (!config?.facts || method === 'HEAD') return;
    const route = `${String(method)} ${url.replace(/:[^/]+/g, ':')} ${JSON.stringify(constraints)}`;
    const other = answering.get(route);
    // Nest sets this name to `Controller.method`.
    if (other !== undefined)
      throw new ExtensionError(`${handler.name} and ${other} both answer ${String(method)} ${url}.`);
    answering.set(route, handler.name);
  });
}

/** For a body without a length, Fastify counts the bytes while it reads. */
function limitBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const maxBytes = route.config?.facts?.maxBodyBytes;
    if (maxBytes !== undefined) route.bodyLimit = maxBytes;
  });
}

/** A POST that creates answers 201, Nest's default; a POST to a record's own path updates it. */
function canStore(handler: Handler): boolean {
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
  if (method !== RequestMethod.POST) return method === RequestMethod.PUT || method === RequestMethod.PATCH;
  const status = (Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined) ?? 201;
  const path = String(Reflect.getMetadata(PATH_METADATA, handler));
  return status === 201 || /(^|\/):[^/]+$/.test(path);
}

/** The weight of a method that has no `@Weight()`. */
function usualWeight(
  query: Type | undefined,
  rateLimit: RouteFacts['rateLimit'],
  writes: boolean,
): WeightName {
  if (rateLimit === 'none') return 'probe';
  if (rateLimit && !rateLimit.isLocal) return 'counted';
  if (writes) return 'write';
  return query && (query === ListQuery || query.prototype instanceof ListQuery) ? 'list' : 'short';
}

/**
 * The class of the parameter with `@Body()` or `@Query()`.
 *
 * Security: Nest checks nothing without a class. A pipe of the parameter may do it instead.
 */
function typeOf(
  controller: Type,
  method: string,
  decorator: RouteParamtypes.BODY | RouteParamtypes.QUERY,
): Type | undefined {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
    string,
    { index: number; data?: unknown; pipes: unknown[] }
  >;
  const [, argument] = Object.entries(args).find(([key]) => key.startsWith(`${decorator}:`)) ?? [];
  if (!argument) return undefined;
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype as object, method) as Type[];
  const type = types[argument.index];
  if (type === Object && argument.data === undefined && argument.pipes.length === 0)
    throw new ExtensionError(
      `${controller.name}.${method}: the type of @Body() or @Query() must be a class (no interface, no import type), or it needs a pipe.`,
    );
  return type;
}
