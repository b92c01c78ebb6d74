import { t } from '../../i18n/i18n';
import { Screen } from '../../ui/screen';

export function Doctor() {
  return <Screen title={t('doctor.title')}>{null}</Screen>;
}
