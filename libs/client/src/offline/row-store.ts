/** A row: its key, and its text, or `null` for a row that is gone. */
export type Row = readonly [key: string, text: string | null];

/** The rows that changed since a version. */
export interface RowChanges {
  /** The version of the store now. */
  version: number;
  /** Whether these are all rows. The reader then forgets what it knew. */
  isWhole: boolean;
  rows: Row[];
}

/**
 * The storage of one device. Several tabs may use one store at the same time.
 * Write an implementation of your own for another platform; `memoryRows` is the shortest example.
 */
export interface RowStore {
  /** Rows written after a version; all rows for version 0. */
  read(after: number): Promise<RowChanges>;
  /**
   * Whether no other tab has told of a newer version. A tab may tell a moment late: what is read so may be that old. Absent
   * where nobody tells: each look then is a read.
   */
  isNewest?(version: number): boolean;
  /**
   * Writes all rows or none, and raises the version by one.
   * @returns `false`, and writes nothing, if the version is no longer `expected`.
   */
  write(rows: readonly Row[], expected: number): Promise<boolean>;
  /** A large text beside the rows; `undefined` if there is none. */
  readPart(name: string): Promise<string | undefined>;
  /** Replaces the text of a part. */
  writePart(name: string, text: string): Promise<void>;
  /**
   * Removes the rows whose keys begin with `prefix`, and all parts, in one step and with nothing left of the
   * keys. Readers get whole reads afterwards, and versions continue to rise.
   */
  clear(prefix: string): Promise<void>;
}

/** Rows in the memory of the process, with the versions at which they were written. */
export class RowTable {
  version = 0;
  /** A reader with an older version has missed removals. */
  wholeSince = 0;
  readonly rows = new Map<string, { text: string | null; version: number }>();
  readonly parts = new Map<string, string>();

  read(after: number): RowChanges {
    const isWhole = after === 0 || after < this.wholeSince || after > this.version;
    const rows: Row[] = [];
    for (const [key, { text, version }] of this.rows) {
      if (isWhole ? text !== null : version > after) rows.push([key, text]);
    }
    return { version: this.version, isWhole, rows };
  }

  write(rows: readonly Row[], expected: number): boolean {
    if (this.version !== expected) return false;
    this.version += 1;
    for (const [key, text] of rows) this.rows.set(key, { text, version: this.version });
    return true;
  }

  clear(prefix: string): void {
    this.version += 1;
    this.wholeSince = this.version;
    for (const key of this.rows.keys()) if (key.startsWith(prefix)) this.rows.delete(key);
    this.parts.clear();
  }
}

/** Rows that end with the process. */
export function memoryRows(): RowStore {
  const table = new RowTable();
  return {
    read: (after) => Promise.resolve(table.read(after)),
    write: (rows, expected) => Promise.resolve(table.write(rows, expected)),
    readPart: (name) => Promise.resolve(table.parts.get(name)),
    writePart: (name, text) => Promise.resolve(void table.parts.set(name, text)),
    clear: (prefix) => Promise.resolve(table.clear(prefix)),
  };
}
