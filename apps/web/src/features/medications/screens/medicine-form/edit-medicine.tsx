import { useLocation, useRoute } from 'preact-iso';
import { t } from '../../../../i18n/i18n';
import { memberOf } from '../../../profiles/model/family';
import { mayChange } from '../../../profiles/model/people';
import { changeMedicine, medicineOf, whoseWords } from '../../model/medicines';
import type { Medicine } from '@app/client/documents';
import { useDraft } from '../../../../platform/model/use-draft';
import { nameWords } from '../../model/words';
import { Screen } from '../../../../ui/screen';
import { toast } from '../../../../ui/toast';
import { NotFound } from '../../../../platform/shell/not-found';
import { useAlreadyThere } from './already-there';
import { detailsOf, formOf, type MedicineForm } from './form-model';
import { MedicineFormFields } from './medicine-form';

export function EditMedicine() {
  const medicine = medicineOf(useRoute().params.id);
  return medicine && mayChange(medicine.profileId) ? <Editing medicine={medicine} /> : <NotFound />;
}

function Editing({ medicine }: { medicine: Medicine }) {
  const { route } = useLocation();
  const draft = useDraft(`medicine/${medicine.id}`, formOf(medicine));
  const who = memberOf(medicine.profileId)?.details.name;
  const { isWanted, dialog } = useAlreadyThere(t('cabinet.form.nameAnyway'));
  const save = async (form: MedicineForm, rules: string[]) => {
    if (!(await isWanted(form, medicine))) return;
    const changed = await changeMedicine(medicine, detailsOf(form, rules, medicine));
    await draft.drop();
    toast({ text: t('cabinet.form.savedFor', { name: whoseWords(changed) }) });
    route(`/app/cabinet/${medicine.id}`);
  };
  return (
    <Screen
      title={t('cabinet.form.edit')}
      back={{ href: `/app/cabinet/${medicine.id}`, label: nameWords(medicine) }}
    >
      {who && (
        <p>
          {t('cabinet.form.forWhom')}: <strong>{who}</strong>
        </p>
      )}
      <MedicineFormFields draft={draft} before={medicine} save={save} />
      {dialog}
    </Screen>
  );
}
