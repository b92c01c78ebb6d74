import { type Medication, type Profile, questionsOf, type RecordQuestion } from '@app/client';
import { computed } from '@preact/signals';
import { members } from './family';
import { medicines } from './medicines';
import { loadRecords } from './records';
import { client } from './session';

/** Two devices have changed one part of a record. The later version stands, until the person has answered. */
export interface Asked {
  key: string;
  kind: 'medication' | 'profile';
  recordId: string;
  name: string;
  question: RecordQuestion;
}

/** All open questions, on every device of the person. */
export const questions = computed((): Asked[] => [
  ...medicines.value.flatMap((medicine) => askedOf('medication', medicine.id, medicine)),
  ...members.value.flatMap((member) => askedOf('profile', member.id, member)),
]);

function askedOf(kind: Asked['kind'], recordId: string, record: { details: { name: string } }): Asked[] {
  return questionsOf(record).map((question) => ({
    key: `${recordId} ${question.unit} ${question.otherAt}`,
    kind,
    recordId,
    name: record.details.name,
    question,
  }));
}

/** The answer counts on every device. What was not chosen goes into the history. */
export async function answerQuestion(
  { kind, recordId, question }: Asked,
  choice: 'standing' | 'other',
): Promise<void> {
  if (kind === 'medication') {
    const medication: Medication = await client.medications.get(recordId);
    await client.medications.answer(medication, question, choice);
  } else {
    const profile: Profile = await client.profiles.get(recordId);
    await client.profiles.answer(profile, question, choice);
  }
  await loadRecords();
}
