import { t } from '../../i18n/i18n';
import { Screen } from '../../ui/screen';

export function Cabinet() {
  return <Screen title={t('cabinet.title')}>{null}</Screen>;
}
