import { isJsonObject } from '../json';
import type { HttpAnswer } from '../http/http-transport';
import { codeOf, isInterrupted, isTemporary, messageOf, statusOf } from './failures';
import { hasSameContent, type LocalCopy, type RowValues } from './local-copy';
import type { OfflineHost } from './offline-host';
import {
  entryKey,
  lostKey,
  recordKey,
  unsealedKey,
  type CachedRecord,
  type OutboxEntry,
  type UnsealedWrite,
  type WireBody,
} from './offline-rows';
import { withWrite } from './overlay';

/** The most conflicts that one send of one entry settles. More can only come from a service that lies. */
const MAX_CONFLICTS = 5;

/**
 * Sends the outbox in order. An entry leaves it when the service has confirmed it. An entry that needs a
 * person stays, with all that depends on it, and the others are sent.
 * @returns how many entries were confirmed.
 * @throws all errors that are temporary, and those of a session that has ended or a client that is locked.
 */
export async function push(host: OfflineHost, copy: LocalCopy): Promise<number> {
  await markAsSent(copy);
  const waiting = new Set<string>();
  let confirmed = 0;
  for (const { number } of copy.outbox) {
    const entry = copy.entry(number);
    if (!entry) continue;
    if (entry.problem || subjectsOf(entry).some((id) => waiting.has(id))) {
      waiting.add(entry.id);
      continue;
    }
    try {
      await send(host, copy, entry);
      confirmed += 1;
    } catch (error) {
      if (isTemporary(error) || isInterrupted(error)) throw error;
      await note(copy, number, error);
      waiting.add(entry.id);
    }
  }
  return confirmed;
}

/** The records on which an entry depends: itself, its profile, its medication. */
function subjectsOf({ id, body, parent }: OutboxEntry): string[] {
  const profileId = body?.profile_id;
  return [id, ...(typeof profileId === 'string' ? [profileId] : []), ...Object.values(parent ?? {})];
}

/** From now on, a create may be on the service although no answer has arrived. */
function markAsSent(copy: LocalCopy): Promise<void> {
  return copy.change(() => {
    const rows: RowValues = {};
    for (const entry of copy.outbox) {
      if (!entry.wasSent && !entry.problem) rows[entryKey(entry.number)] = { ...entry, wasSent: true };
    }
    return { rows, result: undefined };
  });
}

function note(copy: LocalCopy, number: number, error: unknown): Promise<void> {
  return copy.change(() => {
    const entry = copy.entry(number);
    const problem = { code: codeOf(error), message: messageOf(error) };
    return { rows: entry ? { [entryKey(number)]: { ...entry, problem } } : {}, result: undefined };
  });
}

async function send(host: OfflineHost, copy: LocalCopy, first: OutboxEntry): Promise<void> {
  let entry = first.isRestored ? await reseal(host, copy, first) : first;
  for (let conflicts = 0; ; conflicts += 1) {
    let answer: HttpAnswer;
    try {
      answer = await request(host, entry);
    } catch (error) {
      const status = statusOf(error);
      if (status === 404 && entry.action === 'delete') return confirm(host, copy, entry, undefined);
      if (status === 404) throw await targetIsGone(host, copy, entry, error);
      const isTaken = codeOf(error) === 'id_taken' && entry.action === 'create';
      if ((status !== 412 && !isTaken) || conflicts === MAX_CONFLICTS) throw error;
      // A dose never changes, so the one with this id is the same.
      if (!entry.itemPath) return confirm(host, copy, entry, undefined);
      const next = await settle(host, copy, entry, entry.itemPath, isTaken ? error : undefined);
      if (!next) return;
      entry = next;
      continue;
    }
    const body = isJsonObject(answer.body) ? answer.body : undefined;
    // What this device has sealed is the truth, whatever the service answers.
    return confirm(host, copy, entry, body, body && { ...body, ...entry.body });
  }
}

/** The record was deleted, so a state of before would be taken for one that the service has brought back. */
async function reseal(host: OfflineHost, copy: LocalCopy, entry: OutboxEntry): Promise<OutboxEntry> {
  const body = await host.kindOf(entry.kind)?.reseal?.(withWrite(undefined, entry));
  const sealed = { ...entry, ...(body && { body: { ...entry.body, ...body } }) };
  delete sealed.isRestored;
  return replace(copy, sealed);
}

function request(host: OfflineHost, entry: OutboxEntry): Promise<HttpAnswer> {
  const { method, path, body, idempotencyKey, revision, epoch } = entry;
  return host.send({
    method,
    path,
    ...(body && { body }),
    ...(idempotencyKey && { idempotencyKey }),
    ...(revision === undefined ? {} : { ifMatch: epoch === undefined ? revision : `${revision}-${epoch}` }),
    replayable: true,
  });
}

