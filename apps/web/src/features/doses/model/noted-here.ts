import { signal } from '@preact/signals';
import { keepDraft, readDraft } from '../../../platform/model/drafts';
import { sessionState, whenLocked, whenUnlocked } from '../../../platform/model/session';

const NAME = 'noted-here';
/** Nobody asks about older doses. */
const KEPT_MS = 3 * 86_400_000;
/** The doses of a group are kept with one write, after what the tap itself needs. */
const REST_MS = 500;

/**
 * The doses that were noted on this device, by their ids, with the time of the note in milliseconds. A dose itself does not
 * say from which device of an account it comes. It is kept encrypted, as a draft is.
 */
const notedAt = signal<Readonly<Record<string, number>>>({});

let writing: ReturnType<typeof setTimeout> | undefined;

export const isNotedHere = (doseId: string): boolean => notedAt.value[doseId] !== undefined;

export function noteHere(doseId: string): void {
  const now = Date.now();
  const recent = Object.entries(notedAt.value).filter(([, at]) => at > now - KEPT_MS);
  notedAt.value = { ...Object.fromEntries(recent), [doseId]: now };
  clearTimeout(writing);
  writing = setTimeout(() => void keepDraft(NAME, notedAt.value).catch(() => undefined), REST_MS);
}

whenUnlocked(() => {
  void readDraft<Record<string, number>>(NAME).then((stored = {}) => {
    if (sessionState.value === 'unlocked') notedAt.value = { ...stored, ...notedAt.value };
  });
});
whenLocked(() => {
  clearTimeout(writing);
  notedAt.value = {};
});
