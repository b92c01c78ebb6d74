import { type HealthStat, questionsOf, type RecordQuestion } from '@app/client';
import { computed, signal } from '@preact/signals';
import { memberOf, members } from '../../profiles/model/family';
import { medicines } from '../../medications/model/medicines';
import { loadRecords, reloadedWithFamily } from '../../../platform/model/records';
import { client, whenLocked } from '../../../platform/model/session';
import { isTrashed } from '../../trash/model/trash';

/** Two devices have changed one part of a record. The later version stands, until the person has answered. */
export interface Asked {
  key: string;
  recordId: string;
  question: RecordQuestion;
  /** Whose the record is. */
  about: { name: string } & ({ kind: 'medication' | 'profile' } | { kind: 'reading'; reading: HealthStat });
}

/** So many of the newest readings are searched for questions after each load; a screen of measures searches all. */
const SEARCHED = 500;
const PAGE = 100;
let locks = 0;
const askedReadings = signal<ReadonlyMap<string, HealthStat>>(new Map());

/** All open questions, on every device of the person. */
export const questions = computed((): Asked[] => [
  ...medicines.value.flatMap((medicine) =>
    askedOf(medicine, { kind: 'medication', name: medicine.details.name }),
  ),
  ...members.value.flatMap((member) => askedOf(member, { kind: 'profile', name: member.details.name })),
  ...[...askedReadings.value.values()].flatMap((reading) =>
    askedOf(reading, { kind: 'reading', name: memberOf(reading.profileId)?.details.name ?? '', reading }),
  ),
]);

function askedOf(record: Parameters<typeof questionsOf>[0] & { id: string }, about: Asked['about']): Asked[] {
  return questionsOf(record).map((question) => ({
    key: `${record.id} ${question.unit} ${question.otherAt}`,
    recordId: record.id,
    question,
    about,
  }));
}

/** Keeps the readings that ask something, of those that were just read. */
export function noteReadings(read: Iterable<HealthStat>): void {
  const asked = new Map(askedReadings.value);
  for (const reading of read) {
    if (!isTrashed(reading) && questionsOf(reading).length > 0) asked.set(reading.id, reading);
    else asked.delete(reading.id);
  }
  if (asked.size > 0 || askedReadings.value.size > 0) askedReadings.value = asked;
}

async function searchReadings(): Promise<void> {
  const begun = locks;
  const known = [...askedReadings.value.keys()];
  const read = new Map<string, HealthStat>();
  const pages = client.healthStats.iterate({}, { pageSize: PAGE, onUnreadable: () => undefined });
  for await (const reading of pages) {
    read.set(reading.id, reading);
    if (read.size === SEARCHED) break;
  }
  // An older one may have been answered or deleted on another device.
  const gone: string[] = [];
  for (const id of known.filter((each) => !read.has(each))) {
    const reading = await client.healthStats.get(id).catch(() => undefined);
    if (reading) read.set(id, reading);
    else gone.push(id);
  }
  if (begun !== locks) return;
  noteReadings(read.values());
  if (gone.length > 0)
    askedReadings.value = new Map([...askedReadings.value].filter(([id]) => !gone.includes(id)));
}

// Not after a dose: it takes longer than all else. A failure is that of the load, which is told there.
reloadedWithFamily(() => Promise.resolve(() => void searchReadings().catch(() => undefined)), 'health_stat');
whenLocked(() => {
  locks += 1;
  askedReadings.value = new Map();
});

/** The answer counts on every device. What was not chosen goes into the history. */
export async function answerQuestion(
  { about: { kind }, recordId, question }: Asked,
  choice: 'standing' | 'other',
): Promise<void> {
  if (kind === 'medication') {
    await client.medications.answer(await client.medications.get(recordId), question, choice);
  } else if (kind === 'profile') {
    await client.profiles.answer(await client.profiles.get(recordId), question, choice);
  } else {
    noteReadings([await client.healthStats.answer(await client.healthStats.get(recordId), question, choice)]);
  }
  await loadRecords();
}
