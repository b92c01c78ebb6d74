import { type Medicine, type FamilyMember, type HealthFact, substancesOf } from '@app/client/documents';
import { factWords } from './fact-words';
import { planWords, type Spoken } from '../../medications/model/plan-words';
import { isCurrent, isPaused } from '../../medications/model/schedule';

/** The parts of an emergency card, in the order in which a stranger needs them. */
export const CARD_PARTS = [
  'allergies',
  'conditions',
  'medicines',
  'bloodGroup',
  'contacts',
  'doctor',
] as const;
export type CardPart = (typeof CARD_PARTS)[number];

/** One part of the card; without lines where nothing is entered, which the card says. */
export interface CardSection {
  part: CardPart;
  lines: string[];
}

/** What a stranger must know of a person in an emergency, in one language. */
export function emergencyCard(
  { id, details }: FamilyMember,
  medicines: readonly Medicine[],
  today: string,
  spoken: Spoken,
): CardSection[] {
  const { allergies, conditions, emergency = {} } = details;
  const factsOf = (facts: HealthFact[] = []) => facts.map((fact) => factWords(fact, spoken.text));
  const taken = medicines
    .filter((each) => each.profileId === id && isCurrent(each, today) && !isPaused(each, today))
    .map((each) => medicineLine(each, spoken))
    .sort((a, b) => a.localeCompare(b));
  const lines: Record<CardPart, string[]> = {
    allergies: factsOf(allergies),
    conditions: factsOf(conditions),
    medicines: taken,
    bloodGroup: [emergency.bloodGroup ?? ''],
    contacts: (emergency.contacts ?? '').split('\n'),
    doctor: [emergency.doctor ?? ''],
  };
  return CARD_PARTS.map((part) => ({ part, lines: lines[part].map((line) => line.trim()).filter(Boolean) }));
}

function medicineLine({ details }: Medicine, spoken: Spoken): string {
  const substances = substancesOf(details).join(' + ');
  const name = [details.name, details.strength, substances && `(${substances})`].filter(Boolean).join(' ');
  const how = details.schedule || details.dose ? planWords(details, spoken) : '';
  return [name, how].filter(Boolean).join(': ');
}
