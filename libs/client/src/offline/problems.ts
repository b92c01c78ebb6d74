import { newId } from '../ids';
import { ACCESS_ENDED } from './failures';
import type { LocalCopy, RowValues } from './local-copy';
import type { OfflineHost, Resolution, SyncProblem } from './offline-host';
import { deleteRequest, itemPath } from '../records/record-gateway';
import {
  asideKey,
  type EntryProblem,
  inSpace,
  entryKey,
  lostKey,
  missingKey,
  recordKey,
  sendable,
  STATE_KEY,
  textOf,
  unsealedKey,
  type AsideRecord,
  type CachedRecord,
  type MissingRecord,
  type OutboxEntry,
  type UnsealedWrite,
  type WireBody,
} from './offline-rows';

const MISSING = 'missing_after_reset';

/** Everything that waits for a person: entries of the outbox, lost records, and what cannot be believed. */
export function problemsOf(copy: LocalCopy): SyncProblem[] {
  const refused = copy.outbox.flatMap(({ number, kind, id, problem }): SyncProblem[] =>
    problem
      ? [{ id: entryKey(number), kind, recordId: id, ...problem, resolutions: resolutionsOfEntry(problem) }]
      : [],
  );
  const message = 'The service no longer has this record. This device still has it.';
  const missing = copy.missing.map(({ kind, id }): SyncProblem => {
    const resolutions = ['keep', 'discard'] as const;
    return { id: missingKey(kind, id), kind, recordId: id, code: MISSING, message, resolutions };
  });
  const doubted = copy.told.map((aside): SyncProblem => {
    const { kind, id, code, message: reason } = aside;
    const resolutions = resolutionsOf(copy, aside);
    return { id: asideKey(kind, id), kind, recordId: id, code, message: reason, resolutions };
  });
  const prefix = copy.space ? inSpace(copy.space.spaceId) : '';
  return [...refused, ...missing, ...doubted].map((each) => ({ ...each, id: prefix + each.id }));
}

/** Where this account may not write, nothing is sent again, and nothing is sent elsewhere. */
function resolutionsOfEntry({ code }: EntryProblem): Resolution[] {
  return [ACCESS_ENDED, 'space_role_too_low'].includes(code) ? ['discard'] : ['retry', 'keep', 'discard'];
}

function resolutionsOf(copy: LocalCopy, { kind, id, code, body, revision }: AsideRecord): Resolution[] {
  const isHere = copy.get(recordKey(kind, id)) !== undefined;
  if (code === 'deletion_unproven' || (code === 'withheld' && isHere)) return ['retry', 'keep', 'discard'];
  if (code === 'withheld') return ['retry', 'discard'];
  if (kind === 'dose') return isHere ? ['retry', 'keep'] : ['retry', 'keep', 'discard'];
  if (body) return ['retry', 'keep', 'discard'];
  const keep: Resolution[] = isHere && revision !== undefined ? ['keep'] : [];
  // In a space an owner may end a change of keys without it.
  return ['retry', ...keep, ...(copy.space ? (['discard'] as const) : [])];
}

/** What nothing opens: it stays as it is on the service. */
function isUnreadable({ space }: LocalCopy, { kind, code, body }: AsideRecord): boolean {
  const isOfDeletion = ['deletion_unproven', 'withheld', 'profile_unknown'].includes(code);
  return space !== undefined && kind !== 'dose' && !body && !isOfDeletion;
}

/** Settles a problem as the person decided. A problem that is already settled stays as it is. */
export function resolveProblem(
  host: OfflineHost,
  copy: LocalCopy,
  named: string,
  resolution: Resolution,
): Promise<void> {
  const prefix = copy.space ? inSpace(copy.space.spaceId) : '';
  if (!named.startsWith(prefix)) return Promise.resolve();
  const problemId = named.slice(prefix.length);
  return copy.change(() => {
    const changes = new Changes(host, copy);
    const entry = copy.outbox.find(({ number, problem }) => problem && entryKey(number) === problemId);
    if (entry && resolutionsOfEntry(entry.problem!).includes(resolution))
      settleEntry(changes, entry, resolution);
    const missing = copy.missing.find(({ kind, id }) => missingKey(kind, id) === problemId);
    if (missing) changes.settleMissing(missing, resolution);
    const aside = copy.asides.find(({ kind, id }) => asideKey(kind, id) === problemId);
    if (aside && resolutionsOf(copy, aside).includes(resolution)) changes.settleAside(aside, resolution);
    return { rows: changes.rows, result: undefined };
  });
}

