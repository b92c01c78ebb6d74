import { type ArgumentMetadata, type Paramtype, type Type } from '@nestjs/common';
import { PARAMTYPES_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { MetadataScanner, type ModulesContainer } from '@nestjs/core';

const KINDS = new Map<number, Paramtype>([
  [RouteParamtypes.BODY, 'body'],
  [RouteParamtypes.QUERY, 'query'],
  [RouteParamtypes.PARAM, 'param'],
]);

/** A parameter of a route that receives part of the request. */
export interface RouteParameter {
  /** For example `AllergiesController.create`. */
  route: string;
  metadata: ArgumentMetadata;
  /** Whether the parameter has its own pipe. */
  isPiped: boolean;
}

/** Every body, query and path parameter of every route of the application. */
export function* routeParameters(modules: ModulesContainer): Generator<RouteParameter> {
  const scanner = new MetadataScanner();
  for (const module of modules.values()) {
    for (const { metatype } of module.controllers.values()) {
      const controller = metatype as Type<object>;
      for (const method of scanner.getAllMethodNames(controller.prototype as object))
        yield* parametersOf(controller, method);
    }
  }
}

function* parametersOf(controller: Type<object>, method: string): Generator<RouteParameter> {
  const prototype = controller.prototype as Record<string, object>;
  if (!Reflect.hasMetadata(PATH_METADATA, prototype[method])) return;
  const types = (Reflect.getMetadata(PARAMTYPES_METADATA, prototype, method) ?? []) as Type<object>[];
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
    string,
    { index: number; data?: string; pipes?: unknown[] }
  >;
  for (const [key, { index, data, pipes }] of Object.entries(args)) {
    // The key `3:0` means kind 3, position 0. The keys of custom decorators do not start with such a number.
    const type = KINDS.get(Number(key.split(':')[0]));
    if (!type) continue;
    yield {
      route: `${controller.name}.${method}`,
      metadata: { type, metatype: types[index], data },
      isPiped: (pipes?.length ?? 0) > 0,
    };
  }
}
