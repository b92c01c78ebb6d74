import type { InteractionResult } from '@app/client';
import { computed, effect, signal } from '@preact/signals';
import { language } from '../../../i18n/i18n';
import { isCareful } from './careful';
import type { CheckedMember } from './checked-member';
import { today } from '../../../platform/model/clock';
import { members } from '../../profiles/model/family';
import { medicines } from './medicines';
import type { Medicine, FamilyMember } from '@app/client/documents';
import { loadState } from '../../../platform/model/records';
import { whenLocked } from '../../../platform/model/session';
import { weights } from '../../health-stats/model/weights';

/** The kinds that say that something was not, or not surely, checked. */
const UNSURE = new Set(['unrecognized', 'name_assumed', 'dose_unchecked', 'not_assessed']);

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

/** Whether the limit of the medicine needs the weight, and nobody entered it. */
export function lacksWeight({ profileId, details }: Medicine): boolean {
  const entry = checkedMembers.value.find(({ member }) => member.id === profileId);
  return entry?.unweighedDoses?.includes(details.name) ?? false;
}

/** Whether a wrong dose of the medicine does harm, by its name and what it was read as. */
export function needsCare({ profileId, details }: Medicine): boolean {
  const { substances } = checkedMembers.value.find(({ member }) => member.id === profileId) ?? {};
  const read = [...(details.reading?.ingredients ?? []), ...(substances?.get(details.name) ?? [])];
  return isCareful([details.name, ...read]);
}

/** Whether the medicine was read, so that {@link needsCare} knows. */
export function isRead({ profileId, details }: Medicine): boolean {
  const { substances } = checkedMembers.value.find(({ member }) => member.id === profileId) ?? {};
  return Boolean(details.reading?.ingredients ?? substances?.has(details.name));
}

let round = 0;

/** Checks the medicines of every member on the device. No name leaves it. The first check loads the code. */
export async function checkEveryMember(): Promise<void> {
  round += 1;
  const mine = round;
  isChecking.value = true;
  const results = await import('./checks')
    .then(({ checkMember }) =>
      Promise.all(members.value.map((member) => checkMember(member, language.value))),
    )
    .catch((error: unknown) => members.value.map((member) => ({ member, names: [], paused: [], error })));
  if (mine !== round) return;
  checkedMembers.value = results;
  isChecking.value = false;
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
});
