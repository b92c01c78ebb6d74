import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '@app/testing';

const ASK_EVERY_MS = 50;

/**
 * A balancer of TCP connections: each goes to the next service that `/readyz` calls ready, and its bytes pass
 * untouched. It knows nothing of HTTP, repeats nothing and hides nothing, as the service of a Kubernetes cluster.
 */
export class Balancer {
  private readonly ready = new Set<Api>();
  private readonly targets = new Set<Api>();
  private readonly sockets = new Set<Socket>();
  private turn = 0;
  private isClosed = false;
  private readonly asking: Promise<void>;

  private constructor(private readonly server: Server) {
    server.on('connection', (near) => this.pass(near));
    this.asking = this.keepAsking();
  }

  static async start(): Promise<Balancer> {
    const server = createServer({ allowHalfOpen: true });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Balancer(server);
  }

  get port(): number {
    return (this.server.address() as { port: number }).port;
  }

  add(target: Api): void {
    this.targets.add(target);
  }

  remove(target: Api): void {
    this.targets.delete(target);
    this.ready.delete(target);
  }

  /** Whether new connections go to the target. */
  uses(target: Api): boolean {
    return this.ready.has(target);
  }

  async stop(): Promise<void> {
    this.isClosed = true;
    await this.asking;
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private pass(near: Socket): void {
    const all = [...this.ready];
    if (all.length === 0) return void near.destroy();
    const { hostname, port } = new URL(all[this.turn++ % all.length].url);
    const far = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      this.sockets.add(from);
      from.setNoDelay();
      from.pipe(to);
      // A reset on one side is a reset on the other.
      from.on('error', () => to.resetAndDestroy());
      from.on('close', () => this.sockets.delete(from));
    }
  }

  private async keepAsking(): Promise<void> {
    while (!this.isClosed) {
      for (const target of this.targets) {
        const isReady = await target.get('/readyz').then(
          ({ status }) => status === 200,
          () => false,
        );
        if (isReady && this.targets.has(target)) this.ready.add(target);
        else this.ready.delete(target);
      }
      await sleep(ASK_EVERY_MS);
    }
  }
}
