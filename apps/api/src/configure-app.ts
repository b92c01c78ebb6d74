import { randomUUID } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ServiceConfig } from '@app/config';
import { ErrorFilter, registerAnswers, registerBodyParser } from '@app/http';
import { MAX_BODY_BYTES } from '@app/opaque';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { AppModule } from './app.module';
import { serveOpenApi } from './open-api';
import { measureRequests } from './process/metrics';
import { SECURITY_HEADERS } from './security-headers';
import { createLog, ServiceLogger } from './service-logger';

/** How long a connection may keep the service waiting. One that is slower holds a socket and no more. */
export const TIMEOUTS = {
  /** For the head of a request, from the first byte, or from the beginning of the connection. */
  headersMs: 15_000,
  /** For the whole request. */
  requestMs: 30_000,
  /** How often these two are looked at. */
  checkEveryMs: 5_000,
  /** Without a byte either way: a client that does not read its answer, or is gone without a word. */
  silenceMs: 120_000,
  keepAliveMs: 72_000,
};

/** Makes the application, ready to listen: the same for the process and for tests. */
export async function createApp(
  config: ServiceConfig,
  timeouts: typeof TIMEOUTS = TIMEOUTS,
): Promise<NestFastifyApplication> {
  const log = createLog(config);
  const filter = new ErrorFilter();
  const adapter = new FastifyAdapter({
    bodyLimit: MAX_BODY_BYTES,
    // A number alone Fastify takes for no trust at all.
    trustProxy: config.trustProxyHops > 0 && ((_: string, hop: number) => hop < config.trustProxyHops),
    genReqId: () => randomUUID(),
    http: { headersTimeout: timeouts.headersMs, connectionsCheckingInterval: timeouts.checkEveryMs },
    requestTimeout: timeouts.requestMs,
    connectionTimeout: timeouts.silenceMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    logger: false,
    // What Fastify refuses before there is a route, such as a URL that cannot be decoded; no hook is run for it.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
      filter.answer(error, request, reply.headers(SECURITY_HEADERS)),
  } as never);
  const fastify: FastifyInstance = adapter.getInstance();
  registerBodyParser(fastify);
  registerAnswers(fastify);
  registerHeaders(fastify);
  letClientsGo(fastify);
  registerRequestLog(fastify, log);
  if (config.metricsPort !== undefined) measureRequests(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(config), adapter, {
    bodyParser: false,
    logger: new ServiceLogger(log),
    abortOnError: false,
  });
  app.setGlobalPrefix('api', { exclude: ['healthz', 'readyz'] });
  if (config.corsOrigins.length > 0) {
    app.enableCors({
      origin: config.corsOrigins,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      allowedHeaders: ['Authorization', 'Content-Type', 'If-Match', 'If-None-Match', 'Idempotency-Key'],
      exposedHeaders: ['ETag', 'Link', 'Retry-After', 'Idempotency-Replayed'],
      maxAge: 600,
      // What is no preflight would be refused in plain text, which is not the contract's shape.
      strictPreflight: false,
    });
  }
  serveOpenApi(app);
  return app;
}

function registerHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers(SECURITY_HEADERS).header('X-Request-Id', request.id);
    done();
  });
}

/** While the service ends, whoever is answered is asked to go: the end waits for every connection that is kept alive. */
function letClientsGo(fastify: FastifyInstance): void {
  let closing = false;
  fastify.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) void reply.header('Connection', 'close');
    done(null, payload);
  });
}

/** One line for each answer. Security: the route's pattern, never the URL, in which an email or an id can stand. */
function registerRequestLog(fastify: FastifyInstance, log: Logger): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    log.info({
      request_id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    });
    done();
  });
}
