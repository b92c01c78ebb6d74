import { newId, type Dose } from '@app/client';
import { batch, computed, signal } from '@preact/signals';
import { asMedicine, type DoseRemark, type Medicine, type MedicineDetails } from '@app/client/documents';
import { isShown, memberOf } from '../../profiles/model/family';
import { noteHere } from '../../doses/model/noted-here';
import { mayChange } from '../../profiles/model/people';
import { loadedWithFamily, noteUnreadable } from '../../../platform/model/records';
import { client, whenLocked } from '../../../platform/model/session';
import { bringBack, moveToTrash, withoutTrash } from '../../trash/model/trash';
import { serviceScheduleOf } from './schedule';
import { countsFor, type Slot } from '../../doses/model/slots';
import { nameWords } from './words';

/** How far back the doses are kept in memory: the heat map shows so many days. */
export const DOSE_DAYS = 92;

export const medicines = signal<Medicine[]>([]);
/** Doses by medicine, newest first. */
export const dosesByMedicine = signal<ReadonlyMap<string, Dose[]>>(new Map());

export const shownMedicines = computed(() => medicines.value.filter(({ profileId }) => isShown(profileId)));

export function medicineOf(id: string): Medicine | undefined {
  return medicines.value.find((each) => each.id === id);
}

const NONE: Dose[] = [];

/** With those that no device of the account has written. */
export function allDosesOf(medicineId: string): Dose[] {
  return dosesByMedicine.value.get(medicineId) ?? NONE;
}

export function medicineOfDose(id: string): Medicine | undefined {
  const [medicineId] =
    [...dosesByMedicine.value].find(([, doses]) => doses.some((dose) => dose.id === id)) ?? [];
  return medicineId === undefined ? undefined : medicineOf(medicineId);
}

/** By all doses of a medicine. */
const counting = new WeakMap<Dose[], Dose[]>();

/** The doses that count. While no dose changes it is the same array. */
export function dosesOf(medicineId: string): Dose[] {
  const all = allDosesOf(medicineId);
  const known = counting.get(all) ?? all.filter(({ confirmed }) => confirmed);
  counting.set(all, known);
  return known;
}

export interface NewMedicine {
  profileId: string;
  route: string;
  details: MedicineDetails;
}

export async function addMedicine({ profileId, route, details }: NewMedicine): Promise<Medicine> {
  const added = asMedicine(
    await client.medications.create({
      profileId,
      route,
      schedule: serviceScheduleOf(details.schedule),
      details,
    }),
  );
  medicines.value = [added, ...medicines.value];
  return added;
}

/** Merges the changes. `undefined` removes a member of the details. */
export async function changeMedicine(
  medicine: Medicine,
  details: Partial<MedicineDetails>,
  route = medicine.route,
): Promise<Medicine> {
  const current = await client.medications.get(medicine.id);
  const changed = asMedicine(
    await client.medications.update(current, {
      route,
      schedule: serviceScheduleOf('schedule' in details ? details.schedule : medicine.details.schedule),
      details,
    }),
  );
  medicines.value = medicines.value.map((each) => (each.id === changed.id ? changed : each));
  return changed;
}

/** Moves it to the trash, with its doses. */
export async function removeMedicine(id: string): Promise<void> {
  await moveToTrash('medication', id);
  medicines.value = medicines.value.filter((each) => each.id !== id);
}

/** Whose it is, and what: `Otto · Nurofen`. In a family two may take the same. */
export function whoseWords(medicine: Medicine): string {
  return [memberOf(medicine.profileId)?.details.name, nameWords(medicine)].filter(Boolean).join(' · ');
}

/** Brings it back from the trash, with its doses. */
export async function putBackMedicine(id: string): Promise<void> {
  await bringBack({ kind: 'medication', id });
  const back = asMedicine(await client.medications.get(id));
  medicines.value = [back, ...medicines.value.filter((each) => each.id !== id)];
}

function setDoses(medicineId: string, doses: Dose[]): void {
  dosesByMedicine.value = new Map(dosesByMedicine.value).set(medicineId, doses);
}

function newDose(medicationId: string, taken: boolean, at: Date, id = newId()): Dose {
  const loggedAt = at.toISOString();
  const createdAt = new Date().toISOString();
  return { id, medicationId, taken, loggedAt, proof: null, confirmed: true, pending: true, createdAt };
}

