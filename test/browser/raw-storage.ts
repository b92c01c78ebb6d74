import type { Page } from 'playwright-core';

/** Of the page, in functions that run there. */
declare const caches: any;
declare const CryptoKey: any;
declare const document: any;
declare const indexedDB: any;
declare const localStorage: any;
declare const sessionStorage: any;

/**
 * Looks for texts in all that the origin of a page keeps, past every program of the page: its databases, both
 * storages, the cookies, and the caches, which are also those of its service worker.
 * @returns a line for each text and place: `<text> in <place>`.
 */
export function findInStorage(page: Page, texts: readonly string[]): Promise<string[]> {
  return page.evaluate(async (wanted) => {
    const found = new Set<string>();
    const note = (place: string, content: string) => {
      for (const text of wanted) {
        // A name of which only the case or the quoting differs is readable, too.
        if (content.toLowerCase().includes(text.toLowerCase())) found.add(`${text} in ${place}`);
      }
    };
    const answered = (request: any) =>
      new Promise<any>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error(String(request.error)));
      });
    const readable = (_name: string, value: unknown) => {
      if (value instanceof CryptoKey) return 'a key';
      const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : value;
      return ArrayBuffer.isView(bytes) ? new TextDecoder('latin1').decode(bytes as Uint8Array) : bytes;
    };
    note('localStorage', JSON.stringify({ ...localStorage }));
    note('sessionStorage', JSON.stringify({ ...sessionStorage }));
    note('cookies', decodeURIComponent(document.cookie));
    for (const { name } of await indexedDB.databases()) {
      const database = await answered(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const rows = database.transaction(store).objectStore(store);
        const [keys, values] = [await answered(rows.getAllKeys()), await answered(rows.getAll())];
        note('IndexedDB', JSON.stringify([name, store, keys, values], readable));
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const answer = await cache.match(request);
        note('caches', `${name} ${request.url} ${[...answer.headers].join()} ${await answer.text()}`);
      }
    }
    return [...found].sort();
  }, texts);
}

/** Writes a text to every place that {@link findInStorage} reads, or removes it again. */
export function plant(page: Page, text: string, isThere: boolean): Promise<void> {
  return page.evaluate(
    async ({ text, isThere }) => {
      for (const storage of [localStorage, sessionStorage]) {
        if (isThere) storage.setItem('planted', text);
        else storage.removeItem('planted');
      }
      document.cookie = `planted=${encodeURIComponent(text)}; max-age=${isThere ? 600 : 0}`;
      await new Promise((resolve, reject) => {
        const opening = isThere ? indexedDB.open('planted') : indexedDB.deleteDatabase('planted');
        opening.onupgradeneeded = ({ oldVersion }: { oldVersion: number }) => {
          // A deletion is an upgrade, too.
          if (isThere && oldVersion === 0)
            opening.result.createObjectStore('rows').put(new TextEncoder().encode(text), 'row');
        };
        opening.onsuccess = () => resolve(isThere && opening.result.close());
        opening.onerror = () => reject(new Error(String(opening.error)));
      });
      if (isThere) await (await caches.open('planted')).put('/planted', new Response(text));
      else await caches.delete('planted');
    },
    { text, isThere },
  );
}
