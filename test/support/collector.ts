import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Span {
  traceId: string;
  parentSpanId?: string;
  spanId: string;
  name: string;
  attributes: Record<string, unknown>;
}

/** An OpenTelemetry collector on this machine, for traces as JSON over HTTP. */
export interface Collector {
  url: string;
  /** All that was sent, as it came. */
  text(): string;
  spans(): Span[];
  /** Names of the attributes of the resource. */
  resource(): string[];
  close(): Promise<unknown>;
}

export async function startCollector(): Promise<Collector> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const resources = () => bodies.flatMap((body) => JSON.parse(body).resourceSpans as any[]);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    text: () => bodies.join('\n'),
    spans: () =>
      resources()
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map((span) => ({ ...span, attributes: attributesOf(span) })),
    resource: () => [...new Set(resources().flatMap(({ resource }) => Object.keys(attributesOf(resource))))],
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function attributesOf({ attributes }: { attributes: any[] }): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value as object)[0]]));
}
