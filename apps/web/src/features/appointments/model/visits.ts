import { computed, signal } from '@preact/signals';
import { asVisit, type Visit, type VisitDetails } from '@app/client/documents';
import { isShown } from '../../profiles/model/family';
import { noteUnreadable } from '../../../platform/model/records';
import { onDemand } from '../../../platform/model/on-demand';
import { client } from '../../../platform/model/session';
import { moveToTrash, withoutTrash } from '../../trash/model/trash';

/** Visits and vaccinations of the whole family, the latest start first. */
export const visits = signal<Visit[]>([]);
export const shownVisits = computed(() => visits.value.filter(({ profileId }) => isShown(profileId)));

const latestFirst = (list: Visit[]) => list.sort((a, b) => startOf(b) - startOf(a) || (a.id < b.id ? 1 : -1));

export const visitsOnDemand = onDemand(
  async () => {
    const loaded = await client.appointments.list({}, { onUnreadable: noteUnreadable });
    const { kept, show } = withoutTrash('appointment', loaded, ({ details }) => details.title);
    const found = latestFirst(kept.map(asVisit));
    return () => {
      show();
      visits.value = found;
    };
  },
  () => (visits.value = []),
  'appointment',
);

/** Milliseconds since 1970; 0 where another client wrote no readable time. */
export function startOf({ details }: Pick<Visit, 'details'>): number {
  return Date.parse(details.startsAt) || 0;
}

/** Whether a visit is still to come, or is under way. */
export function isAhead(visit: Visit, now: Date): boolean {
  const minutes = visit.details.durationMinutes ?? 0;
  return visit.status === 'scheduled' && startOf(visit) + minutes * 60_000 >= now.getTime();
}

/** A visit before it is stored. */
export interface NewVisit {
  profileId: string;
  status: string;
  details: VisitDetails;
}

export async function addVisit({ profileId, status, details }: NewVisit): Promise<Visit> {
  const added = asVisit(await client.appointments.create({ profileId, status, details }));
  visits.value = latestFirst([added, ...visits.value]);
  return added;
}

/** Merges the changes. `undefined` removes a member of the details. */
export async function changeVisit(
  visit: Visit,
  { profileId, status, details }: Partial<Omit<NewVisit, 'details'>> & { details?: Partial<VisitDetails> },
): Promise<Visit> {
  const current = await client.appointments.get(visit.id);
  const changed = asVisit(
    await client.appointments.update(current, {
      ...(profileId !== undefined && { profileId }),
      ...(status !== undefined && { status }),
      ...(details && { details }),
    }),
  );
  visits.value = latestFirst(visits.value.map((each) => (each.id === changed.id ? changed : each)));
  return changed;
}

/** Moves it to the trash. */
export async function removeVisit(id: string): Promise<void> {
  await moveToTrash('appointment', id);
  visits.value = visits.value.filter((each) => each.id !== id);
}
