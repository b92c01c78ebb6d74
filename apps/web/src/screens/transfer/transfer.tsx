import { t } from '../../i18n/i18n';
import { Screen } from '../../ui/screen';

export function Transfer() {
  return <Screen title={t('transfer.title')}>{null}</Screen>;
}
