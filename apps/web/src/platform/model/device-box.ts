import { openDB, type IDBPDatabase } from 'idb';

/**
 * What this device keeps for itself, encrypted. The page and its service worker share it, also while the page is locked.
 * Security: it is encrypted with a key that no script can read. The browser stores this key too, so a copy of
 * the browser's profile is enough to read the entries. A sign-out removes the key.
 */
const NAME = 'health-records-drafts';

interface Sealed {
  iv: BufferSource;
  data: ArrayBuffer;
}

const IV_BYTES = 12;
/** A sealed text has one length, whatever it says: this many bytes, or a multiple of it. */
const TEXT_BYTES = 1400;

let opened: Promise<IDBPDatabase> | undefined;
/** Of the account that this page has claimed the box for. The service worker claims nothing: it asks each time. */
let claimedKey: CryptoKey | undefined;
let isClaimed = false;

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
  if (claimedKey) return claimedKey;
  const key = await storedKeyOf(store);
  if (isClaimed) claimedKey = key;
  return key;
}

async function storedKeyOf(store: IDBPDatabase): Promise<CryptoKey> {
  const known = (await store.get('keys', 'drafts')) as CryptoKey | undefined;
  if (known) return known;
  const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  // Two tabs may make one at the same time: the first one stays.
  const change = store.transaction('keys', 'readwrite');
  const first = (await change.store.get('drafts')) as CryptoKey | undefined;
  if (!first) await change.store.put(made, 'drafts');
  await change.done;
  return first ?? made;
}

/** Forgets the entries of another account that was used on this device. @param account its email */
export async function claimBox(account: string): Promise<void> {
  // Another tab may have signed out since.
  claimedKey = undefined;
  isClaimed = true;
  const store = await database();
  if ((await store.get('keys', 'owner')) === account) return;
  await store.clear('drafts');
  await store.put('keys', account, 'owner');
}

export async function keepEntry(name: string, value: unknown): Promise<void> {
  const store = await database();
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const text = new TextEncoder().encode(JSON.stringify(value));
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await keyOf(store), text);
  await store.put('drafts', { iv, data } satisfies Sealed, name);
}

/** @returns `undefined` where there is none, or none that can be opened. */
export async function readEntry<T>(name: string): Promise<T | undefined> {
  try {
    const store = await database();
    const sealed = (await store.get('drafts', name)) as Sealed | undefined;
    if (!sealed) return undefined;
    const key = await keyOf(store);
    const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: sealed.iv }, key, sealed.data);
    return JSON.parse(new TextDecoder().decode(plain)) as T;
  } catch {
    return undefined;
  }
}

/** The names of the entries that begin so. */
export async function entriesOf(prefix: string): Promise<string[]> {
  const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
  return (await (await database()).getAllKeys('drafts', range)) as string[];
}

export async function dropEntry(name: string): Promise<void> {
  await (await database()).delete('drafts', name);
}

/** Forgets all entries, their key and whose they were. */
export async function emptyBox(): Promise<void> {
  const store = await database();
  await Promise.all([store.clear('drafts'), store.clear('keys')]);
  claimedKey = undefined;
  isClaimed = false;
}

/**
 * Seals a text of this device, which the service keeps: base64 of IV and ciphertext. Its length does not tell what it says.
 * @param place the text opens in this place only
 */
export async function sealForDevice(value: unknown, place: string): Promise<string> {
  const json = new TextEncoder().encode(JSON.stringify(value));
  // White space after a JSON text means nothing.
  const text = new Uint8Array(Math.ceil(json.length / TEXT_BYTES) * TEXT_BYTES).fill(32);
  text.set(json);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt(boundTo(iv, place), await keyOf(await database()), text);
  return btoa(String.fromCharCode(...iv, ...new Uint8Array(sealed)));
}

/** @returns `undefined` for a text of another device, place or account, and after a sign-out. */
export async function openOnDevice<T>(sealed: string, place: string): Promise<T | undefined> {
  try {
    const bytes = Uint8Array.from(atob(sealed), (character) => character.charCodeAt(0));
    const key = (await (await database()).get('keys', 'drafts')) as CryptoKey;
    const plain = await crypto.subtle.decrypt(
      boundTo(bytes.subarray(0, IV_BYTES), place),
      key,
      bytes.subarray(IV_BYTES),
    );
    return JSON.parse(new TextDecoder().decode(plain)) as T;
  } catch {
    return undefined;
  }
}

function boundTo(iv: Uint8Array<ArrayBuffer>, place: string): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(place) };
}
