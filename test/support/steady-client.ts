import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

interface SteadyAnswer {
  status: number;
  body: any;
}

/**
 * A client with one connection that it keeps, and nothing that hides a failure: it follows `Retry-After`, and does not
 * repeat a request for any other reason.
 */
export class SteadyClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** What a person would have noticed: a broken connection, or an answer without a `Retry-After`. */
  readonly failures: string[] = [];
  answers = 0;
  /** Answers that asked it to wait. */
  waits = 0;

  constructor(
    private readonly port: number,
    private readonly token: string,
  ) {}

  /** @returns the answer, or `undefined` for a failure. */
  async send(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<SteadyAnswer | undefined> {
    for (;;) {
      try {
        const { retryAfter, ...answer } = await this.once(method, path, body, headers);
        if (retryAfter !== undefined && [429, 503].includes(answer.status)) {
          this.waits++;
          await sleep(Number(retryAfter) * 1000);
          continue;
        }
        this.answers++;
        if (answer.status >= 400) this.failures.push(`${method} ${path}: ${answer.status}`);
        return answer;
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        this.failures.push(`${method} ${path}: ${code ?? message}`);
        return undefined;
      }
    }
  }

  end(): void {
    this.agent.destroy();
  }

  private once(method: string, path: string, body: object | undefined, headers: Record<string, string>) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return new Promise<SteadyAnswer & { retryAfter?: string }>((resolve, reject) => {
      const sent = request({
        host: '127.0.0.1',
        port: this.port,
        agent: this.agent,
        method,
        path,
        headers: {
          Authorization: `Bearer ${this.token}`,
          ...(text === undefined
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
          ...headers,
        },
      });
      sent.on('error', reject);
      sent.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString();
          const { 'retry-after': retryAfter } = response.headers;
          resolve({
            status: response.statusCode!,
            body: answer ? JSON.parse(answer) : undefined,
            retryAfter,
          });
        });
      });
      sent.end(text);
    });
  }
}
