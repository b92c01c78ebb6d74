import type { Dose } from '@app/client';
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { t } from '../../i18n/i18n';
import type { Medicine } from '../../model/medication-details';
import { whenLocked } from '../../model/session';
import type { Slot } from '../../model/slots';
import { toast } from '../../ui/toast';

export interface DoseQuestion {
  medicine: Medicine;
  /** The due dose that is answered; absent for a dose that was not due. */
  slot?: Slot;
  /** The logged dose that is changed; absent for one that is added. */
  dose?: Dose;
}

/** The dose of which the person says when it was taken, how much, and what was with it. */
export const doseQuestion = signal<DoseQuestion | undefined>(undefined);
whenLocked(() => (doseQuestion.value = undefined));

const dialog = signal<ComponentType<DoseQuestion> | undefined>(undefined);

/** Asks about a dose. The first question loads the code of the dialog. */
export async function askAboutDose(question: DoseQuestion): Promise<void> {
  try {
    dialog.value = (await import('./dose-dialog')).DoseDialog;
    doseQuestion.value = question;
  } catch {
    toast({ text: t('common.error.chunk') });
  }
}

export function DoseQuestions() {
  const [asked, Asking] = [doseQuestion.value, dialog.value];
  return asked && Asking ? <Asking key={asked.dose?.id ?? asked.medicine.id} {...asked} /> : null;
}
