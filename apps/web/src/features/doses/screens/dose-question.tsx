import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { t } from '../../../i18n/i18n';
import { toast } from '../../../ui/toast';
import { doseQuestion, type DoseQuestion } from './asked-dose';

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
