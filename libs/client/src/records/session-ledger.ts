import { IntegrityError, LockedError, SessionEndedError, type RecordReference } from '../errors';

/** The data that a session keeps about a record it has seen. */
export interface Sighting {
  revision: number;
  /** Equal for equal content of one revision. */
  fingerprint: string;
  /** The parent of the record: the profile, or the medication of a dose. */
  parent: string;
  /** The time by which lists are filtered, in milliseconds. */
  atMs?: number;
}

interface Entry extends Sighting {
  kind: string;
  id: string;
  /** When the session saw this state; compared with the mark of a request. */
  tick: number;
}

/**
 * Remembers the answers of the service in this session, to detect contradictions: an older revision,
 * different content of the same revision, an incomplete list. The memory ends with the session, so it cannot
 * detect a rollback between two sessions.
 *
 * Requests overlap. An answer is compared only with the state known when its request was sent: see
 * {@link mark}.
 */
export class SessionLedger {
  readonly #entries = new Map<string, Entry>();
  #tick = 0;
  /** Operations with an earlier mark began before the last lock or session. */
  #firstMark = 0;
  #refusal: () => Error = () => new LockedError();

  /** Call it before a request is sent, and pass the result with the answer. */
  mark(): number {
    return this.#tick;
  }

  /** A new tick: requests that are under way have an earlier mark. */
  advance(): number {
    this.#tick += 1;
    return this.#tick;
  }

  /**
   * Stores the state that an answer shows.
   * @throws IntegrityError `stale_revision`; see {@link check}
   */
  observe(reference: RecordReference, sighting: Sighting, mark: number): void {
    this.check(mark);
    const key = keyOf(reference);
    const known = this.#entries.get(key);
    if (known && known.tick <= mark) {
      if (sighting.revision < known.revision) {
        throw new IntegrityError(
          'stale_revision',
          'The service returned an older version than before.',
          reference,
        );
      }
      if (sighting.revision === known.revision && sighting.fingerprint !== known.fingerprint) {
        throw new IntegrityError(
          'stale_revision',
          'The service returned one revision with two contents.',
          reference,
        );
      }
    }
    if (known && sighting.revision <= known.revision) return;
    this.#tick += 1;
    this.#entries.set(key, { ...reference, ...sighting, tick: this.#tick });
  }

  /** The parent of a record that this session has seen. */
  parentOf(reference: RecordReference): string | undefined {
    return this.#entries.get(keyOf(reference))?.parent;
  }

  /** Forgets a record that this client deletes; call `undo` when the service refuses. */
  forget(reference: RecordReference): { undo: () => void } {
    const key = keyOf(reference);
    const known = this.#entries.get(key);
    this.#entries.delete(key);
    return {
      undo: () => {
        if (known && !this.#entries.has(key)) this.#entries.set(key, known);
      },
    };
  }

  /** Forgets all records of a profile or medication that this client deleted. */
  forgetChildren(parent: string): void {
    for (const [key, entry] of [...this.#entries]) {
      if (entry.parent !== parent) continue;
      this.#entries.delete(key);
      this.forgetChildren(entry.id);
    }
  }

  /**
   * The records that a complete list lacks: known at its request, still known now, and not in the list.
   * @param matches whether the filter of the list includes such a record.
   */
  missing(
    kind: string,
    listed: ReadonlySet<string>,
    mark: number,
    matches: (sighting: Readonly<Sighting>) => boolean,
  ): (RecordReference & { revision: number })[] {
    this.check(mark);
    return [...this.#entries.values()]
      .filter((entry) => entry.kind === kind && entry.tick <= mark && !listed.has(entry.id) && matches(entry))
      .map(({ id, revision }) => ({ kind, id, revision }));
  }

  /** Refuses the answers to all operations under way: the client was locked. What was seen is kept. */
  interrupt(refusal: () => Error = () => new LockedError()): void {
    this.#tick += 1;
    this.#firstMark = this.#tick;
    this.#refusal = refusal;
  }

  /** Forgets what was seen, and refuses the answers to all operations under way: the session is another. */
  clear(): void {
    this.#entries.clear();
    this.interrupt(() => new SessionEndedError());
  }

  /** Forgets what was seen, because the service was restored. The session goes on, and so do operations under way. */
  forgetAll(): void {
    this.#entries.clear();
  }

  /** For an operation of several steps. @returns {@link check} with the mark of now. */
  hold(): () => void {
    const mark = this.mark();
    return () => this.check(mark);
  }

  /** @throws LockedError, SessionEndedError for an operation that began before a lock or in another session. */
  check(mark: number): void {
    if (mark < this.#firstMark) throw this.#refusal();
  }
}

function keyOf(reference: RecordReference): string {
  return `${reference.kind} ${reference.id}`;
}
