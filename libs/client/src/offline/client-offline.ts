import { DeviceStorageError } from '../device-storage-error';
import { ApiError, LockedError } from '../errors';
import type { Events } from '../events';
import type { HttpAnswer, HttpRequest } from '../http/http-transport';
import type { LockRunner } from '../http/locks';
import type { Heads } from '../records/heads';
import type { SpaceDirectory, SpaceMemory } from '../spaces/space-directory';
import { HttpRecordGateway } from '../records/http-record-gateway';
import { OpenedRecords } from '../records/opened-records';
import { PlacedGateway, type Gateways } from '../records/placed-gateway';
import type { Places } from '../records/places';
import type { SessionLedger } from '../records/session-ledger';
import { OutboxNotEmptyError } from './outbox-not-empty-error';
import type { OfflineHost, RecordsChanged, SyncedKind, SyncStatus } from './offline-host';
import type { CachedAccount } from './offline-rows';
import type { ClientSync, OfflineEngine, OfflineStore } from './offline-store';

/** The parts of the client that the offline part needs. */
export interface OfflineParts {
  baseUrl: string;
  lock: LockRunner;
  ledger: SessionLedger;
  heads: Heads;
  events: Events;
  send: (request: HttpRequest) => Promise<HttpAnswer>;
  sendPublic: (request: HttpRequest) => Promise<HttpAnswer>;
  accountKeyId: OfflineHost['accountKeyId'];
  withFormerKeys: OfflineHost['withFormerKeys'];
  hasFormerAccountKeys: OfflineHost['hasFormerAccountKeys'];
  dropFormerAccountKeys: OfflineHost['dropFormerAccountKeys'];
  /** Which spaces there are; absent without the option `spaces`. */
  directory(): SpaceDirectory | undefined;
  places: Places;
  forgetKey: OfflineHost['forgetKey'];
}

const NOTHING_WAITS: SyncStatus = {
  state: 'idle',
  pending: 0,
  lastSuccess: null,
  problems: [],
  failure: null,
};
const NO_SYNC: ClientSync = {
  status: NOTHING_WAITS,
  now: () => Promise.resolve(NOTHING_WAITS),
  start: () => undefined,
  stop: () => undefined,
  resolve: () => Promise.resolve(),
};

/** Connects the client with its offline store, or with the service alone if it has none. */
export class ClientOffline {
  /** Where collections read and write. */
  readonly records: PlacedGateway;
  /** What this device keeps of spaces beside their records. */
  readonly memory: SpaceMemory;
  readonly sync: ClientSync;
  /** The kinds of records that can be merged and restored. Each collection adds its own. */
  readonly kinds = new Map<string, SyncedKind>();
  readonly engine: OfflineEngine | undefined;
  readonly opened: OpenedRecords | undefined;
  readonly #places: Places;

  constructor(store: OfflineStore | undefined, parts: OfflineParts) {
    const { baseUrl, lock, ledger, events, send, sendPublic, accountKeyId, withFormerKeys } = parts;
    // The ledger names the kinds as the encryption does.
    const ledgerKind = (kind: string) => kind.replaceAll('_', '-');
    const changed = (change: RecordsChanged) => events.emit('records-changed', change);
    this.opened = store && new OpenedRecords();
    this.engine = store?.connect({
      baseUrl,
      lock,
      send,
      sendPublic,
      accountKeyId,
      withFormerKeys,
      hasFormerAccountKeys: async () =>
        [...this.kinds.values()].some(({ isOfAccount }) => isOfAccount) && parts.hasFormerAccountKeys(),
      dropFormerAccountKeys: () => parts.dropFormerAccountKeys(),
      spaces: () => parts.directory(),
      sendIn: (spaceId, request) => parts.places.sendIn(spaceId, request),
      forgetKey: (profileId) => parts.forgetKey(profileId),
      kindOf: (kind) => this.kinds.get(kind),
      listed: (profileId) => {
        const names = new Map([...this.kinds.keys()].map((kind) => [ledgerKind(kind), kind]));
        return parts.heads
          .listed(profileId)
          .map((each) => ({ ...each, kind: names.get(each.kind) ?? each.kind }));
      },
      forget: (kind, id) => {
        ledger.forget({ kind: ledgerKind(kind), id });
        ledger.forgetChildren(id);
        this.opened?.forget(id);
      },
      forgetAll: () => ledger.forgetAll(),
      statusChanged: (status) => events.emit('sync', status),
      recordsChanged: changed,
      refuse: (status, code, message) => new ApiError({ status, code, message }),
      locked: () => new LockedError(),
      storageFailed: (cause) => new DeviceStorageError(cause),
    });
    this.#places = parts.places;
    this.records = new PlacedGateway(this.#gateways(parts, changed), parts.places);
    this.memory = this.engine?.memory ?? memoryOfSession();
    this.sync = this.engine?.sync ?? NO_SYNC;
  }

  #gateways({ baseUrl, send, places }: OfflineParts, changed: (change: RecordsChanged) => void): Gateways {
    const { engine } = this;
    if (engine) {
      const { gateway: own } = engine;
      return { own, of: (spaceId) => engine.inSpace(spaceId), readable: () => engine.readable() };
    }
    return {
      own: new HttpRecordGateway(baseUrl, send, changed),
      of: (spaceId) => new HttpRecordGateway(baseUrl, (request) => places.sendIn(spaceId, request), changed),
      readable: (options, isListOfProfiles) => places.readable(options, isListOfProfiles),
    };
  }

  lock(): void {
    this.#places.forget();
    this.records.forget();
    this.engine?.close();
    this.opened?.clear();
  }

  async readAccount(accountId: string): Promise<CachedAccount | undefined> {
    return this.engine?.readAccount(accountId);
  }

  async accountOf(keyId: string): Promise<string | undefined> {
    return this.engine?.accountOf(keyId);
  }

  /** A device that can store nothing stays without an unlock offline; the sign-in itself has succeeded. */
  async writeAccount(account: CachedAccount, check: () => void): Promise<void> {
    await this.engine?.writeAccount(account, check).catch(() => undefined);
  }

  async erase(accountId: string | undefined): Promise<void> {
    await this.engine?.erase(accountId);
  }

  /** @throws OutboxNotEmptyError */
  async assertNothingWaits(accountId: string | undefined): Promise<void> {
    const pending = (await this.engine?.pending(accountId)) ?? 0;
    if (pending > 0) throw new OutboxNotEmptyError(pending);
  }
}

/** Without an offline store, a reload forgets: the directory then reads each space anew. */
function memoryOfSession(): SpaceMemory {
  const texts = new Map<string, string>();
  return {
    list: () => Promise.resolve([...texts.keys()]),
    read: (spaceId) => Promise.resolve(texts.get(spaceId)),
    write: (spaceId, text) => {
      if (text === null) texts.delete(spaceId);
      else texts.set(spaceId, text);
      return Promise.resolve();
    },
  };
}
