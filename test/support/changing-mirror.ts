import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Passes everything on to the service, and has a newer service worker as soon as a test wants it. */
export class ChangingMirror {
  isNew = false;
  readonly #server: Server;

  private constructor(target: string) {
    this.#server = createServer((incoming, outgoing) => {
      const { method, url, headers } = incoming;
      const passed = forward(new URL(url!, target), { method, headers }, (answer) => {
        const isWorker = url === '/service-worker.js';
        const sent = { ...answer.headers };
        if (isWorker) delete sent['content-length'];
        outgoing.writeHead(answer.statusCode!, sent);
        answer.pipe(outgoing, { end: !isWorker });
        if (isWorker) answer.on('end', () => outgoing.end(this.isNew ? '\n// A newer version.' : ''));
      });
      passed.on('error', () => outgoing.destroy());
      incoming.pipe(passed);
    });
  }

  static async start(target: string): Promise<ChangingMirror> {
    const mirror = new ChangingMirror(target);
    await new Promise<void>((resolve) => mirror.#server.listen(0, '127.0.0.1', resolve));
    return mirror;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
