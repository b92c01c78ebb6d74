import { DeviceStorageError } from '@app/client';
import { openDB, type IDBPDatabase } from 'idb';

/**
 * Text that is typed and not yet saved. It survives a lock and a reload. It is shown only after the unlock.
 * Security: it is encrypted with a key that no script can read. The browser stores this key too, so a copy of
 * the browser's profile is enough to read the drafts.
 */
const NAME = 'health-records-drafts';

interface Sealed {
  iv: BufferSource;
  data: ArrayBuffer;
}

let opened: Promise<IDBPDatabase> | undefined;

function database(): Promise<IDBPDatabase> {
  opened ??= openDB(NAME, 1, {
    upgrade(fresh) {
      fresh.createObjectStore('keys');
      fresh.createObjectStore('drafts');
    },
  }).catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

async function keyOf(store: IDBPDatabase): Promise<CryptoKey> {
  const known = (await store.get('keys', 'drafts')) as CryptoKey | undefined;
  if (known) return known;
  const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  await store.put('keys', made, 'drafts');
  return made;
}

/** Resolves when the drafts are those of the account that is unlocked. */
let claimed: Promise<void> = Promise.resolve();

/** Forgets the drafts of another account that was used on this device. @param account its email */
export function claimDrafts(account: string): void {
  claimed = claim(account).catch(() => undefined);
}

async function claim(account: string): Promise<void> {
  const store = await database();
  if ((await store.get('keys', 'owner')) === account) return;
  await store.clear('drafts');
  await store.put('keys', account, 'owner');
}

/** Keeps a draft. @param name of the form, and of what it changes @throws DeviceStorageError */
export async function keepDraft(name: string, value: unknown): Promise<void> {
  try {
    await seal(name, value);
  } catch (error) {
    throw new DeviceStorageError(error);
  }
}

async function seal(name: string, value: unknown): Promise<void> {
  await claimed;
  const store = await database();
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const text = new TextEncoder().encode(JSON.stringify(value));
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await keyOf(store), text);
  await store.put('drafts', { iv, data } satisfies Sealed, name);
}

/** @returns `undefined` where there is no draft, or none that can be opened. */
export async function readDraft<T>(name: string): Promise<T | undefined> {
  await claimed;
  try {
    const store = await database();
    const sealed = (await store.get('drafts', name)) as Sealed | undefined;
    if (!sealed) return undefined;
    const plain = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: sealed.iv },
      await keyOf(store),
      sealed.data,
    );
    return JSON.parse(new TextDecoder().decode(plain)) as T;
  } catch {
    return undefined;
  }
}

export async function dropDraft(name: string): Promise<void> {
  await (await database()).delete('drafts', name);
}

/** Forgets all drafts, their key and whose they were: after a sign-out another person may use the device. */
export async function forgetDrafts(): Promise<void> {
  await claimed;
  const store = await database();
  await Promise.all([store.clear('drafts'), store.clear('keys')]);
}
