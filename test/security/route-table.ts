import type { FastifyInstance } from 'fastify';
import type { TestService } from '../support/service';

/** One route of the running service; parameters as in OpenAPI: `/api/profiles/{id}`. */
export interface Route {
  method: string;
  path: string;
}

export interface Operation extends Route {
  /** Whether the document demands an access token. */
  isProtected: boolean;
  /** Status of success. */
  status: number;
  parameters: { in: 'path' | 'query' | 'header'; name: string }[];
  /** Schema of the body, where there is one. */
  body: BodySchema | undefined;
}

export interface BodySchema {
  properties?: Record<string, { example?: unknown; format?: string }>;
  required?: string[];
}

export function nameOf({ method, path }: Route): string {
  return `${method} ${path}`;
}

/** Every route that Fastify would answer, read from its router and not from what Nest or the document believe. */
export function readRouteTable(service: TestService): Route[] {
  const fastify: FastifyInstance = service.app.getHttpAdapter().getInstance();
  const parents: string[] = [];
  const routes: Route[] = [];
  for (const line of fastify.printRoutes({ commonPrefix: false }).split('\n')) {
    // "│   └── /:id (GET, HEAD)": four characters a level, then the piece of the path, then its methods.
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

/** Every operation of the OpenAPI document that the service serves. */
export async function readOperations(service: TestService): Promise<Operation[]> {
  const { body: document } = await service.api.get('/api/openapi.json');
  return Object.entries<Record<string, any>>(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const reference: string | undefined = operation.requestBody?.content['application/json'].schema.$ref;
      return {
        method: method.toUpperCase(),
        path,
        isProtected: operation.security !== undefined,
        status: Number(Object.keys(operation.responses).find((status) => status.startsWith('2'))),
        parameters: operation.parameters ?? [],
        body: reference && document.components.schemas[reference.split('/').pop()!],
      };
    }),
  );
}
