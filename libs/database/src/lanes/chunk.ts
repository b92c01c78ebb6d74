/** What came from the server at one time: whole messages of one or several answers. */
export class Chunk {
  private latin1: string | undefined;

  constructor(readonly bytes: Buffer) {}

  /** All of it as text, a character for each byte: right wherever the bytes are ASCII. Made once, since each step from bytes to text costs the same, long or short. */
  get text(): string {
    return (this.latin1 ??= this.bytes.toString('latin1'));
  }
}
