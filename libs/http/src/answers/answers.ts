import { Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import { Created, encodeCursor, Page } from '@app/common';
import { writeJson, writeJsonList } from '@app/opaque';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const log = new Logger('Answers');

/** The epoch of the records in a list. Absent in the first epoch. */
const EPOCH_HEADER = 'Records-Epoch';

/** The known epoch of the database; absent in the first epoch. */
export interface EpochMark {
  readonly mark: string | undefined | Promise<string | undefined>;
}

/**
 * Sets the headers of answers: `Link` for a page, `ETag` for a record, a mark for a replayed create, and the
 * epoch after the first one.
 *
 * Controllers return data. This function alone translates it to HTTP.
 */
export function registerAnswers(fastify: FastifyInstance, epochs: EpochMark): void {
  // Fastify also sends bytes and streams, but its type only allows text.
  fastify.setReplySerializer(write as (payload: unknown) => string);
  fastify.addHook('preSerialization', (request, reply, payload, done) => {
    const content = unwrap(request, reply, payload);
    const tag = hasRecords(payload) ? epochs.mark : undefined;
    // A promise for each request would cost the fastest routes a tenth.
    if (!(tag instanceof Promise)) return done(null, tagged(reply, payload, content, tag));
    tag.then(
      (epoch) => done(null, tagged(reply, payload, content, epoch)),
      (error: Error) => done(error),
    );
  });
}

function write(payload: unknown): string | Readable {
  return payload instanceof Readable ? payload : writeJson(payload);
}

/**
 * Sends a whole list that is longer than a page in chunks. The next page is read after the client has
 * received the previous one.
 *
 * If a page fails, Fastify destroys the connection. The client then knows that the list is incomplete.
 */
function stream(request: FastifyRequest, page: Page<unknown>, rest: AsyncIterable<unknown[]>): Readable {
  if (request.method === 'HEAD') return Readable.from([]);
  const body = Readable.from(writeJsonList(page.takeItems(), rest), { objectMode: false, highWaterMark: 1 });
  return body.on('error', ({ code }: Error & { code?: string }) =>
    log.warn({ request_id: request.id, code, message: 'A list ended before its end.' }),
  );
}

function unwrap(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (payload instanceof Page) {
    if (payload.next)
      void reply.header('Link', `<${nextUrl(request, encodeCursor(payload.next))}>; rel="next"`);
    return payload.rest ? stream(request, payload, payload.rest) : payload.takeItems();
  }
  if (payload instanceof Created) {
    if (payload.replayed) void reply.header('Idempotency-Replayed', 'true');
    return unwrap(request, reply, payload.record);
  }
  return payload;
}

function revisionOf(payload: unknown): number | undefined {
  const record = payload instanceof Created ? (payload.record as unknown) : payload;
  const revision = (record as { revision?: unknown } | null)?.revision;
  return typeof revision === 'number' ? revision : undefined;
}

function hasRecords(payload: unknown): boolean {
  return payload instanceof Page || revisionOf(payload) !== undefined;
}

/** Marks records with their revision and, after the first epoch, with the epoch. */
function tagged(reply: FastifyReply, payload: unknown, content: unknown, epoch: string | undefined): unknown {
  const revision = revisionOf(payload);
  if (revision !== undefined) {
    void reply.header('ETag', epoch === undefined ? `"${revision}"` : `"${revision}-${epoch}"`);
  } else if (epoch !== undefined) setExposedHeader(reply, EPOCH_HEADER, epoch);
  return content;
}

/** Sets a header that few answers have. Pages of other origins may read it, as those that all answers may have. */
export function setExposedHeader(reply: FastifyReply, name: string, value: string): void {
  const exposed = reply.getHeader('Access-Control-Expose-Headers');
  void reply.header(name, value);
  if (exposed !== undefined)
    void reply.header('Access-Control-Expose-Headers', `${String(exposed)}, ${name}`);
}

/**
 * The URL is relative, because only the client knows the address under which it reaches the service. Source:
 * RFC 8288 section 3.
 */
function nextUrl(request: FastifyRequest, cursor: string): string {
  const [path, query] = request.url.split('?', 2);
  const params = new URLSearchParams(query);
  params.set('cursor', cursor);
  return `${path}?${params.toString()}`;
}