/** Logs a dose. It is shown at once, and taken back where the service refuses it. */
export async function logDose(medicineId: string, taken: boolean, at: Date, id?: string): Promise<Dose> {
  const logged = newDose(medicineId, taken, at, id);
  noteHere(logged.id);
  const newestFirst = (doses: Dose[]) => [...doses].sort((a, b) => b.loggedAt.localeCompare(a.loggedAt));
  setDoses(medicineId, newestFirst([logged, ...allDosesOf(medicineId)]));
  try {
    return await client.medications.logDose(medicineId, { id: logged.id, taken, loggedAt: at });
  } catch (error) {
    setDoses(
      medicineId,
      allDosesOf(medicineId).filter(({ id }) => id !== logged.id),
    );
    throw error;
  }
}

/**
 * Logs the answer to a due dose. Where another due dose is nearer to its time, the medicine says first which one it answers:
 * else one that was pressed stays open, and the other is never asked for. Who may not change the medicine cannot say it.
 */
export async function answerSlot(slot: Slot, taken: boolean, at: Date): Promise<Dose> {
  const { medicine, day, time } = slot;
  const dose = newDose(medicine.id, taken, at);
  if (mayChange(medicine.profileId) && !countsFor(slot, dose, dosesOf(medicine.id))) {
    const { remarks = [] } = medicineOf(medicine.id)?.details ?? {};
    const said = { dose: dose.id, answers: `${day} ${time}` };
    await changeMedicine(medicine, { remarks: [...remarks, said].slice(-KEPT_REMARKS) });
  }
  return logDose(medicine.id, taken, at, dose.id);
}

/** Keeps that a dose was given beside another one for the same due time. */
export async function keepBoth(medicine: Medicine, doseId: string): Promise<void> {
  const { remarks = [] } = medicineOf(medicine.id)?.details ?? {};
  const said: DoseRemark = { ...remarks.find(({ dose }) => dose === doseId), dose: doseId, isAnother: true };
  delete said.answers;
  const others = remarks.filter(({ dose }) => dose !== doseId);
  await changeMedicine(medicine, {
    remarks: [...others, said].slice(-KEPT_REMARKS),
  });
}

/** A medicine keeps the reasons of its last skipped doses. */
const KEPT_SKIPS = 100;

/** Keeps why a dose was skipped. It is encrypted with the medicine: the service sees only that it was skipped. */
export async function explainSkip(medicineId: string, doseId: string, reason: string): Promise<void> {
  const medicine = medicineOf(medicineId);
  if (!medicine) return;
  const others = (medicine.details.skips ?? []).filter(({ dose }) => dose !== doseId);
  await changeMedicine(medicine, { skips: [...others, { dose: doseId, reason }].slice(-KEPT_SKIPS) });
}

/** Takes a logged dose back. */
export async function undoDose(dose: Dose): Promise<void> {
  const before = allDosesOf(dose.medicationId);
  setDoses(
    dose.medicationId,
    before.filter(({ id }) => id !== dose.id),
  );
  try {
    await client.medications.deleteDose(dose.medicationId, dose.id);
  } catch (error) {
    setDoses(dose.medicationId, before);
    throw error;
  }
}

/** A dose as a person enters it. */
export interface EnteredDose {
  taken: boolean;
  at: Date;
  /** Absent: as planned. */
  amount?: number;
  unit?: string;
  note?: string;
  /** The due dose that it answers; absent where none was asked about. */
  slot?: Pick<Slot, 'day' | 'time' | 'at'>;
}

/** A medicine keeps what was said of its last doses. */
const KEPT_REMARKS = 200;

/**
 * Enters a dose, or changes one. What is said of it is stored first, then the dose, and the old one goes last: a failure
 * on the way loses nothing.
 */
