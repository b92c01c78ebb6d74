import { IntegrityError, isAnswer } from '../errors';
import { accountDataKeyOf } from '../crypto/account-data-key';
import { openAccountKey, type AccountKey } from '../crypto/account-key';
import type { WrappedKey } from '../crypto/key-wrapping';
import { FIRST_GENERATION, successorOf, type Lineage } from '../crypto/lineage';
import { openProfileKey } from '../crypto/profile-key';
import { decryptRecord, encryptRecord } from '../crypto/record-cipher';
import { ObjectReader } from '../http/object-reader';
import type { SessionTransport } from '../http/session-transport';
import { canonicalJson, isJsonObject, type JsonObject } from '../json';
import { signalOf } from '../records/encrypted-collection';
import type { CallOptions } from '../records/record-types';
import { wireOf } from '../records/sealed-record';
import type { FormerRow } from '../offline/offline-rows';
import {
  readContacts,
  readSpaces,
  type TrustContacts,
  type TrustSpaces,
} from '../spaces/formats/trust-entries';
import type { StoredIdentity } from '../spaces/formats/identity';
import type { AccountCache } from './account-cache';
import type { KeyRing } from './key-ring';

const PATH = '/api/trust-book';
/** How often a change is made anew because another device was faster. */
const ATTEMPTS = 5;

/** What the devices of an account tell each other. What this client does not know is kept. */
export interface TrustBook {
  /** The credential ids (base64url) of the passkeys that the person has added. */
  passkeys?: string[];
  /** The account key before all keys were replaced, under the newest one. */
  former?: FormerEntry;
  /** Whom this account knows, by account id. */
  contacts?: TrustContacts;
  /** The shared profiles in which it takes part, by the id of the space. */
  spaces?: TrustSpaces;
}

export interface FormerEntry {
  id: string;
  wrapped: string;
  iv: string;
  /** Whether records of the account may still be sealed under it. */
  hasRecords?: boolean;
  /** The spaces whose members do not know of the new keys yet. */
  spaces?: readonly string[];
  /** The identity of before, where there is a new one: its wrap is under the former account key. */
  identity?: StoredIdentity;
  /** The key before it, under it, where records of the account may still be sealed under that one. */
  before?: FormerEntry;
}

/**
 * The entry of a key that is replaced.
 * @param book the one before.
 * @param identity of before, where there is a new one.
 */
export function formerEntry(
  id: string,
  { wrapped, iv }: WrappedKey,
  book: TrustBook,
  identity?: StoredIdentity,
): FormerEntry {
  const before = book.former?.hasRecords && withoutDebts(book.former);
  const spaces = Object.keys(book.spaces ?? {});
  return {
    id,
    wrapped,
    iv,
    hasRecords: true,
    ...(spaces.length > 0 && { spaces, ...(identity && { identity }) }),
    ...(before && { before }),
  };
}

function withoutDebts({ id, wrapped, iv, hasRecords, before }: FormerEntry): FormerEntry {
  return { id, wrapped, iv, ...(hasRecords && { hasRecords }), ...(before && { before }) };
}

/** A trust book as it was read. */
export interface ReadTrustBook {
  book: TrustBook;
  revision: number;
  lineage: Lineage | undefined;
}

/** The trust book of the account: one text, sealed under a key that follows from the account key. */
export class TrustBooks {
  /** The newest generation that this client has seen, by account key. */
  readonly #seen = new Map<string, number>();

  constructor(
    private readonly sessions: SessionTransport,
    private readonly cache: AccountCache,
  ) {}

  /** @throws IntegrityError `tampered`; `rolled_back` for an older book than this device has seen. */
  async read(account: AccountKey, options: CallOptions): Promise<ReadTrustBook> {
    const answer = await this.sessions.send({ method: 'GET', path: PATH, ...signalOf(options) });
    return this.#open(answer.body, account);
  }

  /** The body of a write that follows on a book. @param least the generation that it has at least. */
  async seal(book: TrustBook, account: AccountKey, after: ReadTrustBook, least = 0): Promise<JsonObject> {
    const place = this.#place();
    const next = after.lineage
      ? successorOf(after.lineage)
      : { generation: FIRST_GENERATION, previous: null };
    const ancestry = { ...next, generation: Math.max(next.generation, least) };
    const sealed = await encryptRecord(
      book as unknown as JsonObject,
      await accountDataKeyOf(account),
      place,
      ancestry,
    );
    return {
      ...(after.revision > 0 && { revision: after.revision }),
      encrypted_data: { ciphertext: sealed.ciphertext, iv: sealed.iv },
    };
  }

