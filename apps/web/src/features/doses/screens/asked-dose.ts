import type { Dose } from '@app/client';
import { signal } from '@preact/signals';
import type { Medicine } from '@app/client/documents';
import { whenLocked } from '../../../platform/model/session';
import type { Slot } from '../model/slots';

export interface DoseQuestion {
  medicine: Medicine;
  /** The due dose that is answered; absent for a dose that was not due. */
  slot?: Slot;
  /** The logged dose that is changed; absent for one that is added. */
  dose?: Dose;
  /** Whether it is being taken now, and only the amount is to be said. */
  asksAmount?: boolean;
}

/** The dose of which the person says when it was taken, how much, and what was with it. */
export const doseQuestion = signal<DoseQuestion | undefined>(undefined);
whenLocked(() => (doseQuestion.value = undefined));
