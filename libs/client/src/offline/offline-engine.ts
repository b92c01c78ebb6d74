import type { Adherence, CallOptions } from '../records/record-types';
import { ObjectReader } from '../http/object-reader';
import { parseJson } from '../json';
import { adherenceOnDevice } from './device-adherence';
import { type CopyListener, LocalCopy } from './local-copy';
import { OfflineGateway } from './offline-gateway';
import type { OfflineHost } from './offline-host';
import type { CachedAccount, CachedSecret } from './offline-rows';
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
  /** Rises when this client replaces or erases what it keeps of the account. */
  #accountVersion = 0;

  constructor(host: OfflineHost, rows: RowStore) {
    this.#host = host;
    this.#rows = rows;
    this.sync = new Sync(host, () => this.#opened());
    this.gateway = new OfflineGateway({
      copy: () => this.#opened(),
      complete: async () => this.sync.complete(await this.#opened()),
      wrote: () => this.sync.wrote(),
      refuse: (status, code, message) => host.refuse(status, code, message),
    });
  }

  async readAccount(email: string): Promise<CachedAccount | undefined> {
    const account = await this.#readPart<CachedAccount>(ACCOUNT_PART);
    if (account?.email !== email) return undefined;
    // An unlock asks for the account before it derives the key.
    if (!this.#opening) this.#ahead ??= this.#rows.read(0);
    this.#ahead?.catch(() => undefined);
    return account;
  }

  open(email: string, isNewSession: boolean): void {
    const ahead = this.#ahead;
    this.close();
    const start = async (): Promise<LocalCopy> => {
      const known = isNewSession ? undefined : await this.readAccount(email);
      const account = known ?? (await this.#fetchAccount(email));
      const listener: CopyListener = {
        changed: (kinds) => {
          if (this.#copy !== copy) return;
          this.sync.changed();
          if (kinds.size > 0) this.#host.recordsChanged([...kinds]);
        },
        removed: (kind, id) => this.#host.forget(kind, id),
        epochChanged: () => this.#host.forgetAll(),
        ended: () => this.#host.locked(),
      };
      const copy = new LocalCopy(this.#rows, account.id, listener, ahead);
      this.#last = copy;
      await copy.catchUp();
      await copy.dropForeignRows();
      if (this.#opening !== opening) throw this.#host.locked();
      this.#copy = copy;
      this.sync.open(copy);
      if (known) void this.#fetchAccount(email).catch(() => undefined);
      return copy;
    };
    const opening: Promise<LocalCopy> = start();
    this.#opening = opening;
    // The next read tries again, and reports the failure.
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = undefined;
    });
    this.#reopen = () => this.open(email, isNewSession);
  }

  close(): void {
    this.#ahead = undefined;
    this.#opening = undefined;
    this.#copy = undefined;
    this.#reopen = undefined;
    this.sync.close();
  }

  async pending(): Promise<number> {
    if (this.#copy) {
      await this.#copy.catchUp();
      return this.#copy.outbox.length;
    }
    const account = await this.#readPart<CachedAccount>(ACCOUNT_PART);
    const { rows } = await this.#rows.read(0);
    return rows.filter(([key]) => account && key.startsWith(`${account.id} outbox `)).length;
  }

  async erase(): Promise<void> {
    this.close();
    this.#last?.end();
    this.#accountVersion += 1;
    const account = await this.#readPart<CachedAccount>(ACCOUNT_PART);
    const { rows } = await this.#rows.read(0);
    const others = rows.filter(([key]) => !account || !key.startsWith(`${account.id} `));
    await this.#rows.clear();
    // The outbox of another account, which signs in again later. Another tab may be writing, too.
    while (others.length > 0 && !(await this.#rows.write(others, (await this.#rows.read(0)).version)));
  }

  async replaceSecret(secret: CachedSecret): Promise<void> {
    this.#accountVersion += 1;
    const account = await this.#readPart<CachedAccount>(ACCOUNT_PART);
    if (account) await this.#rows.writePart(ACCOUNT_PART, JSON.stringify({ ...account, ...secret }));
  }

  async adherence(medicationId: string, timeZone: string, options: CallOptions): Promise<Adherence> {
    const copy = await this.#opened();
    await copy.catchUp();
    await this.sync.complete(copy);
    options.signal?.throwIfAborted();
    return adherenceOnDevice(copy, medicationId, timeZone, this.#host);
  }

  readKnowledge(): Promise<CachedKnowledge | undefined> {
    return this.#readPart<CachedKnowledge>(KNOWLEDGE_PART);
  }

  writeKnowledge(knowledge: CachedKnowledge): Promise<void> {
    return this.#rows.writePart(KNOWLEDGE_PART, JSON.stringify(knowledge));
  }

  #reopen: (() => void) | undefined;

  async #opened(): Promise<LocalCopy> {
    if (!this.#opening) this.#reopen?.();
    if (!this.#opening) throw this.#host.locked();
    return this.#opening;
  }

  /** What an unlock without a network will need. Stored only after the password has opened the account. */
  async #fetchAccount(email: string): Promise<CachedAccount> {
    const version = this.#accountVersion;
    const [prelogin, me] = await Promise.all([
      this.#host.sendPublic({
        method: 'POST',
        path: '/api/auth/prelogin',
        body: { email },
        replayable: true,
      }),
      this.#host.send({ method: 'GET', path: '/api/users/me' }),
    ]);
    const [kdf, account] = [
      new ObjectReader(prelogin.body, 'prelogin'),
      new ObjectReader(me.body, 'account'),
    ];
    const cached: CachedAccount = {
      id: account.id('id'),
      email,
      kdf: { kdf: kdf.text('kdf'), iterations: kdf.number('iterations'), salt: kdf.text('salt') },
      wrapped: { wrapped: account.text('wrapped_dek'), iv: account.text('wrapped_dek_iv') },
    };
    // A new password may have replaced what these answers say.
    if (this.#accountVersion === version) await this.#rows.writePart(ACCOUNT_PART, JSON.stringify(cached));
    return cached;
  }

  async #readPart<T>(name: string): Promise<T | undefined> {
    const text = await this.#rows.readPart(name);
    return text === undefined || text === '' ? undefined : (parseJson(text) as T);
  }
}
