import { DeviceStorageError } from '@app/client';
import { claimBox, dropEntry, emptyBox, keepEntry, readEntry } from './device-box';

/** Text that is typed and not yet saved. It survives a lock and a reload. It is shown only after the unlock. */

/** Resolves when the drafts are those of the account that is unlocked. */
let claimed: Promise<void> = Promise.resolve();

/** Forgets the drafts of another account that was used on this device. @param account its email */
export function claimDrafts(account: string): void {
  claimed = claimBox(account).catch(() => undefined);
}

/** Keeps a draft. @param name of the form, and of what it changes @throws DeviceStorageError */
export async function keepDraft(name: string, value: unknown): Promise<void> {
  try {
    await claimed;
    await keepEntry(name, value);
  } catch (error) {
    throw new DeviceStorageError(error);
  }
}

/** @returns `undefined` where there is no draft, or none that can be opened. */
export async function readDraft<T>(name: string): Promise<T | undefined> {
  await claimed;
  return readEntry<T>(name);
}

export const dropDraft = dropEntry;

/** Forgets all drafts: after a sign-out another person may use the device. */
export async function forgetDrafts(): Promise<void> {
  await claimed;
  await emptyBox();
}
