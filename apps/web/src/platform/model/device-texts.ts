import { DeviceStorageError } from '@app/client';

/** Writes a text to `localStorage`; `null` removes it. @throws DeviceStorageError */
export function keepText(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch (error) {
    throw new DeviceStorageError(error);
  }
}
