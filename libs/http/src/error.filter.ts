import { types } from 'node:util';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { type ErrorCode, framesOf, ServiceError, validationError } from '@app/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OutageLog } from './outage-log';
import { Tarpit } from './tarpit';

/** The service's codes for Fastify's error codes. */
const CODE_BY_PLATFORM_ERROR: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

/** For most platform errors, Nest passes on only the status. The service's own refusals are ServiceErrors. */
const CODE_BY_STATUS: Record<number, ErrorCode> = {
  400: 'malformed_json',
  // A path outside the folder of Swagger UI. A refusal by the service itself is a ServiceError.
  403: 'not_found',
  404: 'not_found',
  // For the files of Swagger UI, which have a date and no revision.
  412: 'revision_mismatch',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
};

/** The body of every failure. */
export interface ErrorBody {
  error: string;
  code: ErrorCode;
  details?: { field: string; message: string }[];
  request_id: string;
}

/**
 * Turns any thrown value into the error answer of the API. Security: no details of an unknown cause leave the
 * service.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly log = new Logger('Errors');
  private readonly tarpit = new Tarpit();
  private readonly outages = new OutageLog();

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const error = toServiceError(thrown);
    const request = http.getRequest<FastifyRequest>();
    if (error.code === 'rate_limited' || error.code === 'overloaded') await this.tarpit.pass(request.ip);
    this.answer(error, request, http.getResponse<FastifyReply>());
  }

  /** Logs each unknown failure with its stack frames. Logs a known failure, such as an outage, once a second. */
  private report(error: ServiceError, request: FastifyRequest): void {
    const { frames, ...cause } = causeOf(error);
    if (error.code === 'internal')
      return this.log.error({ request_id: request.id, code: error.code, ...cause, frames });
    const leftOut = this.outages.leftOut(`${error.code} ${String(cause.cause_code)}`);
    if (leftOut === undefined) return;
    this.log.error({
      request_id: request.id,
      code: error.code,
      ...cause,
      ...(leftOut > 0 && { left_out: leftOut }),
    });
  }

  answer(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const error = toServiceError(thrown);
    if (error.status >= 500) this.report(error, request);
    if (reply.sent || reply.raw.headersSent) return;
    const body: ErrorBody = {
      error: error.message,
      code: error.code,
      ...(error.details ? { details: error.details } : {}),
      request_id: request.id,
    };
    // For an unknown route, Fastify does not run the hook that sets these headers.
    void reply.headers({ 'X-Request-Id': request.id, 'Cache-Control': 'no-store' });
    if (error.status === 401) void reply.header('WWW-Authenticate', challenge(error.code));
    if (error.retryAfterSeconds !== undefined)
      void reply.header('Retry-After', Math.ceil(error.retryAfterSeconds));
    for (const [name, value] of Object.entries(error.headers ?? {})) void reply.header(name, value);
    void reply.status(error.status).type('application/json; charset=utf-8').send(body);
  }
}

function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const platformCode = CODE_BY_PLATFORM_ERROR[(thrown as { code?: string } | null)?.code ?? ''];
  if (platformCode) return new ServiceError(platformCode);
  const status =
    (thrown instanceof HttpException
      ? thrown.getStatus()
      : (thrown as { statusCode?: number } | null)?.statusCode) ?? 500;
  const code = CODE_BY_STATUS[status];
  if (code) return new ServiceError(code, { cause: thrown });
  // Any other 4xx of the platform (such as an invalid range of a file) is also an error of the request.
  return status >= 400 && status < 500
    ? validationError([])
    : new ServiceError('internal', { cause: thrown });
}

/** Source: RFC 6750 section 3. */
function challenge(code: ErrorCode): string {
  return code.startsWith('token_') && code !== 'token_missing' ? 'Bearer error="invalid_token"' : 'Bearer';
}

/**
 * The loggable facts of a cause. Its message is not one of them, because PostgreSQL and others quote client
 * data in it.
 */
function causeOf(error: ServiceError): Record<string, unknown> {
  const { cause } = error;
  if (!types.isNativeError(cause)) return {};
  const { code, constraint, routine } = cause as { code?: string; constraint?: string; routine?: string };
  return {
    cause: cause.name,
    cause_code: code,
    constraint,
    routine,
    frames: framesOf(cause),
  };
}
