import { VALUE_TYPES } from '../statement';

type Parser = (text: string) => unknown;

const TEXT_OIDS = new Set([25, 1043, 2950]); // text, varchar, uuid

/** What a statement's columns are called, and how their text becomes a value: the same at each of its runs. */
export class Layout {
  private readonly empty: Record<string, unknown>;

  constructor(
    private readonly names: readonly string[],
    private readonly parsers: readonly (Parser | undefined)[],
  ) {
    this.empty = Object.fromEntries(names.map((name) => [name, null]));
  }

  /** @param body of a RowDescription message. */
  static of(body: Buffer): Layout {
    const names: string[] = [];
    const parsers: (Parser | undefined)[] = [];
    const count = body.readInt16BE(0);
    for (let column = 0, at = 2; column < count; column++) {
      const end = body.indexOf(0, at);
      const oid = body.readUInt32BE(end + 7);
      names.push(body.toString('utf8', at, end));
      parsers.push(TEXT_OIDS.has(oid) ? undefined : VALUE_TYPES.getTypeParser(oid, 'text'));
      at = end + 19;
    }
    return new Layout(names, parsers);
  }

  /**
   * The row of a DataRow message.
   *
   * @param at where the message's body begins in `bytes`.
   * @param text `bytes` as text, where each byte is one character of it.
   */
  rowOf(bytes: Buffer, at: number, text: string | undefined): Record<string, unknown> {
    const row = { ...this.empty };
    at += 2; // the number of columns, which is known
    for (let column = 0; column < this.names.length; column++) {
      const length = bytes.readInt32BE(at);
      at += 4;
      if (length < 0) continue;
      const value =
        text === undefined ? bytes.toString('utf8', at, at + length) : text.substring(at, at + length);
      const parser = this.parsers[column];
      row[this.names[column]] = parser === undefined ? value : parser(value);
      at += length;
    }
    return row;
  }
}
