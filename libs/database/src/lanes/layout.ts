import { isAscii } from 'node:buffer';
import { types } from 'pg';
import { VALUE_TYPES } from '../statement';
import type { Chunk } from './chunk';
import { instantOf } from './instant';

const { BOOL, INT4, INT8, TEXT, TIMESTAMPTZ, UUID, VARCHAR } = types.builtins;
/** Types whose text has no letter beyond ASCII. */
const ASCII_TYPES = new Set<number>([BOOL, INT4, INT8, TIMESTAMPTZ, UUID]);
/** Types whose text is the value. */
const TEXT_TYPES = new Set<number>([TEXT, UUID, VARCHAR]);
/** Types that are cheaper as PostgreSQL has them than as text, for it and for us. */
const BINARY_TYPES = new Map<number, (bytes: Buffer, start: number) => unknown>([[TIMESTAMPTZ, instantOf]]);

interface Column {
  name: string;
  /** Where it comes as PostgreSQL has it. */
  read: ((bytes: Buffer, start: number) => unknown) | undefined;
  isPlain: boolean;
  parse: ((text: string) => unknown) | undefined;
}

/** What a statement's columns are called, and how their bytes become a value: the same at each of its runs. */
export class Layout {
  /** How the columns are to be written, in the words of a Bind message: their number, then 1 or 0 for each, binary or text. */
  readonly formats: Buffer<ArrayBuffer>;
  private readonly names: readonly string[];
  private readonly empty: Record<string, unknown>;

  private constructor(
    private readonly columns: readonly Column[],
    /** The same with all columns as text. */
    readonly inText: Layout | undefined,
  ) {
    this.formats = Buffer.alloc(2 + 2 * columns.length);
    [columns.length, ...columns.map(({ read }) => (read ? 1 : 0))].forEach((value, index) =>
      this.formats.writeInt16BE(value, 2 * index),
    );
    this.empty = Object.fromEntries(columns.map(({ name }) => [name, null]));
    // Not the texts that came from the server: V8 would look each up among its property names at every row.
    this.names = columns.map(({ name }) => Object.keys({ [name]: null })[0]);
  }

  /** @param description body of a RowDescription message. */
  static of(description: Buffer): Layout {
    const columns: Column[] = [];
    const count = description.readInt16BE(0);
    for (let column = 0, at = 2; column < count; column++) {
      const end = description.indexOf(0, at);
      const oid = description.readUInt32BE(end + 7);
      columns.push({
        name: description.toString('utf8', at, end),
        read: BINARY_TYPES.get(oid),
        isPlain: ASCII_TYPES.has(oid),
        parse: TEXT_TYPES.has(oid) ? undefined : VALUE_TYPES.getTypeParser(oid, 'text'),
      });
      at = end + 19;
    }
    const inText = new Layout(
      columns.map((column) => ({ ...column, read: undefined })),
      undefined,
    );
    return new Layout(columns, inText);
  }

  /** The row of the DataRow message whose body begins here. */
  rowOf(chunk: Chunk, start: number): Record<string, unknown> {
    const { bytes, text } = chunk;
    const row = { ...this.empty };
    let at = start + 2; // the number of columns, which is known
    for (let index = 0; index < this.names.length; index++) {
      const length = bytes.readInt32BE(at);
      at += 4;
      if (length < 0) continue;
      const end = at + length;
      const { read, isPlain, parse } = this.columns[index];
      if (read !== undefined) row[this.names[index]] = read(bytes, at);
      else {
        const value =
          isPlain || isAscii(bytes.subarray(at, end))
            ? text.substring(at, end)
            : bytes.toString('utf8', at, end);
        row[this.names[index]] = parse === undefined ? value : parse(value);
      }
      at = end;
    }
    return row;
  }
}
