import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiExtraModels,
  ApiOperation,
  ApiProperty,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { type ErrorCode, errorCodes, sentenceOf, statusOf } from '@app/common';
import { InSpaces, type SpaceAccess, spaceErrorsOf } from '../routes/route-spaces';

/** The id in every example. Swagger UI sends the last id of the kind in its place, see `swagger-ui.ts`. */
export const EXAMPLE_ID = '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c11';

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
    example: EXAMPLE_ID,
  })
  request_id: string;
}

/** The fields of every record that a member of a space may have written. */
export class AuthoredResponse {
  @ApiProperty({
    required: false,
    format: 'uuid',
    description: 'In a shared profile: the account that wrote the newest state. Absent elsewhere.',
  })
  author_id?: string;
}

/** The common fields of every record except a dose. */
export class RevisedResponse extends AuthoredResponse {
  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:00:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:00:00.000Z' })
  updated_at: string;

  @ApiProperty({
    type: 'integer',
    description: '1 on create, one more with each update; also the `ETag`.',
    example: 1,
  })
  revision: number;
}

const PROTECTED: ErrorCode[] = ['token_missing', 'token_invalid', 'token_expired', 'token_revoked'];
const EVERYWHERE: ErrorCode[] = ['rate_limited', 'database_unavailable', 'overloaded', 'internal'];

/** The documentation of one route. */
export interface RouteDocumentation {
  summary: string;
  /** Markdown. Routes of records get a common description if it is missing. */
  description?: string;
  /** The status of success. Its body is `body`, or empty. */
  status: number;
  body?: Type | [Type];
  /** Headers of the success: names and their meanings. */
  headers?: Record<string, string>;
  /** Further answers without a body that are no errors: statuses and their meanings. */
  otherAnswers?: Record<number, string>;
  /** Error codes of this route, in addition to those that are possible on every route. */
  errors?: readonly ErrorCode[];
  /** Open to callers without a token. */
  isPublic?: boolean;
  /** Who may use it in a space. Absent: it works in the own account only. */
  inSpaces?: SpaceAccess;
}

/**
 * Documents one operation completely: its purpose, its answers, and each error with its codes. And it sets the status of
 * success, and opens the operation in spaces.
 */
export function ApiRoute(route: RouteDocumentation): MethodDecorator {
  const { inSpaces } = route;
  const codes = [
    ...(route.errors ?? []),
    ...spaceErrorsOf(inSpaces),
    ...(route.isPublic ? [] : PROTECTED),
    ...EVERYWHERE,
  ];
  const byStatus = groupByStatus(codes);
  const headers = Object.fromEntries(
    Object.entries(route.headers ?? {}).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );
  const [body] = Array.isArray(route.body) ? route.body : [route.body];
  return applyDecorators(
    HttpCode(route.status),
    ApiOperation({
      summary: route.summary,
      description: route.description ?? commonDescription(route),
      ...(route.isPublic ? { security: [] } : {}),
    }),
    ...(route.isPublic ? [] : [ApiBearerAuth()]),
    ...(inSpaces ? [InSpaces(inSpaces)] : []),
    ...(body ? [ApiExtraModels(body, ErrorResponse)] : [ApiExtraModels(ErrorResponse)]),
    ApiResponse({
      status: route.status,
      description: route.body ? 'Success.' : 'Success, no content.',
      headers: headers,
      ...(route.body ? { type: route.body } : {}),
    }),
    ...Object.entries(route.otherAnswers ?? {}).map(([status, description]) =>
      ApiResponse({ status: Number(status), description }),
    ),
    ...[...byStatus].map(([status, ofStatus]) => errorResponse(status, ofStatus)),
  );
}

/** What all routes of records have in common. */
function commonDescription({ status, headers, errors }: RouteDocumentation): string | undefined {
  if (headers === LIST_HEADERS)
    return 'Without `limit` the whole list. With `limit` a page: `Link` names the next page while there is one.';
  if (errors?.includes('idempotency_conflict'))
    return 'The service makes the id, unless the body has one. With an `Idempotency-Key` a repeat creates nothing twice.';
  if (status === 204 && errors?.includes('revision_mismatch'))
    return 'With `If-Match`, only if the record has not changed since it was read. It cannot be restored.';
  if (status === 200 && headers === ITEM_HEADERS)
    return 'Send the `ETag` of the answer as `If-Match` with the next change.';
  return undefined;
}

function errorResponse(status: number, codes: ErrorCode[]): MethodDecorator {
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
                request_id: EXAMPLE_ID,
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
export const ITEM_HEADERS = {
  ETag: 'For `If-Match`: `"<revision>"`, after a restore of the service `"<revision>-<epoch>"`.',
};

/** Headers of an answer with a list. */
export const LIST_HEADERS = {
  Link: 'The next page (`rel="next"`), where `limit` left one.',
  'Records-Epoch': 'After a restore of the service: the epoch of the revisions.',
};

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
