import { confirmedBy, notConfirmed } from './confirmation';
import { isInterrupted, isTemporary, statusOf, stopsAll } from './failures';
import type { Gate } from './gate';
import type { LocalCopy, RowValues } from './local-copy';
import type { OfflineHost, SyncedKind } from './offline-host';
import { recordKey, unsealedKey, type CachedRecord, type UnsealedWrite, type WireBody } from './offline-rows';

const PROFILE = 'profile';
/** How often a head is sealed anew because another device was faster. */
const ATTEMPTS = 3;

/**
 * Seals what the confirmed writes of the outbox have proved into the heads of their profiles. What cannot be
 * sealed now is sealed by the next sync.
 * @param rights.mayPublish whether this account may write the profile; @param rights.hasPulled whether others have
 * written since.
 * @returns whether a profile was changed.
 * @throws all errors that are temporary, and those of a session that has ended or a client that is locked.
 */
export async function publishHeads(
  host: OfflineHost,
  copy: LocalCopy,
  gate: Gate,
  pullAgain: () => Promise<void>,
  { mayPublish, hasPulled }: { mayPublish: boolean; hasPulled: boolean },
): Promise<boolean> {
  const writes = copy.unsealed;
  const profiles = await noteWrites(host, copy);
  if (!mayPublish) {
    await forgetNamed(host, copy);
    return false;
  }
  // What those have changed who may write no head.
  if (hasPulled && copy.space) profiles.add(copy.space.profileId);
  let isChanged = false;
  for (const id of profiles) {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const outcome = await publishProfile(host, copy, gate, id, (kind, body) => kind.withHead?.(body));
      if (outcome === 'sealed') isChanged = true;
      if (outcome !== 'outdated') break;
      // The writes are noted again by the next sync.
      if (attempt === ATTEMPTS) return isChanged;
      await pullAgain();
    }
  }
  if (writes.length > 0) {
    const rows: RowValues = Object.fromEntries(writes.map(({ number }) => [unsealedKey(number), null]));
    await copy.change(() => ({ rows, result: undefined }));
  }
  return isChanged;
}

/** Another member's device seals the head. Until it names all that this one has written, the writes are remembered here. */
async function forgetNamed(host: OfflineHost, copy: LocalCopy): Promise<void> {
  const [profile] = copy.records(PROFILE);
  const writes = copy.unsealed;
  if (!profile || writes.length === 0) return;
  if (await host.kindOf(PROFILE)?.withHead?.(profile.body)) return;
  const rows: RowValues = Object.fromEntries(writes.map(({ number }) => [unsealedKey(number), null]));
  await copy.change(() => ({ rows, result: undefined }));
}

/**
 * Notes what the confirmed writes of this device have proved, also of before a reload: a state that they have replaced or
 * deleted does not come back.
 * @returns the profiles whose heads may say too little.
 */
export async function noteWrites(host: OfflineHost, copy: LocalCopy): Promise<Set<string>> {
  const profiles = new Set<string>();
  for (const write of copy.unsealed) for (const id of await noteWrite(host, write)) profiles.add(id);
  return profiles;
}

/**
 * Notes what one write has proved. A version that cannot be opened proves nothing.
 * @returns the profiles whose heads may say too little.
 */
export async function noteWrite(host: OfflineHost, write: UnsealedWrite): Promise<string[]> {
  try {
    return (await host.kindOf(write.kind)?.note?.(write)) ?? [];
  } catch (error) {
    if (isTemporary(error) || isInterrupted(error)) throw error;
    return [];
  }
}

/** Sends a state of a profile that was made from the one in the copy. @param make `undefined`: there is nothing to send. */
export async function publishProfile(
  host: OfflineHost,
  copy: LocalCopy,
  gate: Gate,
  id: string,
  make: (kind: SyncedKind, body: WireBody) => Promise<WireBody | undefined> | undefined,
): Promise<'sealed' | 'outdated' | 'nothing'> {
  const kind = host.kindOf(PROFILE);
  const key = recordKey(PROFILE, id);
  const cached = copy.get<CachedRecord>(key);
  if (!kind || !cached) return 'nothing';
  try {
    const body = await make(kind, cached.body);
    if (!body) return 'nothing';
    const { path, updateMethod: method } = kind.routeOf(cached.body);
    const { epoch } = copy.state;
    const revision = Number(cached.body.revision);
    const ifMatch = epoch === undefined ? revision : `${revision}-${epoch}`;
    const answer = await host.send({ method, path: `${path}/${id}`, body, ifMatch, replayable: true });
    const stored = confirmedBy(answer, { action: 'update', id, body });
    if (!stored) throw notConfirmed();
    const seal = await gate.sealOf(PROFILE, stored);
    const row: CachedRecord = { ...cached, body: stored, ...(seal && { seal }) };
    await copy.change(() => ({ rows: { [key]: row }, result: undefined }));
    return 'sealed';
  } catch (error) {
    if (stopsAll(error)) throw error;
    return statusOf(error) === 412 ? 'outdated' : 'nothing';
  }
}
