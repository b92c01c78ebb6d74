import { codeOf, isInterrupted, isTemporary, messageOf, pauseAskedBy } from './failures';
import { Exchanges, type ExchangeListener } from './exchange';
import type { LocalCopy } from './local-copy';
import type { OfflineHost, Resolution, SyncStatus } from './offline-host';
import { recordKey, STATE_KEY } from './offline-rows';
import { problemsOf, resolveProblem } from './problems';
import type { SpaceCopies } from './space-copies';

/** The network events of a browser. Node has none. */
interface NetworkEvents {
  addEventListener?(type: 'online', listener: () => void): void;
  removeEventListener?(type: 'online', listener: () => void): void;
}
const platform = globalThis as unknown as NetworkEvents;

/** Between two syncs when nothing happens, in milliseconds. */
const INTERVAL_MS = 60_000;
/** The time of the last complete sync is stored so often, for the next start. */
const STORED_MS = 60_000;
/** What is written so soon after the news were read is sent without another question for them. It follows then. */
const NEWS_PAUSE_MS = 5_000;
/** After the first failure; it doubles up to the interval. */
const FIRST_PAUSE_MS = 1_000;

/** Keeps the copies on this device and the service equal. */
export class Sync {
  readonly #host: OfflineHost;
  readonly #opened: () => Promise<unknown>;
  /** Of the account. */
  #copy: LocalCopy | undefined;
  #spaces: SpaceCopies | undefined;
  readonly #exchanges = new Exchanges();
  #state: SyncStatus['state'] = 'idle';
  #running: Promise<void> | undefined;
  #isAskedAgain = false;
  /** Whether the next round reads what is new, and does not only send. */
  #wantsNews = true;
  /** When the news were read last, in milliseconds since 1970. */
  #newsAt = 0;
  #isAutomatic = true;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastFailure: unknown;
  /** Of this tab, since it was opened. */
  #lastSuccess: string | undefined;
  /** What the storage of this device refused since the last sync began. */
  #refused: unknown;
  #resealing = 0;
  readonly #wake = () => this.#soon(0);

  /** @param opened waits until the copy of the account is open. */
  constructor(host: OfflineHost, opened: () => Promise<unknown>) {
    this.#host = host;
    this.#opened = opened;
  }