function settleEntry(changes: Changes, entry: OutboxEntry, resolution: Resolution): void {
  if (resolution === 'discard' || (resolution === 'keep' && entry.action === 'delete')) {
    changes.discard(entry);
  } else if (resolution === 'keep') changes.keep(entry);
  else changes.retry(entry);
}

/** Collects the rows of one decision. */
class Changes {
  readonly rows: RowValues = {};
  readonly #host: OfflineHost;
  readonly #copy: LocalCopy;
  #nextNumber: number;

  constructor(host: OfflineHost, copy: LocalCopy) {
    this.#host = host;
    this.#copy = copy;
    this.#nextNumber = copy.nextNumber;
  }

  settleMissing({ kind, id }: MissingRecord, resolution: Resolution): void {
    const record = this.#copy.get<CachedRecord>(recordKey(kind, id));
    if (resolution !== 'discard' && record) this.restore(record);
    else Object.assign(this.rows, { [recordKey(kind, id)]: null, [missingKey(kind, id)]: null });
  }

  /** `keep` makes what this device has the newest state, `discard` what the service shows. */
  settleAside(aside: AsideRecord, resolution: Resolution): void {
    if (resolution === 'retry') return;
    const { kind, id, code, body: theirs } = aside;
    const mine = this.#copy.get<CachedRecord>(recordKey(kind, id));
    this.rows[asideKey(kind, id)] = null;
    if (resolution === 'discard' && isUnreadable(this.#copy, aside)) {
      this.rows[asideKey(kind, id)] = { ...aside, isLeft: true } satisfies AsideRecord;
    } else if (code === 'deletion_unproven') {
      if (resolution === 'keep' && mine) this.restore(mine);
      else this.#acceptDeletion(kind, id, mine);
      for (const below of this.#copy.asides) if (below.above === id) this.settleAside(below, resolution);
    } else if (kind === 'dose') this.#settleDose(aside, mine, resolution);
    else if (resolution === 'discard' && !theirs) this.#acceptDeletion(kind, id, mine);
    else if (resolution === 'keep' && !mine && theirs) this.#append(aside, theirs, 'delete');
    else {
      const wanted = resolution === 'keep' ? mine?.body : theirs;
      if (wanted) this.#append(aside, wanted, 'update');
    }
  }

  /**
   * A dose never changes, so it is made anew with a proof, and what the service shows is deleted. `keep`: what is shown is
   * true, and of one that was deleted, that it was. `discard`: it is not.
   */
  #settleDose(
    { kind, id, code, body: theirs }: AsideRecord,
    mine: CachedRecord | undefined,
    resolution: Resolution,
  ) {
    const shown = mine?.body ?? theirs;
    if (!shown) return;
    const isGone = code === 'rolled_back' && !mine;
    const route = this.#host.kindOf(kind)?.routeOf(shown);
    if (!route) return;
    this.rows[recordKey(kind, id)] = null;
    const number = this.#number();
    const { parent } = route;
    const entry = {
      number,
      action: 'delete',
      kind,
      id,
      ...deleteRequest(route, id),
      at: new Date().toISOString(),
    };
    this.rows[entryKey(number)] = { ...entry, ...(parent && { parent }) };
    if ((resolution === 'keep') === isGone) return;
    const { taken, loggedAt, medication_id } = shown;
    const again = newId();
    this.restore({ kind, id: again, body: { id: again, taken, loggedAt, medication_id }, listing: 0 });
  }

  /** From now on the head of the profile says it, for every device. */
  #acceptDeletion(kind: string, id: string, last: CachedRecord | undefined): void {
    const profileId = last ? textOf(last.body, 'profile_id') : this.#profileListing(kind, id);
    this.rows[recordKey(kind, id)] = null;
    if (profileId === undefined) return;
    const number = this.#number();
    const write: UnsealedWrite = {
      number,
      kind,
      ...(last && { before: last.body }),
      gone: { profileId, id },
    };
    if (this.#host.kindOf(kind)?.note) this.rows[unsealedKey(number)] = write;
  }

  #profileListing(kind: string, id: string): string | undefined {
    const lists = (profileId: string) =>
      this.#host.listed(profileId).some((each) => each.id === id && each.kind === kind);
    return this.#copy.records('profile').find((profile) => lists(profile.id))?.id;
  }

