import { FIRST_EPOCH } from '../crypto/profile-key';
import { itemPath } from '../records/record-gateway';
import { stopsAll } from './failures';
import type { LocalCopy, RowValues } from './local-copy';
import type { OfflineHost } from './offline-host';
import {
  asideKey,
  entryKey,
  recordKey,
  type AsideRecord,
  type CachedRecord,
  type OutboxEntry,
} from './offline-rows';

const PROFILE = 'profile';

/**
 * The newest state of a shared profile has dropped its former keys. What this device still has under one of them was left out
 * when an owner ended the change of keys without it. Before the key is gone, it is sealed under the newest one; and who may
 * change it writes it again, over what nobody could read.
 * @param rows of the states that have just been judged, and are not stored yet.
 */
export async function rescueLeftOut(host: OfflineHost, copy: LocalCopy, rows: RowValues): Promise<void> {
  const { profileId } = copy.space!;
  const profile = host.kindOf(PROFILE);
  await profile?.withDroppedKeys?.(profileId, async (newest) => {
    const saved: CachedRecord[] = [];
    for (const kind of copy.kinds)
      for (const { id } of copy.records(kind)) {
        const key = recordKey(kind, id);
        const record = (key in rows ? rows[key] : copy.get<CachedRecord>(key)) as
          CachedRecord | null | undefined;
        if (!record || !isLeftOut(copy, record, newest)) continue;
        const anew = await sealedAnew(host, copy, record);
        if (anew) saved.push(anew);
      }
    if (saved.length > 0) await store(host, copy, saved, rows);
  });
  profile?.forgetDroppedKeys?.(profileId);
}

/**
 * Whether the newest state of a record leaves out ours. That of a shared profile may be sealed under a key which the newest
 * state has dropped: after a restore of the service, and the new key by which an owner has set it right. It is then stored
 * under the newest key, so that the person can choose.
 */
export async function compareWithDropped(
  host: OfflineHost,
  copy: LocalCopy,
  ours: CachedRecord,
  leavesOut: () => Promise<boolean>,
): Promise<boolean> {
  if (ours.kind !== PROFILE || !copy.space) return leavesOut();
  const profile = host.kindOf(PROFILE);
  let answer: boolean | undefined;
  await profile?.withDroppedKeys?.(ours.id, async (newest) => {
    answer = await leavesOut();
    if (!answer || !ours.seal || (ours.seal.epoch ?? FIRST_EPOCH) >= newest) return;
    const body = { ...ours.body, ...(await profile.reseal?.(ours.body, [])) };
    const anew = { ...ours, body, seal: { ...ours.seal, ...(await profile.lineageOf?.(body)) } };
    await copy.change(() => ({ rows: { [recordKey(PROFILE, ours.id)]: anew }, result: undefined }));
  });
  return answer ?? leavesOut();
}

/** What the person has left out on this device is not written again. */
function isLeftOut(copy: LocalCopy, { kind, id, seal }: CachedRecord, newest: number): boolean {
  if (kind === PROFILE || !seal?.profileId || (seal.epoch ?? FIRST_EPOCH) >= newest) return false;
  return !copy.get<AsideRecord>(asideKey(kind, id))?.isLeft;
}

/** @returns `undefined` for what this device cannot open either. */
async function sealedAnew(
  host: OfflineHost,
  copy: LocalCopy,
  record: CachedRecord,
): Promise<CachedRecord | undefined> {
  const kind = host.kindOf(record.kind);
  try {
    const sealed = await kind?.sealAnew?.(record.body);
    if (!sealed) return undefined;
    const body = { ...record.body, ...sealed };
    return { ...record, body, seal: await kind!.verify(body, copy.realm) };
  } catch (error) {
    if (stopsAll(error)) throw error;
    return undefined;
  }
}

/** In one step, and before the state that has dropped the keys is stored: a device that is stopped begins again. */
async function store(
  host: OfflineHost,
  copy: LocalCopy,
  saved: readonly CachedRecord[],
  judged: RowValues,
): Promise<void> {
  const { spaceId } = copy.space!;
  const place = host.spaces()?.places.find((each) => each.spaceId === spaceId);
  // A listing has not shown yet what the service has.
  const isListing = copy.state.listingAfter !== undefined;
  const mayWrite = !isListing && (place?.role === 'editor' || place?.role === 'owner');
  await copy.change<void>(() => {
    const rows: RowValues = {};
    let number = copy.nextNumber;
    for (const record of saved) {
      rows[recordKey(record.kind, record.id)] = record;
      const isWritten = copy.outbox.some(({ kind, id }) => kind === record.kind && id === record.id);
      const entry = mayWrite && !isWritten && entryOf(host, copy, record, number);
      if (!entry) continue;
      rows[entryKey(number)] = entry;
      number += 1;
    }
    return { rows, result: undefined };
  });
  for (const record of saved) {
    const key = recordKey(record.kind, record.id);
    if (key in judged) judged[key] = record;
  }
}

/** Over what the service shows, by this account: who has written it last is not who writes it now. */
function entryOf(
  host: OfflineHost,
  copy: LocalCopy,
  { kind, id, body }: CachedRecord,
  number: number,
): OutboxEntry | undefined {
  const route = host.kindOf(kind)?.routeOf(body);
  if (!route) return undefined;
  const { epoch } = copy.state;
  const shown = copy.get<AsideRecord>(asideKey(kind, id));
  const path = itemPath(route, id);
  return {
    number,
    action: 'update',
    kind,
    id,
    method: route.updateMethod,
    path,
    itemPath: path,
    body,
    revision: shown?.revision ?? Number(body.revision),
    ...(epoch !== undefined && { epoch }),
    isRestored: true,
    at: new Date().toISOString(),
  };
}
