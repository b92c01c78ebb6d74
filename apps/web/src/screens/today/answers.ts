import { signal } from '@preact/signals';
import type { Dose } from '@app/client';
import { t } from '../../i18n/i18n';
import { needsCare } from '../../model/checks';
import { now } from '../../model/clock';
import { codeOf, sentenceOf } from '../../model/failure';
import { memberOf } from '../../model/family';
import { dosesOf, logDose, undoDose } from '../../model/medicines';
import type { Medicine } from '../../model/medication-details';
import { postpone } from '../../model/postponed';
import { whenLocked } from '../../model/session';
import { isEarly, loggedTimeFor, type Slot } from '../../model/slots';
import { slotKey, wasJustTaken } from '../../model/today-view';
import { clockWords, doseWords, nameWords, timeWords } from '../../model/words';
import { ignoreSecondTap } from '../../ui/second-tap';
import { toast } from '../../ui/toast';

/** The due dose of which the person chooses another time. */
export const putOffChoice = signal<Slot | undefined>(undefined);

const POSTPONED_MS = 30 * 60_000;

/** How long nobody must have tapped until the answered rows move to what is done, in milliseconds. */
const REST_MS = 2_500;

/** The answered due doses whose rows stay in place, by their keys: a second tap must not meet another row. */
export const heldInPlace = signal<ReadonlySet<string>>(new Set());
let rest: ReturnType<typeof setTimeout> | undefined;

function releaseWhenAtRest(): void {
  clearTimeout(rest);
  if (heldInPlace.value.size > 0) rest = setTimeout(() => (heldInPlace.value = new Set()), REST_MS);
}

export function holdInPlace(key: string): void {
  heldInPlace.value = new Set([...heldInPlace.value, key]);
  releaseWhenAtRest();
}
document.addEventListener('pointerdown', releaseWhenAtRest, true);
whenLocked(() => (heldInPlace.value = new Set()));

/** Person and medicine: in a family two may take the same. */
export function whoAndWhat(medicine: Medicine): string {
  const who = memberOf(medicine.profileId)?.details.name;
  return [who, nameWords(medicine)].filter(Boolean).join(' · ');
}

/** A question before a dose is logged. */
export interface Doubt {
  title: string;
  yes: string;
  no: string;
  text: string;
  goOn: () => void;
}
export const doubt = signal<Doubt | undefined>(undefined);

async function log(medicine: Medicine, taken: boolean, at: Date): Promise<void> {
  const name = whoAndWhat(medicine);
  try {
    const dose = await logDose(medicine.id, taken, at);
    toast({
      text: t(taken ? 'today.saidTaken' : 'today.saidSkipped', { name }),
      action: { label: t('common.action.undo'), run: () => void takeBack(medicine, dose) },
    });
  } catch (error) {
    toast({
      text: `${name}: ${sentenceOf(error)}`,
      about: codeOf(error),
      action: { label: t('common.action.retry'), run: () => void log(medicine, taken, at) },
    });
  }
}

const askOne = (doubt: Pick<Doubt, 'title' | 'text'>): Omit<Doubt, 'goOn'> => ({
  ...doubt,
  yes: t('today.takeNow'),
  no: t('common.action.cancel'),
});

/** What to ask before a dose is logged; `undefined` where nothing speaks against it. */
function doubtOf(medicine: Medicine, slot?: Slot, notBefore?: Date): Omit<Doubt, 'goOn'> | undefined {
  const present = new Date();
  const name = whoAndWhat(medicine);
  const again = { title: t('today.askTitle'), yes: t('today.askYes'), no: t('today.askNo') };
  if (wasJustTaken(dosesOf(medicine.id), present)) return { ...again, text: t('today.askJust', { name }) };
  if (notBefore && notBefore > present)
    return { ...again, text: t('today.askEarly', { name, time: clockWords(notBefore) }) };
  const isForLater = slot !== undefined && isEarly(slot, present);
  const title = isForLater
    ? t('today.askForLater', { time: timeWords(slot.time) })
    : t('today.askCare', { who: memberOf(medicine.profileId)?.details.name });
  const dose = doseWords(medicine.details.dose) || t('today.amountUnknown');
  if (isForLater || needsCare(medicine)) return askOne({ title, text: `${name}: ${dose}` });
  return undefined;
}

interface TakeOptions {
  slot?: Slot;
  /** Of a medicine that is taken as needed. */
  notBefore?: Date | undefined;
}

/** Logs a taken dose, after a question where it may be the second one, is early, or would do harm. */
export function take(medicine: Medicine, at: Date, { slot, notBefore }: TakeOptions = {}): void {
  ignoreSecondTap();
  const goOn = () => {
    doubt.value = undefined;
    if (slot) holdInPlace(slotKey(slot));
    void log(medicine, true, at);
  };
  const asked = doubtOf(medicine, slot, notBefore);
  if (asked) doubt.value = { ...asked, goOn };
  else goOn();
}

export function takeSlot(slot: Slot, open: readonly Slot[]): void {
  take(slot.medicine, loggedTimeFor(slot, unanswered(open), new Date()), { slot });
}

/** @param isMissed of yesterday: the answer belongs to its time, never to today */
export function skipSlot(slot: Slot, open: readonly Slot[], isMissed = false): void {
  ignoreSecondTap();
  holdInPlace(slotKey(slot));
  void log(slot.medicine, false, isMissed ? slot.at : loggedTimeFor(slot, unanswered(open), new Date()));
}

const unanswered = (slots: readonly Slot[]) => slots.filter(({ dose }) => !dose);

/** @param until absent: half an hour from now */
export function putOffSlot(slot: Slot, until = new Date(now.value.getTime() + POSTPONED_MS)): void {
  ignoreSecondTap();
  postpone(slotKey(slot), until);
  toast({
    text: t('today.saidLater', { name: whoAndWhat(slot.medicine), time: clockWords(until) }),
    action: { label: t('today.anotherTime'), run: () => (putOffChoice.value = slot) },
  });
}

/** Takes a dose back, and offers to log it again as it was. */
export async function takeBack(medicine: Medicine, dose: Dose): Promise<void> {
  ignoreSecondTap();
  const name = whoAndWhat(medicine);
  try {
    await undoDose(dose);
    toast({
      text: t('today.undone', { name }),
      action: {
        label: t('common.action.undo'),
        run: () => void log(medicine, dose.taken, new Date(dose.loggedAt)),
      },
    });
  } catch (error) {
    toast({ text: `${name}: ${sentenceOf(error)}` });
  }
}
