import { connect, createServer, type Server, type Socket } from 'node:net';
import { Writable } from 'node:stream';

/** A TCP link to a server that a test can cut and mend: to the service it looks as if the server went away. */
export class BreakableLink {
  private readonly sockets = new Set<Socket>();
  private whole = true;
  private isCutDue = false;

  private constructor(private readonly server: Server) {}

  /** @returns the link, and `url` as it leads through the link. */
  static async to(url: string): Promise<{ link: BreakableLink; url: string }> {
    const { hostname, port } = new URL(url);
    const server = createServer();
    const link = new BreakableLink(server);
    server.on('connection', (near: Socket) => {
      if (!link.whole) return near.destroy();
      const far = connect(Number(port), hostname);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ]) {
        link.sockets.add(socket);
        socket.on('error', () => other.destroy());
        socket.on('close', () => other.destroy() && link.sockets.delete(socket));
        socket.pipe(socket === far ? link.cuttable(near, far) : other);
      }
      return undefined;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const linked = new URL(url);
    linked.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
    return { link, url: linked.href };
  }

  cut(): void {
    this.whole = false;
    for (const socket of this.sockets) socket.destroy();
  }

  /** The next answer of the server passes only by half. Then its connection is destroyed. */
  cutInside(): void {
    this.isCutDue = true;
  }

  mend(): void {
    this.whole = true;
    this.isCutDue = false;
  }

  /** From now on nothing comes through the connections that there are, and nobody is told. New ones are whole. */
  stall(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  /** Passes the server's answers on. */
  private cuttable(near: Socket, far: Socket): Writable {
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (!this.isCutDue || chunk.length < 2) return near.write(chunk, () => done());
        this.isCutDue = false;
        return near.write(chunk.subarray(0, chunk.length / 2), () => far.destroy());
      },
    });
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
