import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** After the reason, PostgreSQL tells in four more lines that it shuts down. */
const MOST_LINES = 6;
/** PostgreSQL says this before it writes to its log instead. */
const MOVES_TO_LOG = /redirecting log output|Future log output/;

/**
 * What a server writes from one start on: to its standard error, and then to the log of its cluster. Earlier
 * lines of the log do not count.
 */
export class ServerOutput {
  /** A file without a name. The server may outlive this process, so a pipe would break. */
  readonly standardError: number;
  private readonly log: string;
  private readonly logBegins: number;

  constructor(clusterDir: string) {
    const day = new Date().toLocaleDateString('en-US', { weekday: 'short', timeZone: 'UTC' });
    this.log = join(clusterDir, 'log', `postgresql-${day}.log`);
    this.logBegins = statSync(this.log, { throwIfNoEntry: false })?.size ?? 0;
    const folder = mkdtempSync(join(tmpdir(), 'hrs-start-'));
    this.standardError = openSync(join(folder, 'stderr'), 'w+', 0o600);
    rmSync(folder, { recursive: true });
  }

  /** The last lines, as one. */
  read(): string {
    const buffer = Buffer.alloc(16 * 1024);
    const written = buffer.toString('utf8', 0, readSync(this.standardError, buffer, 0, buffer.length, 0));
    return lastLines(`${written}\n${this.logged()}`);
  }

  close(): void {
    closeSync(this.standardError);
  }

  private logged(): string {
    try {
      return readFileSync(this.log).subarray(this.logBegins).toString('utf8');
    } catch {
      return '';
    }
  }
}

/** The last lines of a program's output, as one. */
export function lastLines(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !MOVES_TO_LOG.test(line));
  return lines.slice(-MOST_LINES).join(' ') || 'it says nothing';
}
