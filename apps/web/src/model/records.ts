import { batch, signal } from '@preact/signals';
import type { UnreadableRecord } from '@app/client';

/** How the loading of the family stands. */
export type LoadState = 'empty' | 'loading' | 'ready' | 'failed';

export const loadState = signal<LoadState>('empty');
/** What stopped the loading, or the last write that failed. */
export const loadError = signal<unknown>(undefined);
/** When the shown records came from the service or the cache. */
export const loadedAt = signal<Date | undefined>(undefined);
/** Records that cannot be decrypted. They are named, never left out in silence. */
export const unreadable = signal<UnreadableRecord[]>([]);

type Part = () => Promise<void>;
const parts: Part[] = [];

/** Registers what is loaded after an unlock. A part sets its own signals. */
export function loadedWithFamily(part: Part): void {
  parts.push(part);
}

let running: Promise<void> | undefined;

/** Loads everything that the screens show. Calls at the same time share one run. */
export function loadRecords(): Promise<void> {
  running ??= run().finally(() => (running = undefined));
  return running;
}

async function run(): Promise<void> {
  if (loadState.value !== 'ready') loadState.value = 'loading';
  unreadable.value = [];
  try {
    for (const part of parts) await part();
    batch(() => {
      loadState.value = 'ready';
      loadError.value = undefined;
      loadedAt.value = new Date();
    });
  } catch (error) {
    batch(() => {
      loadError.value = error;
      if (loadState.value !== 'ready') loadState.value = 'failed';
    });
  }
}

export function noteUnreadable(record: UnreadableRecord): void {
  if (!unreadable.value.some(({ id }) => id === record.id)) unreadable.value = [...unreadable.value, record];
}
