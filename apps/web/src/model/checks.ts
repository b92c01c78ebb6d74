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

/** The medicines of one member, with the findings of their check. */
export interface CheckedMember {
  member: FamilyMember;
  /** What was checked, by name. */
  names: string[];
  /** What belongs to the cabinet but is paused, so that it was not checked. */
  paused: string[];
  /** Absent for a species that cannot be checked. */
  findings?: InteractionResult[];
  error?: unknown;
}

export const checkedMembers = signal<CheckedMember[]>([]);
export const isChecking = signal(false);

/** The burdens: several medicines that add up. */
export const burdensOf = ({ findings = [] }: CheckedMember) =>
  findings.filter(({ kind }) => kind === 'cumulative_burden');
export const pairsOf = ({ findings = [] }: CheckedMember) =>
  findings.filter(({ kind }) => kind !== 'cumulative_burden' && !UNSURE.has(kind));
export const unsureOf = ({ findings = [] }: CheckedMember) => findings.filter(({ kind }) => UNSURE.has(kind));

/** The number of findings to look at: those of the two highest severities, and names that were not checked. */
export const attention = computed(() =>
  checkedMembers.value.reduce(
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

/** The medicines of a member today, by name: those that are taken, and those that are paused. */
function currentNames(profileId: string): { names: string[]; paused: string[] } {
  const day = today.value;
  const current = medicines.value.filter((each) => each.profileId === profileId && isCurrent(each, day));
  const namesOf = (list: readonly Medicine[]) => list.map(({ details }) => details.name);
  return {
    names: namesOf(current.filter((each) => !isPaused(each, day))),
    paused: namesOf(current.filter((each) => isPaused(each, day))),
  };
}

/** The paused medicines of a member, by name. A check leaves them out, and the screen says so. */
export const pausedNames = (profileId: string, except?: Medicine): string[] =>
  currentNames(profileId).paused.filter((name) => name !== except?.details.name);

async function checkMember(member: FamilyMember): Promise<CheckedMember> {
  const { names, paused } = currentNames(member.id);
  const species = speciesOf(member);
  if (!species || names.length === 0) return { member, names, paused, ...(species && { findings: [] }) };
  const person = personOf(member, today.value);
  try {
    const findings = await client.interactions.check({
      medications: names,
      species,
      language: language.value,
      ...(person && { person }),
    });
    return { member, names, paused, findings };
  } catch (error) {
    return { member, names, paused, error };
  }
}

let round = 0;

/** Checks the medicines of every member on the device. No name leaves it. */
export async function checkEveryMember(): Promise<void> {
  round += 1;
  const mine = round;
  isChecking.value = true;
  const results = await Promise.all(members.value.map(checkMember));
  if (mine !== round) return;
  checkedMembers.value = results;
  isChecking.value = false;
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
  const others = currentNames(profileId).names.filter((each) => each !== instead?.details.name);
  return client.interactions.checkNew({
    name,
    dosage,
    medications: others,
    species,
    language: language.value,
    ...(person && { person }),
  });
}

/** Checks again whenever a medicine or a member changes. */
export function followCabinet(): void {
  effect(() => {
    const isReady = loadState.value === 'ready';
    void [medicines.value, members.value, language.value, today.value];
    if (isReady) void checkEveryMember();
  });
}
whenLocked(() => {
  round += 1;
  checkedMembers.value = [];
});
