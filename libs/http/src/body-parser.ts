import { ServiceError } from '@app/common';
import { MAX_BODY_BYTES, scanBody } from '@app/opaque';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came; kept only for a request that carries an Idempotency-Key. */
    rawBody?: Buffer;
  }
}

/** Reads JSON bodies with their opaque values; an empty body is no body, whatever its type. */
export function registerBodyParser(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addHook('onRequest', ({ headers }, _reply, done) => {
    // Fastify refuses a type that it cannot read even where it describes nothing.
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
  if (request.headers['idempotency-key'] !== undefined) request.rawBody = bytes;
  return scanBody(bytes);
}
