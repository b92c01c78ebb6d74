import { isAscii } from 'node:buffer';
import { types } from 'pg';
import { VALUE_TYPES } from '../statement';
import type { Chunk } from './rows';

type Parser = (text: string) => unknown;

const { BOOL, INT4, INT8, TEXT, TIMESTAMPTZ, UUID, VARCHAR } = types.builtins;
/** Types whose text has no letter beyond ASCII. */
const ASCII_TYPES = new Set<number>([BOOL, INT4, INT8, TIMESTAMPTZ, UUID]);
/** Types whose text is the value. */
const TEXT_TYPES = new Set<number>([TEXT, UUID, VARCHAR]);

interface Column {
  isPlain: boolean;
  parser: Parser | undefined;
}

/** What a statement's columns are called, and how their bytes become a value: the same at each of its runs. */
export class Layout {
  private readonly names: readonly string[];
  private readonly empty: Record<string, unknown>;

  private constructor(
    names: readonly string[],
    private readonly columns: readonly Column[],
  ) {
    this.empty = Object.fromEntries(names.map((name) => [name, null]));
    // Not the texts that came from the server: V8 would look each up among its property names at every row.
    this.names = names.map((name) => Object.keys({ [name]: null })[0]);
  }

  /** @param body of a RowDescription message. */
  static of(body: Buffer): Layout {
    const names: string[] = [];
    const columns: Column[] = [];
    const count = body.readInt16BE(0);
    for (let column = 0, at = 2; column < count; column++) {
      const end = body.indexOf(0, at);
      const oid = body.readUInt32BE(end + 7);
      names.push(body.toString('utf8', at, end));
      columns.push({
        isPlain: ASCII_TYPES.has(oid),
        parser: TEXT_TYPES.has(oid) ? undefined : VALUE_TYPES.getTypeParser(oid, 'text'),
      });
      at = end + 19;
    }
    return new Layout(names, columns);
  }

  /** The row of the DataRow message whose body begins here. */
  rowOf({ bytes, text }: Chunk, start: number): Record<string, unknown> {
    const row = { ...this.empty };
    let at = start + 2; // the number of columns, which is known
    for (let index = 0; index < this.names.length; index++) {
      const length = bytes.readInt32BE(at);
      at += 4;
      if (length < 0) continue;
      const end = at + length;
      const { isPlain, parser } = this.columns[index];
      const value =
        isPlain || isAscii(bytes.subarray(at, end))
          ? text.substring(at, end)
          : bytes.toString('utf8', at, end);
      row[this.names[index]] = parser === undefined ? value : parser(value);
      at = end;
    }
    return row;
  }
}
