import type { Chunk } from './chunk';
import type { Layout } from './layout';

/** That a statement is prepared on a connection, or will be when it is its turn. */
export interface Preparation {
  /** Of its columns, once the server has described them. */
  layout?: Layout;
  /** Why it could not be prepared. */
  refusal?: Error;
}

/** Rows that lie in one chunk, by where their messages begin. */
interface Piece {
  chunk: Chunk;
  starts: number[];
}

/** What one statement of a transaction gives back. */
export class Answer {
  private readonly pieces: Piece[] = [];
  /** What is known when the statement is sent decides how the server writes the rows. */
  private readonly layout: Layout | undefined;

  constructor(readonly preparation: Preparation) {
    this.layout = preparation.layout;
  }

  /** How the columns are to be written, in the words of a Bind message. */
  get formats(): Buffer<ArrayBuffer> | undefined {
    return this.layout?.formats;
  }

  /** @param start of the body of a DataRow message. */
  addRow(chunk: Chunk, start: number): void {
    const last = this.pieces.at(-1);
    if (last?.chunk === chunk) last.starts.push(start);
    else this.pieces.push({ chunk, starts: [start] });
  }

  /**
   * The rows; to be asked for once, when all have come. Takes the pieces out of their list, one by one: what holds the
   * list has waited, is old to the garbage collector, and what it holds would soon be.
   *
   * Rows are not made as they come: each would be moved about while it waits for the rest of its list.
   *
   * @throws RangeError for an instant that no timestamp of RFC 3339 names.
   */
  takeRows<R>(): R[] {
    const rows: unknown[] = [];
    const layout = this.layout ?? this.preparation.layout?.inText;
    for (let piece = this.pieces.shift(); piece !== undefined; piece = this.pieces.shift()) {
      for (const start of piece.starts) rows.push(layout!.rowOf(piece.chunk, start));
    }
    return rows as R[];
  }
}
