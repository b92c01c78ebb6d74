import { InvalidArgumentError, SessionEndedError } from './errors';
import { Account, type AccountSummary } from './account/account';
import { checkRegistration, type Registration } from './account/registration';
import {
  CLIENT_OPTIONS,
  type ClientState,
  kdfIterationsOf,
  type HealthRecordsClientOptions,
  type ProfileCheckOptions,
} from './client-options';
import { type AccountUsage, fetchUsage } from './account/usage';
import { IdleLock } from './account/idle-lock';
import type { KeyReplacement } from './account/key-rotation';
import { KeyRing } from './account/key-ring';
import { pseudonymOf } from './crypto/account-key';
import { Recovery } from './account/recovery';
import { AccountRecordKeys } from './account/account-record-keys';
import { SecretChanges } from './account/secret-changes';
import { SecurityEvents } from './account/security-events';
import { Sessions } from './account/sessions';
import { platformChannel, Tabs } from './account/tabs';
import type { TrustBooks } from './account/trust-book';
import { Events, type ClientEvents, type LockReason } from './events';
import { checkServiceRequest, type ServiceAnswer, type ServiceRequest } from './http/service-request';
import { HttpTransport, type HttpRequest } from './http/http-transport';
import { defaultLock } from './http/locks';
import { MemorySessionStore, type SessionStore } from './http/session-store';
import { SessionTransport } from './http/session-transport';
import type { InteractionResult } from './interactions/interaction-types';
import { checkCabinet } from './interactions/check-cabinet';
import { Interactions } from './interactions/interactions';
import { KnowledgeTrust } from './interactions/knowledge-trust';
import { Appointments } from './records/appointments';
import { checkOptions } from './records/encrypted-collection';
import { Heads } from './records/heads';
import { HealthStats } from './records/health-stats';
import { ClientOffline } from './offline/client-offline';
import type { OfflineHost } from './offline/offline-host';
import type { ClientSync } from './offline/offline-store';
import { Medications } from './records/medications';
import type { Passkeys, SecondSteps } from './passkeys/passkey-types';
import { ProfileKeys } from './records/profile-keys';
import { Places } from './records/places';
import { Profiles } from './records/profiles';
import {
  RecordCollection,
  type AccountCollection,
  type AccountKind,
  type AnyCollection,
  type AnyKind,
  type ProfileKind,
} from './records/record-kind';
import type {
  CallOptions,
  EraseOptions,
  LeaveOptions,
  LoginOptions,
  ProofOptions,
} from './records/record-types';
import type { ServiceConnection } from './records/service-connection';
import { SessionLedger } from './records/session-ledger';
import type { SpacesPart } from './spaces/space-parts';
import type { Spaces } from './spaces/space-types';
import { Transfer } from './transfer/transfer';
import { requireKnownMembers } from './inputs';

/**
 * The client of the service for a page. It takes and returns plain objects and encrypts inside. Every method
 * may throw TransportError, ApiError and ProtocolError. The record methods may also throw SessionEndedError,
 * LockedError and IntegrityError.
 */
export class HealthRecordsClient {
  readonly profiles: Profiles;
  readonly medications: Medications;
  readonly appointments: Appointments;
  readonly healthStats: HealthStats;
  readonly interactions: Interactions;
  readonly transfer: Transfer;
  readonly sessions: Sessions;
  readonly securityEvents: SecurityEvents;
  /** `undefined` without the option `passkeys`. */
  readonly passkeys: Passkeys | undefined;
  /** Likewise. */
  readonly secondStep: SecondSteps | undefined;
  /** Profiles that several accounts share. `undefined` without the option `spaces`. */
  get spaces(): Spaces | undefined {
    return this.#spaces?.spaces;
  }

  /** Without an offline store, nothing waits and nothing happens. */
  readonly sync: ClientSync;
  readonly #account: Account;
  readonly #recovery: Recovery;
  readonly #secrets: SecretChanges;
  readonly #transport: SessionTransport;
  readonly #keys = new KeyRing();
  readonly #accountKeys = new AccountRecordKeys(this.#keys, () => this.#trustBooks());
  readonly #ledger = new SessionLedger();
  readonly #events = new Events();
  readonly #collections = new Map<object, AnyCollection>();
  readonly #tabs: Tabs | undefined;
  readonly #idle: IdleLock | undefined;
  readonly #heads: Heads;
  readonly #offline: ClientOffline;
  readonly #spaces: SpacesPart | undefined;
  readonly #baseUrl: string;
  #resuming: Promise<string | null> | undefined;
  #books: Promise<TrustBooks> | undefined;

