import type { Adherence, CallOptions } from '../records/record-types';
import { FIRST_EPOCH } from '../crypto/profile-key';
import { parseJson } from '../json';
import { adherenceOnDevice } from './device-adherence';
import { noteFormerKeys } from './former-keys';
import { type CopiedSpace, type CopyListener, LocalCopy } from './local-copy';
import { OfflineGateway } from './offline-gateway';
import type { OfflineHost } from './offline-host';
import { rowsOf, type CachedAccount, UNKNOWN_KIND } from './offline-rows';
import { guardedRows } from './guarded-rows';
import type { CachedKnowledge, OfflineEngine, OfflineStore } from './offline-store';
import type { RowChanges, RowStore } from './row-store';
import type { SpaceMemory, SpacePlace } from '../spaces/space-directory';
import { Overlay } from './overlay';
import { SpaceCopies } from './space-copies';
import { Sync } from './sync';

const ACCOUNT_PART = 'account';
const KNOWLEDGE_PART = 'knowledge';

/** Makes an offline store for the client from any {@link RowStore}. */
export function offlineStore(rows: RowStore): OfflineStore {
  return { connect: (host) => new Engine(host, rows) };
}

class Engine implements OfflineEngine {
  readonly gateway: OfflineGateway;
  readonly sync: Sync;
  readonly #host: OfflineHost;
  readonly #rows: RowStore;
  #opening: Promise<LocalCopy> | undefined;
  #copy: LocalCopy | undefined;
  /** Of the account that is open, as soon as its own rows are read. */
  #spaces: Promise<SpaceCopies> | undefined;
  /** The newest copies, also after a lock: a write of them may be under way. */
  #last: LocalCopy[] = [];
  /** The rows, read while an unlock derives its key. */
  #ahead: Promise<RowChanges> | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(host: OfflineHost, rows: RowStore) {
    this.#host = host;
    this.sync = new Sync(host, () => this.#opened());
    this.#rows = guardedRows(rows, (cause) => {
      const error = host.storageFailed(cause);
      this.sync.refused(error);
      return error;
    });
    this.gateway = this.#gatewayOf(() => this.#opened());
  }

  inSpace(spaceId: string): OfflineGateway {
    return this.#gatewayOf(async () => {
      await this.#opened();
      const copy = await (await this.#openedSpaces()).copyOf(spaceId);
      if (copy) return copy;
      throw this.#host.refuse(404, 'not_found', 'The record does not exist.');
    });
  }

  async readable(): Promise<readonly SpacePlace[]> {
    if ((this.#host.spaces()?.places ?? []).length === 0 && this.#copy?.state.isComplete) return [];
    await this.sync.complete(await this.#opened());
    const { readable } = await this.#openedSpaces();
    return readable.map(({ place }) => place);
  }

  readonly memory: SpaceMemory = {
    list: async () => (await this.#openedSpaces()).memory.list(),
    read: async (spaceId) => (await this.#openedSpaces()).memory.read(spaceId),
    write: async (spaceId, text) => (await this.#openedSpaces()).memory.write(spaceId, text),
  };

  #gatewayOf(copy: () => Promise<LocalCopy>): OfflineGateway {
    return new OfflineGateway({
      copy,
      complete: (each) => this.sync.complete(each),
      wrote: () => this.sync.wrote(),
      refuse: (status, code, message) => this.#host.refuse(status, code, message),
    });
  }

  async readAccount(accountId: string): Promise<CachedAccount | undefined> {
    const account = await this.#readPart<CachedAccount>(ACCOUNT_PART);
    if (account?.id !== accountId) return undefined;
    // An unlock asks for the account before it derives the key.
    if (!this.#opening) this.#ahead ??= this.#rows.read(0);
    this.#ahead?.catch(() => undefined);
    return account;
  }

  async accountOf(keyId: string): Promise<string | undefined> {
    const account = await this.#readPart<CachedAccount>(ACCOUNT_PART);
    return account?.keyId === keyId ? account.id : undefined;
  }

  writeAccount(account: CachedAccount, check: () => void): Promise<void> {
    return this.#inTurn(async () => {
      check();
      const before = await this.#readPart<CachedAccount>(ACCOUNT_PART);
      // The password and the passkeys each write their own half. Both wrap one key.
      const isSame = before?.id === account.id && before.keyId === account.keyId;
      check();
      await this.#rows.writePart(ACCOUNT_PART, JSON.stringify(isSame ? { ...before, ...account } : account));
    });
  }

  open(accountId: string): void {
    const ahead = this.#ahead;
    this.close();
    // A copy of every place reads the store once.
    let rows: Promise<RowChanges> | undefined = ahead ?? this.#rows.read(0);
    rows.catch(() => undefined);
    const isOpen = () => this.#opening === opening;
    const copyOf = (space?: CopiedSpace): LocalCopy => {
      const copy: LocalCopy = new LocalCopy(this.#rows, accountId, this.#listenerOf(isOpen), rows, space);
      this.#last.push(copy);
      return copy;
    };
    this.#last = [];
    const start = async (): Promise<LocalCopy> => {
      const copy = copyOf();
      const begin = async () => {
        await copy.catchUp();
        await copy.dropForeignRows();
        return new SpaceCopies(this.#host, copy, copyOf);
      };
      this.#spaces = begin();
      const spaces = await this.#spaces;
      await noteFormerKeys(copy, this.#host.accountKeyId());
      await spaces.open();
      rows = undefined;
      if (!isOpen()) throw this.#host.locked();
      this.#copy = copy;
      this.sync.open(copy, spaces);
      return copy;
    };
    const opening: Promise<LocalCopy> = start();
    this.#opening = opening;
    this.#spaces?.catch(() => undefined);
    // The next read tries again, and reports the failure.
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = undefined;
    });
    this.#reopen = () => this.open(accountId);
  }

  close(): void {
    this.#ahead = undefined;
    this.#opening = undefined;
    this.#copy = undefined;
    this.#spaces = undefined;
    this.#reopen = undefined;
    this.sync.close();
  }

  async pending(accountId = ''): Promise<number> {
    const prefix = rowsOf(accountId || (await this.#lastAccount()));
    const { rows } = await this.#rows.read(0);
    const isOfOutbox = /^(space \S+ )?outbox /;
    return rows.filter(([key]) => key.startsWith(prefix) && isOfOutbox.test(key.slice(prefix.length))).length;
  }

  async erase(accountId = ''): Promise<void> {
    this.close();
    for (const copy of this.#last) copy.end();
    // The outbox of another account stays. It signs in again later.
    await this.#inTurn(async () => this.#rows.clear(rowsOf(accountId || (await this.#lastAccount()))));
  }

  async adherence(medicationId: string, timeZone: string, options: CallOptions): Promise<Adherence> {
    const own = await this.#opened();
    await own.catchUp();
    await this.sync.complete(own);
    const { copies } = await this.#openedSpaces();
    for (const copy of copies) await copy.catchUp();
    options.signal?.throwIfAborted();
    const holds = (copy: LocalCopy) => new Overlay(copy).show('medication', medicationId) !== undefined;
    return adherenceOnDevice(copies.find(holds) ?? own, medicationId, timeZone, this.#host);
  }

  async unknownRecords(): Promise<number> {
    const own = await this.#opened();
    const spaces = await this.#openedSpaces();
    // An export has all records, or says what it lacks.
    for (const { place, copy } of spaces.all) if (place.state === 'member') await this.sync.complete(copy);
    const asides = [own, ...spaces.copies].flatMap((copy) => copy.asides);
    return asides.filter(({ code }) => code === UNKNOWN_KIND).length;
  }

  syncSoon(): void {
    this.sync.wrote();
  }

  sealedBefore(profileId: string, epoch: number): number | undefined {
    const copy = this.#last.find(({ space }) => space?.profileId === profileId);
    const rows = copy?.kinds.filter((kind) => kind !== 'profile').flatMap((kind) => copy.records(kind));
    // What seals nothing, like a dose, names no profile.
    return rows?.filter(({ seal }) => seal?.profileId && (seal.epoch ?? FIRST_EPOCH) < epoch).length;
  }

  readKnowledge(): Promise<CachedKnowledge | undefined> {
    return this.#readPart<CachedKnowledge>(KNOWLEDGE_PART);
  }

  writeKnowledge(knowledge: CachedKnowledge): Promise<void> {
    return this.#rows.writePart(KNOWLEDGE_PART, JSON.stringify(knowledge));
  }

  #reopen: (() => void) | undefined;

  /** An erasure and a write of the account's part under way come one after the other. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(run);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  #listenerOf(isOpen: () => boolean): CopyListener {
    return {
      changed: (kinds, { dosesOf, isOwn }) => {
        if (!isOpen() || !this.#copy) return;
        this.sync.changed();
        if (kinds.size > 0)
          this.#host.recordsChanged({
            kinds: [...kinds],
            ...(dosesOf && { dosesOf: [...dosesOf] }),
            ...(isOwn && { isOwn }),
          });
      },
      removed: (kind, id) => this.#host.forget(kind, id),
      epochChanged: () => this.#host.forgetAll(),
      ended: () => this.#host.locked(),
    };
  }

  async #openedSpaces(): Promise<SpaceCopies> {
    if (!this.#spaces) throw this.#host.locked();
    return this.#spaces;
  }

  async #opened(): Promise<LocalCopy> {
    if (!this.#opening) this.#reopen?.();
    if (!this.#opening) throw this.#host.locked();
    return this.#opening;
  }

  /** After the end of a session: its account is the last one that this device has known. */
  async #lastAccount(): Promise<string> {
    return (await this.#readPart<CachedAccount>(ACCOUNT_PART))?.id ?? '';
  }

  async #readPart<T>(name: string): Promise<T | undefined> {
    const text = await this.#rows.readPart(name);
    return text === undefined || text === '' ? undefined : (parseJson(text) as T);
  }
}
