import { FIRST_EPOCH } from '../crypto/profile-key';
import { isJsonObject, type JsonObject } from '../json';
import { Breaks } from './breaks';
import { stopsAll } from './failures';
import type { Gate } from './gate';
import { publishProfile } from './head-publisher';
import type { LocalCopy } from './local-copy';
import type { OfflineHost } from './offline-host';
import { asideKey, UNKNOWN_KIND } from './offline-rows';

/** The contract of the service: so many records, and about so many bytes, in one request. */
const [MAX_RECORDS, MAX_BYTES] = [200, 900_000];
/** How often what others have changed meanwhile is tried again in one sync. */
const PASSES = 4;
const PROFILE = 'profile';

/**
 * Seals what former keys have sealed under the newest ones, from the copy of this device. When nothing is left, the
 * profiles drop their former keys. It can stop at any moment: the next sync of any device goes on.
 * @param onProgress gets the number of records that are left.
 * @returns whether anything was changed.
 */
export async function resealAll(
  host: OfflineHost,
  copy: LocalCopy,
  gate: Gate,
  pullAgain: () => Promise<void>,
  onProgress: (left: number) => void,
): Promise<boolean> {
  const profile = host.kindOf(PROFILE);
  const changing = new Map<string, number>();
  for (const { id } of copy.records(PROFILE)) {
    const epoch = await profile?.epochAfterFormer?.(id);
    if (epoch !== undefined) changing.set(id, epoch);
  }
  const ofAccount = await host.hasFormerAccountKeys();
  if (changing.size === 0 && !ofAccount) return false;
  for (let pass = 0; pass < PASSES; pass += 1) {
    const { anew, unreadable } = await collect(host, copy, changing, ofAccount);
    if (anew.length === 0) {
      if (unreadable > 0) return pass > 0;
      for (const id of changing.keys())
        await publishProfile(host, copy, gate, id, (kind, body) => kind.withoutFormerKeys?.(body));
      if (ofAccount) await host.dropFormerAccountKeys();
      return true;
    }
    await send(host, anew, onProgress);
    await pullAgain();
  }
  return true;
}

interface Anew {
  kind: string;
  record: JsonObject;
}

/**
 * @param epochs of the newest keys, by profile: what is sealed under them is not opened again.
 * @param ofAccount whether records of the account may need a former key.
 */
async function collect(
  host: OfflineHost,
  copy: LocalCopy,
  epochs: ReadonlyMap<string, number>,
  ofAccount: boolean,
): Promise<{ anew: Anew[]; unreadable: number }> {
  // What this client does not know, or cannot open, may need a former key.
  let unreadable = copy.asides.filter(
    ({ kind, code, isLeft }) => !isLeft && (kind !== 'dose' || code === UNKNOWN_KIND),
  ).length;
  const anew: Anew[] = [];
  const breaks = new Breaks();
  for (const kind of copy.kinds) {
    const synced = host.kindOf(kind);
    if (kind === PROFILE || !synced?.sealAnew) continue;
    for (const { id, body, seal } of copy.records(kind)) {
      if (synced.isOfAccount && !ofAccount) continue;
      const newest = seal && epochs.get(seal.profileId);
      if (!synced.isOfAccount && seal?.profileId && (seal.epoch ?? FIRST_EPOCH) >= (newest ?? FIRST_EPOCH))
        continue;
      // The service has another state, which this device does not believe: it would leave ours out.
      if (kind !== 'dose' && copy.get(asideKey(kind, id))) continue;
      await breaks.take();
      try {
        const sealed = await synced.sealAnew(body);
        if (sealed) anew.push({ kind, record: { id, ...sealed } });
      } catch (error) {
        if (stopsAll(error)) throw error;
        unreadable += 1;
      }
    }
  }
  return { anew, unreadable };
}

async function send(
  host: OfflineHost,
  anew: readonly Anew[],
  onProgress: (left: number) => void,
): Promise<void> {
  onProgress(anew.length);
  for (let at = 0; at < anew.length;) {
    const { kind } = anew[at];
    const records: JsonObject[] = [];
    for (let bytes = 0; at < anew.length && anew[at].kind === kind && records.length < MAX_RECORDS; at += 1) {
      bytes += JSON.stringify(anew[at].record).length;
      if (bytes > MAX_BYTES && records.length > 0) break;
      records.push(anew[at].record);
    }
    const { body } = await host.send({ method: 'POST', path: '/api/reseal', body: { kind, records } });
    // What is left out has another revision: the next pass sees it. The feed tells what is stored now.
    if (!isJsonObject(body)) return;
    onProgress(anew.length - at);
  }
}
