import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { t } from '../../i18n/i18n';
import { today } from '../../model/clock';
import { chosenMember, memberOf, members } from '../../model/family';
import { addMedicine, medicines } from '../../model/medicines';
import type { Medicine } from '../../model/medication-details';
import { isCurrent } from '../../model/schedule';
import { useDraft } from '../../model/use-draft';
import { nameWords } from '../../model/words';
import { Button, ButtonLink } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Screen } from '../../ui/screen';
import { toast } from '../../ui/toast';
import { detailsOf, emptyForm, type MedicineForm } from './form-model';
import { MedicineFormFields } from './medicine-form';

/** The medicine of this name that the person has already. */
function sameAs({ profileId, name }: MedicineForm): Medicine | undefined {
  const keyOf = (text: string) => text.trim().toLowerCase();
  return medicines.value.find(
    (each) =>
      each.profileId === profileId &&
      isCurrent(each, today.value) &&
      keyOf(each.details.name) === keyOf(name),
  );
}

export function AddMedicine() {
  const { route } = useLocation();
  const [first, ...others] = members.value;
  // In a family nobody is chosen for the person: the medicine of one could be entered for another.
  const draft = useDraft(
    'medicine/new',
    emptyForm((chosenMember.value ?? (others.length > 0 ? undefined : first))?.id ?? ''),
  );
  const [again, setAgain] = useState<{ known: Medicine; answer: (add: boolean) => void } | undefined>(
    undefined,
  );
  const add = async (form: MedicineForm, rules: string[]) => {
    await addMedicine({ profileId: form.profileId, route: 'oral', details: detailsOf(form, rules) });
    await draft.drop();
    toast({ text: t('common.state.saved') });
    route('/app/cabinet');
  };
  const save = async (form: MedicineForm, rules: string[]) => {
    const known = sameAs(form);
    const isSure = !known || (await new Promise<boolean>((resolve) => setAgain({ known, answer: resolve })));
    setAgain(undefined);
    if (isSure) await add(form, rules);
  };
  return (
    <Screen title={t('cabinet.form.add')} back={{ href: '/app/cabinet', label: t('cabinet.title') }}>
      <MedicineFormFields draft={draft} save={save} />
      {again && <AlreadyThere known={again.known} onAnswer={again.answer} />}
    </Screen>
  );
}

interface AlreadyThereProps {
  known: Medicine;
  /** @param add whether it is added all the same */
  onAnswer: (add: boolean) => void;
}

function AlreadyThere({ known, onAnswer }: AlreadyThereProps) {
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
        <Button onClick={() => onAnswer(true)}>{t('cabinet.form.addSecond')}</Button>
        <Button onClick={() => onAnswer(false)}>{t('common.action.cancel')}</Button>
      </div>
    </Dialog>
  );
}
