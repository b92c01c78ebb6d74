import { batch, signal } from '@preact/signals';
import type { UnreadableRecord } from '@app/client';

/** The state of loading the records of the family. */
export type LoadState = 'empty' | 'loading' | 'ready' | 'failed';

export const loadState = signal<LoadState>('empty');
/** The error that stopped the loading, or that of the last write that failed. */
export const loadError = signal<unknown>(undefined);
/** When the shown records came from the service or the cache. */
export const loadedAt = signal<Date | undefined>(undefined);
/** Records that cannot be decrypted. The page names them and never omits them silently. */
export const unreadable = signal<UnreadableRecord[]>([]);

type Part = () => Promise<void>;
const parts: Part[] = [];

/**
 * Registers a loader that runs after an unlock and sets its own signals. The code of a screen may arrive
 * after the family is loaded. Its loader then runs at once, and until it ends the state is `loading`.
 */
export function loadedWithFamily(part: Part): void {
  parts.push(part);
  if (loadState.value !== 'empty') loadLate(part);
}

/** Registers a loader that runs only when the family is loaded again. */
export function reloadedWithFamily(part: Part): void {
  parts.push(part);
}

let before: Promise<unknown> = Promise.resolve();

/** Runs an action that fills the account. Loading waits until it has ended. */
export function loadAfter(act: () => Promise<void>): Promise<void> {
  const done = act();
  before = done.catch(() => undefined);
  return done;
}

let running: Promise<void> | undefined;
/** What the run that is under way could not read. The notices of the run before stay until its end. */
let gathered: UnreadableRecord[] | undefined;

/** Loads everything that the screens show. Calls at the same time share one run. */
export function loadRecords(): Promise<void> {
  if (running) return running;
  const mine = run().finally(() => {
    if (running === mine) running = undefined;
  });
  running = mine;
  return mine;
}

async function run(): Promise<void> {
  if (loadState.value !== 'ready') loadState.value = 'loading';
  gathered = [];
  try {
    await before;
    for (const part of [...parts]) await part();
    const unread = gathered;
    batch(() => {
      unreadable.value = unread;
      loadState.value = 'ready';
      loadError.value = undefined;
      loadedAt.value = new Date();
    });
  } catch (error) {
    batch(() => {
      loadError.value = error;
      if (loadState.value !== 'ready') loadState.value = 'failed';
    });
  } finally {
    gathered = undefined;
  }
}

function loadLate(part: Part): void {
  loadState.value = 'loading';
  const mine = (running ?? Promise.resolve()).then(part).then(
    () => {
      if (running === mine) loadState.value = 'ready';
    },
    (error: unknown) =>
      batch(() => {
        loadError.value = error;
        loadState.value = 'failed';
      }),
  );
  running = mine;
  void mine.finally(() => {
    if (running === mine) running = undefined;
  });
}

export function noteUnreadable(record: UnreadableRecord): void {
  const noted = gathered ?? unreadable.value;
  if (noted.some(({ id }) => id === record.id)) return;
  if (gathered) gathered.push(record);
  else unreadable.value = [...noted, record];
}
