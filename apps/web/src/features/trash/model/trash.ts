import { computed, signal } from '@preact/signals';
import { client, whenLocked } from '../../../platform/model/session';

/** What is deleted stays in the trash for so many days. Then the next device that loads the records erases it. */
export const TRASH_DAYS = 30;
const DAY_MS = 86_400_000;

export type TrashKind = 'profile' | 'medication' | 'appointment' | 'health_stat';

/** A record in the trash. It is sealed as before, with the time at which it was deleted. */
export interface Trashed {
  kind: TrashKind;
  id: string;
  /** The own id of a profile. */
  profileId: string;
  /** The name of a person or a medicine, the title of a visit, the measure of a reading. */
  name: string;
  at: Date;
}

interface Loaded {
  id: string;
  profileId?: string;
  details: Record<string, unknown>;
}

const byKind = signal<ReadonlyMap<TrashKind, Trashed[]>>(new Map());

/** The last one first. What belongs to a person in the trash comes back with the person. */
export const trash = computed(() =>
  [...byKind.value.values()]
    .flat()
    .filter(({ kind, profileId }) => kind === 'profile' || !isInTrash(profileId))
    .sort((a, b) => b.at.getTime() - a.at.getTime()),
);

function isInTrash(profileId: string): boolean {
  return byKind.value.get('profile')?.some(({ id }) => id === profileId) ?? false;
}

/** Whether a record is in the trash. What reads records by itself leaves those out. */
export function isTrashed({ details }: { details: Record<string, unknown> }): boolean {
  return typeof details.trashedAt === 'string';
}

/**
 * Parts what was loaded: what the screens show, and what is in the trash.
 * @returns what to show. The trash is shown by `show`.
 */
export function withoutTrash<T extends Loaded>(
  kind: TrashKind,
  loaded: readonly T[],
  nameOf: (record: T) => string,
): { kept: T[]; show: () => void } {
  const kept = loaded.filter(
    (record) => !isTrashed(record) && !(record.profileId !== undefined && isInTrash(record.profileId)),
  );
  const now = Date.now();
  const found = loaded.flatMap((record): Trashed[] => {
    const { trashedAt } = record.details;
    if (typeof trashedAt !== 'string') return [];
    // A clock that was wrong must erase nothing early.
    const at = Math.min(Date.parse(trashedAt) || now, now);
    const { id, profileId = id } = record;
    return [{ kind, id, profileId, name: nameOf(record), at: new Date(at) }];
  });
  const show = () => {
    byKind.value = new Map(byKind.value).set(kind, found);
    for (const each of found) {
      // The next load tries again.
      if (now - each.at.getTime() > TRASH_DAYS * DAY_MS) void eraseTrashed(each).catch(() => undefined);
    }
  };
  return { kept, show };
}

/** Moves a record to the trash. On other devices, too. */
export function moveToTrash(kind: TrashKind, id: string): Promise<void> {
  return mark(kind, id, new Date().toISOString());
}

export async function bringBack({ kind, id }: Pick<Trashed, 'kind' | 'id'>): Promise<void> {
  await mark(kind, id, undefined);
  forget(kind, id);
}

/** Erases it at once, for ever. */
export async function eraseTrashed({ kind, id }: Pick<Trashed, 'kind' | 'id'>): Promise<void> {
  if (kind === 'profile') await client.profiles.delete(id);
  else if (kind === 'medication') await client.medications.delete(id);
  else if (kind === 'appointment') await client.appointments.delete(id);
  else await client.healthStats.delete(id);
  forget(kind, id);
}

function forget(kind: TrashKind, id: string): void {
  const rest = (byKind.value.get(kind) ?? []).filter((each) => each.id !== id);
  byKind.value = new Map(byKind.value).set(kind, rest);
}

async function mark(kind: TrashKind, id: string, trashedAt: string | undefined): Promise<void> {
  const details = { trashedAt };
  if (kind === 'profile') await client.profiles.update(await client.profiles.get(id), { details });
  else if (kind === 'medication')
    await client.medications.update(await client.medications.get(id), { details });
  else if (kind === 'appointment')
    await client.appointments.update(await client.appointments.get(id), { details });
  else await client.healthStats.update(await client.healthStats.get(id), { details });
}

whenLocked(() => (byKind.value = new Map()));
