import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiExtraModels,
  ApiOperation,
  ApiProperty,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { type ErrorCode, errorCodes, sentenceOf, statusOf } from '@app/common';

class ErrorDetailResponse {
  @ApiProperty({ example: 'route' })
  field: string;

  @ApiProperty({ example: 'route must be a string of 1 to 64 characters' })
  message: string;
}

/** The body of every failure. */
export class ErrorResponse {
  @ApiProperty({
    description: 'A sentence that a client may show to a person.',
    example: sentenceOf('not_found'),
  })
  error: string;

  @ApiProperty({
    description: 'Stable; clients decide by it.',
    enum: errorCodes(),
    example: 'not_found',
  })
  code: ErrorCode;

  @ApiProperty({
    type: [ErrorDetailResponse],
    required: false,
    description: 'Each field that breaks a rule.',
  })
  details?: ErrorDetailResponse[];

  @ApiProperty({
    description: 'Finds the request in the log.',
    example: '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c11',
  })
  request_id: string;
}

const PROTECTED: ErrorCode[] = ['token_missing', 'token_invalid', 'token_expired', 'token_revoked'];
const EVERYWHERE: ErrorCode[] = ['rate_limited', 'database_unavailable', 'overloaded', 'internal'];

/** The documentation of one route. */
export interface RouteDocumentation {
  summary: string;
  description?: string;
  /** The status of success. Its body is `body`, or empty. */
  status: number;
  body?: Type | [Type];
  /** Headers of the success: names and their meanings. */
  headers?: Record<string, string>;
  /** Error codes of this route, in addition to those that are possible on every route. */
  errors?: readonly ErrorCode[];
  /** Open to callers without a token. */
  isPublic?: boolean;
}

/** Documents one operation completely: its purpose, its answers, and each error with its codes. */
export function ApiRoute(route: RouteDocumentation): MethodDecorator & ClassDecorator {
  const codes = [...(route.errors ?? []), ...(route.isPublic ? [] : PROTECTED), ...EVERYWHERE];
  const byStatus = groupByStatus(codes);
  const headers = Object.fromEntries(
    Object.entries(route.headers ?? {}).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );
  const [body] = Array.isArray(route.body) ? route.body : [route.body];
  return applyDecorators(
    ApiOperation({ summary: route.summary, description: route.description }),
    ...(route.isPublic ? [] : [ApiBearerAuth()]),
    ...(body ? [ApiExtraModels(body, ErrorResponse)] : [ApiExtraModels(ErrorResponse)]),
    ApiResponse({
      status: route.status,
      description: route.body ? 'Success.' : 'Success, no content.',
      headers: headers,
      ...(route.body ? { type: route.body } : {}),
    }),
    ...[...byStatus].map(([status, ofStatus]) => errorResponse(status, ofStatus)),
  );
}

function errorResponse(status: number, codes: ErrorCode[]): MethodDecorator & ClassDecorator {
  return ApiResponse({
    status,
    description: codes.map((code) => `\`${code}\``).join(', '),
    content: {
      'application/json': {
        schema: { $ref: getSchemaPath(ErrorResponse) },
        examples: Object.fromEntries(
          codes.map((code) => [
            code,
            {
              value: {
                error: sentenceOf(code),
                code,
                request_id: '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c11',
              },
            },
          ]),
        ),
      },
    },
  });
}

function groupByStatus(codes: ErrorCode[]): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const status = statusOf(code);
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}

/** Headers of an answer with one record. */
export const ITEM_HEADERS = { ETag: "The record's revision, quoted; for `If-Match`." };

/** Headers of an answer with a list. */
export const LIST_HEADERS = { Link: 'The next page (`rel="next"`), where `limit` left one.' };

/** Errors that a request body can cause, on any route with a body. */
export const BODY_ERRORS = [
  'validation_failed',
  'malformed_json',
  'payload_too_large',
  'unsupported_media_type',
] as const;

/** Errors of a create. */
export const CREATE_ERRORS = [...BODY_ERRORS, 'id_taken', 'idempotency_conflict', 'storage_low'] as const;

/** Errors of a change or a delete of one record. */
export const CHANGE_ERRORS = [...BODY_ERRORS, 'not_found', 'revision_mismatch', 'storage_low'] as const;
