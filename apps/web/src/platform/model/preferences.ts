import { keepText } from './device-texts';
import { effect, signal, type Signal } from '@preact/signals';

export const PREFERENCE_PREFIX = 'health-records/page/';

/** Why the last choice lasts for this visit only; `undefined` where it is kept. */
export const choiceNotKept = signal<unknown>(undefined);

/**
 * A choice of this device, kept over reloads. Security: it is stored in plain text on the device. Store
 * nothing about health, no name and no secret here.
 */
export function preference<T extends string | number | boolean | null>(name: string, fallback: T): Signal<T> {
  const key = PREFERENCE_PREFIX + name;
  const stored = localStorage.getItem(key);
  const kept = signal<T>(stored === null ? fallback : (parse(stored) as T));
  effect(() => {
    try {
      keepText(key, kept.value === fallback ? null : JSON.stringify(kept.value));
      choiceNotKept.value = undefined;
    } catch (error) {
      choiceNotKept.value = error;
    }
  });
  return kept;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export type Theme = 'system' | 'light' | 'dark';
export const theme = preference<Theme>('theme', 'system');
/** Percent of the usual size of text. */
export const textSize = preference<number>('text-size', 100);
/** `null`: the language of the browser. */
export const chosenLanguage = preference<string | null>('language', null);
/** Minutes without use until the page locks itself; 0: never. */
export const lockAfterMinutes = preference<number>('lock-after', 5);
export const reminders = preference<boolean>('reminders', false);
/** Whether a reminder is said again until the dose is answered. */
export const remindersRepeat = preference<boolean>('reminders-repeat', true);
/** How much a reminder says: that something is due, whose and how many, or the names of the medicines. */
export type ReminderWords = 'nothing' | 'count' | 'names';
export const reminderWords = preference<ReminderWords>('reminder-words', 'count');
/** Whether the service sends reminders to this device. */
export const isPushed = preference<boolean>('pushed', false);