  constructor(options: HealthRecordsClientOptions) {
    requireKnownMembers(options, CLIENT_OPTIONS, 'The options of the client');
    const http = new HttpTransport(options);
    const store: SessionStore = options.sessionStore ?? new MemorySessionStore();
    const lock = options.lock ?? defaultLock();
    const transport = new SessionTransport(http, store, lock, this.#events);
    const profileKeys = new ProfileKeys(this.#keys, (id) => this.profiles.get(id));
    const send = (request: HttpRequest) => transport.send(request);
    const directory = () => this.#spaces?.directory;
    const forgetKey = (profileId: string) => this.#keys.forgetProfile(profileId);
    const places = new Places({
      directory,
      send,
      forgetKey,
      epochOf: (profileId) => this.#keys.profileKey(profileId)?.epoch,
    });
    this.#heads = new Heads(this.#ledger, options.headStore, (profileId) => places.realmOf(profileId));
    const sendPublic = (request: HttpRequest) => http.send(request);
    const parts = {
      baseUrl: http.baseUrl,
      lock,
      ledger: this.#ledger,
      heads: this.#heads,
      events: this.#events,
      send,
      sendPublic,
      accountKeyId: () => this.#keys.accountKey.id,
      withFormerKeys: async (...[rows, run]: Parameters<OfflineHost['withFormerKeys']>) =>
        (await this.#trustBooks()).withFormerKeys(this.#keys, rows, run),
      hasFormerAccountKeys: () => this.#accountKeys.hasFormer(),
      dropFormerAccountKeys: () => this.#accountKeys.dropFormer(),
      directory,
      places,
      forgetKey,
    };
    this.#offline = new ClientOffline(options.offline, parts);
    this.sync = this.#offline.sync;
    const connection: ServiceConnection = {
      baseUrl: http.baseUrl,
      ledger: this.#ledger,
      records: this.#offline.records,
      places,
      spaceOfMedication: (id, callOptions) => this.#offline.records.spaceOfMedication(id, callOptions),
      opened: this.#offline.opened,
      kinds: this.#offline.kinds,
      send,
      gone: (records) => this.#events.emit('records-gone', { records }),
      heads: this.#heads,
      publishHead: (ownerId, options) =>
        ownerId === transport.accountId
          ? this.#heads.rememberNoted((each) => connection.ownerKeyOf(each))
          : this.profiles.publishHead(ownerId, options),
      learnHead: async (ownerId) => {
        if (ownerId !== transport.accountId) await this.profiles.get(ownerId);
      },
      learnHeads: async (options) => void (await this.profiles.list(options)),
      keyOf: (profileId) => profileKeys.keyOf(profileId),
      accountId: () => {
        const { accountId } = transport;
        if (accountId === undefined) throw new SessionEndedError();
        return accountId;
      },
      ownerKeyOf: async (ownerId) => {
        if (ownerId !== transport.accountId) return profileKeys.keyOf(ownerId);
        const key = await this.#accountKeys.newest();
        // Nothing lists the records of an account but what this device has kept.
        await this.#heads.learn(ownerId, key, {});
        return key;
      },
      withOwnerKey: async (ownerId, open) => {
        const key = await connection.ownerKeyOf(ownerId);
        return ownerId === transport.accountId ? this.#accountKeys.open(open) : open(key);
      },
      openKeyOf: (profileId) => this.#keys.profileKey(profileId),
    };
    this.#transport = transport;
    this.#baseUrl = http.baseUrl;
    this.#account = new Account(http, transport, this.#keys, kdfIterationsOf(options), this.#offline);
    this.#recovery = new Recovery(http, this.#account);
    this.#secrets = new SecretChanges(http, transport, this.#account, this.#offline);
    this.passkeys = options.passkeys?.({
      http,
      transport,
      keys: this.#keys,
      account: this.#account,
      engine: this.#offline.engine,
      trustBooks: () => this.#trustBooks(),
      signIn: (answer, callOptions) => this.acceptSignIn(answer, callOptions),
      unlocked: () => this.#unlocked(),
    });
    this.secondStep = this.passkeys?.secondStep;
    this.profiles = new Profiles(connection, this.#keys);
    this.#spaces = options.spaces?.({
      transport,
      keys: this.#keys,
      account: this.#account,
      connection,
      profiles: this.profiles,
      trustBooks: () => this.#trustBooks(),
      memory: this.#offline.memory,
      sync: async () => void (await this.sync.now()),
      syncSoon: () => this.#offline.engine?.syncSoon(),
      resealing: (profileId) => this.#resealing(profileId),
    });
    this.medications = new Medications(connection, this.#offline.engine);
    this.appointments = new Appointments(connection);
    this.healthStats = new HealthStats(connection);
    this.interactions = new Interactions(
      sendPublic,
      send,
      options.interactionEngine,
      options.knowledgeTrust && new KnowledgeTrust(options.knowledgeTrust),
      this.#offline.engine,
    );
    for (const kind of options.kinds ?? []) {
      this.#collections.set(kind, new RecordCollection(connection, kind));
    }
    const census = async () => {
      const { engine } = this.#offline;
      if (engine) return () => engine.unknownRecords();
      const before = await this.#storedRecords(places);
      // What another device adds or deletes meanwhile is not left out.
      return async (seen: number) => Math.max(0, Math.min(before, await this.#storedRecords(places)) - seen);
    };
    const collections = [...this.#collections.values()];
    this.transfer = new Transfer(this, () => this.#ledger.hold(), census, collections);
    this.sessions = new Sessions(connection, this.#account);
    this.securityEvents = new SecurityEvents(connection);
    this.#events.on('session-ended', () => this.#startOver());
    const openChannel = options.channel ?? (store.isShared ? platformChannel() : undefined);
    this.#tabs =
      openChannel &&
      new Tabs(openChannel, `health-records/tabs ${http.baseUrl} ${store.name}`, {
        lock: () => this.#lockHere('another_tab'),
        noteActivity: () => this.#idle?.noteActivity(true),
        accountKey: () => {
          this.#idle?.check();
          return this.#keys.isUnlocked ? this.#keys.accountKey : undefined;
        },
        sessionId: () => transport.sessionId,
      });
    this.#idle =
      options.idleLock &&
      new IdleLock(
        options.idleLock,
        () => this.#lockHere('idle'),
        () => this.#tabs?.noteActivity(),
      );
  }

  get state(): ClientState {
    if (this.#keys.isUnlocked) return 'unlocked';
    return this.#transport.sessionId ? 'locked' : 'signed-out';
  }

  /** Email of the session; `null` when signed out. */
  get email(): string | null {
    return this.#transport.email ?? null;
  }

  /** The records of a kind that `kinds` names. @throws InvalidArgumentError for another kind. */
  collection<Details extends object, Meta extends object>(
    kind: AccountKind<Details, Meta>,
  ): AccountCollection<Details, Meta>;
  collection<Details extends object, Meta extends object>(
    kind: ProfileKind<Details, Meta>,
  ): RecordCollection<Details, Meta>;
  collection(kind: AnyKind): AnyCollection {
    const found = this.#collections.get(kind);
    if (!found) throw new InvalidArgumentError(`Name the kind "${kind.kind}" in \`kinds\` of the client.`);
    return found;
  }

  /**
   * Sends a request of your own with the session: refreshed, repeated where that is safe, with typed errors.
   * @throws InvalidArgumentError for a path outside of `/api/`; SessionEndedError
   * Security: the body is sent as it is. Encrypt with a collection, or with `encryptRecord`.
   */
  async request(request: ServiceRequest): Promise<ServiceAnswer> {
    const { status, headers, body } = await this.#transport.send(checkServiceRequest(request));
    return { status, headers, body };
  }

  /** @returns a function that ends the subscription. */
  on<K extends keyof ClientEvents>(type: K, listener: (event: ClientEvents[K]) => void): () => void {
    return this.#events.on(type, listener);
  }

  /**
   * Continues the session of an earlier page or of another tab. The client is then locked. Concurrent calls share
   * one result.
   * @returns the email of the session, or `null` when there is no session of this service.
   */
  resume(): Promise<string | null> {
    this.#resuming ??= this.#resume().finally(() => (this.#resuming = undefined));
    return this.#resuming;
  }

  async #resume(): Promise<string | null> {
    this.#startOver();
    return (await this.#transport.resume())?.email ?? null;
  }

  /**
   * Creates an account, with a first profile and a recovery phrase if they are given. The client is then
   * unlocked.
   * @throws InvalidArgumentError, RecoveryPhraseError, KdfRefusedError; ApiError `email_taken`
   */
  async register(registration: Registration, options: CallOptions = {}): Promise<void> {
    checkOptions(options);
    checkRegistration(registration);
    this.#startOver();
    await this.#account.register(registration, options);
    this.#unlocked();
  }

  /**
   * @throws WrongPasswordError for a wrong email or password: the service does not tell which; KdfRefusedError;
   * IntegrityError for a wrong key.
   */
  async login(email: string, password: string, options: LoginOptions = {}): Promise<void> {
    checkOptions(options);
    this.#startOver();
    const opened = await this.#account.login(email, password, options);
    this.#unlocked();
    this.#secrets.raise(password, opened);
  }

  /**
   * Starts a session with the answer of a sign-in of your own: a route that a module of the service adds with
   * `TokenIssuer`. The client is then locked: `unlock` takes the vault password, as often as it is mistyped.
   * @param answer the body as the service sent it. Its tokens are ended where this fails.
   * @returns the email of the account.
   * @throws ProtocolError; IntegrityError `account_mismatch`; LockedError where another login came between.
   */
  async acceptSignIn(answer: ServiceAnswer['body'], options: CallOptions = {}): Promise<string> {
    checkOptions(options);
    this.#startOver();
    return this.#account.acceptSignIn(answer, options);
  }

  /**
   * Opens the keys of a resumed or locked session. With an offline store, it needs no network on a device that
   * has been signed in before.
   * @throws WrongPasswordError, SessionEndedError, KdfRefusedError
   */
  async unlock(password: string, options: CallOptions = {}): Promise<void> {
    await this.#account.unlock(password, options);
    this.#unlocked();
  }

  /**
   * Takes the keys of another tab of this session that is unlocked, after a `resume`. They come as `CryptoKey`s
   * that no script can read, and are never stored.
   * @returns whether this client is unlocked now.
   * @throws SessionEndedError; LockedError after a lock in the meantime.
   */
  async unlockFromOtherTab(): Promise<boolean> {
    if (this.#keys.isUnlocked) return true;
    const [attempt, assertOurs] = [this.#keys.attempt(), this.#transport.hold()];
    const key = await this.#tabs?.ask();
    assertOurs();
    if (!key) return false;
    attempt.unlock(key, true);
    this.#unlocked();
    return true;
  }

  /** Tells the idle lock that the person is active. In a browser it hears that by itself. */
  noteActivity(): void {
    this.#idle?.noteActivity();
  }

  /**
   * Drops the keys, here and in the other tabs of this session. The session remains, and so does its memory of
   * the answers of the service.
   */
  lock(): void {
    this.#lockHere('called');
    this.#tabs?.lock();
  }

  /**
   * Ends the session on this device and on the service. Drops the keys and clears the credentials before it
   * waits for anything, also when the service is unreachable. Removes the offline store of the account.
   * @throws OutboxNotEmptyError; nothing has changed then. DeviceStorageError where the store could not be emptied.
   */
  async logout({ force = false, ...options }: LeaveOptions = {}): Promise<void> {
    const { accountId } = this.#transport;
    if (!force && this.#offline.engine) await this.#offline.assertNothingWaits(accountId);
    this.#lockHere('called');
    const steps = await Promise.allSettled([
      this.#offline.erase(accountId),
      this.#transport.logout(options.signal),
    ]);
    for (const step of steps) if (step.status === 'rejected') throw step.reason;
  }

  /**
   * Signs out every device, including this one. Every token of the account becomes invalid at once. Removes the
   * offline store of the account from this device.
   * @throws OutboxNotEmptyError, SessionEndedError; TransportError when the service is unreachable: then this
   * session continues.
   */
  async logoutEverywhere({ force = false, ...options }: LeaveOptions = {}): Promise<void> {
    await this.#leave(force, () => this.#transport.logoutEverywhere(options.signal));
  }

  /**
   * A UUID for a text, the same on every device of the account. The service learns nothing of the text by it.
   * @throws LockedError
   */
  async pseudonym(text: string): Promise<string> {
    return pseudonymOf(this.#keys.accountKey, text);
  }

  /** The account as the service sees it. */
  account(options: CallOptions = {}): Promise<AccountSummary> {
    return this.#account.summary(options);
  }

  /**
   * Confirms the email of an account by the code of a link, which its mailbox has got. It needs no session.
   * @throws ApiError `verification_invalid`; `not_found` where the service sends no mail
   */
  async confirmEmail(token: string, options: CallOptions = {}): Promise<void> {
    checkOptions(options);
    await this.#account.confirmEmail(token, options);
  }

  /**
   * Frees an email by the code of a link, for whoever reads its mailbox and has not opened the account. It needs no session.
   * @throws ApiError `verification_invalid`; `not_found` where the service sends no mail
   */
  async releaseEmail(token: string, options: CallOptions = {}): Promise<void> {
    checkOptions(options);
    await this.#account.releaseEmail(token, options);
  }

  /**
   * Asks for a mail with another link. None is sent within 15 minutes of the last one, and none to a confirmed email.
   * @throws SessionEndedError; ApiError `not_found` where the service sends no mail
   */
  async requestEmailConfirmation(options: CallOptions = {}): Promise<void> {
    checkOptions(options);
    await this.#account.requestEmailConfirmation(options);
  }

  /** How much the account stores, and may store. @throws SessionEndedError, TransportError */
  usage(options: CallOptions = {}): Promise<AccountUsage> {
    return fetchUsage((request) => this.#transport.send(request), options);
  }

  /**
   * Ends every other session; the recovery phrase stays valid.
   * @throws WrongPasswordError, WeakSecretError, InvalidArgumentError
   */
  changePassword(currentPassword: string, newPassword: string, options: CallOptions = {}): Promise<void> {
    return this.#secrets.changePassword(currentPassword, newPassword, options);
  }

  /**
   * Ends every other session; password and phrase stay valid.
   * @throws WrongPasswordError; ApiError `email_taken`
   */
  changeEmail(newEmail: string, currentPassword: string, options: CallOptions = {}): Promise<void> {
    return this.#secrets.changeEmail(newEmail, currentPassword, options);
  }

  /**
   * Replaces all keys after a theft: another account key and another key for each profile, a new password and new words.
   * Ends every other session. The records are then sealed anew by `sync`; `SyncStatus.resealing` counts what is left, and
   * any device goes on after a stop. It needs an offline store.
   * @throws WrongPasswordError, WeakSecretError, RecoveryPhraseError, InvalidArgumentError without an offline store;
   * IntegrityError for a profile that does not open; ApiError `keys_changed`: nothing has changed then.
   */
  async rotateKeys(replacement: KeyReplacement, options: CallOptions = {}): Promise<void> {
    checkOptions(options);
    const { engine, kinds } = this.#offline;
    if (!engine) throw new InvalidArgumentError('A replacement of all keys needs an offline store.');
    // What this device knows of the newest states is what it seals.
    await this.sync.now();
    const all = await this.profiles.list(options);
    const stored = all.filter(({ pending, space }) => !pending && !space);
    const [{ replaceKeys }, trustBooks] = await Promise.all([
      import('./account/key-rotation.js'),
      this.#trustBooks(),
    ]);
    const parts = {
      baseUrl: this.#baseUrl,
      sessions: this.#transport,
      account: this.#account,
      cache: this.#offline,
      keys: this.#keys,
      heads: this.#heads,
      profiles: kinds.get('profile')!,
      profileIds: stored.map(({ id }) => id),
    };
    await replaceKeys({ ...parts, trustBooks }, replacement, options);
    this.#accountKeys.forget();
    this.#spaces?.lock();
    this.#offline.opened?.clear();
    // The other tabs of this session have keys that open nothing any more.
    this.#tabs?.lock();
    this.#unlocked();
  }

  /** Sets or replaces the recovery phrase. @throws WrongPasswordError, RecoveryPhraseError */
  setRecoveryPhrase(currentPassword: string, phrase: string, options: CallOptions = {}): Promise<void> {
    return this.#recovery.setPhrase(currentPassword, phrase, options);
  }

  /**
   * Sets a new password with the recovery phrase and logs in; every older session ends.
   * @throws RecoveryPhraseError for a mistyped phrase, RecoveryFailedError for one that opens nothing
   */
  async recover(
    email: string,
    phrase: string,
    newPassword: string,
    options: LoginOptions = {},
  ): Promise<void> {
    checkOptions(options);
    this.#startOver();
    const opened = await this.#recovery.recover(email, phrase, newPassword, options);
    this.#unlocked();
    this.#secrets.raise(newPassword, opened);
  }

  /**
   * Whether a phrase opens an account: the service accepts its proof, and it opens the wrap that the service
   * holds. A page can use it for an occasional check of the phrase.
   * @throws RecoveryPhraseError; IntegrityError `tampered` for a right phrase whose wrap is damaged or withheld,
   * `key_mismatch` when the wrap holds another key than the open session of this account.
   */
  verifyRecoveryPhrase(email: string, phrase: string, options: ProofOptions = {}): Promise<boolean> {
    return this.#recovery.verifyPhrase(email, phrase, options);
  }

  /**
   * Erases the account and all its data, also from this device. It leaves the profiles that others share with it.
   * @throws WrongPasswordError, OutboxNotEmptyError; SpaceError or ApiError `sole_owner` where others would be left without
   * an owner; nothing has changed then.
   */
  async deleteAccount(
    currentPassword: string,
    { force = false, soleSpaces, ...options }: EraseOptions = {},
  ): Promise<void> {
    await this.#leave(force, async () => {
      // The others of each shared profile get a list of members that this account has signed.
      if (this.#keys.isUnlocked)
        await this.#spaces?.leaveAll(currentPassword, soleSpaces === 'delete', options);
      await this.#account.delete(currentPassword, options, soleSpaces);
    });
  }

  /**
   * Checks all current medications of a profile (those whose `endDate` has not passed) on the device, for its
   * species and, if given, for the person.
   * @throws InvalidArgumentError for a profile whose kind nobody has sealed, or a pet whose `species` is neither
   * `dog` nor `cat`: an unchecked list must not look checked.
   */
  checkInteractionsOf(profileId: string, options: ProfileCheckOptions = {}): Promise<InteractionResult[]> {
    return checkCabinet(this, profileId, options);
  }

  /** Drops the keys and stops listening to other tabs. */
  close(): void {
    this.#lockHere('called');
    this.#idle?.close();
    this.#tabs?.close();
    this.#transport.close();
  }

  /** Of the account and of its spaces. */
  async #storedRecords(places: Places): Promise<number> {
    const spaces = await places.readable({}, false);
    const usages = spaces.map(({ spaceId }) => fetchUsage((request) => places.sendIn(spaceId, request), {}));
    const all = await Promise.all([this.usage(), ...usages]);
    return all.reduce((sum, { records }) => sum + records, 0);
  }

  #resealing(profileId: string): number | undefined {
    const key = this.#keys.profileKey(profileId);
    return key?.older && this.#offline.engine?.sealedBefore(profileId, key.epoch);
  }

  /** Ends the account's use of this device, once nothing is lost with it. */
  async #leave(force: boolean, end: () => Promise<void>): Promise<void> {
    const { accountId } = this.#transport;
    if (!force) await this.#offline.assertNothingWaits(accountId);
    await end();
    await this.#offline.erase(accountId);
  }

  #trustBooks(): Promise<TrustBooks> {
    this.#books ??= import('./account/trust-book.js').then(
      ({ TrustBooks }) => new TrustBooks(this.#transport, this.#offline),
    );
    return this.#books;
  }

  #lockHere(reason: LockReason): void {
    const wasUnlocked = this.#keys.isUnlocked;
    this.#keys.lock();
    this.#accountKeys.forget();
    this.#idle?.stop();
    this.#ledger.interrupt();
    this.#offline.lock();
    this.#spaces?.lock();
    if (wasUnlocked) this.#events.emit('locked', { reason });
  }

  #startOver(): void {
    this.#lockHere('called');
    this.#keys.forget();
    this.#ledger.clear();
    this.#heads.clear();
  }

  #unlocked(): void {
    this.#idle?.start();
    const email = this.#transport.email!;
    this.#offline.engine?.open(this.#transport.accountId!);
    this.#events.emit('unlocked', { email });
  }
}
