import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { until } from './until';

/** An answer as it came through the connection. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
  body: any;
}

/** A connection on which a test writes each byte itself. */
export class RawConnection {
  /** As Latin-1, so that its length is in bytes. */
  received = '';
  isEnded = false;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.received += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => (this.isEnded = true));
  }

  static async to(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const connection = new RawConnection(connect(Number(port), hostname));
    await once(connection.socket, 'connect');
    return connection;
  }

  write(...lines: string[]): void {
    this.socket.write(lines.join('\r\n'));
  }

  /** Waits for this number of whole answers. @throws Error if there are others behind them. */
  async answers(count: number): Promise<RawAnswer[]> {
    await until(
      `${count} answers have come`,
      async () => this.read().answers.length >= count || this.isEnded,
    );
    const { answers, rest } = this.read();
    if (answers.length !== count || rest !== '')
      throw new Error(`${answers.length} answers and ${rest.length} bytes, not ${count} answers: ${rest}`);
    return answers;
  }

  async answer(): Promise<RawAnswer> {
    return (await this.answers(1))[0];
  }

  async ended(): Promise<void> {
    await until('the connection is ended', async () => this.isEnded);
  }

  end(): void {
    this.socket.destroy();
  }

  /** The whole answers of known length, and what is behind them. */
  private read(): { answers: RawAnswer[]; rest: string } {
    const answers: RawAnswer[] = [];
    let rest = this.received;
    for (;;) {
      const headEnd = rest.indexOf('\r\n\r\n') + 4;
      if (headEnd < 4) return { answers, rest };
      const [statusLine, ...lines] = rest.slice(0, headEnd - 4).split('\r\n');
      const headers = new Headers(
        lines.map((line) => line.split(/: ?(.*)/s).slice(0, 2) as [string, string]),
      );
      const bodyEnd = headEnd + Number(headers.get('content-length') ?? 0);
      if (rest.length < bodyEnd) return { answers, rest };
      const text = rest.slice(headEnd, bodyEnd);
      const isJson = (headers.get('content-type') ?? '').startsWith('application/json');
      const status = Number(statusLine.split(' ')[1]);
      answers.push({ status, headers, text, body: isJson && text ? JSON.parse(text) : undefined });
      rest = rest.slice(bodyEnd);
    }
  }
}