  /** A write over what the service shows, sealed above every state that is known. */
  #append(
    { kind, id, body: theirs, revision }: AsideRecord,
    body: WireBody,
    action: 'update' | 'delete',
  ): void {
    const route = this.#host.kindOf(kind)?.routeOf(body);
    if (!route) return;
    const { epoch } = this.#copy.state;
    const number = this.#number();
    const path = itemPath(route, id);
    this.rows[entryKey(number)] = {
      number,
      action,
      kind,
      id,
      ...(action === 'update' ? { method: route.updateMethod, path, body } : deleteRequest(route, id)),
      itemPath: path,
      ...(theirs && { base: theirs }),
      revision: revision ?? Number(body.revision),
      ...(epoch === undefined ? {} : { epoch }),
      ...(action === 'update' && { isRestored: true }),
      at: new Date().toISOString(),
    } satisfies OutboxEntry;
    // What waits was made from our state: it is sent after the answer, and merged with it.
    for (const entry of this.#copy.outbox) {
      if (entry.id !== id || entry.kind !== kind) continue;
      const after = { ...entry, number: this.#number() };
      Object.assign(this.rows, { [entryKey(entry.number)]: null, [entryKey(after.number)]: after });
    }
  }

  #number(): number {
    const number = this.#nextNumber;
    this.#nextNumber += 1;
    this.rows[STATE_KEY] = { ...this.#copy.state, nextNumber: this.#nextNumber };
    return number;
  }

  retry(entry: OutboxEntry): void {
    const again = { ...entry };
    delete again.problem;
    this.rows[entryKey(entry.number)] = again;
  }

  /** Drops a write, and the writes that depend on it. */
  discard(entry: OutboxEntry): void {
    this.rows[entryKey(entry.number)] = null;
    const isGone = entry.action === 'create' || entry.problem?.code === 'deleted_elsewhere';
    if (!isGone) return;
    // Only the profile to which the record was to move is gone. What is below the record stays.
    const isThere = this.#copy.get(recordKey(entry.kind, entry.id)) !== undefined;
    for (const each of this.#copy.outbox) {
      const isBelow = each.body?.profile_id === entry.id || each.parent?.medication_id === entry.id;
      if (each.id === entry.id || (isBelow && !isThere)) this.rows[entryKey(each.number)] = null;
    }
    this.rows[lostKey(entry.kind, entry.id)] = null;
  }

  /** Creates the record again with the write applied, after its deleted profile or medication. */
  keep(entry: OutboxEntry): void {
    const { kind, id } = entry;
    const ofRecord = this.#copy.outbox.filter((each) => each.kind === kind && each.id === id);
    for (const each of ofRecord) this.rows[entryKey(each.number)] = null;
    const last = this.#copy.get<CachedRecord>(lostKey(kind, id));
    let body = { ...(last?.body ?? entry.base) };
    for (const each of ofRecord) body = { ...body, ...each.body, ...each.parent };
    this.restore({ kind, id, body, listing: 0 });
  }

  /** A create from the last version that this device knows. */
  restore({ kind, id, body }: CachedRecord): void {
    this.#restoreAbove('profile', body.profile_id, kind === 'profile' ? id : undefined);
    this.#restoreAbove('medication', body.medication_id, undefined);
    const route = this.#host.kindOf(kind)?.routeOf(body);
    if (!route) return;
    const number = this.#number();
    const content = Object.entries(sendable(body)).filter(([name]) => !(name in (route.parent ?? {})));
    const entry: OutboxEntry = {
      number,
      action: 'create',
      kind,
      id,
      method: 'POST',
      path: route.path,
      ...(route.parent ? { parent: route.parent } : { itemPath: `${route.path}/${id}` }),
      body: Object.fromEntries(content),
      idempotencyKey: newId(),
      isRestored: true,
      at: new Date().toISOString(),
    };
    this.rows[entryKey(number)] = entry;
    for (const key of [recordKey(kind, id), missingKey(kind, id), lostKey(kind, id)]) this.rows[key] = null;
    this.#moveBelow(id);
  }

  /** The writes for the children of a record are sent after it. */
  #moveBelow(id: string): void {
    for (const entry of this.#copy.outbox) {
      const isBelow = entry.body?.profile_id === id || entry.parent?.medication_id === id;
      if (!isBelow || entry.id === id || entryKey(entry.number) in this.rows) continue;
      this.rows[entryKey(entry.number)] = null;
      const moved = { ...entry, number: this.#number() };
      if (moved.problem?.code === 'deleted_elsewhere') delete moved.problem;
      this.rows[entryKey(moved.number)] = moved;
      this.#moveBelow(entry.id);
    }
  }

  #restoreAbove(kind: string, id: unknown, own: string | undefined): void {
    if (typeof id !== 'string' || id === own) return;
    const isMissing = this.#copy.get(missingKey(kind, id)) !== undefined;
    const above = this.#copy.get<CachedRecord>((isMissing ? recordKey : lostKey)(kind, id));
    const isRestored = Object.values(this.rows).some((row) => (row as OutboxEntry | null)?.id === id);
    if (above && !isRestored) this.restore(above);
  }
}
