import { useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { today } from '../../../../platform/model/clock';
import { memberOf } from '../../../profiles/model/family';
import { medicines } from '../../model/medicines';
import type { Medicine } from '@app/client/documents';
import { isCurrent } from '../../model/schedule';
import { nameWords } from '../../model/words';
import { Button, ButtonLink } from '../../../../ui/button';
import { Dialog } from '../../../../ui/dialog';
import type { MedicineForm } from './form-model';

/**
 * Asks before a second medicine of one name is stored for a person: it is mostly the same one, and would be taken twice.
 * @param anyway the words of the button that stores it all the same
 */
export function useAlreadyThere(anyway: string) {
  const [open, setOpen] = useState<AlreadyThereProps | undefined>(undefined);
  /** @param own the medicine that is changed. With its own name nothing is asked. */
  const isWanted = async (form: MedicineForm, own?: Medicine): Promise<boolean> => {
    const known = sameAs(form, own);
    if (!known) return true;
    const answer = await new Promise<boolean>((onAnswer) => setOpen({ known, anyway, onAnswer }));
    setOpen(undefined);
    return answer;
  };
  return { isWanted, dialog: open && <AlreadyThere {...open} /> };
}

/** The medicine of this name that the person has already. */
function sameAs({ profileId, name }: MedicineForm, own: Medicine | undefined): Medicine | undefined {
  const keyOf = (text: string) => text.trim().toLowerCase();
  if (own && keyOf(own.details.name) === keyOf(name)) return undefined;
  return medicines.value.find(
    (each) =>
      each.profileId === profileId &&
      each.id !== own?.id &&
      isCurrent(each, today.value) &&
      keyOf(each.details.name) === keyOf(name),
  );
}

interface AlreadyThereProps {
  known: Medicine;
  anyway: string;
  /** @param isWanted whether it is stored all the same */
  onAnswer: (isWanted: boolean) => void;
}

function AlreadyThere({ known, anyway, onAnswer }: AlreadyThereProps) {
  const name = nameWords(known);
  return (
    <Dialog title={t('cabinet.form.already', { name })} onClose={() => onAnswer(false)}>
      <p class="dialog-text">
        {t('cabinet.form.alreadyText', { name, who: memberOf(known.profileId)?.details.name })}
      </p>
      <div class="choices">
        <ButtonLink href={`/app/cabinet/${known.id}/edit`} look="primary">
          {t('cabinet.form.changeThat')}
        </ButtonLink>
        <Button onClick={() => onAnswer(true)}>{anyway}</Button>
        <Button onClick={() => onAnswer(false)}>{t('common.action.cancel')}</Button>
      </div>
    </Dialog>
  );
}
