import { indexedDbRows } from './indexed-db-rows';
import { offlineStore } from './offline-engine';
import type { OfflineStore } from './offline-store';
import { memoryRows } from './row-store';

export { offlineStore } from './offline-engine';
export type { Row, RowChanges, RowStore } from './row-store';

/** A store in IndexedDB, shared by the tabs of the origin. Several names keep several accounts apart. */
export function indexedDbStore(name = 'health-records'): OfflineStore {
  return offlineStore(indexedDbRows(name));
}

/** A store that ends with the process. */
export function memoryOfflineStore(): OfflineStore {
  return offlineStore(memoryRows());
}
