import type { NoticeLocks, StorageEvents, WebStorageSessionStore } from '../http/session-store';

/**
 * `localStorage` of one origin. Each tab reads its own copy, as in a browser with a process for each tab. The
 * other tabs receive a write and its event after `lagMs`.
 */
export class FakeOrigin {
  readonly values = new Map<string, string>();
  readonly tabs = new Set<{ copy: Map<string, string>; hear: (key: string) => void; written: number }>();
  writes = 0;
  lagMs = 0;

  tab(): { area: ConstructorParameters<typeof WebStorageSessionStore>[0]; events: StorageEvents } {
    const listeners = new Set<(event: { key: string | null }) => void>();
    const copy = new Map(this.values);
    const hear = (key: string) => [...listeners].forEach((listener) => listener({ key }));
    const own = { copy, hear, written: 0 };
    this.tabs.add(own);
    const change = (key: string, value: string | undefined) => {
      const apply = (map: Map<string, string>) =>
        value === undefined ? map.delete(key) : map.set(key, value);
      const write = (this.writes += 1);
      own.written = write;
      apply(this.values);
      apply(copy);
      for (const other of this.tabs) {
        if (other === own) continue;
        if (this.lagMs === 0) apply(other.copy);
        setTimeout(() => {
          // A newer write of the tab itself must stay.
          if (other.written < write) apply(other.copy);
          other.hear(key);
        }, this.lagMs);
      }
    };
    return {
      area: {
        getItem: (key) => copy.get(key) ?? null,
        setItem: (key, value) => change(key, value),
        removeItem: (key) => change(key, undefined),
      },
      events: {
        addEventListener: (_type, listener) => void listeners.add(listener),
        removeEventListener: (_type, listener) => void listeners.delete(listener),
      },
    };
  }
}

/** The held locks. All tabs see the same state at any time. */
export class FakeLocks implements NoticeLocks {
  readonly #held: string[] = [];

  async request(name: string, _options: { mode: 'shared' }, run: () => Promise<void>): Promise<void> {
    this.#held.push(name);
    await run().finally(() => this.#held.splice(this.#held.indexOf(name), 1));
  }

  query() {
    return Promise.resolve({ held: this.#held.map((name) => ({ name })) });
  }
}
