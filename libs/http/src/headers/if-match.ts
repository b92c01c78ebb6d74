import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { invalidField, type RevisionCondition } from '@app/common';
import type { FastifyRequest } from 'fastify';

/**
 * One element of a list, with its comma. An element may be empty. A comma inside quotes belongs to the tag.
 */
const ELEMENT = /[ \t]*(?:(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;
/** A revision and, after the first epoch, the epoch. */
const TAG = /^[1-9]\d{0,8}(-[0-9a-f]{1,32})?$/;

/**
 * The entity tags of records that an `If-Match` header allows, or `undefined` without the header.
 *
 * A weak tag counts as the strong tag with the same value, because a proxy that compresses an answer weakens
 * its tag.
 *
 * @throws ServiceError `validation_failed` for a malformed header.
 * Source: RFC 9110 section 13.1.1.
 */
export function parseIfMatch(header: string | undefined): RevisionCondition | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (text === '*') return '*';
  const tags: string[] = [];
  let count = 0;
  ELEMENT.lastIndex = 0;
  while (ELEMENT.lastIndex < text.length) {
    const match = ELEMENT.exec(text);
    if (!match) throw malformed();
    const tag = match[1];
    if (tag === undefined) continue;
    count++;
    if (TAG.test(tag)) tags.push(tag);
  }
  if (count === 0) throw malformed();
  return tags;
}

function malformed() {
  return invalidField('If-Match', 'If-Match must be *, or entity tags such as "3"');
}

/** Parameter of a write: the condition in the request's `If-Match`. */
export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext) =>
  parseIfMatch(context.switchToHttp().getRequest<FastifyRequest>().headers['if-match']),
);

/** Documents the header on a route. */
export const ApiIfMatch = () =>
  applyDecorators(
    ApiHeader({
      name: 'If-Match',
      required: false,
      description:
        'The `ETag` of the record as last read; the request changes nothing (412) if it has changed since.',
      schema: { type: 'string' },
    }),
  );