  get status(): SyncStatus {
    const copy = this.#copy;
    return {
      state: this.#state,
      pending: this.#copies.reduce((sum, { outbox }) => sum + outbox.length, 0),
      ...(this.#resealing > 0 && { resealing: this.#resealing }),
      lastSuccess: this.#lastSuccess ?? copy?.state.lastSuccess ?? null,
      problems: this.#copies.flatMap(problemsOf),
      failure:
        this.#lastFailure === undefined
          ? null
          : { code: codeOf(this.#lastFailure), message: messageOf(this.#lastFailure) },
    };
  }

  /**
   * Syncs now. Without a network the state is then `offline`, and there is no error.
   * @returns the status afterwards.
   */
  async now(): Promise<SyncStatus> {
    this.#wantsNews = true;
    return this.#begin();
  }

  async #begin(): Promise<SyncStatus> {
    if (this.#running) this.#isAskedAgain = true;
    else this.#running = this.#runAll().finally(() => (this.#running = undefined));
    await this.#running;
    return this.status;
  }

  /** Syncs after each write, each minute, and when the network returns. This is the state after an unlock. */
  start(): void {
    this.#isAutomatic = true;
    this.#soon(0);
  }

  /** Syncs only when `now` is called. */
  stop(): void {
    this.#isAutomatic = false;
    clearTimeout(this.#timer);
  }

  /** Settles a problem: see {@link Resolution}. */
  async resolve(problemId: string, resolution: Resolution): Promise<void> {
    if (!this.#copy) throw this.#host.locked();
    for (const copy of this.#copies) await resolveProblem(this.#host, copy, problemId, resolution);
    this.#soon(0);
  }

  /** Begins with the copies of an account. */
  open(copy: LocalCopy, spaces: SpaceCopies): void {
    this.#copy = copy;
    this.#spaces = spaces;
    this.#failures = this.#newsAt = 0;
    platform.addEventListener?.('online', this.#wake);
    this.#soon(0);
  }

  /** Ends without a wait. A sync that is under way stops at its next step. */
  close(): void {
    this.#copy = this.#spaces = undefined;
    clearTimeout(this.#timer);
    platform.removeEventListener?.('online', this.#wake);
    this.#state = 'idle';
    this.#lastFailure = this.#lastSuccess = undefined;
  }

  /** The storage of this device has refused a step. A sync that is under way says it at its end. */
  refused(error: unknown): void {
    this.#refused = error;
    if (this.#running) return;
    this.#lastFailure = error;
    this.#show('failed');
  }

  /** There is something to send. */
  wrote(): void {
    this.#soon(0, 'send');
  }

  /** The copy has changed, perhaps by another tab. */
  changed(): void {
    this.#host.statusChanged(this.status);
  }

  /** Resolves when the cache has been filled once. @throws the failure that prevents it. */
  async complete(copy: LocalCopy): Promise<void> {
    if (copy.state.isComplete || !this.#isRead(copy)) return;
    await this.now();
    if (!copy.state.isComplete) throw this.#lastFailure ?? this.#host.locked();
  }

  /** A space without access, or one that is not as it must be, is read no more. */
  #isRead({ space }: LocalCopy): boolean {
    const place = space && this.#spaces?.placeOf(space.spaceId);
    return !space || (place?.state === 'member' && place.blocked === null);
  }

  get #copies(): LocalCopy[] {
    return [...(this.#copy ? [this.#copy] : []), ...(this.#spaces?.copies ?? [])];
  }

  async #runAll(): Promise<void> {
    await this.#opened().catch((error: unknown) => {
      if (isInterrupted(error)) return;
      this.#lastFailure = error;
      this.#show(isTemporary(error) ? 'offline' : 'failed');
    });
    do {
      this.#isAskedAgain = false;
      await this.#runOnce();
    } while (this.#isAskedAgain && this.#copy);
  }

  async #runOnce(): Promise<void> {
    const copy = this.#copy;
    if (!copy) return;
    const readsNews = this.#wantsNews || !this.#hasFreshNews;
    this.#wantsNews = false;
    try {
      this.#show('syncing');
      this.#refused = undefined;
      await this.#host.lock(`health-records/sync ${this.#host.baseUrl}`, () =>
        this.#exchange(copy, readsNews),
      );
      if (this.#refused !== undefined) throw this.#refused;
      this.#failures = 0;
      this.#lastFailure = undefined;
      this.#show('idle');
      this.#soon(readsNews ? INTERVAL_MS : this.#newsAt + NEWS_PAUSE_MS - Date.now());
    } catch (error) {
      this.#lastFailure = error;
      if (this.#copy !== copy) return;
      this.#show(isTemporary(error) ? 'offline' : 'failed');
      if (isInterrupted(error)) return;
      this.#failures += 1;
      const pause = Math.min(INTERVAL_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1));
      this.#soon(Math.max(pauseAskedBy(error), pause * (0.5 + Math.random() / 2)));
      if (!isTemporary(error)) throw error;
    }
  }

  get #hasFreshNews(): boolean {
    const age = Date.now() - this.#newsAt;
    return age >= 0 && age < NEWS_PAUSE_MS;
  }

  async #exchange(copy: LocalCopy, readsNews: boolean): Promise<void> {
    const spaces = this.#spaces!;
    const host = this.#whileOpen(copy);
    // Before deletions are taken in: what the account does not have any more may be in a space.
    if (readsNews) await spaces.refresh();
    await this.#exchanges.ofAccount(host, copy, this.#listenerOf(copy, spaces), readsNews);
    await this.#exchangeSpaces(host, spaces);
    if (!readsNews) return;
    this.#newsAt = Date.now();
    const lastSuccess = new Date().toISOString();
    this.#lastSuccess = lastSuccess;
    const isStored = Date.parse(copy.state.lastSuccess ?? '') > Date.now() - STORED_MS;
    // After a failure a write shows whether the storage of this device works again.
    if (isStored && this.#lastFailure === undefined) return;
    await copy.change(() => ({ rows: { [STATE_KEY]: { ...copy.state, lastSuccess } }, result: undefined }));
  }

  /** What is wrong in one space keeps no other from its sync. */
  async #exchangeSpaces(host: OfflineHost, spaces: SpaceCopies): Promise<void> {
    let failure: unknown;
    for (const each of spaces.all) {
      try {
        await this.#exchanges.ofSpace(host, spaces, each, this.#listenerOf(each.copy, spaces));
      } catch (error) {
        if (isTemporary(error) || isInterrupted(error)) throw error;
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
  }

  #listenerOf(copy: LocalCopy, spaces: SpaceCopies): ExchangeListener {
    // What the account does not have any more may be in a space since a moment ago.
    const look = async () => {
      if (!copy.space) await spaces.refreshAnyway();
    };
    return {
      onReset: async () => {
        this.#show('reset');
        await look();
      },
      onProgress: (left) => this.#progress(left),
      arrived: async (changes) => {
        const isGone = changes.some(
          ({ kind, id, body }) => kind === 'profile' && !body && copy.get(recordKey(kind, id)) !== undefined,
        );
        if (isGone) await look();
      },
    };
  }

  /** Sends nothing after a lock. */
  #whileOpen(copy: LocalCopy): OfflineHost {
    const check = () => {
      if (this.#copy !== copy) throw this.#host.locked();
    };
    return {
      ...this.#host,
      send: (request) => {
        check();
        return this.#host.send(request);
      },
      sendIn: (spaceId, request) => {
        check();
        return this.#host.sendIn(spaceId, request);
      },
    };
  }

  #progress(left: number): void {
    if (this.#resealing === left) return;
    this.#resealing = left;
    this.changed();
  }

  #show(state: SyncStatus['state']): void {
    if (this.#state === state) return;
    this.#state = state;
    this.changed();
  }

  /** @param what `send`: what is new need not be read, where it was just now. */
  #soon(ms: number, what: 'all' | 'send' = 'all'): void {
    if (!this.#isAutomatic || !this.#copy) return;
    clearTimeout(this.#timer);
    const run = () => (what === 'all' ? this.now() : this.#begin());
    this.#timer = setTimeout(() => void run().catch(() => undefined), ms);
    // A process of Node may end although the next sync is due.
    (this.#timer as { unref?: () => void }).unref?.();
  }
}
