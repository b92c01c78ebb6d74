import { IntegrityError, type RecordReference } from '../errors';

/** What a session remembers of a record it has seen. */
export interface Sighting {
  revision: number;
  /** Equal for equal content of one revision. */
  fingerprint: string;
  /** What the record belongs to: the profile, or the medication of a dose. */
  parent: string;
  /** The time by which lists are filtered, in milliseconds. */
  atMs?: number;
}

interface Entry extends Sighting {
  kind: string;
  id: string;
  /** When it was seen in this state; compared with the mark of a request. */
  tick: number;
}

/**
 * Remembers what the service has shown in this session, so that a service which goes back on it is caught: an older
 * revision, another content of the same revision, a list that leaves something out. Nothing survives the session;
 * what was rolled back between two sessions cannot be noticed.
 *
 * Requests overlap. An answer is only held against what was known when its request was sent: see {@link mark}.
 */
export class SessionLedger {
  readonly #entries = new Map<string, Entry>();
  #tick = 0;

  /** To be taken before a request is sent, and given back with its answer. */
  mark(): number {
    return this.#tick;
  }

  /**
   * Notes what an answer shows.
   * @throws IntegrityError `stale_revision`
   */
  observe(reference: RecordReference, sighting: Sighting, mark: number): void {
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

  /** A record that this client deletes; `undo` when the service refuses. */
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

  /** Everything that belongs to a profile or medication which this client deleted. */
  forgetChildren(parent: string): void {
    for (const [key, entry] of [...this.#entries]) {
      if (entry.parent !== parent) continue;
      this.#entries.delete(key);
      this.forgetChildren(entry.id);
    }
  }

  /**
   * Records that a complete list should have held: known when it was asked for, still known now, and not in it.
   * @param matches whether the list, by its filter, would hold such a record.
   */
  missing(
    kind: string,
    listed: ReadonlySet<string>,
    mark: number,
    matches: (sighting: Readonly<Sighting>) => boolean,
  ): (RecordReference & { revision: number })[] {
    return [...this.#entries.values()]
      .filter((entry) => entry.kind === kind && entry.tick <= mark && !listed.has(entry.id) && matches(entry))
      .map(({ id, revision }) => ({ kind, id, revision }));
  }

  clear(): void {
    this.#entries.clear();
  }
}

function keyOf(reference: RecordReference): string {
  return `${reference.kind} ${reference.id}`;
}
