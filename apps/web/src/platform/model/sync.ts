import type { RecordsChanged, Resolution, SyncStatus } from '@app/client';
import { effect, signal } from '@preact/signals';
import { reloadChanged } from './records';
import { client, sessionState } from './session';

/** The state of the synchronisation between this device and the service. */
export const syncStatus = signal<SyncStatus>(client.sync.status);

/**
 * Whether the last try to reach the service failed. A try that is under way changes nothing: without a network it takes
 * most of the time.
 */
export const isOffline = signal(!navigator.onLine);

const PAUSE_MS = 300;

/** Follows the synchronisation, and shows what other tabs and devices changed. */
export function followSync(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  client.on('sync', (status) => {
    const hasChanged = status.state !== syncStatus.value.state;
    if (hasChanged && status.state === 'offline') isOffline.value = true;
    if (hasChanged && status.state === 'idle') isOffline.value = false;
    syncStatus.value = status;
  });
  let waiting: RecordsChanged | undefined;
  client.on('records-changed', (change) => {
    // A dose is shown from the tap on.
    if (change.isOwn && change.kinds.every((kind) => kind === 'dose')) return;
    waiting = waiting ? both(waiting, change) : change;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const gathered = waiting!;
      waiting = undefined;
      if (sessionState.value === 'unlocked') void reloadChanged(gathered);
    }, PAUSE_MS);
  });
  // A phone stops the timers of a page in the background: what it shows may be hours old.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && sessionState.value === 'unlocked')
      void syncNow().catch(() => undefined);
  });
  addEventListener('offline', () => (isOffline.value = true));
  effect(() => {
    if (sessionState.value === 'unlocked') return;
    clearTimeout(timer);
    waiting = undefined;
  });
}

/** How often a page that shows what is due asks for news: another device may note a dose at the same time. */
const NEWS_MS = 20_000;

/** Asks the service for news while the page is visible and the last sync went well. @returns ends it */
export function askForNews(): () => void {
  const timer = setInterval(() => {
    // After a failure the client keeps its own pauses, and those that the service asks for.
    const isWell = syncStatus.value.state === 'idle' && !isOffline.value;
    if (document.visibilityState === 'visible' && isWell && sessionState.value === 'unlocked')
      void syncNow().catch(() => undefined);
  }, NEWS_MS);
  return () => clearInterval(timer);
}

/** One tap makes several changes: of the outbox, of the record, of the head. */
function both(a: RecordsChanged, b: RecordsChanged): RecordsChanged {
  const kinds = [...new Set([...a.kinds, ...b.kinds])];
  return a.dosesOf && b.dosesOf ? { kinds, dosesOf: [...new Set([...a.dosesOf, ...b.dosesOf])] } : { kinds };
}

export const syncNow = () => client.sync.now();

/** Settles a write that the service refused. */
export const settleProblem = (id: string, resolution: Resolution) => client.sync.resolve(id, resolution);
