import { types } from 'node:util';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import {
  type Caller,
  type ErrorCode,
  type ErrorDetail,
  framesOf,
  notFound,
  ServiceError,
  validationError,
} from '@app/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OutageLog } from './outage-log';
import { Tarpit } from '../defence/tarpit';

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

/** For the other errors of Fastify and its plugins. */
const CODE_BY_STATUS: Record<number, ErrorCode> = {
  400: 'malformed_json',
  // A path outside the folder of Swagger UI.
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
  /** An `ErrorCode`, `http_<status>`, or the `code` that an exception of a module has. */
  code: string;
  details?: ErrorDetail[];
  request_id: string;
}

/** A `ServiceError`, or what else was thrown, in the same form. */
interface Failure extends Pick<
  ServiceError,
  'status' | 'message' | 'details' | 'retryAfterSeconds' | 'headers' | 'body' | 'cause'
> {
  code: string;
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
    const request = http.getRequest<FastifyRequest>();
    const { code } = failureOf(thrown, request);
    if (code === 'rate_limited' || code === 'overloaded') await this.tarpit.pass(...namesOf(request));
    this.answer(thrown, request, http.getResponse<FastifyReply>());
  }

  /** Logs each unknown failure with its stack frames. Logs a known failure, such as an outage, once a second. */
  private report(error: Failure, request: FastifyRequest): void {
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
    const error = failureOf(thrown, request);
    if (error.status >= 500) this.report(error, request);
    if (reply.sent || reply.raw.headersSent) return;
    const body: ErrorBody = {
      error: error.message,
      code: error.code,
      ...(error.details ? { details: error.details } : {}),
      ...error.body,
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

/** The names of a client whose refusals count together. */
function namesOf({ ip, user }: FastifyRequest & { user?: Caller }): string[] {
  return user ? [ip, user.accountId] : [ip];
}

function failureOf(thrown: unknown, request: FastifyRequest): Failure {
  if (thrown instanceof ServiceError) return thrown;
  const platformError = platformErrorOf(thrown);
  if (platformError) return fromPlatform(platformError);
  if (!(thrown instanceof HttpException)) return new ServiceError('internal', { cause: thrown });
  // Nest throws one with the URL for an unknown route.
  return request.is404 ? notFound() : fromException(thrown);
}

interface PlatformError extends Error {
  code?: string;
  statusCode: number;
}

/** An error of Fastify or of one of its plugins. Nest wraps some of them in an `HttpException`. */
function platformErrorOf(thrown: unknown): PlatformError | undefined {
  const error = (thrown instanceof HttpException ? thrown.cause : thrown) as PlatformError | null | undefined;
  const status = error?.statusCode;
  if (status === undefined || (thrown instanceof HttpException && thrown.getStatus() !== status))
    return undefined;
  return error!;
}

function fromPlatform(error: PlatformError): ServiceError {
  const code = CODE_BY_PLATFORM_ERROR[error.code ?? ''];
  if (code) return new ServiceError(code);
  const codeOfStatus = CODE_BY_STATUS[error.statusCode];
  if (codeOfStatus) return new ServiceError(codeOfStatus, { cause: error });
  // Any other 4xx (such as an invalid range of a file) is also an error of the request.
  return error.statusCode >= 400 && error.statusCode < 500
    ? validationError([])
    : new ServiceError('internal', { cause: error });
}

/** The exception of a guard, a pipe or a controller of a module. It keeps its status and its message. */
function fromException(exception: HttpException): Failure {
  const status = exception.getStatus();
  const { code = `http_${status}`, message } = Object(exception.getResponse()) as {
    code?: string;
    message?: string | string[];
  };
  return {
    status,
    code,
    message: Array.isArray(message) ? message.join('; ') : exception.message,
    cause: exception.cause ?? exception,
  };
}

/** Source: RFC 6750 section 3. */
function challenge(code: string): string {
  return code.startsWith('token_') && code !== 'token_missing' ? 'Bearer error="invalid_token"' : 'Bearer';
}

/**
 * The loggable facts of a cause. Its message is not one of them, because PostgreSQL and others quote client
 * data in it.
 */
function causeOf(error: Failure): Record<string, unknown> {
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
