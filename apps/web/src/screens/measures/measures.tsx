import { t } from '../../i18n/i18n';
import { Screen } from '../../ui/screen';

export function Measures() {
  return <Screen title={t('measures.title')}>{null}</Screen>;
}
