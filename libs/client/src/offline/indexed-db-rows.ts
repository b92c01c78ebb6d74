import { openDB, unwrap, type DBSchema, type IDBPDatabase } from 'idb';
import { platformChannel, type TabChannel } from '../account/tabs';
import type { Row, RowStore } from './row-store';

interface Schema extends DBSchema {
  rows: {
    key: string;
    value: { key: string; text: string | null; version: number };
    indexes: { version: number };
  };
  parts: { key: string; value: string };
  /** `version` and `wholeSince`: see {@link RowStore}. */
  counters: { key: string; value: number };
}

/** Not every program that compiles this file has the types of a browser. */
interface Platform {
  IDBKeyRange: { lowerBound(bound: number, isOpen: boolean): never };
  navigator?: { storage?: { persist?(): Promise<boolean> } };
}
/** A store of IndexedDB without the wrapper. */
interface NativeStore {
  put(value: unknown, key?: string): unknown;
}
const platform = globalThis as unknown as Platform;

/** How many versions removed rows are remembered, for tabs that have not seen the removal. */
const REMEMBERED_VERSIONS = 1000;

/** The newest version that this tab has read or written, or that another has told of. */
class NewestVersion {
  #version = 0;
  readonly #channel: TabChannel | undefined;

  constructor(name: string) {
    this.#channel = platformChannel()?.(`${name} rows`);
    this.#channel?.addEventListener('message', ({ data }) => this.note(Number(data)));
    this.#channel?.unref?.();
  }

  note(version: number): void {
    if (version > this.#version) this.#version = version;
  }

  /** Another database may take the place of this one, and count anew. */
  forget(): void {
    this.#version = 0;
  }

  tell(version: number): void {
    this.note(version);
    this.#channel?.postMessage(version);
  }

  is(version: number): boolean {
    return this.#channel !== undefined && version === this.#version;
  }
}

/** Rows in IndexedDB, shared by all tabs of the origin. */
export function indexedDbRows(name: string): RowStore {
  const newest = new NewestVersion(name);
  let opening: Promise<IDBPDatabase<Schema>> | undefined;
  const lost = () => {
    opening = undefined;
    newest.forget();
  };
  const database = () => {
    opening ??= open(name, lost).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    async read(after) {
      const transaction = (await database()).transaction(['rows', 'counters']);
      const [rows, counters] = [transaction.objectStore('rows'), transaction.objectStore('counters')];
      const [version = 0, wholeSince = 0] = await Promise.all([
        counters.get('version'),
        counters.get('wholeSince'),
      ]);
      newest.note(version);
      const isWhole = after === 0 || after < wholeSince || after > version;
      if (!isWhole && after === version) return { version, isWhole, rows: [] };
      const found = isWhole
        ? await rows.getAll()
        : await rows.index('version').getAll(platform.IDBKeyRange.lowerBound(after, true));
      const changed = found.filter(({ text }) => !isWhole || text !== null);
      return { version, isWhole, rows: changed.map(({ key, text }): Row => [key, text]) };
    },

    isNewest: (version) => newest.is(version),

    async write(changed, expected) {
      // The outbox must survive a loss of power. A page of the feed can be read again.
      const isOwn = changed.some(([key]) => /^\S+ (space \S+ )?(outbox|unsealed) /.test(key));
      const options = { durability: isOwn ? 'strict' : 'relaxed' } as const;
      const transaction = (await database()).transaction(['rows', 'counters'], 'readwrite', options);
      const [rows, counters] = [transaction.objectStore('rows'), transaction.objectStore('counters')];
      const version = ((await counters.get('version')) ?? 0) + 1;
      if (version !== expected + 1) return false;
      // Without a promise each: a page has a thousand rows. What fails here, the transaction throws at its end.
      const native = unwrap(rows) as unknown as NativeStore;
      for (const [key, text] of changed) native.put({ key, text, version });
      (unwrap(counters) as unknown as NativeStore).put(version, 'version');
      if (version % REMEMBERED_VERSIONS === 0) {
        for (const row of await rows.getAll()) if (row.text === null) void rows.delete(row.key);
        void counters.put(version, 'wholeSince');
      }
      await transaction.done;
      newest.tell(version);
      return true;
    },

    async readPart(part) {
      return (await database()).get('parts', part);
    },

    async writePart(part, text) {
      await (await database()).put('parts', text, part);
    },

    async clear(prefix) {
      const transaction = (await database()).transaction(['rows', 'parts', 'counters'], 'readwrite');
      const counters = transaction.objectStore('counters');
      const version = ((await counters.get('version')) ?? 0) + 1;
      const rows = transaction.objectStore('rows');
      for (const key of await rows.getAllKeys()) if (key.startsWith(prefix)) void rows.delete(key);
      void transaction.objectStore('parts').clear();
      void counters.put(version, 'version');
      void counters.put(version, 'wholeSince');
      await transaction.done;
      newest.tell(version);
    },
  };
}

function open(name: string, onLost: () => void): Promise<IDBPDatabase<Schema>> {
  // A hint only: a browser may evict the storage of a page that it does not keep.
  void platform.navigator?.storage?.persist?.().catch(() => undefined);
  const opening = openDB<Schema>(name, 1, {
    upgrade(database) {
      database.createObjectStore('rows', { keyPath: 'key' }).createIndex('version', 'version');
      database.createObjectStore('parts');
      database.createObjectStore('counters');
    },
    // Another tab wants to upgrade or delete the database. Without the close it would wait for this tab.
    blocking() {
      onLost();
      void opening.then((database) => database.close());
    },
    // The browser has closed the database, for example when the person cleared the storage.
    terminated: onLost,
  });
  return opening;
}
