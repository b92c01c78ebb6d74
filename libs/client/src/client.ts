import { Account, type AccountSummary, type Registration } from './account/account';
import { InvalidArgumentError } from './errors';
import { KeyRing } from './account/key-ring';
import { Recovery } from './account/recovery';
import { SecurityEvents } from './account/security-events';
import { Sessions } from './account/sessions';
import { Events, type ClientEvents } from './events';
import { HttpTransport, type HttpTransportOptions } from './http/http-transport';
import { defaultLock, type LockRunner } from './http/locks';
import { MemorySessionStore, type SessionStore } from './http/session-store';
import { SessionTransport } from './http/session-transport';
import type { InteractionEngineFactory, InteractionResult } from './interactions/interaction-types';
import { Interactions } from './interactions/interactions';
import { Appointments } from './records/appointments';
import { HealthStats } from './records/health-stats';
import { Medications } from './records/medications';
import { ProfileKeys } from './records/profile-keys';
import { Profiles } from './records/profiles';
import type { CallOptions, LoginOptions } from './records/record-types';
import type { ServiceConnection } from './records/service-connection';
import { SessionLedger } from './records/session-ledger';
import { Transfer } from './transfer/transfer';
import { localDate } from './trends/local-date';

/** How to reach the service, and what of the platform to use. */
export interface HealthRecordsClientOptions extends HttpTransportOptions {
  /** Where tabs share their tokens; default in memory. In a browser: `new WebStorageSessionStore(localStorage, window)`. */
  sessionStore?: SessionStore;
  /** Default: Web Locks, or a lock of this process. */
  lock?: LockRunner;
  /** For checks on the device. */
  interactionEngine?: InteractionEngineFactory;
}

/** `signed-out`: no tokens. `locked`: tokens, no keys (after a reload, or `lock`). `unlocked`: both. */
export type ClientState = 'signed-out' | 'locked' | 'unlocked';

