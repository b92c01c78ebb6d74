import { signal } from '@preact/signals';
import type { Dose } from '@app/client';
import { t } from '../../../i18n/i18n';
import { needsCare } from '../../medications/model/findings';
import { now, today } from '../../../platform/model/clock';
import { addDays, instantOf } from '../../../platform/model/dates';
import { codeOf, sentenceOf } from '../../../platform/model/failure';
import { memberOf } from '../../profiles/model/family';
import {
  answerSlot,
  dosesOf,
  logDose,
  medicineOf,
  undoDose,
  whoseWords,
} from '../../medications/model/medicines';
import type { Medicine } from '@app/client/documents';
import { postpone } from '../model/postponed';
import { isAnsweredNow, isEarly, type Slot } from '../model/slots';
import { slotKey, type SlotGroup, wasJustTaken } from '../model/today-view';
import { clockWords, doseWords, nearWords, timeWords, whenWords } from '../../medications/model/words';
import { ignoreSecondTap } from '../../../ui/second-tap';
import { toast } from '../../../ui/toast';
import { askAboutDose } from './dose-question';
import { holdInPlace } from './held-rows';
import { openSlots } from './shown-today';

/** The due dose of which the person chooses another time. */
export const putOffChoice = signal<Slot | undefined>(undefined);

const POSTPONED_MS = 30 * 60_000;

/** A question before a dose is logged. */
export interface Doubt {
  title: string;
  yes: string;
  no: string;
  text: string;
  /** Whether "no" is the likely answer. */
  isUnusual?: boolean;
  goOn: () => void;
}
export const doubt = signal<Doubt | undefined>(undefined);

/** A dose to log. */
interface Entry {
  medicine: Medicine;
  taken: boolean;
  at: Date;
  /** The due dose that it answers. */
  slot?: Slot | undefined;
}

/** Logs doses that belong together, with one way back. @param name of what is logged */
async function log(entries: readonly Entry[], name: string): Promise<void> {
  const results = await Promise.allSettled(
    entries.map(({ medicine, taken, at, slot }) =>
      slot ? answerSlot(slot, taken, at) : logDose(medicine.id, taken, at),
    ),
  );
  const doses = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = entries.filter((_, at) => results[at].status === 'rejected');
  const refusal = results.find((result) => result.status === 'rejected');
  if (!refusal)
    toast({
      text: t(entries[0].taken ? 'today.saidTaken' : 'today.saidSkipped', { name }),
      action: { label: t('common.action.undo'), run: () => void takeBackAll(doses, name) },
    });
  else
    toast({
      text: `${name}: ${sentenceOf(refusal.reason)}`,
      about: codeOf(refusal.reason),
      action: { label: t('common.action.retry'), run: () => void log(failed, name) },
    });
}

const askOne = (doubt: Pick<Doubt, 'title' | 'text'>): Omit<Doubt, 'goOn'> => ({
  ...doubt,
  yes: t('today.takeNow'),
  no: t('common.action.cancel'),
});

/** Person, medicine and amount. */
const doseText = (medicine: Medicine, planned = medicine.details.dose) =>
  `${whoseWords(medicine)}: ${doseWords(planned) || t('today.amountUnknown')}`;

/** What to ask before a dose is logged; `undefined` where nothing speaks against it. */
function doubtOf(medicine: Medicine, slot?: Slot, notBefore?: Date): Omit<Doubt, 'goOn'> | undefined {
  const present = new Date();
  const name = whoseWords(medicine);
  if (notBefore && notBefore > present)
    return {
      title: t('today.askEarlyTitle'),
      text: t('today.askEarly', { name, time: nearWords(notBefore, today.value) }),
      yes: t('today.askEarlyYes'),
      no: t('today.askEarlyNo'),
      isUnusual: true,
    };
  if (wasJustTaken(dosesOf(medicine.id), present))
    return {
      title: t('today.askTitle'),
      text: t('today.askJust', { name }),
      yes: t('today.askYes'),
      no: t('today.askNo'),
      isUnusual: true,
    };
  const isForLater = slot !== undefined && isEarly(slot, present);
  const title = isForLater
    ? t('today.askForLater', { time: timeWords(slot.time) })
    : t('today.askCare', { who: memberOf(medicine.profileId)?.details.name });
  if (isForLater || needsCare(medicine)) return askOne({ title, text: doseText(medicine, slot?.planned) });
  return undefined;
}

interface TakeOptions {
  slot?: Slot;
  /** Of a medicine that is taken as needed. */
  notBefore?: Date | undefined;
}

/** Logs a taken dose, after a question where it may be the second one, is early, or would do harm. */
export function take(medicine: Medicine, at: Date, { slot, notBefore }: TakeOptions = {}): void {
  answerAfter(doubtOf(medicine, slot, notBefore), slot ? [slot] : [], () =>
    log([{ medicine, taken: true, at, slot }], whoseWords(medicine)),
  );
}

