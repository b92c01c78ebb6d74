import type { RecordDoubt } from '../records/record-types';
import {
  asideKey,
  isUnproven,
  recordKey,
  type AsideRecord,
  type CachedRecord,
  type OutboxEntry,
  type WireBody,
} from './offline-rows';
import type { LocalCopy } from './local-copy';

/** A record as it will be once the outbox is sent. */
export interface Shown {
  body: WireBody;
  isPending: boolean;
  doubt?: RecordDoubt;
  /** A dose that no device has proved. */
  isUnproven?: true;
}

/** The records of the cache with the writes of the outbox applied. Valid until the copy changes. */
export class Overlay {
  readonly #copy: LocalCopy;
  readonly #entries = new Map<string, OutboxEntry[]>();
  readonly #deleted = new Set<string>();

  constructor(copy: LocalCopy) {
    this.#copy = copy;
    for (const entry of copy.outbox) {
      const key = recordKey(entry.kind, entry.id);
      this.#entries.set(key, [...(this.#entries.get(key) ?? []), entry]);
      // A delete that needs a person has not happened: the record stays in sight.
      if (entry.action === 'delete' && !entry.problem) this.#deleted.add(entry.id);
      else if (entry.action === 'create') this.#deleted.delete(entry.id);
    }
  }

  /** `undefined` for a record that does not exist or is deleted here. */
  show(kind: string, id: string): Shown | undefined {
    const shown = this.#show(kind, id);
    const aside = this.#copy.get<AsideRecord>(asideKey(kind, id));
    if (!aside) return shown;
    const { body, code, since } = aside;
    const doubt = { code, since };
    if (shown) return { ...shown, doubt };
    if (!body || !isUnproven(aside) || this.#deleted.has(id) || this.#isBelowDeleted(body)) return undefined;
    return { body, isPending: false, doubt, isUnproven: true };
  }

  #show(kind: string, id: string): Shown | undefined {
    const key = recordKey(kind, id);
    const cached = this.#copy.get<CachedRecord>(key);
    const entries = this.#entries.get(key);
    if (!entries)
      return cached && !this.#isBelowDeleted(cached.body)
        ? { body: cached.body, isPending: false }
        : undefined;
    if (this.#deleted.has(id)) return undefined;
    let body = cached?.body;
    for (const [at, entry] of entries.entries()) {
      if (entry.action === 'delete') continue;
      if (at === 0 && entry.action === 'update') body = entry.base ?? body;
      body = withWrite(body, entry);
    }
    return body && !this.#isBelowDeleted(body) ? { body, isPending: true } : undefined;
  }

  /** All records of a kind, in no order. @param medicationId of doses: leaves out those of others */
  list(kind: string, medicationId?: string): Shown[] {
    const cached = medicationId === undefined ? this.#copy.records(kind) : this.#copy.dosesOf(medicationId);
    const special = new Set<string>();
    for (const [entry] of this.#entries.values()) if (entry.kind === kind) special.add(entry.id);
    for (const aside of this.#copy.asides) if (aside.kind === kind) special.add(aside.id);
    // A look at each of thousands of doses takes longer than all else.
    const isPlain = ({ id }: CachedRecord) => this.#deleted.size === 0 && !special.has(id);
    const plain = cached.filter(isPlain).map(({ body }): Shown => ({ body, isPending: false }));
    for (const record of cached) if (!isPlain(record)) special.add(record.id);
    return [...plain, ...[...special].flatMap((id) => this.show(kind, id) ?? [])];
  }

  #isBelowDeleted(body: WireBody): boolean {
    if (this.#deleted.size === 0) return false;
    const { profile_id: profileId, medication_id: medicationId } = body;
    if (typeof profileId === 'string' && this.#deleted.has(profileId)) return true;
    if (typeof medicationId !== 'string') return false;
    if (this.#deleted.has(medicationId)) return true;
    const medication = this.#copy.get<CachedRecord>(recordKey('medication', medicationId));
    return medication !== undefined && this.#isBelowDeleted(medication.body);
  }
}

/** The record after a write. Its revision is the one that the service will give it, if nobody else writes. */
export function withWrite(before: WireBody | undefined, { action, body, parent, at }: OutboxEntry): WireBody {
  if (action === 'create') return { ...body, ...parent, created_at: at, updated_at: at, revision: 1 };
  const after = { ...before, ...body, updated_at: at, revision: Number(before?.revision ?? 0) + 1 };
  // Who wrote the state before says nothing of this one.
  delete (after as WireBody).author_id;
  return after;
}
