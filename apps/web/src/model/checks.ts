import type { InteractionResult, ResolvedName, Species } from '@app/client';
import { computed, effect, signal } from '@preact/signals';
import { language } from '../i18n/i18n';
import { today } from './clock';
import { members, memberOf } from './family';
import { medicines } from './medicines';
import type { Medicine } from './medication-details';
import { type FamilyMember, personOf } from './profile-details';
import { loadState } from './records';
import { isCurrent, isPaused } from './schedule';
import { client, whenLocked } from './session';

/** The kinds that say that something was not, or not surely, checked. */
const UNSURE = new Set(['unrecognized', 'name_assumed', 'dose_unchecked', 'not_assessed']);

/** The checked cabinet of one member. */
export interface Weighed {
  member: FamilyMember;
  /** What was checked, by name. */
  names: string[];
  /** Absent for a species that cannot be checked. */
  findings?: InteractionResult[];
  error?: unknown;
}

export const weighed = signal<Weighed[]>([]);
export const isWeighing = signal(false);

/** The burdens: several medicines that add up. */
export const burdensOf = ({ findings = [] }: Weighed) =>
  findings.filter(({ kind }) => kind === 'cumulative_burden');
export const pairsOf = ({ findings = [] }: Weighed) =>
  findings.filter(({ kind }) => kind !== 'cumulative_burden' && !UNSURE.has(kind));
export const unsureOf = ({ findings = [] }: Weighed) => findings.filter(({ kind }) => UNSURE.has(kind));

/** How many findings of each member deserve a look: the two highest grades, and names that were not checked. */
export const attention = computed(() =>
  weighed.value.reduce(
    (sum, { findings = [] }) =>
      sum +
      findings.filter(
        ({ severity, kind }) =>
          severity === 'contraindicated' || severity === 'major' || kind === 'unrecognized',
      ).length,
    0,
  ),
);

export function speciesOf({ kind, details }: FamilyMember): Species | undefined {
  if (kind === 'human') return 'human';
  return details.species === 'dog' || details.species === 'cat' ? details.species : undefined;
}

function currentNames(profileId: string, day: string): string[] {
  return medicines.value
    .filter((each) => each.profileId === profileId && isCurrent(each, day) && !isPaused(each, day))
    .map(({ details }) => details.name);
}

async function weighOne(member: FamilyMember): Promise<Weighed> {
  const names = currentNames(member.id, today.value);
  const species = speciesOf(member);
  if (!species || names.length === 0) return { member, names, ...(species && { findings: [] }) };
  const person = personOf(member, today.value);
  try {
    const findings = await client.interactions.check({
      medications: names,
      species,
      language: language.value,
      ...(person && { person }),
    });
    return { member, names, findings };
  } catch (error) {
    return { member, names, error };
  }
}

let round = 0;

/** Checks the cabinet of every member on the device. No name leaves it. */
export async function weighCabinet(): Promise<void> {
  round += 1;
  const mine = round;
  isWeighing.value = true;
  const results = await Promise.all(members.value.map(weighOne));
  if (mine !== round) return;
  weighed.value = results;
  isWeighing.value = false;
}

/** Reads a typed name: what it could mean. */
export async function readName(name: string): Promise<ResolvedName> {
  const [resolved] = await client.interactions.resolve([name]);
  return resolved;
}

/** What a new medicine would do beside the others of the member, and to the member. */
export async function checkBeforeSaving(
  profileId: string,
  name: string,
  dosage: string,
  instead?: Medicine,
): Promise<InteractionResult[] | undefined> {
  const member = memberOf(profileId);
  const species = member && speciesOf(member);
  if (!member || !species) return undefined;
  const person = personOf(member, today.value);
  const others = currentNames(profileId, today.value).filter((each) => each !== instead?.details.name);
  return client.interactions.checkNew({
    name,
    dosage,
    medications: others,
    species,
    language: language.value,
    ...(person && { person }),
  });
}

/** Weighs again whenever a medicine or a member changes. */
export function followCabinet(): void {
  effect(() => {
    const isReady = loadState.value === 'ready';
    void [medicines.value, members.value, language.value, today.value];
    if (isReady) void weighCabinet();
  });
}
whenLocked(() => {
  round += 1;
  weighed.value = [];
});
