import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ExtensionError } from '@app/common';
import type { ServiceConfig } from '@app/config';
import { Database } from '@app/database';
import type { Extensions, Override } from '@app/extension';
import {
  ClientErrors,
  describeRoutes,
  discardBody,
  ErrorFilter,
  registerAnswers,
  registerBodyParser,
  SPACE_HEADER,
} from '@app/http';
import { MAX_BODY_BYTES } from '@app/opaque';
import { registerAdmission } from '@app/security';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import type { Logger } from 'pino';
import { AppModule } from './app.module';
import { composeService } from './domains';
import { HealthService } from './health/health.service';
import { serveOpenApi } from './open-api/open-api';
import { measureRequests } from './process/metrics';
import { readTraceParent } from './process/trace-parent';
import { startTracing } from './process/tracing';
import { SECURITY_HEADERS } from './security-headers';
import { createLog, ServiceLogger } from './service-logger';
import { serveAssets } from './web-assets';

/** Time-outs of connections. Until its time-out a slow connection costs one socket and nothing else. */
export const TIMEOUTS = {
  /** For the headers of a request, from the first byte or from the start of the connection. */
  headersMs: 15_000,
  /** For the whole request. */
  requestMs: 30_000,
  /** Interval at which the two time-outs above are checked. */
  checkEveryMs: 5_000,
  /**
   * Time without a byte in either direction. Closes connections to dead peers and to clients that do not read
   * the answer.
   */
  silenceMs: 120_000,
  keepAliveMs: 72_000,
};

/** A path that no route has. */
const NO_ROUTE = '/%00';
/** More than the limit of Node for all headers. */
const MAX_PATH_LENGTH = 64 * 1024;

/**
 * Creates the application, ready to listen. The process and the tests use the same one.
 *
 * @param config a configuration that includes the settings of the extension: `new ServiceConfig(process.env,
 *   [SETTINGS])`.
 * @throws ExtensionError if the extension is invalid. Two methods for the same route are reported later, when
 *   the application starts to listen.
 */
export async function createApp(
  config: ServiceConfig,
  extension?: Extensions,
  timeouts: typeof TIMEOUTS = TIMEOUTS,
): Promise<NestFastifyApplication> {
  const log = createLog(config);
  const filter = new ErrorFilter();
  const clientErrors = new ClientErrors(SECURITY_HEADERS, (line) => log.info(line));
  const adapter = new FastifyAdapter({
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: trustedProxies(config),
    genReqId: () => randomUUID(),
    http: {
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkEveryMs,
      // The admission refuses a request without Host, in the form of every other failure.
      requireHostHeader: false,
    },
    clientErrorHandler: (error: Error, socket: Socket) => clientErrors.answer(error, socket),
    requestTimeout: timeouts.requestMs,
    connectionTimeout: timeouts.silenceMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    logger: false,
    // Security: for a URL that cannot be decoded, and for a long part of a path, Fastify would run no hook: no
    // rate limit, no line in the log, no CORS.
    rewriteUrl: ({ url = '' }: IncomingMessage) => (isDecodable(url) ? url : NO_ROUTE),
    routerOptions: { maxParamLength: MAX_PATH_LENGTH },
    // For any other refusal of Fastify before its hooks.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      discardBody(request.raw, request.ip);
      filter.answer(error, request, reply.headers(SECURITY_HEADERS));
    },
  } as never);
  const fastify: FastifyInstance = adapter.getInstance();
  readAllHeaders(fastify.server);
  registerBodyParser(fastify);
  if (config.otlpEndpoint !== undefined) await startTracing(fastify, config.otlpEndpoint, log);
  registerHeaders(fastify, clientErrors);
  registerRequestLog(fastify, log);
  if (config.metricsPort !== undefined) measureRequests(fastify);
  const { corsHeaders, overrides } = composeService(extension);
  const replaced = new Set<Override>();
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(config, extension),
    adapter,
    {
      bodyParser: false,
      logger: new ServiceLogger(log),
      abortOnError: false,
      instrument: { instanceDecorator: (instance) => override(instance, overrides, replaced) },
    },
  );
  const unknown = overrides.find((each) => !replaced.has(each));
  if (unknown)
    throw new ExtensionError(`The service injects no ${unknown.provide.name} that could be replaced.`);
  app.setGlobalPrefix('api', {
    exclude: ['/', 'app/{*path}', 'service-worker.js', 'manifest.webmanifest', 'healthz', 'readyz'],
  });
  if (config.corsOrigins.length > 0) {
    const { allowed, exposed } = corsHeaders;
    app.enableCors({
      origin: config.corsOrigins,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      allowedHeaders: [
        'Authorization',
        'Content-Type',
        'If-Match',
        'If-None-Match',
        'Idempotency-Key',
        SPACE_HEADER,
        ...allowed,
      ],
      exposedHeaders: ['ETag', 'Link', 'Retry-After', 'Idempotency-Replayed', ...exposed],
      maxAge: 600,
      // Without this option an OPTIONS request that is not a preflight gets an error in plain text instead of
      // JSON.
      strictPreflight: false,
    });
  }
  registerAnswers(fastify, app.get(Database).epochs);
  closeKeepAliveOnShutdown(fastify, app.get(HealthService));
  describeRoutes(app);
  registerAdmission(app);
  if (config.docs) serveOpenApi(app, extension);
  if (config.web) await serveAssets(app);
  return app;
}

