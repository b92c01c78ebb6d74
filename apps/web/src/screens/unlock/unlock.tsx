import { t } from '../../i18n/i18n';
import { Screen } from '../../ui/screen';

export function Unlock() {
  return <Screen title={t('account.title')}>{null}</Screen>;
}
