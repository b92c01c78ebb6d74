import type { HealthRecordsClient } from '../client';
import type { ClientState } from '../client-options';
import { Store } from './store';

/** The session of a client. */
export interface Session {
  /** `false` until the session of an earlier page was looked for: show neither the login nor the records before. */
  isResumed: boolean;
  state: ClientState;
  email: string | null;
}

const starts = new WeakMap<HealthRecordsClient, SessionStart>();
const UNKNOWN: Session = { isResumed: false, state: 'signed-out', email: null };

/** Resumes the session of one client, once: a second `resume` would lock it. */
export class SessionStart extends Store<Session> {
  readonly #client: HealthRecordsClient;
  #hasBegun = false;
  #isResumed = false;

  private constructor(client: HealthRecordsClient) {
    super(UNKNOWN);
    this.#client = client;
  }

  static of(client: HealthRecordsClient): SessionStart {
    const known = starts.get(client) ?? new SessionStart(client);
    starts.set(client, known);
    return known;
  }

  static readonly onServer = (): Session => UNKNOWN;

  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const isUsed = this.#client.state !== 'signed-out';
    const resuming = isUsed ? Promise.resolve(null) : this.#client.resume();
    // A session that cannot be read is none: the person signs in.
    void resuming
      .catch(() => null)
      .then(() => {
        this.#isResumed = true;
        this.#look();
      });
  }

  protected start(): () => void {
    const ends = (['unlocked', 'locked', 'session-ended'] as const).map((type) =>
      this.#client.on(type, () => this.#look()),
    );
    this.#look();
    return () => ends.forEach((end) => end());
  }

  #look(): void {
    const { state, email } = this.#client;
    const known = this.get();
    if (known.isResumed === this.#isResumed && known.state === state && known.email === email) return;
    this.set({ isResumed: this.#isResumed, state, email });
  }
}
