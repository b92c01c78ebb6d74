import { t } from '../../i18n/i18n';
import { Screen } from '../../ui/screen';

export function MedicineScreen() {
  return <Screen title={t('cabinet.title')}>{null}</Screen>;
}
