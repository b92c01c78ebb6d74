import type { Dose } from '@app/client';
import { DOSE_DAYS, dosesOf } from './medicines';
import { client } from '../../../platform/model/session';

/**
 * The doses of a medicine since a time, newest first, as far as devices of the account have written them. Those of the last weeks are in memory; older ones come from the
 * service or the cache.
 * @throws HealthRecordsError
 */
export async function dosesSince(medicineId: string, since: Date, signal?: AbortSignal): Promise<Dose[]> {
  const from = since.toISOString();
  // An hour less than what is in memory: the page may be open for a while.
  const inMemory = Date.now() - DOSE_DAYS * 86_400_000 + 3_600_000;
  if (since.getTime() >= inMemory) return dosesOf(medicineId).filter(({ loggedAt }) => loggedAt >= from);
  const doses: Dose[] = [];
  for await (const dose of client.medications.iterateDoses(medicineId, signal ? { signal } : {})) {
    if (dose.loggedAt < from) break;
    if (dose.confirmed) doses.push(dose);
  }
  return doses;
}
