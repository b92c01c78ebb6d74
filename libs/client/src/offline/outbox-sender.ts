import { isMadeFrom } from '../crypto/lineage';
import { isJsonObject } from '../json';
import type { HttpAnswer } from '../http/http-transport';
import { askForDose } from './ask-again';
import { confirmedBy, confirmsDelete, notConfirmed } from './confirmation';
import { codeOf, isDoubt, isTemporary, messageOf, statusOf, stopsAll } from './failures';
import type { Gate } from './gate';
import { noteWrite } from './head-publisher';
import { hasSameContent, type LocalCopy, type RowValues } from './local-copy';
import type { OfflineHost } from './offline-host';
import {
  entryKey,
  asideKey,
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
 * @returns how many entries were confirmed of which the feed may say more. A dose is what the answer shows, and the next pull
 * brings it.
 * @throws all errors that are temporary, and those of a session that has ended or a client that is locked.
 */
export async function push(host: OfflineHost, copy: LocalCopy, gate: Gate): Promise<number> {
  await markAsSent(copy);
  const waiting = new Set<string>();
  let confirmed = 0;
  let unclear: unknown;
  for (const { number } of copy.outbox) {
    const entry = copy.entry(number);
    if (!entry) continue;
    if (entry.problem || subjectsOf(entry).some((id) => waiting.has(id))) {
      waiting.add(entry.id);
      continue;
    }
    try {
      await send({ host, copy, gate }, entry);
      if (entry.action !== 'create' || host.kindOf(entry.kind)?.merge) confirmed += 1;
    } catch (error) {
      const isUnclear = codeOf(error) === 'not_confirmed';
      if (!isUnclear && stopsAll(error)) throw error;
      if (isUnclear) unclear = error;
      // What the service shows of the record is kept aside: the person is told there.
      else if (!isDoubt(error)) await note(copy, number, error);
      waiting.add(entry.id);
    }
  }
  if (unclear !== undefined) throw unclear;
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
  }, true);
}

function note(copy: LocalCopy, number: number, error: unknown): Promise<void> {
  return copy.change(() => {
    const entry = copy.entry(number);
    const problem = { code: codeOf(error), message: messageOf(error) };
    return { rows: entry ? { [entryKey(number)]: { ...entry, problem } } : {}, result: undefined };
  });
}

interface Sender {
  host: OfflineHost;
  copy: LocalCopy;
  gate: Gate;
}

async function send(sender: Sender, first: OutboxEntry): Promise<void> {
  const { host, copy } = sender;
  let entry = first.isRestored ? await reseal(host, copy, first) : first;
  if (entry.itemPath && (await isBehind(sender, entry))) {
    const next = await settle(sender, entry, entry.itemPath, undefined);
    if (!next) return;
    entry = next;
  }
  for (let conflicts = 0; ; conflicts += 1) {
    let answer: HttpAnswer;
    try {
      answer = await request(host, entry);
    } catch (error) {
      const status = statusOf(error);
      // Not our service, or not its word: the write waits.
      if (isTemporary(error)) throw error;
      if (status === 404 && entry.action === 'delete') return confirm(sender, entry, undefined);
      if (status === 404) throw await targetIsGone(host, copy, entry, error);
      const isTaken = codeOf(error) === 'id_taken' && entry.action === 'create';
      if ((status !== 412 && !isTaken) || conflicts === MAX_CONFLICTS) throw error;
      if (!entry.itemPath) return settleDose(sender, entry, error);
      const next = await settle(sender, entry, entry.itemPath, isTaken ? error : undefined);
      if (!next) return;
      entry = next;
      continue;
    }
    if (entry.action === 'delete') {
      if (!confirmsDelete(answer)) throw notConfirmed();
      return confirm(sender, entry, undefined);
    }
    const stored = confirmedBy(answer, entry);
    if (stored) return confirm(sender, entry, stored);
    // Another device has changed the record since the answer to the first attempt was lost.
    if (
      entry.action === 'create' &&
      entry.itemPath &&
      answer.headers.get('Idempotency-Replayed') === 'true'
    ) {
      if (!(await settle(sender, entry, entry.itemPath, undefined))) return;
    }
    throw notConfirmed();
  }
}

/**
 * Whether a write was made without a state that this device knows of, from its copy or from the sealed head. The revision
 * does not tell: the service may have shown an older state under that of the newest.
 */
async function isBehind({ host, copy }: Sender, entry: OutboxEntry): Promise<boolean> {
  const { kind, id, action, base, isRestored } = entry;
  const known = copy.get<CachedRecord>(recordKey(kind, id));
  const synced = host.kindOf(kind);
  // Over what the person has decided upon, nobody is asked again.
  if (isRestored !== undefined || !known?.seal?.state || !synced?.lineageOf) return false;
  if (action !== 'update') return action === 'delete' && !!base && !hasSameContent(base, known.body);
  const own = await synced.lineageOf(withWrite(base ?? known.body, entry));
  // The answer to an earlier attempt was lost.
  if (!own || own.state === known.seal.state) return false;
  return isMadeFrom(own, known.seal) === false || synced.isOlder?.({ ...known.seal, id }) === true;
}

