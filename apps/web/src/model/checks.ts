import type { InteractionResult, ResolvedName, Species } from '@app/client';
import { computed, effect, signal } from '@preact/signals';
import { language } from '../i18n/i18n';
import { checkAddition, checkCabinet, type CheckFrame, type TakenMedicine } from './cabinet-check';
import { isCareful } from './careful';
import { today } from './clock';
import { dosageOf, enteredOf, hasDailyLimit } from './dosage';
import { members, memberOf } from './family';
import { medicines } from './medicines';
import type { Medicine } from './medication-details';
import { type FamilyMember, personOf } from './profile-details';
import { loadState } from './records';
import { isCurrent, isPaused } from './schedule';
import { client, whenLocked } from './session';
import { weights } from './weights';

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
  /** The medicines of which nobody knows whether the dose is right, by name. */
  unsureDoses?: string[];
  /** What each name was read as. */
  substances?: ReadonlyMap<string, readonly string[]>;
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

/** Whether a finding is shown where the person is, without being asked for. */
const isUrgent = ({ severity, kind }: InteractionResult) =>
  severity === 'contraindicated' || severity === 'major' || kind === 'unrecognized';

/** A finding with the person whom it is about. */
export interface UrgentFinding {
  member: FamilyMember;
  finding: InteractionResult;
}

/** The findings to look at: those of the two highest severities, and names that were not checked. The worst come first. */
export const urgentFindings = computed((): UrgentFinding[] => {
  const all = checkedMembers.value.flatMap(({ member, findings = [] }) =>
    findings.filter(isUrgent).map((finding) => ({ member, finding })),
  );
  const isWorst = ({ finding }: UrgentFinding) => finding.severity === 'contraindicated';
  return [...all.filter(isWorst), ...all.filter((each) => !isWorst(each))];
});

/** What the check of its person says of one medicine, the worst first; what was not understood comes last. */
export function findingsOf({ profileId, details }: Medicine): InteractionResult[] {
  const entry = checkedMembers.value.find(({ member }) => member.id === profileId);
  return (entry?.findings ?? []).filter(({ medications }) => medications.includes(details.name));
}

/** Whether nobody knows if the dose of the medicine is right. */
export function isDoseUnsure({ profileId, details }: Medicine): boolean {
  const entry = checkedMembers.value.find(({ member }) => member.id === profileId);
  return entry?.unsureDoses?.includes(details.name) ?? false;
}

/** Whether a wrong dose of the medicine does harm, by its name and what it was read as. */
export function needsCare({ profileId, details }: Medicine): boolean {
  const { substances } = checkedMembers.value.find(({ member }) => member.id === profileId) ?? {};
  const read = [...(details.reading?.ingredients ?? []), ...(substances?.get(details.name) ?? [])];
  return isCareful([details.name, ...read]);
}

export function speciesOf({ kind, details }: FamilyMember): Species | undefined {
  if (kind === 'human') return 'human';
  return details.species === 'dog' || details.species === 'cat' ? details.species : undefined;
}

/** The medicines of a member today: those that are taken, and those that are paused. */
function currentOf(profileId: string): { taken: Medicine[]; paused: Medicine[] } {
  const day = today.value;
  const current = medicines.value.filter((each) => each.profileId === profileId && isCurrent(each, day));
  return {
    taken: current.filter((each) => !isPaused(each, day)),
    paused: current.filter((each) => isPaused(each, day)),
  };
}

const namesOf = (list: readonly Medicine[]) => list.map(({ details }) => details.name);

function takenOf({ details }: Medicine): TakenMedicine {
  const entered = enteredOf(details);
  return { name: details.name, dosage: dosageOf(entered), hasLimit: hasDailyLimit(entered) };
}

/** For whom a check is; `undefined` for a species that cannot be checked. */
function frameOf(member: FamilyMember, spoken: string): CheckFrame | undefined {
  const species = speciesOf(member);
  if (!species) return undefined;
  const person = personOf(member, today.value, weights.value.get(member.id));
  return { species, language: spoken, ...(person && { person }) };
}

/** The paused medicines of a member, by name. A check leaves them out, and the screen says so. */
export const pausedNames = (profileId: string, except?: Medicine): string[] =>
  namesOf(currentOf(profileId).paused.filter(({ id }) => id !== except?.id));

/** The last check of each member, by all that it was about: most changes of the records change none of that. */
const lastChecks = new Map<string, { about: string; checked: CheckedMember }>();

/** Checks the medicines of one member. @param spoken the language of the findings; rejects never, see `error` */
export async function checkMember(member: FamilyMember, spoken: string): Promise<CheckedMember> {
  const { taken, paused } = currentOf(member.id);
  const about = { member, names: namesOf(taken), paused: namesOf(paused) };
  const frame = frameOf(member, spoken);
  if (!frame || taken.length === 0) return { ...about, ...(frame && { findings: [] }) };
  const list = taken.map(takenOf);
  const key = JSON.stringify([list, frame]);
  const last = lastChecks.get(member.id);
  if (last?.about === key) return { ...last.checked, ...about };
  try {
    const read = await client.interactions.resolve(namesOf(taken), { language: spoken });
    const substances = new Map(read.map(({ input, ingredients }) => [input, ingredients]));
    const checked = { ...about, substances, ...(await checkCabinet(client.interactions, list, frame)) };
    lastChecks.set(member.id, { about: key, checked });
    return checked;
  } catch (error) {
    return { ...about, error };
  }
}

let round = 0;

/** Checks the medicines of every member on the device. No name leaves it. */
export async function checkEveryMember(): Promise<void> {
  round += 1;
  const mine = round;
  isChecking.value = true;
  const results = await Promise.all(members.value.map((member) => checkMember(member, language.value)));
  if (mine !== round) return;
  checkedMembers.value = results;
  isChecking.value = false;
}

/** Reads a typed name: what it could mean. */
export async function readName(name: string): Promise<ResolvedName> {
  const [resolved] = await client.interactions.resolve([name], { language: language.value });
  return resolved;
}

/** What a new medicine would do beside the others of the member, and to the member. */
export async function checkBeforeSaving(
  profileId: string,
  added: Omit<TakenMedicine, 'hasLimit'>,
  instead?: Medicine,
): Promise<InteractionResult[] | undefined> {
  const member = memberOf(profileId);
  const frame = member && frameOf(member, language.value);
  if (!frame) return undefined;
  const others = currentOf(profileId).taken.filter(({ id }) => id !== instead?.id);
  return checkAddition(client.interactions, added, others.map(takenOf), frame);
}

/** Checks again whenever a medicine or a member changes. */
export function followCabinet(): void {
  effect(() => {
    const isReady = loadState.value === 'ready';
    void [medicines.value, members.value, language.value, today.value, weights.value];
    if (isReady) void checkEveryMember();
  });
}
whenLocked(() => {
  round += 1;
  checkedMembers.value = [];
  lastChecks.clear();
});
