import type { Adherence, CallOptions } from '../records/record-types';
import { parseJson } from '../json';
import { adherenceOnDevice } from './device-adherence';
import { noteFormerKeys } from './former-keys';
import { type CopyListener, LocalCopy } from './local-copy';
import { OfflineGateway } from './offline-gateway';
import type { OfflineHost } from './offline-host';
import { rowsOf, type CachedAccount, UNKNOWN_KIND } from './offline-rows';
import { guardedRows } from './guarded-rows';
import type { CachedKnowledge, OfflineEngine, OfflineStore } from './offline-store';
import type { RowChanges, RowStore } from './row-store';
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
  /** The newest copy, also after a lock: a write of it may be under way. */
  #last: LocalCopy | undefined;
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
    this.gateway = new OfflineGateway({
      copy: () => this.#opened(),
      complete: async () => this.sync.complete(await this.#opened()),
      wrote: () => this.sync.wrote(),
      refuse: (status, code, message) => host.refuse(status, code, message),
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
    const start = async (): Promise<LocalCopy> => {
      const listener: CopyListener = {
        changed: (kinds, dosesOf) => {
          if (this.#copy !== copy) return;
          this.sync.changed();
          if (kinds.size > 0)
            this.#host.recordsChanged({ kinds: [...kinds], ...(dosesOf && { dosesOf: [...dosesOf] }) });
        },
        removed: (kind, id) => this.#host.forget(kind, id),
        epochChanged: () => this.#host.forgetAll(),
        ended: () => this.#host.locked(),
      };
      const copy = new LocalCopy(this.#rows, accountId, listener, ahead);
      this.#last = copy;
      await copy.catchUp();
      await copy.dropForeignRows();
      await noteFormerKeys(copy, this.#host.accountKeyId());
      if (this.#opening !== opening) throw this.#host.locked();
      this.#copy = copy;
      this.sync.open(copy);
      return copy;
    };
    const opening: Promise<LocalCopy> = start();
    this.#opening = opening;
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
    this.#reopen = undefined;
    this.sync.close();
  }

  async pending(accountId = ''): Promise<number> {
    if (this.#copy) {
      await this.#copy.catchUp();
      return this.#copy.outbox.length;
    }
    const prefix = `${rowsOf(accountId || (await this.#lastAccount()))}outbox `;
    const { rows } = await this.#rows.read(0);
    return rows.filter(([key]) => key.startsWith(prefix)).length;
  }

  async erase(accountId = ''): Promise<void> {
    this.close();
    this.#last?.end();
    // The outbox of another account stays. It signs in again later.
    await this.#inTurn(async () => this.#rows.clear(rowsOf(accountId || (await this.#lastAccount()))));
  }

  async adherence(medicationId: string, timeZone: string, options: CallOptions): Promise<Adherence> {
    const copy = await this.#opened();
    await copy.catchUp();
    await this.sync.complete(copy);
    options.signal?.throwIfAborted();
    return adherenceOnDevice(copy, medicationId, timeZone, this.#host);
  }

  async unknownRecords(): Promise<number> {
    const { asides } = await this.#opened();
    return asides.filter(({ code }) => code === UNKNOWN_KIND).length;
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
