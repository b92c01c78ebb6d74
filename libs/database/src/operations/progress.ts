import { Transform } from 'node:stream';

const EVERY_MS = 5_000;
const MB = 1_000_000;

/** Tells an operator how far long work is, every five seconds: bytes, and the time that is left at the present speed. */
export class Progress {
  private done = 0;
  private tellAt: number;
  private readonly startedAt: number;

  /**
   * @param verb such as `Saved`. @param total bytes, as well as they are known before.
   * @param now milliseconds; for tests.
   */
  constructor(
    private readonly verb: string,
    private readonly total: number,
    private readonly log: (line: string) => void,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.startedAt = now();
    this.tellAt = this.startedAt + EVERY_MS;
  }

  add(bytes: number): void {
    this.done = Math.min(this.done + bytes, this.total);
    const at = this.now();
    if (at < this.tellAt || this.done === 0) return;
    this.tellAt = at + EVERY_MS;
    this.log(`${this.verb} ${this.state}.`);
  }

  /** Such as `5.0 of 100 MB, about 95 s left`. */
  get state(): string {
    const seconds = (this.now() - this.startedAt) / 1000;
    const left =
      this.done === 0 ? '' : `, about ${Math.ceil((seconds / this.done) * (this.total - this.done))} s left`;
    return `${inMb(this.done)} of ${inMb(this.total)} MB${left}`;
  }
}

function inMb(bytes: number): string {
  return (bytes / MB).toFixed(bytes < 10 * MB ? 1 : 0);
}

/** A stream that shows every chunk to `see` on its way. */
export function passing(see: (chunk: Buffer) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      see(chunk);
      done(null, chunk);
    },
  });
}

/** A stream that reports the bytes of every chunk. */
export function counting(add: (bytes: number) => void): Transform {
  return passing((chunk) => add(chunk.length));
}
