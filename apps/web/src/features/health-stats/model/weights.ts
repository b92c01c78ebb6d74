import type { HealthStat } from '@app/client';
import { signal } from '@preact/signals';
import { today } from '../../../platform/model/clock';
import { members } from '../../profiles/model/family';
import { ADULT_AGE, ageOn, type FamilyMember, convert } from '@app/client/documents';
import { loadedWithFamily, noteUnreadable } from '../../../platform/model/records';
import { client, whenLocked } from '../../../platform/model/session';
import { isTrashed } from '../../trash/model/trash';

/** The last weight in kilograms of those whose limits go by it, by profile. */
export const weights = signal<ReadonlyMap<string, number>>(new Map());

/** So many of the newest readings are searched for a weight. */
const SEARCHED = 2000;

/** Who may be a child: the limits of an adult are not by weight. */
const mayBeChild = ({ kind, details: { birthDate } }: FamilyMember) =>
  kind === 'human' && (!birthDate || ageOn(birthDate, today.value) < ADULT_AGE);

function weightOf({ details: { metric, values, unit } }: HealthStat): number | undefined {
  return metric === 'weight' && typeof values?.value === 'number'
    ? convert(values.value, unit, 'kg')
    : undefined;
}

async function lastWeight(profileId: string): Promise<number | undefined> {
  let seen = 0;
  for await (const stat of client.healthStats.iterate({ profileId }, { onUnreadable: noteUnreadable })) {
    if (isTrashed(stat)) continue;
    const weight = weightOf(stat);
    if (weight !== undefined) return weight;
    seen += 1;
    if (seen === SEARCHED) break;
  }
  return undefined;
}

loadedWithFamily(async () => {
  const found = new Map<string, number>();
  for (const { id } of members.value.filter(mayBeChild)) {
    const weight = await lastWeight(id);
    if (weight !== undefined) found.set(id, weight);
  }
  return () => (weights.value = found);
}, 'health_stat');
whenLocked(() => (weights.value = new Map()));
