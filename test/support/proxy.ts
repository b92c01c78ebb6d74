import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came in. */
export interface ProxiedRequest {
  method: string;
  /** Without the query. */
  path: string;
  url: string;
  headers: Record<string, string>;
  /** Empty where there is none. */
  text: string;
}

/** What the caller will get. */
export interface ProxiedAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'host',
];

/** Stands between a client and the real service, keeps what passes, and changes answers where a test wants a liar. */
export class Proxy {
  /** In the order in which they came in. Preflights are passed on, and left out everywhere here. */
  readonly requests: ProxiedRequest[] = [];
  /** Changes an answer; a promise holds it back, a rejected one cuts the connection. */
  tamper?: (request: ProxiedRequest, answer: ProxiedAnswer) => ProxiedAnswer | Promise<ProxiedAnswer>;
  /** Waited for before a request is passed on. */
  hold?: (request: ProxiedRequest) => Promise<void> | undefined;
  /** Whether no request reaches the service: a network that is gone. */
  isCut = false;
  readonly #server: Server;

  private constructor(private readonly target: string) {
    this.#server = createServer((request, response) => {
      void this.#pass(request).then(
        ({ status, headers, text }) => response.writeHead(status, headers).end(text),
        () => request.socket.destroy(),
      );
    });
  }

  static async start(target: string): Promise<Proxy> {
    const proxy = new Proxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A network without faults. */
  mend(): void {
    this.isCut = false;
    this.tamper = this.hold = undefined;
  }

  /** Requests of one line, `POST /api/auth/refresh` for example. */
  calls(line: string): ProxiedRequest[] {
    return this.requests.filter(({ method, path }) => `${method} ${path}` === line);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #pass(incoming: IncomingMessage): Promise<ProxiedAnswer> {
    const request = await readRequest(incoming);
    const isPreflight = request.method === 'OPTIONS';
    if (!isPreflight) {
      this.requests.push(request);
      if (this.isCut) throw new Error('cut');
      await this.hold?.(request);
    }
    const { method, headers, text } = request;
    const body = text === '' ? {} : { body: text };
    const answer = await fetch(this.target + request.url, { method, headers, redirect: 'manual', ...body });
    const passed = {
      status: answer.status,
      headers: withoutHopByHop(Object.fromEntries(answer.headers)),
      text: await answer.text(),
    };
    return this.tamper && !isPreflight ? this.tamper(request, passed) : passed;
  }
}

async function readRequest(incoming: IncomingMessage): Promise<ProxiedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) headers[name] = String(value);
  const url = incoming.url!;
  return {
    method: incoming.method!,
    path: url.split('?')[0],
    url,
    headers: withoutHopByHop(headers),
    text: Buffer.concat(chunks).toString('utf8'),
  };
}

function withoutHopByHop(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)));
}
