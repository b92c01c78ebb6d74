import { newId, type HealthStat, type HealthStatDetails } from '@app/client';
import { signal } from '@preact/signals';
import { noteReadings } from '../../questions/model/questions';
import { noteUnreadable } from '../../../platform/model/records';
import { onDemand } from '../../../platform/model/on-demand';
import { client } from '../../../platform/model/session';
import { bringBack, moveToTrash, withoutTrash } from '../../trash/model/trash';

/** Measurements of the whole family, newest first. */
export const stats = signal<HealthStat[]>([]);

export const statsOnDemand = onDemand(
  async () => {
    const loaded = await client.healthStats.list({}, { onUnreadable: noteUnreadable, pageSize: 1000 });
    const { kept, show } = withoutTrash('health_stat', loaded, ({ details }) => details.metric);
    return () => {
      show();
      stats.value = kept;
      noteReadings(loaded);
    };
  },
  () => (stats.value = []),
  'health_stat',
);

export function statsOf(profileId: string): HealthStat[] {
  return stats.value.filter((each) => each.profileId === profileId);
}

/** A reading before it is stored. */
export interface NewReading {
  profileId: string;
  recordedAt: string;
  details: HealthStatDetails;
}

const newestFirst = (list: HealthStat[]) =>
  list.sort((a, b) => b.recordedAt.localeCompare(a.recordedAt) || (a.id < b.id ? 1 : -1));

export async function addReading(reading: NewReading): Promise<HealthStat> {
  const added = await client.healthStats.create({ id: newId(), ...reading });
  stats.value = newestFirst([added, ...stats.value]);
  return added;
}

/** Replaces the values, the unit, the note and the time. Other members of the details are kept. */
export async function changeReading(
  reading: HealthStat,
  change: Pick<NewReading, 'recordedAt' | 'details'>,
): Promise<HealthStat> {
  const { recordedAt, details } = change;
  const changed = await client.healthStats.update(reading, {
    recordedAt,
    details: { ...details, note: details.note },
  });
  stats.value = newestFirst(stats.value.map((each) => (each.id === changed.id ? changed : each)));
  return changed;
}

/** Moves it to the trash. */
export async function removeReading(id: string): Promise<void> {
  await moveToTrash('health_stat', id);
  stats.value = stats.value.filter((each) => each.id !== id);
}

/** Takes back what was entered a moment ago. */
export async function undoReading(id: string): Promise<void> {
  await client.healthStats.delete(id);
  stats.value = stats.value.filter((each) => each.id !== id);
}

/** Brings a reading back from the trash. */
export async function putBackReading(reading: HealthStat): Promise<void> {
  await bringBack({ kind: 'health_stat', id: reading.id });
  stats.value = newestFirst([reading, ...stats.value]);
}
