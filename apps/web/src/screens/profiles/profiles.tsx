import { t } from '../../i18n/i18n';
import { Screen } from '../../ui/screen';

export function Profiles() {
  return <Screen title={t('profiles.title')}>{null}</Screen>;
}
