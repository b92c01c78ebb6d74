import type { Resolution, SyncStatus } from '@app/client';
import { effect, signal } from '@preact/signals';
import { loadRecords } from './records';
import { client, sessionState } from './session';

/** The state of the synchronisation between this device and the service. */
export const syncStatus = signal<SyncStatus>(client.sync.status);

const PAUSE_MS = 300;

/** Follows the synchronisation, and shows what other tabs and devices changed. */
export function followSync(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  client.on('sync', (status) => (syncStatus.value = status));
  client.on('records-changed', () => {
    clearTimeout(timer);
    timer = setTimeout(() => sessionState.value === 'unlocked' && void loadRecords(), PAUSE_MS);
  });
  effect(() => {
    if (sessionState.value !== 'unlocked') clearTimeout(timer);
  });
}

export const syncNow = () => client.sync.now();

/** Settles a write that the service refused. */
export const settleProblem = (id: string, resolution: Resolution) => client.sync.resolve(id, resolution);
