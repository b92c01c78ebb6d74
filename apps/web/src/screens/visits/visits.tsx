import { t } from '../../i18n/i18n';
import { Screen } from '../../ui/screen';

export function Visits() {
  return <Screen title={t('visits.title')}>{null}</Screen>;
}