/** Removes an entry, and stores the record that the service has returned, in one step. */
function confirm(
  host: OfflineHost,
  copy: LocalCopy,
  entry: OutboxEntry,
  body: WireBody | undefined,
  after = body,
): Promise<void> {
  return copy.change(() => {
    const key = recordKey(entry.kind, entry.id);
    const cached = copy.get<CachedRecord>(key);
    const rows: RowValues = { [entryKey(entry.number)]: null };
    if (entry.action !== 'create' && host.kindOf(entry.kind)?.note) {
      const { number, kind } = entry;
      const before = cached?.body ?? entry.base;
      const write: UnsealedWrite = { number, kind, ...(before && { before }), ...(after && { after }) };
      rows[unsealedKey(number)] = write;
    }
    const { state } = copy;
    const isNewer = Number(body?.revision ?? 1) >= Number(cached?.body.revision ?? 0);
    // The answer may come from after a restore, and a restore may have lowered the revision.
    if (body && (isNewer || entry.epoch !== state.epoch)) {
      const { kind, id } = entry;
      rows[key] = { kind, id, body, listing: state.listing } satisfies CachedRecord;
    }
    if (entry.action === 'delete') rows[key] = null;
    if (copy.get(lostKey(entry.kind, entry.id))) rows[lostKey(entry.kind, entry.id)] = null;
    return { rows, result: undefined };
  });
}

/**
 * The stored record has another version than the write expects.
 * @returns the entry to send next; `undefined` if the service already has what this device wanted.
 */
async function settle(
  host: OfflineHost,
  copy: LocalCopy,
  entry: OutboxEntry,
  path: string,
  taken: unknown,
): Promise<OutboxEntry | undefined> {
  let answer: HttpAnswer;
  try {
    answer = await host.send({ method: 'GET', path });
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    if (entry.action !== 'delete') throw await deletedElsewhere(copy, entry, error);
    await confirm(host, copy, entry, undefined);
    return undefined;
  }
  const theirs = isJsonObject(answer.body) ? answer.body : {};
  const epoch = epochOf(answer) ?? copy.state.epoch;
  const { base, body: mine } = entry;
  const seen = { base: theirs, revision: Number(theirs.revision), ...(epoch === undefined ? {} : { epoch }) };
  if (entry.action !== 'create' && hasSameContent(base, theirs)) {
    // Only the epoch differs, or somebody changed the record and changed it back.
    return replace(copy, { ...entry, ...seen });
  }
  if (entry.action === 'delete') {
    const message = 'The record was changed elsewhere after it was deleted here.';
    await keep(copy, { ...entry, ...seen }, theirs);
    throw Object.assign(new Error(message), { code: 'changed_elsewhere' });
  }
  const wanted: WireBody = { ...(base ?? theirs), ...mine };
  if (hasSameContent(wanted, theirs)) {
    await confirm(host, copy, entry, theirs);
    return undefined;
  }
  const kind = host.kindOf(entry.kind);
  if (!kind?.merge) throw taken ?? conflictOf(entry);
  const merged = await kind.merge({ base, mine: wanted, theirs, editedAt: entry.at });
  if (!merged) {
    await confirm(host, copy, entry, theirs);
    return undefined;
  }
  const { itemPath = path } = entry;
  const { updateMethod: method } = kind.routeOf(theirs);
  const update: OutboxEntry = { ...entry, action: 'update', method, path: itemPath, body: merged };
  delete update.idempotencyKey;
  return replace(copy, { ...update, ...seen });
}

function conflictOf({ kind }: OutboxEntry): Error {
  return Object.assign(new Error(`Nobody can merge two versions of a ${kind}.`), {
    code: 'revision_mismatch',
  });
}

/** Stores what will be sent now, so that a stop between two attempts changes nothing. */
function replace(copy: LocalCopy, entry: OutboxEntry): Promise<OutboxEntry> {
  return copy.change(() => ({ rows: { [entryKey(entry.number)]: entry }, result: entry }));
}

/** Puts the newest version of a record into the cache, and into the entry that would have deleted it. */
function keep(copy: LocalCopy, entry: OutboxEntry, theirs: WireBody): Promise<void> {
  return copy.change(() => {
    const { kind, id, number } = entry;
    const record: CachedRecord = { kind, id, body: theirs, listing: copy.state.listing };
    return { rows: { [recordKey(kind, id)]: record, [entryKey(number)]: entry }, result: undefined };
  });
}

/** The service no longer has the record, or the profile to which it was to move. */
async function targetIsGone(
  host: OfflineHost,
  copy: LocalCopy,
  entry: OutboxEntry,
  error: unknown,
): Promise<Error> {
  const { action, itemPath, body, base } = entry;
  if (action === 'update' && itemPath && base && body?.profile_id !== base.profile_id) {
    try {
      await host.send({ method: 'GET', path: itemPath });
      return elsewhere(error);
    } catch (cause) {
      if (statusOf(cause) !== 404) throw cause;
    }
  }
  return deletedElsewhere(copy, entry, error);
}

function elsewhere(error: unknown): Error {
  return Object.assign(new Error(messageOf(error)), { code: 'deleted_elsewhere' });
}

/** Keeps the last version of the record, in case the person wants it back. */
async function deletedElsewhere(copy: LocalCopy, entry: OutboxEntry, error: unknown): Promise<Error> {
  const { kind, id } = entry;
  if (entry.action === 'update') {
    await copy.change(() => {
      const cached = copy.get<CachedRecord>(recordKey(kind, id));
      const lost = cached && { [lostKey(kind, id)]: cached, [recordKey(kind, id)]: null };
      return { rows: lost ?? {}, result: undefined };
    });
  }
  return elsewhere(error);
}

/** The epoch of a record in its `ETag`; `undefined` in the first one. */
function epochOf({ headers }: HttpAnswer): string | undefined {
  return /^"\d+-([0-9a-f]+)"$/.exec(headers.get('ETag') ?? '')?.[1];
}
