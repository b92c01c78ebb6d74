import { STORED_ROUTE } from '@app/client/documents';
import { useLocation } from 'preact-iso';
import { t } from '../../../../i18n/i18n';
import { chosenMember, members, showMember } from '../../../profiles/model/family';
import { changeable } from '../../../profiles/model/people';
import { addMedicine, whoseWords } from '../../model/medicines';
import { useDraft } from '../../../../platform/model/use-draft';
import { Screen } from '../../../../ui/screen';
import { toast } from '../../../../ui/toast';
import { useAlreadyThere } from './already-there';
import { detailsOf, emptyForm, type MedicineForm } from './form-model';
import { MedicineFormFields } from './medicine-form';

export function AddMedicine() {
  const { route } = useLocation();
  const [first, ...others] = members.value;
  const [chosen] = chosenMember.value ? changeable([chosenMember.value]) : [];
  // In a family nobody is chosen for the person: the medicine of one could be entered for another.
  const draft = useDraft(
    'medicine/new',
    emptyForm((chosen ?? (others.length > 0 ? undefined : first))?.id ?? ''),
  );
  const { isWanted, dialog } = useAlreadyThere(t('cabinet.form.addSecond'));
  const add = async (form: MedicineForm, rules: string[]) => {
    const { profileId } = form;
    const details = detailsOf(form, rules);
    const added = await addMedicine({ profileId, route: STORED_ROUTE, details });
    await draft.drop();
    // The list would not have it where another person is chosen.
    showMember(profileId);
    toast({
      text: t('cabinet.form.savedFor', { name: whoseWords(added) }),
    });
    route('/app/cabinet');
  };
  const save = async (form: MedicineForm, rules: string[]) => {
    if (await isWanted(form)) await add(form, rules);
  };
  return (
    <Screen title={t('cabinet.form.add')} back={{ href: '/app/cabinet', label: t('cabinet.title') }}>
      <MedicineFormFields draft={draft} save={save} />
      {dialog}
    </Screen>
  );
}
