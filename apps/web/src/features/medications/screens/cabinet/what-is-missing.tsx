import { t } from '../../../../i18n/i18n';
import { memberOf } from '../../../profiles/model/family';
import { Note } from '../../../../ui/screen';

/** Asks for the weight that the limit of a child needs, and says where it is entered. */
export function WeightMissing({ profileId }: { profileId: string }) {
  const name = memberOf(profileId)?.details.name ?? '';
  return (
    <Note look="warn">
      {t('cabinet.together.weightMissing', { name })} <a href="/app/measures">{t('measures.title')}</a>
    </Note>
  );
}

/** Asks in how many millilitres the strength is. */
export function VolumeMissing() {
  return <Note look="warn">{t('cabinet.form.howManyMl')}</Note>;
}
