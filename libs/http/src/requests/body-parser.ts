import { ServiceError } from '@app/common';
import { MAX_BODY_BYTES, scanBody } from '@app/opaque';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The unchanged body. It is kept only for a request with an Idempotency-Key. */
    rawBody?: Buffer;
    /** The length of a body that came without one. */
    bodyBytes?: number;
  }
}

/** For a request that matches no route. */
const NO_FIELDS: readonly string[] = [];

/**
 * Reads JSON bodies and keeps the opaque values of their route. An empty body counts as absent, whatever its
 * type.
 */
export function registerBodyParser(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addHook('onRequest', ({ headers }, _reply, done) => {
    // Fastify refuses an unknown content type even if the body is empty.
    if (!headers['transfer-encoding'] && !Number(headers['content-length'] ?? 0))
      delete headers['content-type'];
    done();
  });
  const options = { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES } as const;
  fastify.addContentTypeParser('application/json', options, (request, bytes: Buffer, done) => {
    try {
      done(null, bytes.length === 0 ? undefined : read(request, bytes));
    } catch (error) {
      done(error as Error);
    }
  });
  fastify.addContentTypeParser('*', options, (_request, bytes: Buffer, done) => {
    if (bytes.length === 0) done(null, undefined);
    else done(new ServiceError('unsupported_media_type'));
  });
}

function read(request: FastifyRequest, bytes: Buffer): unknown {
  if (request.headers['content-length'] === undefined) request.bodyBytes = bytes.length;
  if (request.headers['idempotency-key'] !== undefined) request.rawBody = bytes;
  return scanBody(bytes, request.routeOptions.config.facts?.opaqueFields ?? NO_FIELDS);
}
