import type { AccountKey } from '../crypto/account-key';
import { accountDataKeyOf } from '../crypto/account-data-key';
import type { WrappedKey } from '../crypto/key-wrapping';
import { openProfileKey, wrapProfileKey } from '../crypto/profile-key';
import { decryptRecord, encryptRecord } from '../crypto/record-cipher';
import { IntegrityError } from '../errors';
import { isJsonObject, parseJson, type JsonObject } from '../json';
import type { SpaceBlock, SpaceRole } from './space-types';

/** The service takes so many at once after a restore, the next one among them. */
const MAX_ROSTERS = 63;
/** Of all rosters that are kept, so that the notes are no larger than a record may be. */
const MAX_ROSTER_TEXT = 100_000;

/** What a device keeps of a space, so that it can open it without a network. */
export interface SpaceNotes {
  profileId: string;
  role: SpaceRole;
  isKeeper: boolean;
  state: 'member' | 'removed' | 'deleted';
  /** Of the newest state that was checked and whose key is open; 0 before the first. */
  version: number;
  /** Checked, rising by one, the newest last. */
  rosters: readonly string[];
  /** The newest key that has opened, under the account key; `null` for none. */
  key: (WrappedKey & { epoch: number }) | null;
  blocked: SpaceBlock | null;
  /** Whether the newest roster says that a new key is owed. */
  isDue: boolean;
  /** The accounts that are carers, by the newest roster. */
  carers: readonly string[];
  lastChange?: string;
  /** What the profile is to this person, by the trust book. Absent where nothing was said. */
  relationship?: string;
  /** When each member has joined, as the service has said it last. */
  joined: Readonly<Record<string, string>>;
  /** When a key that was due was last refused to this device. Milliseconds since 1970. */
  dueTried?: number;
}

/**
 * Seals the notes under a key of the account itself: they name the members, and a device must not believe rosters that
 * somebody else has put into its storage.
 */
export async function sealNotes(
  notes: SpaceNotes,
  account: AccountKey,
  accountId: string,
  spaceId: string,
): Promise<string> {
  const content = { ...notes, rosters: newestOf(notes.rosters) } as unknown as JsonObject;
  const sealed = await encryptRecord(content, await accountDataKeyOf(account), placeOf(accountId, spaceId));
  return JSON.stringify({ keyId: account.id, ciphertext: sealed.ciphertext, iv: sealed.iv });
}

/**
 * Opens the notes. After a replacement of all keys they are still sealed under the account key of before.
 * @param former finds an account key of before by its id.
 * @returns `undefined` for notes that do not open: the space is then read anew. `isOld`: they are to be sealed anew.
 */
export async function openNotes(
  text: string,
  account: AccountKey,
  accountId: string,
  spaceId: string,
  former: (keyId: string) => Promise<AccountKey | undefined>,
): Promise<{ notes: SpaceNotes; isOld: boolean } | undefined> {
  try {
    const { keyId, ciphertext, iv } = parseJson(text) as { keyId: string; ciphertext: string; iv: string };
    const under = keyId === account.id ? account : await former(keyId);
    if (!under) return undefined;
    const key = await accountDataKeyOf(under);
    const { content } = await decryptRecord({ ciphertext, iv }, key, placeOf(accountId, spaceId));
    if (!isJsonObject(content)) return undefined;
    const notes = content as unknown as SpaceNotes;
    if (under === account) return { notes, isOld: false };
    return { notes: await rewrapped(notes, under, account), isOld: true };
  } catch (error) {
    if (error instanceof IntegrityError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function rewrapped(notes: SpaceNotes, from: AccountKey, to: AccountKey): Promise<SpaceNotes> {
  const { key, profileId } = notes;
  if (!key) return notes;
  // Extractable, and only in here.
  const opened = await openProfileKey(key, from, profileId, true);
  return { ...notes, key: { ...(await wrapProfileKey(opened, to, profileId)), epoch: key.epoch } };
}

function newestOf(rosters: readonly string[]): string[] {
  const kept: string[] = [];
  let length = 0;
  for (const text of rosters.toReversed().slice(0, MAX_ROSTERS)) {
    length += text.length;
    if (length > MAX_ROSTER_TEXT && kept.length > 0) break;
    kept.unshift(text);
  }
  return kept;
}

function placeOf(accountId: string, spaceId: string) {
  return { profileId: accountId, kind: 'space', recordId: spaceId };
}
