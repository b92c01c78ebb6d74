import type { InteractionResult, KnownName, ResolvedName, Species } from '@app/client';
import { language } from '../../../i18n/i18n';
import { checkAddition, checkCabinet, type CheckFrame, type TakenMedicine } from './cabinet-check';
import type { CheckedMember } from './checked-member';
import { today } from '../../../platform/model/clock';
import { dosageOf, enteredOf, hasDailyLimit } from './dosage';
import { memberOf } from '../../profiles/model/family';
import { medicines } from './medicines';
import { type Medicine, type FamilyMember, personOf } from '@app/client/documents';
import { isCurrent, isPaused } from './schedule';
import { client, whenLocked } from '../../../platform/model/session';
import { weights } from '../../health-stats/model/weights';

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

/** Reads a typed name: what it could mean. */
export async function readName(name: string): Promise<ResolvedName> {
  const [resolved] = await client.interactions.resolve([name], { language: language.value });
  return resolved;
}

/** Known names that begin with what is typed, with their substances. Empty where they cannot be had. */
export async function namesBeginning(text: string): Promise<KnownName[]> {
  try {
    return await client.interactions.namesBeginning(text, { language: language.value });
  } catch {
    return [];
  }
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

whenLocked(() => lastChecks.clear());