  /** Changes the book; where another device was faster, on top of its change. What changes nothing is not sent. */
  async change(account: AccountKey, change: (book: TrustBook) => TrustBook): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const before = await this.read(account, {});
      const next = change(before.book);
      if (isSameBook(before.book, next)) return;
      const body = await this.seal(next, account, before);
      try {
        await this.#open((await this.sessions.send({ method: 'PUT', path: PATH, body })).body, account);
        return;
      } catch (error) {
        if (!isAnswer(error, 412) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /**
   * After a restore of the service: writes a newer book than this device has seen, on top of the older one that the service
   * shows. Where the service shows the newest one, nothing happens.
   */
  async restore(account: AccountKey, change: (book: TrustBook) => TrustBook): Promise<void> {
    const answer = await this.sessions.send({ method: 'GET', path: PATH });
    const known = await this.#known(account);
    const before = await this.#open(answer.body, account, true);
    if ((before.lineage?.generation ?? 0) >= known) return;
    const body = await this.seal(change(before.book), account, before, known + 1);
    await this.#open((await this.sessions.send({ method: 'PUT', path: PATH, body })).body, account);
  }

  /**
   * Opens the account key of before all keys were replaced.
   * @returns `undefined` if the book names another one: keys were replaced twice.
   */
  async former(
    account: AccountKey,
    accountKeyId: string,
    options: CallOptions,
  ): Promise<AccountKey | undefined> {
    const { former } = (await this.read(account, options)).book;
    if (former?.id !== accountKeyId) return undefined;
    return openFormer(former, account);
  }

  /** The account keys of before, newest first, under which records of the account may still be sealed. */
  async formersOfRecords(account: AccountKey): Promise<AccountKey[]> {
    const opened: AccountKey[] = [];
    let under = account;
    for (let entry = (await this.read(account, {})).book.former; entry?.hasRecords; entry = entry.before) {
      under = await openFormer(entry, under);
      opened.push(under);
    }
    return opened;
  }

  /** No record of the account is sealed under a former key any more. */
  closeFormer(account: AccountKey): Promise<void> {
    return this.change(account, ({ former, ...book }) => {
      if (!former) return book;
      const { id, wrapped, iv, spaces, identity } = former;
      const owed = spaces && { spaces, ...(identity && { identity }) };
      return { ...book, former: { id, wrapped, iv, ...owed } };
    });
  }

  /** Opens, while `run` runs, what this device has stored under the keys of before. */
  async withFormerKeys(keys: KeyRing, rows: readonly FormerRow[], run: () => Promise<void>): Promise<void> {
    const account = await this.former(keys.accountKey, rows[0].accountKeyId, {});
    if (!account) return run();
    const opened = rows.map(
      async (row) => [row.profileId, await openProfileKey(row, account, row.profileId)] as const,
    );
    const settled = await Promise.allSettled(opened);
    const profiles = new Map(settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])));
    keys.former = { account, profiles };
    try {
      await run();
    } finally {
      keys.former = undefined;
    }
  }

  async #open(body: unknown, account: AccountKey, mayBeOlder = false): Promise<ReadTrustBook> {
    const reader = new ObjectReader(body, 'trust-book');
    const revision = reader.integer('revision', 0);
    const known = await this.#known(account);
    if (revision === 0) {
      if (known > 0 && !mayBeOlder) throw rolledBack();
      return { book: {}, revision, lineage: undefined };
    }
    const opened = await decryptRecord(wireOf(reader), await accountDataKeyOf(account), this.#place());
    const { generation } = opened.lineage;
    if (generation < known && !mayBeOlder) throw rolledBack();
    if (generation > known) await this.remember(account, generation);
    return { book: readBook(opened.content), revision, lineage: opened.lineage };
  }

  #place() {
    const accountId = this.sessions.accountId!;
    return { profileId: accountId, kind: 'trust-book', recordId: accountId };
  }

  async #known({ id }: AccountKey): Promise<number> {
    const cached = await this.cache.readAccount(this.sessions.accountId!);
    const stored = cached?.keyId === id ? (cached.trustBook ?? 0) : 0;
    return Math.max(stored, this.#seen.get(id) ?? 0);
  }

  /** Notes a book that this client has read or written: the service must not show an older one. */
  async remember({ id: keyId }: AccountKey, trustBook: number): Promise<void> {
    this.#seen.set(keyId, trustBook);
    const [{ accountId, email }, assertOurs] = [await this.sessions.current(), this.sessions.hold()];
    await this.cache.writeAccount({ id: accountId, email, keyId, trustBook }, assertOurs);
  }
}

async function openFormer({ id, wrapped, iv }: FormerEntry, under: AccountKey): Promise<AccountKey> {
  const opened = await openAccountKey({ wrapped, iv }, under.key, { purpose: 'former', accountKeyId: id });
  if (opened.id !== id) throw tampered('A former account key is not the one that is named.');
  return opened;
}

function readBook(content: JsonObject): TrustBook {
  const { passkeys, former } = content;
  const isList = Array.isArray(passkeys) && passkeys.every((each) => typeof each === 'string');
  if ((passkeys !== undefined && !isList) || (former !== undefined && !isFormer(former)))
    throw new IntegrityError('format_unsupported', 'The trust book has another format.', REFERENCE);
  readContacts(content.contacts);
  readSpaces(content.spaces);
  const book = { ...content };
  delete book.earlier;
  return book;
}

function isFormer(entry: unknown): boolean {
  if (!isJsonObject(entry)) return false;
  const { id, wrapped, iv, before } = entry;
  return (
    [id, wrapped, iv].every((each) => typeof each === 'string') && (before === undefined || isFormer(before))
  );
}

function isSameBook(one: TrustBook, other: TrustBook): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

const REFERENCE = { kind: 'trust-book', id: 'account' };

function tampered(message: string): IntegrityError {
  return new IntegrityError('tampered', message, REFERENCE);
}

function rolledBack(): IntegrityError {
  const message = 'The service shows an older trust book than this device has seen.';
  return new IntegrityError('rolled_back', message, REFERENCE);
}
