import { fileRows } from './offline/file-rows';
import { offlineStore } from './offline/offline-engine';
import type { OfflineStore } from './offline/offline-store';

/** A store in one file, for one process of Node. The file contains what `indexedDbStore` would contain. */
export function fileStore(path: string): OfflineStore {
  return offlineStore(fileRows(path));
}
