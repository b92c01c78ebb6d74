import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '@opentelemetry/api';
import { HASH_RUNS, STATEMENT_RUNS } from '@app/common/observation';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { versionOfService } from './service-version';
import { readTraceParent } from './trace-parent';

declare module 'fastify' {
  interface FastifyRequest {
    /** Only while the service sends traces. */
    trace?: { id: string; context: Context };
  }
}

/** How long the end of the process waits for a collector. */
const SHUTDOWN_TIMEOUT_MS = 3_000;

/**
 * Sends a span for each request to an OpenTelemetry collector, and below it one for each statement and each hash.
 *
 * The SDK is loaded here and nowhere else, so that a service without a collector does not pay for it. The other
 * standard variables, such as `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_TRACES_SAMPLER`, are read by the SDK.
 *
 * Security: a span holds the method, the pattern of the route, the status and names of statements. It never holds
 * a URL, a header, a body, an address or a value of a statement.
 *
 * @param endpoint base URL of the collector, for OTLP over HTTP.
 */
export async function startTracing(fastify: FastifyInstance, endpoint: string, log: Logger): Promise<void> {
  const [api, sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const named = { 'service.name': 'health-records-service', 'service.version': versionOfService() };
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: SHUTDOWN_TIMEOUT_MS,
  });
  const provider = new sdk.NodeTracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes(named))
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  provider.register({ propagator: null });
  // The messages of the SDK may quote the URL of the collector, which may hold a password.
  const warn = () => log.warn({ context: 'Traces', msg: 'Traces could not be sent to the collector.' });
  const ignore = () => undefined;
  api.diag.setLogger(
    { error: warn, warn: ignore, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: api.DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
  const tracer = provider.getTracer('health-records-service');
  const { SpanKind, SpanStatusCode } = api;

  fastify.decorateRequest('trace', undefined);
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions } = request;
    const route = routeOptions.url;
    const parent = readTraceParent(headers.traceparent);
    const around = parent
      ? api.trace.setSpanContext(api.ROOT_CONTEXT, {
          traceId: parent.traceId,
          spanId: parent.spanId,
          traceFlags: parent.flags,
          isRemote: true,
        })
      : api.ROOT_CONTEXT;
    const attributes = { 'http.request.method': method, ...(route && { 'http.route': route }) };
    const name = route ? `${method} ${route}` : method;
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, around);
    request.trace = { id: span.spanContext().traceId, context: api.trace.setSpan(around, span) };
    api.context.with(request.trace.context, done);
  });
  // The bytes of a body come in the context of their connection.
  fastify.addHook('preValidation', (request, _reply, done) => {
    api.context.with(request.trace!.context, done);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const span = api.trace.getSpan(request.trace!.context)!;
    span.setAttribute('http.response.status_code', reply.statusCode);
    if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
    done();
  });

  /** Work of no request, such as housekeeping, has no span. */
  const add = (name: string, startTime: number, endTime: number, isFailed: boolean, attributes: object) => {
    if (!api.trace.getActiveSpan()) return;
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime, attributes: { ...attributes } });
    if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endTime);
  };
  const endOfStatements = STATEMENT_RUNS.listen(({ name, startedAt, endedAt, isFailed }) =>
    add(name, startedAt, endedAt, isFailed, { 'db.system.name': 'postgresql', 'db.query.summary': name }),
  );
  const endOfHashes = HASH_RUNS.listen(({ askedAt, startedAt, endedAt }) => {
    const waited = Math.round((startedAt ?? endedAt) - askedAt);
    add('password hash', askedAt, endedAt, startedAt === undefined, { 'password_hash.wait_ms': waited });
  });
  fastify.addHook('onClose', async () => {
    endOfStatements();
    endOfHashes();
    await Promise.race([provider.shutdown(), sleep(SHUTDOWN_TIMEOUT_MS, undefined, { ref: false })]).catch(
      warn,
    );
  });
}