/**
 * The service for a page: plain objects in, plain objects out, encryption inside. Every method may raise TransportError,
 * ApiError and ProtocolError, the record methods SessionEndedError, LockedError and IntegrityError too.
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
  readonly #account: Account;
  readonly #recovery: Recovery;
  readonly #transport: SessionTransport;
  readonly #keys = new KeyRing();
  readonly #ledger = new SessionLedger();
  readonly #events = new Events();

  constructor(options: HealthRecordsClientOptions) {
    const http = new HttpTransport(options);
    const store = options.sessionStore ?? new MemorySessionStore();
    const transport = new SessionTransport(http, store, options.lock ?? defaultLock(), this.#events);
    const profileKeys = new ProfileKeys(this.#keys, (id) => this.profiles.get(id));
    const connection: ServiceConnection = {
      baseUrl: http.baseUrl,
      ledger: this.#ledger,
      send: (request) => transport.send(request),
      keyOf: (profileId) => profileKeys.keyOf(profileId),
    };
    this.#transport = transport;
    this.#account = new Account(http, transport, this.#keys);
    this.#recovery = new Recovery(http, this.#account);
    this.profiles = new Profiles(connection, this.#keys);
    this.medications = new Medications(connection);
    this.appointments = new Appointments(connection);
    this.healthStats = new HealthStats(connection);
    this.interactions = new Interactions(
      (request) => http.send(request),
      (request) => transport.send(request),
      options.interactionEngine,
    );
    this.transfer = new Transfer(this);
    this.sessions = new Sessions(connection);
    this.securityEvents = new SecurityEvents(connection);
    this.#events.on('session-ended', () => this.#startOver());
  }

  get state(): ClientState {
    if (this.#keys.isUnlocked) return 'unlocked';
    return this.#transport.isActive ? 'locked' : 'signed-out';
  }

  /** Email of the session; `null` when signed out. */
  get email(): string | null {
    return this.#transport.isActive ? this.#transport.current().email : null;
  }

  /** @returns ends the subscription. */
  on<K extends keyof ClientEvents>(type: K, listener: (event: ClientEvents[K]) => void): () => void {
    return this.#events.on(type, listener);
  }

  /** Takes up the session of an earlier page or of another tab, locked. @returns its email, `null` when there is none. */
  resume(): string | null {
    this.#startOver();
    return this.#transport.resume()?.email ?? null;
  }

  /**
   * Creates an account, with its first profile and recovery where given; afterwards the client is unlocked.
   * @throws InvalidArgumentError, RecoveryPhraseError, KdfRefusedError; ApiError `email_taken`
   */
  async register(registration: Registration, options: CallOptions = {}): Promise<void> {
    this.#startOver();
    await this.#account.register(registration, options);
    this.#unlocked();
  }

  /** @throws ApiError `invalid_credentials`; KdfRefusedError; IntegrityError when the service returns another key. */
  async login(email: string, password: string, options: LoginOptions = {}): Promise<void> {
    this.#startOver();
    await this.#account.login(email, password, options);
    this.#unlocked();
  }

  /** Opens the keys of a resumed or locked session. @throws WrongPasswordError, SessionEndedError, KdfRefusedError */
  async unlock(password: string, options: CallOptions = {}): Promise<void> {
    await this.#account.unlock(password, options);
    this.#unlocked();
  }

  /** Drops the keys; the session remains, and so does the memory of what the service has shown in it. */
  lock(): void {
    const wasUnlocked = this.#keys.isUnlocked;
    this.#keys.lock();
    if (wasUnlocked) this.#events.emit('locked', {});
  }

  /** Ends the session here and on the service; the credentials are cleared even when the service cannot be reached. */
  async logout(options: CallOptions = {}): Promise<void> {
    this.lock();
    await this.#transport.logout(options.signal);
  }

  /**
   * Signs every device out, this one too: every token of the account dies at once.
   * @throws SessionEndedError; when the service cannot be reached this session goes on.
   */
  async logoutEverywhere(options: CallOptions = {}): Promise<void> {
    await this.#transport.logoutEverywhere(options.signal);
  }

  /** The account as the service sees it. */
  account(options: CallOptions = {}): Promise<AccountSummary> {
    return this.#account.summary(options);
  }

  /** Every other session ends; the recovery phrase stays valid. @throws WrongPasswordError, InvalidArgumentError */
  changePassword(currentPassword: string, newPassword: string, options: CallOptions = {}): Promise<void> {
    return this.#account.changePassword(currentPassword, newPassword, options);
  }

  /** Every other session ends; password and phrase stay valid. @throws WrongPasswordError; ApiError `email_taken` */
  changeEmail(newEmail: string, currentPassword: string, options: CallOptions = {}): Promise<void> {
    return this.#account.changeEmail(newEmail, currentPassword, options);
  }

  /** Sets or replaces the recovery phrase. @throws WrongPasswordError, RecoveryPhraseError */
  setRecoveryPhrase(currentPassword: string, phrase: string, options: CallOptions = {}): Promise<void> {
    return this.#recovery.setPhrase(currentPassword, phrase, options);
  }

  /**
   * Sets a new password with the recovery phrase and logs in; every older session ends.
   * @throws RecoveryPhraseError for a mistyped phrase, RecoveryFailedError for one that does not open the account
   */
  async recover(
    email: string,
    phrase: string,
    newPassword: string,
    options: LoginOptions = {},
  ): Promise<void> {
    this.#startOver();
    await this.#recovery.recover(email, phrase, newPassword, options);
    this.#unlocked();
  }

  /** Whether a phrase is the one of an account, for a page that has it checked once in a while. @throws RecoveryPhraseError */
  verifyRecoveryPhrase(email: string, phrase: string, options: CallOptions = {}): Promise<boolean> {
    return this.#recovery.verifyPhrase(email, phrase, options);
  }

  /** Erases the account and all that it owns. @throws WrongPasswordError */
  deleteAccount(currentPassword: string, options: CallOptions = {}): Promise<void> {
    return this.#account.delete(currentPassword, options);
  }

  /**
   * Checks everything that a profile takes now (medications whose `endDate` has not passed), on the device, for its species.
   * @throws InvalidArgumentError for a pet whose `species` is neither `dog` nor `cat`: an unchecked list must not look checked.
   */
  async checkInteractionsOf(profileId: string, options: CallOptions = {}): Promise<InteractionResult[]> {
    const [profile, medications] = await Promise.all([
      this.profiles.get(profileId, options),
      this.medications.list({ profileId }, options),
    ]);
    const species = profile.kind === 'human' ? 'human' : profile.details.species;
    if (species !== 'human' && species !== 'dog' && species !== 'cat') {
      throw new InvalidArgumentError('Checks exist for humans, dogs and cats; give the profile its species.');
    }
    const today = localDate(new Date(), Intl.DateTimeFormat().resolvedOptions().timeZone);
    const current = medications.filter(({ details }) => !details.endDate || details.endDate >= today);
    return this.interactions.check(
      { medications: current.map(({ details }) => details.name), species },
      options,
    );
  }

  /** Drops the keys and stops listening to other tabs. */
  close(): void {
    this.lock();
    this.#transport.close();
  }

  #startOver(): void {
    this.lock();
    this.#ledger.clear();
  }

  #unlocked(): void {
    this.#events.emit('unlocked', { email: this.#transport.current().email });
  }
}
