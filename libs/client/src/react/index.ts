import { type DependencyList, useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { HealthRecordsClient } from '../client';
import type { ClientState } from '../client-options';
import type { ClientEvents } from '../events';
import { type Reading, RecordReading } from './record-reading';
import { type Session, SessionStart } from './session-start';

export type { Reading } from './record-reading';
export type { Session } from './session-start';

/**
 * The session of an earlier page, and the state of the client. It resumes once for each client, however often it is called
 * or mounted.
 */
export function useSession(client: HealthRecordsClient): Session {
  const start = SessionStart.of(client);
  useEffect(() => start.begin(), [start]);
  return useSyncExternalStore(start.subscribe, start.get, SessionStart.onServer);
}

/** The state of the client alone. On a server, and until the page is hydrated: `signed-out`. */
export function useClientState(client: HealthRecordsClient): ClientState {
  const subscribe = useSubscription(client, 'unlocked', 'locked', 'session-ended');
  return useSyncExternalStore(subscribe, () => client.state, signedOut);
}

/** How far this device is behind the service. Without an offline store it stays `idle`. */
export function useSyncStatus(client: HealthRecordsClient): HealthRecordsClient['sync']['status'] {
  const subscribe = useSubscription(client, 'sync');
  const status = () => client.sync.status;
  return useSyncExternalStore(subscribe, status, status);
}

/**
 * Reads records, and reads them again when records of these kinds were changed. Nothing that was read stays after a lock.
 * @param kinds as `records-changed` names them, for example `['medication', 'dose']`
 * @param read for example `(client) => client.medications.list({ profileId })`
 * @param deps what `read` depends on: `[profileId]`
 */
export function useRecords<T>(
  client: HealthRecordsClient,
  kinds: readonly string[],
  read: (client: HealthRecordsClient) => Promise<T>,
  deps: DependencyList = [],
): Reading<T> {
  const reading = useMemo(() => new RecordReading(client, kinds, read), [client, kinds.join(), ...deps]);
  return useSyncExternalStore(reading.subscribe, reading.get, reading.onServer);
}

const signedOut = () => 'signed-out' as const;

function useSubscription(client: HealthRecordsClient, ...types: (keyof ClientEvents)[]) {
  return useCallback(
    (changed: () => void) => {
      const ends = types.map((type) => client.on(type, changed));
      return () => ends.forEach((end) => end());
    },
    [client, types.join()],
  );
}
