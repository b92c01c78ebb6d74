/** What a reminder says. The device seals it for itself, and its service worker opens it. */
export interface ReminderText {
  title: string;
  body: string;
  /** What "taken" stands for; empty where that needs the page. */
  medicineIds: readonly string[];
  /** The words of the buttons. */
  taken: string;
  later: string;
}

/** An answer that was given outside of the page. It becomes doses once the page is unlocked. */
export interface KeptAnswer {
  medicineIds: readonly string[];
  dueAt: string;
  /** When it was given, in milliseconds since 1970. */
  at: number;
}

/** Entries of the device's box that hold a {@link KeptAnswer} begin so. */
export const ANSWER_ENTRY = 'answer ';

/** What the service worker tells the pages. */
export type WorkerNews = 'answer-kept' | 'test-arrived';

/** The place for which the text of a reminder is sealed. */
export const placeOf = (reminderId: string) => `reminder ${reminderId}`;