/** A dose never changes: the one with this id is ours, if it says the same. */
async function settleDose(sender: Sender, entry: OutboxEntry, taken: unknown): Promise<void> {
  const shown = await askForDose(sender.host, entry.path, entry.id);
  const answer = { status: 200, headers: new Headers(), body: shown ?? undefined, afterLostAttempt: false };
  const stored = confirmedBy(answer, entry);
  if (!stored) throw taken;
  return confirm(sender, entry, stored);
}

/** A state of before would be taken for one that the service has brought back, or for one of another branch. */
async function reseal(host: OfflineHost, copy: LocalCopy, entry: OutboxEntry): Promise<OutboxEntry> {
  const ours = copy.get<CachedRecord>(recordKey(entry.kind, entry.id))?.body;
  const replaced = [entry.base, ours].filter((each) => each !== undefined);
  const body = await host.kindOf(entry.kind)?.reseal?.(withWrite(undefined, entry), replaced);
  const rest = entry.action === 'create' ? entry.body : {};
  return replace(copy, { ...entry, ...(body && { body: { ...rest, ...body } }), isRestored: false });
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

/** Removes an entry, and stores the record that the service has confirmed, in one step. */
async function confirm(
  { host, copy, gate }: Sender,
  entry: OutboxEntry,
  body: WireBody | undefined,
): Promise<void> {
  const { kind, id, number } = entry;
  const key = recordKey(kind, id);
  const seal = body && (await gate.sealOf(kind, body));
  const write = (): UnsealedWrite => {
    // The profile of a dose follows from its medication.
    const before =
      copy.get<CachedRecord>(key)?.body ?? entry.base ?? (entry.parent && { ...entry.parent, id });
    return { number, kind, ...(before && { before }), ...(body && { after: body }) };
  };
  const synced = host.kindOf(kind);
  // A dose that was logged: mostly no head must say more. A deletion is noted once, with its head.
  const isProved = body !== undefined && synced?.provedBy !== undefined;
  const isSealed = !synced?.note || (isProved && (await noteWrite(host, write())).length === 0);
  // In a space, the service says who has written it.
  const isAsWritten = !copy.space && (isProved || body === undefined);
  await copy.change(() => {
    const cached = copy.get<CachedRecord>(key);
    const rows: RowValues = { [entryKey(number)]: null };
    if (!isSealed) rows[unsealedKey(number)] = write();
    const { listing } = copy.state;
    if (body && seal && (seal.generation >= (cached?.seal?.generation ?? 0) || !cached)) {
      rows[key] = { kind, id, body, listing, seal } satisfies CachedRecord;
    }
    if (entry.action === 'delete') rows[key] = null;
    for (const note of [lostKey(kind, id), asideKey(kind, id)]) if (copy.get(note)) rows[note] = null;
    return { rows, result: undefined };
  }, isAsWritten);
}

/**
 * The stored record has another version than the write expects.
 * @returns the entry to send next; `undefined` if the service already has what this device wanted.
 */
async function settle(
  sender: Sender,
  entry: OutboxEntry,
  path: string,
  taken: unknown,
): Promise<OutboxEntry | undefined> {
  const { host, copy, gate } = sender;
  const { kind, id } = entry;
  let answer: HttpAnswer;
  try {
    answer = await host.send({ method: 'GET', path });
  } catch (error) {
    if (statusOf(error) !== 404 || isTemporary(error)) throw error;
    if (entry.action !== 'delete') throw await deletedElsewhere(copy, entry, error);
    await confirm(sender, entry, undefined);
    return undefined;
  }
  if (!isJsonObject(answer.body)) throw notConfirmed();
  // Only a state that the gate lets in is compared, merged and sealed.
  const { body: theirs } = await gate.admit({ kind, id, body: answer.body });
  const epoch = epochOf(answer) ?? copy.state.epoch;
  const { base, body: mine } = entry;
  const seen = { base: theirs, revision: Number(theirs.revision), ...(epoch === undefined ? {} : { epoch }) };
  if (entry.action !== 'create' && hasSameContent(base, theirs)) {
    // Only the epoch differs, or somebody changed the record and changed it back.
    return replace(copy, { ...entry, ...seen });
  }
  if (entry.action === 'delete') {
    const message = 'The record was changed elsewhere after it was deleted here.';
    await replace(copy, { ...entry, ...seen });
    throw Object.assign(new Error(message), { code: 'changed_elsewhere' });
  }
  const wanted: WireBody = { ...(base ?? theirs), ...mine };
  if (hasSameContent(wanted, theirs)) {
    await confirm(sender, entry, theirs);
    return undefined;
  }
  const synced = host.kindOf(kind);
  if (!synced?.merge) throw taken ?? conflictOf(entry);
  const merged = await synced.merge({ base, mine: wanted, theirs });
  if (!merged) {
    await confirm(sender, entry, theirs);
    return undefined;
  }
  const { itemPath = path } = entry;
  const { updateMethod: method } = synced.routeOf(theirs);
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
      if (statusOf(cause) !== 404 || isTemporary(cause)) throw cause;
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
  return /^"\d+-([0-9a-f]{1,32})"$/.exec(headers.get('ETag') ?? '')?.[1];
}
