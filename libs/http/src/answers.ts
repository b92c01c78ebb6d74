import { Created, encodeCursor, Page } from '@app/common';
import { writeJson } from '@app/opaque';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Gives answers their headers: a page its `Link`, a record its `ETag`, a replayed create its mark.
 *
 * Controllers return what they have; what it means in HTTP is decided here, once.
 */
export function registerAnswers(fastify: FastifyInstance): void {
  // Fastify sends bytes as gladly as text; its type only knows text.
  fastify.setReplySerializer(writeJson as (payload: unknown) => string);
  fastify.addHook('preSerialization', (request, reply, payload, done) => {
    done(null, unwrap(request, reply, payload));
  });
}

function unwrap(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (payload instanceof Page) {
    if (payload.next)
      void reply.header('Link', `<${nextUrl(request, encodeCursor(payload.next))}>; rel="next"`);
    return payload.takeItems();
  }
  if (payload instanceof Created) {
    if (payload.replayed) void reply.header('Idempotency-Replayed', 'true');
    return unwrap(request, reply, payload.record);
  }
  const revision = (payload as { revision?: unknown } | null)?.revision;
  if (typeof revision === 'number') void reply.header('ETag', `"${revision}"`);
  return payload;
}

/** Relative, since only the client knows the address under which it reaches the service. Source: RFC 8288 section 3. */
function nextUrl(request: FastifyRequest, cursor: string): string {
  const [path, query] = request.url.split('?', 2);
  const params = new URLSearchParams(query);
  params.set('cursor', cursor);
  return `${path}?${params.toString()}`;
}
