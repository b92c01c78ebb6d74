import { ProtocolError } from '../errors';
import { waitFor } from './retry-policy';

/** Bounds of a {@link PacedLoop}. */
export interface PacedLoopOptions {
  /** How many requests one loop may make. */
  maxRounds?: number;
  /** How many of them in a row may bring nothing. */
  maxIdleRounds?: number;
  /** For tests. */
  wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Of 1,000 records each: far more than an account may hold. */
const MAX_ROUNDS = 10_000;
const MAX_IDLE_ROUNDS = 8;
const FIRST_PAUSE_MS = 200;

/**
 * A loop of requests whose end the service decides: the pages of a list or of the feed, listings that begin anew. While
 * each request brings something, the loop runs free. A request that brings nothing is followed by a pause that doubles, and
 * after some of them the loop ends: a service that lies or is broken must neither be asked for ever nor in haste.
 */
export class PacedLoop {
  readonly #maxRounds: number;
  readonly #maxIdleRounds: number;
  readonly #wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  #rounds = 0;
  #idleRounds = 0;

  constructor({
    maxRounds = MAX_ROUNDS,
    maxIdleRounds = MAX_IDLE_ROUNDS,
    wait = waitFor,
  }: PacedLoopOptions = {}) {
    this.#maxRounds = maxRounds;
    this.#maxIdleRounds = maxIdleRounds;
    this.#wait = wait;
  }

  /**
   * To be awaited before each further request.
   * @param hasProgressed whether the last one brought something new.
   * @throws ProtocolError when the loop must end; the reason of the signal when aborted.
   */
  async again(hasProgressed: boolean, signal?: AbortSignal): Promise<void> {
    this.#rounds += 1;
    this.#idleRounds = hasProgressed ? 0 : this.#idleRounds + 1;
    if (this.#rounds >= this.#maxRounds || this.#idleRounds > this.#maxIdleRounds) {
      throw new ProtocolError('The service answers without an end.');
    }
    if (!hasProgressed) await this.#wait(FIRST_PAUSE_MS * 2 ** (this.#idleRounds - 1), signal);
  }
}
