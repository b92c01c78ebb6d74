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
}

type Checks = Pick<Interactions, 'check' | 'checkNew'>;

/** The longest text that the checks take. */
const MAX_LENGTH = 200;
const SEVERITIES = ['contraindicated', 'major', 'moderate', 'minor', 'unknown'];

const textOf = ({ name, dosage }: TakenMedicine) => `${name} ${dosage}`.trim();

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
  const dosed = taken.filter((each) => each.dosage !== '' && textOf(each).length <= MAX_LENGTH);
  const names = new Map(dosed.map((each) => [textOf(each), each.name]));
  const together = dosed.length === 0 ? [] : await checks.check({ medications: dosed.map(textOf), ...frame });
  const doses = together.filter(isOfDose).map((finding) => renamed(finding, names));
  const unsure = new Set(
    taken.filter((each) => !dosed.includes(each) || !each.hasLimit).map(({ name }) => name),
  );
  for (const { name, dosage } of dosed) {
    for (const finding of await checks.checkNew({ name, dosage, medications: [], ...frame })) {
      if (finding.kind === 'dose_unchecked') unsure.add(name);
      const isKnown = doses.some((each) => each.ruleId === finding.ruleId && each.medications.includes(name));
      if (isOfDose(finding) && !isKnown) doses.push(finding);
    }
  }
  // A dose above its limit was checked.
  for (const { medications } of doses) medications.forEach((name) => unsure.delete(name));
  const rank = ({ severity }: InteractionResult) => SEVERITIES.indexOf(severity);
  const others = findings.filter((finding) => !isOfDose(finding) && finding.kind !== 'dose_unchecked');
  return {
    findings: [...doses, ...others].sort((a, b) => rank(a) - rank(b)),
    unsureDoses: [...unsure].sort(),
  };
}

const isOfDose = ({ kind }: InteractionResult) => kind === 'dose_ceiling';
