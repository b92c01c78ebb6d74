import type { InteractionResult, Interactions, Person, Species } from '@app/client';

/** One medicine, as the checks see it. */
export interface TakenMedicine {
  name: string;
  /** In words that the checks read; empty where the amount, the strength or the times are not known. */
  dosage: string;
  /** Whether the dosage says how much is taken on a day at most. */
  hasLimit: boolean;
}

/** For whom, and in which language. Nothing of it leaves the device. */
export interface CheckFrame {
  species: Species;
  language: string;
  person?: Person;
}

/** What the checks say of all medicines of one person. */
export interface CabinetFindings {
  findings: InteractionResult[];
  /** The medicines of which nobody knows whether the dose is right, by name. */
  unsureDoses: string[];
  /** The medicines whose limit needs the weight that nobody entered, by name. */
  unweighedDoses: string[];
}

type Checks = Pick<Interactions, 'check' | 'checkNew'>;

/** The longest text that the checks take. */
const MAX_LENGTH = 200;
const SEVERITIES = ['contraindicated', 'major', 'moderate', 'minor', 'unknown'];

const textOf = ({ name, dosage }: Pick<TakenMedicine, 'name' | 'dosage'>) => `${name} ${dosage}`.trim();

/** A finding whose medicines have the names that the person knows. */
function renamed(finding: InteractionResult, names: ReadonlyMap<string, string>): InteractionResult {
  const nameOf = (input: string) => names.get(input) ?? input;
  return {
    ...finding,
    medications: [...new Set(finding.medications.map(nameOf))],
    matches: finding.matches.map((match) => ({ ...match, input: nameOf(match.input) })),
  };
}

/**
 * Checks names against each other and the person, and the doses: each alone, and all of one substance together. The names are
 * checked without the doses, so that no number is read as a part of a name.
 */
export async function checkCabinet(
  checks: Checks,
  taken: readonly TakenMedicine[],
  frame: CheckFrame,
): Promise<CabinetFindings> {
  const findings = await checks.check({ medications: taken.map(({ name }) => name), ...frame });
  const dosed = taken.filter(isDosed);
  const names = new Map(dosed.map((each) => [textOf(each), each.name]));
  const together = dosed.length === 0 ? [] : await checks.check({ medications: dosed.map(textOf), ...frame });
  const doses = together.filter(isOfDose).map((finding) => renamed(finding, names));
  const unsure = new Set(
    taken.filter((each) => !dosed.includes(each) || !each.hasLimit).map(({ name }) => name),
  );
  const unweighed = new Set<string>();
  for (const { name, dosage } of dosed) {
    for (const finding of await checks.checkNew({ name, dosage, medications: [], ...frame })) {
      if (finding.kind === 'dose_unchecked') unsure.add(name);
      if (needsWeight(finding)) unweighed.add(name);
      const isKnown = doses.some((each) => each.ruleId === finding.ruleId && each.medications.includes(name));
      if (isOfDose(finding) && !isKnown) doses.push(finding);
    }
  }
  // A dose above its limit was checked.
  for (const { medications } of doses) medications.forEach((name) => unsure.delete(name));
  const others = findings.filter((finding) => !isOfDose(finding) && finding.kind !== 'dose_unchecked');
  return {
    findings: [...doses, ...others].sort((a, b) => rankOf(a) - rankOf(b)),
    unsureDoses: [...unsure].sort(),
    unweighedDoses: [...unweighed].sort(),
  };
}

/**
 * Checks one more medicine: its name with those of the others, its dose alone, and the sum of one substance in all of
 * them.
 */
export async function checkAddition(
  checks: Checks,
  added: Omit<TakenMedicine, 'hasLimit'>,
  others: readonly TakenMedicine[],
  frame: CheckFrame,
): Promise<InteractionResult[]> {
  const found = await checks.checkNew({ ...added, medications: others.map(({ name }) => name), ...frame });
  const dosed = others.filter(isDosed);
  if (dosed.length === 0) return found;
  const names = new Map(dosed.map((each) => [textOf(each), each.name]));
  const sums = (await checks.checkNew({ ...added, medications: dosed.map(textOf), ...frame }))
    .filter((finding) => isOfDose(finding) && finding.medications.includes(added.name))
    .map((finding) => renamed(finding, names));
  const isSummed = ({ ruleId }: InteractionResult) => sums.some((sum) => sum.ruleId === ruleId);
  // A dose with a sum that is above its limit was checked.
  const rest = found.filter(
    (finding) => !isSummed(finding) && !(sums.length > 0 && finding.kind === 'dose_unchecked'),
  );
  return [...sums, ...rest].sort((a, b) => rankOf(a) - rankOf(b));
}

/** Whether a dose was not checked because the weight of the child is not known. */
export const needsWeight = ({ ruleId }: InteractionResult): boolean => ruleId === 'child-dose-without-weight';

const rankOf = ({ severity }: InteractionResult) => SEVERITIES.indexOf(severity);
const isDosed = (each: TakenMedicine) => each.dosage !== '' && textOf(each).length <= MAX_LENGTH;
const isOfDose = ({ kind }: InteractionResult) => kind === 'dose_ceiling';
