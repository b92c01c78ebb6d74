import {
  type Appointment,
  type HealthStat,
  type Medication,
  type Profile,
  RolledBackError,
  type UnreadableRecord,
} from '@app/client';
import { computed } from '@preact/signals';
import { loadRecords, unreadable } from './records';
import { client } from './session';

/** A record of which the service returned an older state than one that a device has sealed. */
export interface RolledBack {
  kind: string;
  id: string;
  /** What the older state calls it; absent for a measurement. */
  name?: string;
  /** When the older state was stored. */
  storedAt: Date;
  found: unknown;
}

const isRolledBack = ({ error }: UnreadableRecord) => error instanceof RolledBackError;

/** The older states that are not shown, so that nobody relies on them. */
export const rolledBack = computed(() =>
  unreadable.value.flatMap((record) => {
    if (!(record.error instanceof RolledBackError)) return [];
    const { found } = record.error as RolledBackError<{
      updatedAt: string;
      details: { name?: string; title?: string };
    }>;
    const name = found.details.name ?? found.details.title;
    const { kind, id } = record;
    return [{ kind, id, storedAt: new Date(found.updatedAt), found, ...(name && { name }) }];
  }),
);

/** What cannot be read for another reason. */
export const undecrypted = computed(() => unreadable.value.filter((record) => !isRolledBack(record)));

/** Makes the older state the newest one, for every device, and shows it. */
export async function acceptOlderState({ kind, found }: RolledBack): Promise<void> {
  if (kind === 'profile') await client.profiles.update(found as Profile, {});
  else if (kind === 'medication') await client.medications.update(found as Medication, {});
  else if (kind === 'appointment') await client.appointments.update(found as Appointment, {});
  else await client.healthStats.update(found as HealthStat, {});
  await loadRecords();
}

/** Deletes what came back although it had been deleted. Not for a profile, under which other records lie. */
export async function deleteOlderState({ kind, found }: RolledBack): Promise<void> {
  if (kind === 'medication') await client.medications.delete(found as Medication);
  else if (kind === 'appointment') await client.appointments.delete(found as Appointment);
  else await client.healthStats.delete(found as HealthStat);
  await loadRecords();
}

/** Asks the service again: a restored service may have caught up. */
export async function askAgain(): Promise<void> {
  await client.sync.now();
  await loadRecords();
}
