import type { INestApplication } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Api } from './api';

/** One route of the running service. Parameters are written as in OpenAPI: `/api/profiles/{id}`. */
export interface Route {
  method: string;
  path: string;
}

export interface Operation extends Route {
  /** Whether the operation needs an access token, according to the document. */
  isProtected: boolean;
  /** Status of success. */
  status: number;
  parameters: { in: 'path' | 'query' | 'header'; name: string; required?: boolean }[];
  /** Schema of the body, if there is one. */
  body: BodySchema | undefined;
}

/** The schema of a body in the OpenAPI document. */
export interface BodySchema {
  properties?: Record<string, { example?: unknown; format?: string }>;
  required?: string[];
}

interface OpenApiDocument {
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, BodySchema> };
}

interface OperationObject {
  security?: unknown[];
  responses: Record<string, unknown>;
  parameters?: Operation['parameters'];
  requestBody?: { content: { 'application/json': { schema: { $ref?: string } } } };
}

/** A route as a test names it: its method and path. */
export function nameOf({ method, path }: Route): string {
  return `${method} ${path}`;
}

/** Every route that Fastify answers, from the list of its router. */
export function readRouteTable(app: INestApplication): Route[] {
  const fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
  const parents: string[] = [];
  const routes: Route[] = [];
  for (const line of fastify.printRoutes().split('\n')) {
    // A line is like "│   └── /:id (GET, HEAD)": four characters for each level, a
    // part of the path, its methods.
    const match = /^([│ ]*)[├└]── (\S+)(?: \((.+)\))?$/.exec(line);
    if (!match) continue;
    const [, indent, piece, methods] = match;
    const depth = indent.length / 4;
    parents.splice(depth, parents.length, piece);
    const path = parents.join('').replace(/:(\w+)/g, '{$1}');
    for (const method of methods?.split(', ') ?? []) routes.push({ method, path });
  }
  return routes;
}

/** The document of a service is as long as a hundred answers, and does not change while the service runs. */
const known = new WeakMap<Api, Promise<Operation[]>>();

/** Every operation of the OpenAPI document that the service serves. */
export function readOperations(api: Api): Promise<Operation[]> {
  const operations = known.get(api) ?? readDocument(api);
  known.set(api, operations);
  return operations;
}

async function readDocument(api: Api): Promise<Operation[]> {
  const document = (await api.get('/api/openapi.json')).body as OpenApiDocument;
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const reference = operation.requestBody?.content['application/json'].schema.$ref;
      return {
        method: method.toUpperCase(),
        path,
        isProtected: (operation.security ?? []).length > 0,
        status: Number(Object.keys(operation.responses).find((status) => status.startsWith('2'))),
        parameters: operation.parameters ?? [],
        body: reference === undefined ? undefined : document.components.schemas[reference.split('/').pop()!],
      };
    }),
  );
}

/** The operations that need an access token. */
export async function readProtectedOperations(api: Api): Promise<Operation[]> {
  return (await readOperations(api)).filter(({ isProtected }) => isProtected);
}

/** Whether an operation is a create with an `Idempotency-Key`. Only creates of records have this header. */
export function isRecordCreate({ method, status, parameters }: Operation): boolean {
  return method === 'POST' && status === 201 && parameters.some(({ name }) => name === 'Idempotency-Key');
}