export async function enterDose(medicine: Medicine, entered: EnteredDose, before?: Dose): Promise<void> {
  const { taken, at, unit, note, slot } = entered;
  const isMoved = before?.loggedAt !== at.toISOString();
  const id = before && !isMoved ? before.id : newId();
  const { dose: planned, schedule } = medicine.details;
  // Of a plan with several amounts it is said: the dose may be moved from one to another.
  const isPlanned = entered.amount === planned?.amount && unit === planned?.unit && !schedule?.amounts;
  const amount = isPlanned ? undefined : entered.amount;
  const { remarks = [], skips = [] } = medicineOf(medicine.id)?.details ?? {};
  const answers =
    slot && slot.at.getTime() !== at.getTime()
      ? `${slot.day} ${slot.time}`
      : remarks.find(({ dose }) => dose === before?.id)?.answers;
  const isAnother = remarks.find(({ dose }) => dose === before?.id)?.isAnother;
  const isSaid = [amount, note, answers, isAnother].some((each) => each !== undefined);
  const others = remarks.filter(({ dose }) => dose !== before?.id);
  const said = {
    dose: id,
    ...(amount !== undefined && { amount, unit }),
    ...(note !== undefined && { note }),
    ...(answers !== undefined && { answers }),
    ...(isAnother && { isAnother }),
  };
  const moved = skips.map((skip) => (skip.dose === before?.id ? { ...skip, dose: id } : skip));
  const hasChanged =
    isSaid || others.length < remarks.length || (isMoved && skips.some(({ dose }) => dose === before?.id));
  if (hasChanged && mayChange(medicine.profileId))
    await changeMedicine(medicine, {
      remarks: [...others, ...(isSaid ? [said] : [])].slice(-KEPT_REMARKS),
      skips: moved,
    });
  if (!isMoved) return;
  const logged = await logDose(medicine.id, taken, at, id);
  if (!before) return;
  try {
    await undoDose(before);
  } catch (error) {
    await undoDose(logged);
    throw error;
  }
}

/** What the screens show of a dose. That it was sent meanwhile shows in its author, if it has one. */
const looksOf = ({ taken, loggedAt, confirmed, author, doubt }: Dose) =>
  JSON.stringify([taken, loggedAt, confirmed, author, doubt]);

/** The doses that were read, and where one looks as before, the one that is shown: its row need not be drawn again. */
function likeShown(shown: Dose[], read: readonly Dose[]): Dose[] {
  const byId = new Map(shown.map((dose) => [dose.id, dose]));
  const kept = read.map((dose) => {
    const known = byId.get(dose.id);
    return known && looksOf(known) === looksOf(dose) ? known : dose;
  });
  const isSame = kept.length === shown.length && kept.every((dose, at) => dose === shown[at]);
  return isSame ? shown : kept;
}

async function recentDoses(medicineId: string, since: string): Promise<Dose[]> {
  const doses: Dose[] = [];
  for await (const dose of client.medications.iterateDoses(medicineId)) {
    if (dose.loggedAt < since) break;
    doses.push(dose);
  }
  return doses;
}

loadedWithFamily(
  async (changed) => {
    const isListed = !changed || changed.kinds.has('medication');
    const listed = isListed
      ? withoutTrash(
          'medication',
          await client.medications.list({}, { onUnreadable: noteUnreadable }),
          ({ details }) => details.name,
        )
      : undefined;
    const loaded = listed?.kept.map(asMedicine);
    const since = new Date(Date.now() - DOSE_DAYS * 86_400_000).toISOString();
    const known = dosesByMedicine.value;
    /** Whether the doses of a medicine may be others than those that are shown. */
    const isStale = (id: string) =>
      !changed || !known.has(id) || (changed.kinds.has('dose') && changed.dosesOf?.has(id) !== false);
    const read = (loaded ?? medicines.value).filter(({ id }) => isStale(id));
    const doses = await Promise.all(
      read.map(async ({ id }): Promise<[string, Dose[]]> => [id, await recentDoses(id, since)]),
    );
    return () => {
      const shown = loaded ?? medicines.value;
      const known = dosesByMedicine.value;
      const fresh = new Map([
        ...known,
        ...doses.map(([id, read]) => [id, likeShown(allDosesOf(id), read)] as const),
      ]);
      // What this device has noted is shown already.
      if (!listed && doses.every(([id]) => fresh.get(id) === known.get(id))) return;
      batch(() => {
        dosesByMedicine.value = new Map(shown.map(({ id }) => [id, fresh.get(id) ?? []]));
        listed?.show();
        if (loaded) medicines.value = loaded;
      });
    };
  },
  'medication',
  'dose',
);
whenLocked(() => {
  medicines.value = [];
  dosesByMedicine.value = new Map();
});
