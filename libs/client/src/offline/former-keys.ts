import { accountKeyIdIn } from '../crypto/profile-key';
import { newId } from '../ids';
import { isDoubt, stopsAll } from './failures';
import type { LocalCopy, RowValues } from './local-copy';
import type { OfflineHost } from './offline-host';
import {
  entryKey,
  formerKey,
  lostKey,
  recordKey,
  STATE_KEY,
  textOf,
  type CachedRecord,
  type FormerRow,
  type OutboxEntry,
  type WireBody,
} from './offline-rows';
import { withWrite } from './overlay';

/**
 * Called when a copy is opened. If all keys of the account were replaced, no profile of this copy opens: it is not
 * shown before the service has shown the new ones. The former wraps stay until the unsent writes are sealed anew.
 */
export function noteFormerKeys(copy: LocalCopy, accountKeyId: string): Promise<void> {
  return copy.change<void>(() => {
    const rows: RowValues = {};
    for (const { id, body } of copy.records('profile')) {
      const wrapped = textOf(body, 'wrapped_profile_dek');
      const iv = textOf(body, 'wrapped_profile_dek_iv');
      const named = accountKeyIdIn(wrapped);
      if (named === undefined || named === accountKeyId) continue;
      if (!copy.get(formerKey(id)))
        rows[formerKey(id)] = { profileId: id, accountKeyId: named, wrapped, iv } satisfies FormerRow;
    }
    if (Object.keys(rows).length === 0) return { rows, result: undefined };
    const { state } = copy;
    if (state.isComplete) rows[STATE_KEY] = { ...state, isComplete: false, listingAfter: 'start' };
    return { rows, result: undefined };
  });
}

/**
 * Seals the unsent writes of this device anew, which it made before all keys were replaced elsewhere. What no key opens
 * any more becomes the problem `access_ended`.
 * @throws all errors that are temporary, and those of a session that has ended or a client that is locked.
 */
export async function sealWritesAnew(host: OfflineHost, copy: LocalCopy): Promise<void> {
  const former = copy.former;
  if (former.length === 0) return;
  const seal = async () => {
    for (const { number } of copy.outbox) {
      const entry = copy.entry(number);
      if (entry) await replace(copy, entry, await sealedAnew(host, copy, entry));
    }
  };
  if (copy.outbox.length > 0) await host.withFormerKeys(former, seal);
  const rows: RowValues = Object.fromEntries(former.map(({ profileId }) => [formerKey(profileId), null]));
  await copy.change(() => ({ rows, result: undefined }));
}

/**
 * Seals the unsent writes of this device anew that are not sealed under the newest key, or in a space not by this account:
 * the key of a shared profile was replaced, or the profile was shared since.
 */
export async function sealWritesForNow(host: OfflineHost, copy: LocalCopy): Promise<void> {
  for (const { number } of copy.outbox) {
    const entry = copy.entry(number);
    if (!entry?.body || entry.problem || (await isOfNow(host, copy, entry))) continue;
    await replace(copy, entry, await sealedAnew(host, copy, entry));
  }
}

async function isOfNow(host: OfflineHost, copy: LocalCopy, entry: OutboxEntry): Promise<boolean> {
  try {
    return (await host.kindOf(entry.kind)?.isOfNow?.(wantedBy(copy, entry))) ?? true;
  } catch (error) {
    if (stopsAll(error) && !isDoubt(error)) throw error;
    return false;
  }
}

async function replace(copy: LocalCopy, entry: OutboxEntry, next: OutboxEntry | undefined): Promise<void> {
  const lost = lostKey(entry.kind, entry.id);
  const rows: RowValues = { [entryKey(entry.number)]: next ?? null };
  // What was lost is offered as this device has it now.
  if (next?.body && copy.get(lost)) rows[lost] = { ...copy.get<CachedRecord>(lost)!, body: next.body };
  await copy.change(() => ({ rows, result: undefined }));
}

/** @returns `undefined` for a write that the service has already. */
async function sealedAnew(
  host: OfflineHost,
  copy: LocalCopy,
  entry: OutboxEntry,
): Promise<OutboxEntry | undefined> {
  try {
    return await writeAnew(host, copy, entry);
  } catch (error) {
    if (stopsAll(error) && !isDoubt(error)) throw error;
    const message = 'This change was made before the keys were replaced. No key opens it any more.';
    return { ...entry, problem: { code: 'access_ended', message } };
  }
}

/** A record as an entry wants it. One that a person has decided upon has no base: it is over what this device shows. */
function wantedBy(copy: LocalCopy, entry: OutboxEntry): WireBody {
  const { kind, id, base, isRestored } = entry;
  const shown = isRestored === undefined ? undefined : copy.get<CachedRecord>(recordKey(kind, id))?.body;
  return withWrite(base ?? shown, entry);
}

async function writeAnew(
  host: OfflineHost,
  copy: LocalCopy,
  entry: OutboxEntry,
): Promise<OutboxEntry | undefined> {
  const { kind, id, action, body, base } = entry;
  const synced = host.kindOf(kind);
  if (!synced) return entry;
  const shown = copy.get<CachedRecord>(recordKey(kind, id))?.body;
  const { epoch } = copy.state;
  const upon = shown && {
    base: shown,
    revision: Number(shown.revision),
    ...(epoch === undefined ? {} : { epoch }),
  };
  if (action === 'delete') {
    const isUnchanged =
      !base ||
      !shown ||
      !synced.merge ||
      !(await synced.merge({ base: undefined, mine: base, theirs: shown }));
    return isUnchanged && upon && entry.revision !== undefined ? { ...entry, ...upon } : entry;
  }
  const wanted = wantedBy(copy, entry);
  // What a person has decided to keep says the same as what this device shows. It has not arrived.
  const isDecided = entry.isRestored !== undefined;
  if (shown && !isDecided) {
    // A dose never changes: it has arrived.
    const merged = await synced.merge?.({ base, mine: wanted, theirs: shown });
    if (!merged) return undefined;
    const { updateMethod: method } = synced.routeOf(shown);
    const path = entry.itemPath ?? entry.path;
    const update: OutboxEntry = { ...entry, action: 'update', method, path, body: merged, ...upon };
    delete update.idempotencyKey;
    return update;
  }
  const known = isDecided ? [base, shown].filter((each) => each !== undefined) : [];
  const isNewProfile = kind === 'profile' && action === 'create';
  const sealed = await (isNewProfile ? synced.rewrap?.(wanted) : synced.reseal?.(wanted, known));
  const anew = {
    ...entry,
    body: { ...(action === 'create' ? body : {}), ...sealed },
    ...(isDecided && { isRestored: false }),
  };
  return action === 'create' ? { ...anew, idempotencyKey: newId() } : anew;
}
