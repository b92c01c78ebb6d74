/** Runs one function at a time for each name: in this tab, or in all tabs of the origin. */
export type LockRunner = <T>(name: string, run: () => Promise<T>) => Promise<T>;

interface WebLocks {
  request<T>(name: string, run: () => Promise<T>): Promise<T>;
}

const queues = new Map<string, Promise<unknown>>();

/** A lock that the clients of one process share. */
export const inProcessLock: LockRunner = (name, run) => {
  const turn = (queues.get(name) ?? Promise.resolve()).then(run, run);
  const settled = turn.catch(() => undefined);
  queues.set(name, settled);
  void settled.then(() => {
    if (queues.get(name) === settled) queues.delete(name);
  });
  return turn;
};

/**
 * Web Locks if the platform has them, because they work across tabs. Otherwise a lock inside this process.
 * Source: W3C Web Locks API.
 */
export function defaultLock(): LockRunner {
  const locks = (globalThis as { navigator?: { locks?: WebLocks } }).navigator?.locks;
  return locks ? (name, run) => locks.request(name, run) : inProcessLock;
}

/**
 * Runs once: under the lock, or without it when its holder (a tab whose request hangs) keeps it for too long.
 */
export function withLockSoon(
  lock: LockRunner,
  name: string,
  run: () => Promise<unknown>,
  patienceMs = 3000,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let running: Promise<void> | undefined;
    const start = () => {
      clearTimeout(timer);
      return (running ??= run().then(() => resolve(), reject));
    };
    const timer = setTimeout(() => void start(), patienceMs);
    lock(name, start).catch(reject);
  });
}
