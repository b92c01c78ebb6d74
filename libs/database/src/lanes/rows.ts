import type { Layout } from './layout';

/** What came from the server at one time: whole messages of one or several answers. */
export class Chunk {
  private latin1: string | undefined;

  constructor(readonly bytes: Buffer) {}

  /** All of it as text, a character for each byte: right wherever the bytes are ASCII. Made once, since each step from bytes to text costs the same, long or short. */
  get text(): string {
    return (this.latin1 ??= this.bytes.toString('latin1'));
  }
}

/** The rows of one answer that lie in one chunk, by where their messages begin. */
export interface Piece {
  chunk: Chunk;
  starts: number[];
}

export function addRow(pieces: Piece[], chunk: Chunk, start: number): void {
  const last = pieces.at(-1);
  if (last?.chunk === chunk) last.starts.push(start);
  else pieces.push({ chunk, starts: [start] });
}

/**
 * The rows of an answer that is complete. Takes the pieces out of their list, one by one: what holds the list has waited,
 * is old to the garbage collector, and what it holds would soon be.
 *
 * Rows are not made as they come: each would be moved about while it waits for the rest of its list.
 */
export function rowsOf(pieces: Piece[], layout: Layout | undefined): unknown[] {
  const rows: unknown[] = [];
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    for (const start of piece.starts) rows.push(layout!.rowOf(piece.chunk, start));
  }
  return rows;
}
