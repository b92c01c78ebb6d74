import type { LoggerService } from '@nestjs/common';
import type { ServiceConfig } from '@app/config';
import { pino, type Logger } from 'pino';

/**
 * The only log of the process: JSON lines on standard output.
 *
 * Security: the log holds this service's own messages and named values. Of a request it holds nothing but the
 * route's pattern.
 */
export function createLog(config: Pick<ServiceConfig, 'logLevel'>): Logger {
  return pino({
    level: config.logLevel,
    // The processes of one container write to one stream.
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
}

/** Contexts in which Nest logs the failure of a start. It also throws it, and `run` logs it in a sentence. */
const OF_FAILED_START: unknown[] = ['ExceptionHandler', 'NestApplication'];

/** Writes Nest's own messages to the same log. Its messages at the start have the level `debug`. */
export class ServiceLogger implements LoggerService {
  constructor(private readonly pino: Logger) {}

  log(message: unknown, context?: string): void {
    this.pino[context === 'Database' ? 'info' : 'debug'](fields(message, context));
  }

  error(message: unknown, ...rest: unknown[]): void {
    if (OF_FAILED_START.includes(rest.at(-1))) return;
    this.pino.error(fields(message, rest.at(-1)));
  }

  warn(message: unknown, context?: string): void {
    this.pino.warn(fields(message, context));
  }

  fatal(message: unknown, context?: string): void {
    this.pino.fatal(fields(message, context));
  }

  debug(message: unknown, context?: string): void {
    this.pino.debug(fields(message, context));
  }

  verbose(message: unknown, context?: string): void {
    this.pino.trace(fields(message, context));
  }
}

function fields(message: unknown, context: unknown): object {
  return typeof message === 'object' && message !== null
    ? { context, ...message }
    : { context, msg: String(message) };
}
