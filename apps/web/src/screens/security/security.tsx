import { t } from '../../i18n/i18n';
import { Screen } from '../../ui/screen';

export function Security() {
  return <Screen title={t('more.title')}>{null}</Screen>;
}
