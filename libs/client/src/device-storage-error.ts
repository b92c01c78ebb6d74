import { HealthRecordsError } from './errors';

/** The names and codes of a full disk: DOM, an older Firefox, Node. */
const FULL = ['QuotaExceededError', 'NS_ERROR_DOM_QUOTA_REACHED', 'ENOSPC', 'EDQUOT'];

/**
 * The storage of this device refused: nothing was stored. `code` `device_full`, or `device_storage_failed` for every other
 * reason (the browser stores nothing, the database is damaged or closed). `cause` is what the platform said.
 */
export class DeviceStorageError extends HealthRecordsError {
  override readonly name: string = 'DeviceStorageError';

  constructor(cause: unknown) {
    const { name, code } = (cause ?? {}) as { name?: unknown; code?: unknown };
    if (FULL.includes(name as string) || FULL.includes(code as string))
      super('device_full', 'The storage of this device is full.', { cause });
    else super('device_storage_failed', 'The storage of this device cannot be used.', { cause });
  }
}

/** Runs a step on a storage. @throws DeviceStorageError for whatever the storage throws */
export async function onDevice<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof HealthRecordsError ? error : new DeviceStorageError(error);
  }
}
