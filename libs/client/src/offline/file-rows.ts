import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RowTable, type RowStore } from './row-store';

interface Saved {
  version: number;
  rows: [key: string, text: string][];
  parts: [name: string, text: string][];
}

/**
 * Rows in one file, for one process of Node. Each write replaces the file in one step, so that a crash leaves
 * the old or the new content.
 */
export function fileRows(path: string): RowStore {
  let loading: Promise<RowTable> | undefined;
  const load = () => (loading ??= loadTable(path));
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(run: (table: RowTable) => Promise<T>): Promise<T> => {
    const turn = queue.then(async () => run(await load()));
    // After a failed write, the memory may be newer than the file.
    queue = turn.catch(() => (loading = undefined));
    return turn;
  };
  return {
    read: (after) => inTurn((table) => Promise.resolve(table.read(after))),
    write: (rows, expected) =>
      inTurn(async (table) => {
        if (!table.write(rows, expected)) return false;
        await save(path, table);
        return true;
      }),
    readPart: (name) => inTurn((table) => Promise.resolve(table.parts.get(name))),
    writePart: (name, text) =>
      inTurn((table) => {
        table.parts.set(name, text);
        return save(path, table);
      }),
    clear: (prefix) =>
      inTurn((table) => {
        table.clear(prefix);
        return save(path, table);
      }),
  };
}

async function loadTable(path: string): Promise<RowTable> {
  const table = new RowTable();
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return table;
    throw error;
  }
  const saved = JSON.parse(text) as Saved;
  table.version = table.wholeSince = saved.version;
  for (const [key, row] of saved.rows) table.rows.set(key, { text: row, version: saved.version });
  for (const [name, part] of saved.parts) table.parts.set(name, part);
  return table;
}

async function save(path: string, table: RowTable): Promise<void> {
  const rows = [...table.rows].flatMap(([key, { text }]) => (text === null ? [] : [[key, text]]));
  const saved = { version: table.version, rows, parts: [...table.parts] };
  await mkdir(dirname(path), { recursive: true });
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(saved));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}
