import { DeviceStorageError } from '../device-storage-error';
import { ApiError, LockedError } from '../errors';
import type { Events } from '../events';
import type { HttpAnswer, HttpRequest } from '../http/http-transport';
import type { LockRunner } from '../http/locks';
import type { Heads } from '../records/heads';
import { HttpRecordGateway } from '../records/http-record-gateway';
import { OpenedRecords } from '../records/opened-records';
import type { RecordGateway } from '../records/record-gateway';
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
  readonly records: RecordGateway;
  readonly sync: ClientSync;
  /** The kinds of records that can be merged and restored. Each collection adds its own. */
  readonly kinds = new Map<string, SyncedKind>();
  readonly engine: OfflineEngine | undefined;
  readonly opened: OpenedRecords | undefined;

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
    this.records = this.engine?.gateway ?? new HttpRecordGateway(baseUrl, send, changed);
    this.sync = this.engine?.sync ?? NO_SYNC;
  }

  lock(): void {
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
