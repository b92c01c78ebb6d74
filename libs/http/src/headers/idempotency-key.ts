import { createHash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { type Caller, type IdempotencyKeyDigest, invalidField } from '@app/common';
import type { FastifyRequest } from 'fastify';

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/** Parameter of a create: the digests of its `Idempotency-Key` and body, or `undefined` without the header. */
export const IdempotencyKey = createParamDecorator(
  (_: unknown, context: ExecutionContext): IdempotencyKeyDigest | undefined => {
    const request = context.switchToHttp().getRequest<FastifyRequest & { inSpace?: Caller }>();
    const key = request.headers['idempotency-key'];
    if (key === undefined) return undefined;
    if (typeof key !== 'string' || !VISIBLE_ASCII.test(key)) {
      throw invalidField('Idempotency-Key', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
    }
    // In a space each member has keys of their own.
    const member = request.inSpace?.member?.id;
    return {
      key: digest([request.method, request.url, key, ...(member ? [member] : [])].join('\0')),
      body: digest(request.rawBody ?? ''),
    };
  },
);

function digest(content: string | Buffer): Buffer {
  return createHash('sha256').update(content).digest();
}

/** Documents the header on a route. */
export const ApiIdempotencyKey = (
  description = 'Makes a repeat of this request safe for 24 hours: the same body again answers with the same record.',
) =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description,
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  });
