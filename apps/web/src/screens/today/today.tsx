import { t } from '../../i18n/i18n';
import { Screen } from '../../ui/screen';

export function Today() {
  return <Screen title={t('today.title')}>{null}</Screen>;
}