function answerAfter(
  asked: Omit<Doubt, 'goOn'> | undefined,
  slots: readonly Slot[],
  act: () => Promise<void>,
): void {
  ignoreSecondTap();
  const goOn = () => {
    doubt.value = undefined;
    slots.forEach((slot) => holdInPlace(slotKey(slot)));
    void act();
  };
  if (asked) doubt.value = { ...asked, goOn };
  else goOn();
}

const groupWords = ({ profileId, time }: SlotGroup) =>
  [memberOf(profileId)?.details.name, timeWords(time)].filter(Boolean).join(' · ');

/** One question for all of a group; each dose that speaks against it is named. */
function doubtOfGroup(group: SlotGroup, slots: readonly Slot[]): Omit<Doubt, 'goOn'> | undefined {
  const doubts = slots.flatMap((slot) => doubtOf(slot.medicine, slot) ?? []);
  if (doubts.length === 0) return undefined;
  const title = slots.some((slot) => isEarly(slot, new Date()))
    ? t('today.askForLater', { time: timeWords(group.time) })
    : t('today.askCare', { who: groupWords(group) });
  return askOne({ title, text: doubts.map(({ text }) => text).join('\n') });
}

/**
 * Takes all that is open of a group.
 * Of yesterday, and where another dose is nearer by now, it is asked, and noted for its time.
 * @param isMissed of yesterday
 */
export function takeGroup(group: SlotGroup, isMissed = false): void {
  const slots = unanswered(group.slots);
  const name = groupWords(group);
  const present = new Date();
  const isPast = isMissed || slots.some((slot) => !isAnsweredNow(slot, unanswered(openSlots.value), present));
  const missed = {
    title: t('today.whenTitle', { name }),
    text: slots.map(({ medicine, planned }) => doseText(medicine, planned)).join('\n'),
    yes: t('today.whenPlanned', { when: whenWords(group.at, today.value) }),
    no: t('common.action.cancel'),
  };
  const entries = slots.map((slot) => ({
    medicine: slot.medicine,
    taken: true,
    at: isPast ? slot.at : present,
    slot,
  }));
  answerAfter(isPast ? missed : doubtOfGroup(group, slots), slots, () => log(entries, name));
}

/** Takes all answers of a group back. */
export function takeBackGroup(group: SlotGroup): void {
  void takeBackAll(
    group.slots.flatMap(({ dose }) => dose ?? []),
    groupWords(group),
  );
}

export function takeSlot(slot: Slot): void {
  if (slot.medicine.details.correction) {
    // How much it was is never known beforehand.
    ignoreSecondTap();
    void askAboutDose({ medicine: slot.medicine, slot, asksAmount: true });
    return;
  }
  if (isAnsweredNow(slot, unanswered(openSlots.value), new Date()))
    return take(slot.medicine, new Date(), { slot });
  ignoreSecondTap();
  void askAboutDose({ medicine: slot.medicine, slot });
}

/** @param isMissed of yesterday: the answer belongs to its time, never to today */
export function skipSlot(slot: Slot, isMissed = false): void {
  ignoreSecondTap();
  holdInPlace(slotKey(slot));
  const isNow = !isMissed && isAnsweredNow(slot, unanswered(openSlots.value), new Date());
  const at = isNow ? new Date() : slot.at;
  void log([{ medicine: slot.medicine, taken: false, at, slot }], whoseWords(slot.medicine));
}

const unanswered = (slots: readonly Slot[]) => slots.filter(({ dose }) => !dose);

/** @param until absent: half an hour from now */
export function putOffSlot(slot: Slot, until = new Date(now.value.getTime() + POSTPONED_MS)): void {
  ignoreSecondTap();
  postpone(slotKey(slot), until);
  toast({
    text: t('today.saidLater', { name: whoseWords(slot.medicine), time: clockWords(until) }),
    action: { label: t('today.anotherTime'), run: () => (putOffChoice.value = slot) },
  });
}

/** Asks no more for a due dose of today that was not to be taken. Nothing is noted: it was not skipped. */
export function leaveOut(slot: Slot): void {
  ignoreSecondTap();
  const until = instantOf(addDays(slot.day, 1), '00:00');
  postpone(slotKey(slot), until);
  toast({
    text: t('today.saidNotToday', { name: whoseWords(slot.medicine), time: timeWords(slot.time) }),
    action: { label: t('common.action.undo'), run: () => postpone(slotKey(slot), new Date(0)) },
  });
}

/** Takes a dose back, and offers to log it again as it was. */
export const takeBack = (medicine: Medicine, dose: Dose): Promise<void> =>
  takeBackAll([dose], whoseWords(medicine));

async function takeBackAll(doses: readonly Dose[], name: string): Promise<void> {
  ignoreSecondTap();
  const again = doses.flatMap(({ medicationId, taken, loggedAt }) => {
    const medicine = medicineOf(medicationId);
    return medicine ? [{ medicine, taken, at: new Date(loggedAt) }] : [];
  });
  try {
    await Promise.all(doses.map(undoDose));
    toast({
      text: t('today.undone', { name }),
      action: { label: t('common.action.undo'), run: () => void log(again, name) },
    });
  } catch (error) {
    toast({ text: `${name}: ${sentenceOf(error)}` });
  }
}