/**
 * Removes two special cases of Node, which no hook sees.
 *
 * Security: Node drops headers beyond a number, among them the address that a proxy appends. The limit of 16 KiB
 * remains. For an unknown `Expect`, Node sends an empty 417 without a log line or a rate limit. A server may
 * ignore it (RFC 9110 section 10.1.1).
 */
function readAllHeaders(server: Server): void {
  server.maxHeadersCount = 0;
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(url.split('?', 1)[0]);
    return true;
  } catch {
    return false;
  }
}

/** Fastify gets no plain number, because it then trusts no proxy. */
function trustedProxies(config: ServiceConfig): FastifyServerOptions['trustProxy'] {
  const { trustProxy, trustProxyHops } = config;
  if (trustProxy.length > 0) return trustProxy;
  return trustProxyHops > 0 && ((_, hop) => hop < trustProxyHops);
}

function registerHeaders(fastify: FastifyInstance, clientErrors: ClientErrors): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    clientErrors.begin(request, reply);
    void reply.headers(SECURITY_HEADERS).header('X-Request-Id', request.id);
    done();
  });
}

/**
 * While the service shuts down (`/readyz` answers 503), every answer closes its connection. A client then
 * opens a new connection, which a load balancer sends to another replica.
 */
function closeKeepAliveOnShutdown(fastify: FastifyInstance, health: HealthService): void {
  // Some refusals, such as that of an unknown route, pass no hook of Fastify.
  fastify.server.prependListener('request', (_request, response) => {
    if (health.isShuttingDown) response.setHeader('Connection', 'close');
  });
  // The request may have come before.
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (health.isShuttingDown) void reply.header('Connection', 'close');
    done(null, payload);
  });
}

/** Asked every few seconds: lines about them would fill the log, so those of good answers have the level `debug`. */
const HEALTH_CHECKS = ['/healthz', '/readyz'];

/**
 * Logs one line for each answer, with the id of the trace of which it is a part. Security: logs the route's
 * pattern and never the URL. The URL can contain an email or an id.
 */
function registerRequestLog(fastify: FastifyInstance, log: Logger): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const isGoodCheck = HEALTH_CHECKS.includes(request.routeOptions.url!) && reply.statusCode === 200;
    log[isGoodCheck ? 'debug' : 'info']({
      request_id: request.id,
      trace_id: request.trace?.id ?? readTraceParent(request.headers.traceparent)?.traceId,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    });
    done();
  });
}

function override(instance: unknown, overrides: readonly Override[], replaced: Set<Override>): unknown {
  return overrides.reduce((current, each) => {
    // The class of what is replaced, and no class that extends it.
    if ((instance as object | null)?.constructor !== each.provide) return current;
    replaced.add(each);
    return each.with(current) as unknown;
  }, instance);
}
