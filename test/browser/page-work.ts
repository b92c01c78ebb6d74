import type { BrowserContext } from 'playwright-core';

/** What a page has done since the last `begin`: counts, which no busy machine changes. */
export interface Work {
  /** Transactions of the offline store that only read. */
  reads: number;
  writes: number;
  /** Method and path of each request to the service. */
  requests: string[];
  /** The paths of those that were answered. */
  answers: string[];
  /** Calls of Web Crypto by their names. */
  crypto: Record<string, number>;
  /** Rows of lists that were drawn anew. */
  rows: number;
}

/** The page asks for news so often. */
const NEWS_MS = 20_000;
const STORE = 'health-records';

/** Puts `work` into the pages of a profile, before all else. They ask for no news of themselves then. */
export async function followWork(profile: BrowserContext): Promise<void> {
  await profile.addInitScript(countWork, [STORE, NEWS_MS] as const);
}

function countWork([store, newsMs]: readonly [string, number]): void {
  const page = globalThis as any;
  const nothing = () => ({ reads: 0, writes: 0, requests: [], answers: [], crypto: {}, rows: 0 });
  const work = {
    done: nothing() as Record<string, any>,
    begin() {
      work.done = nothing();
    },
  };
  page.work = work;
  /** Calls `note` before each call of a method. */
  const follow = (of: any, name: string, note: (self: any, values: any[]) => void) => {
    const own = of[name];
    of[name] = function (...values: any[]) {
      note(this, values);
      return own.apply(this, values);
    };
  };
  follow(page.IDBDatabase.prototype, 'transaction', ({ name }, [, mode]) => {
    if (name === store) work.done[mode === 'readwrite' ? 'writes' : 'reads'] += 1;
  });
  for (const name of Object.getOwnPropertyNames(page.SubtleCrypto.prototype))
    if (name !== 'constructor')
      follow(page.SubtleCrypto.prototype, name, () => {
        work.done.crypto[name] = (work.done.crypto[name] ?? 0) + 1;
      });
  const send = page.fetch;
  page.fetch = async (to: any, init: any = {}) => {
    const { pathname } = new URL(String(to.url ?? to), page.location.href);
    work.done.requests.push(`${init.method ?? 'GET'} ${pathname}`);
    const answer = await send(to, init);
    work.done.answers.push(pathname);
    return answer;
  };
  const ask = page.setInterval;
  page.setInterval = (run: () => void, ms: number) => (ms === newsMs ? 0 : ask(run, ms));
  new page.MutationObserver((changes: any[]) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node.nodeName === 'LI') work.done.rows += 1;
  }).observe(page.document, { subtree: true, childList: true });
}
