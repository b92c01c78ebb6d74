import type { MemberChange } from '../model/family';
import { relationOf } from '../model/people';
import {
  ALLERGY_CODES,
  CONDITION_CODES,
  type EmergencyFacts,
  type FamilyMember,
  type FamilyMemberDetails,
  type HealthFact,
  toAskOf,
} from '@app/client/documents';

export const RELATIONS = ['self', 'partner', 'child', 'parent', 'other'] as const;

/** What the form holds: texts as typed, codes as ticked. */
export interface MemberForm {
  kind: 'human' | 'pet';
  relationship: string;
  name: string;
  birthDate: string;
  species: 'dog' | 'cat' | 'other';
  speciesOther: string;
  picture: string;
  sex: 'none' | 'female' | 'male';
  pregnant: boolean;
  breastfeeding: boolean;
  smokes: boolean;
  egfr: string;
  codes: string[];
  otherAllergies: string;
  otherConditions: string;
  questions: string;
  bloodGroup: string;
  contacts: string;
  doctor: string;
  notes: string;
}

/** @param others who is entered already: only one of them is the person of the account */
export function memberForm(member?: FamilyMember, others: readonly FamilyMember[] = []): MemberForm {
  const details: Partial<FamilyMemberDetails> = member?.details ?? {};
  const { species = 'dog', allergies = [], conditions = [] } = details;
  const isCommon = species === 'dog' || species === 'cat';
  const free = (facts: HealthFact[]) =>
    facts
      .filter(({ code }) => !code)
      .map(({ text }) => text)
      .join('\n');
  return {
    kind: member?.kind ?? 'human',
    relationship:
      member?.relationship ?? (others.some((each) => relationOf(each) === 'self') ? 'other' : 'self'),
    name: details.name ?? '',
    birthDate: details.birthDate ?? '',
    species: isCommon ? species : 'other',
    speciesOther: isCommon ? '' : species,
    picture: details.picture ?? '',
    sex: details.sex ?? 'none',
    pregnant: details.pregnant ?? false,
    breastfeeding: details.breastfeeding ?? false,
    smokes: details.smokes ?? false,
    egfr: details.egfr === undefined ? '' : String(details.egfr),
    codes: [...allergies, ...conditions].flatMap(({ code }) => code ?? []),
    otherAllergies: free(allergies),
    otherConditions: free(conditions),
    questions: toAskOf(details).join('\n'),
    bloodGroup: details.emergency?.bloodGroup ?? '',
    contacts: details.emergency?.contacts ?? '',
    doctor: details.emergency?.doctor ?? '',
    notes: details.notes ?? '',
  };
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** @param nameOf the words of a code in the language of the person who enters it */
export function changeOf(form: MemberForm, nameOf: (code: string) => string): MemberChange {
  const isHuman = form.kind === 'human';
  const text = (value: string) => value.trim() || undefined;
  const facts = (codes: readonly string[], others: string): HealthFact[] | undefined => {
    const all = [
      ...codes.filter((code) => form.codes.includes(code)).map((code) => ({ code, text: nameOf(code) })),
      ...linesOf(others).map((line) => ({ text: line })),
    ];
    return all.length > 0 ? all : undefined;
  };
  const egfr = Number(form.egfr.replace(',', '.'));
  const questions = linesOf(form.questions);
  const entered = { bloodGroup: form.bloodGroup, contacts: form.contacts, doctor: form.doctor };
  const emergency: EmergencyFacts = Object.fromEntries(
    Object.entries(entered)
      .map(([name, value]): [string, string] => [name, value.trim()])
      .filter(([, value]) => value !== ''),
  );
  const details = {
    name: form.name.trim(),
    birthDate: text(form.birthDate),
    species: isHuman
      ? undefined
      : form.species === 'other'
        ? form.speciesOther.trim() || 'other'
        : form.species,
    picture: form.picture || undefined,
    sex: isHuman && form.sex !== 'none' ? form.sex : undefined,
    pregnant: (isHuman && form.sex === 'female' && form.pregnant) || undefined,
    breastfeeding: (isHuman && form.sex === 'female' && form.breastfeeding) || undefined,
    smokes: (isHuman && form.smokes) || undefined,
    egfr: isHuman && form.egfr.trim() !== '' && egfr > 0 ? egfr : undefined,
    allergies: facts(isHuman ? ALLERGY_CODES : [], form.otherAllergies),
    conditions: facts(isHuman ? CONDITION_CODES : [], form.otherConditions),
    questions: questions.length > 0 ? questions : undefined,
    emergency: Object.keys(emergency).length > 0 ? emergency : undefined,
    notes: text(form.notes),
  };
  return {
    kind: form.kind,
    relationship: isHuman ? form.relationship : 'pet',
    details: details,
  };
}
