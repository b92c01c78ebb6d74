import type { HealthRecordsClient } from '../client';
import { Store } from './store';

/** What was read. */
export interface Reading<T> {
  /** Absent before the first reading, and after a lock. The last data stay while they are read again. */
  data: T | undefined;
  /** Why the last reading failed. */
  error: unknown;
  isReading: boolean;
}

const NOTHING = { data: undefined, error: undefined };

export class RecordReading<T> extends Store<Reading<T>> {
  readonly #client: HealthRecordsClient;
  readonly #kinds: ReadonlySet<string>;
  readonly #read: (client: HealthRecordsClient) => Promise<T>;
  #newest = 0;

  constructor(
    client: HealthRecordsClient,
    kinds: readonly string[],
    read: (client: HealthRecordsClient) => Promise<T>,
  ) {
    super({ ...NOTHING, isReading: true });
    this.#client = client;
    this.#kinds = new Set(kinds);
    this.#read = read;
  }

  readonly #first = this.get();
  readonly onServer = (): Reading<T> => this.#first;

  protected start(): () => void {
    const client = this.#client;
    const ends = [
      client.on('records-changed', ({ kinds }) => {
        if (kinds.some((kind) => this.#kinds.has(kind))) this.#again();
      }),
      client.on('unlocked', () => this.#again()),
      client.on('locked', () => this.#forget()),
      client.on('session-ended', () => this.#forget()),
    ];
    if (client.state === 'unlocked') this.#again();
    else this.#forget();
    return () => {
      // A reading under way is of nobody's interest.
      this.#newest += 1;
      ends.forEach((end) => end());
    };
  }

  #again(): void {
    const turn = (this.#newest += 1);
    const done = (result: Partial<Reading<T>>) => {
      if (turn === this.#newest) this.set({ ...this.get(), error: undefined, ...result, isReading: false });
    };
    this.set({ ...this.get(), isReading: true });
    this.#read(this.#client).then(
      (data) => done({ data }),
      (error: unknown) => done({ error }),
    );
  }

  #forget(): void {
    this.#newest += 1;
    this.set({ ...NOTHING, isReading: false });
  }
}
