import { t } from '../../i18n/i18n';
import { ButtonLink } from '../../ui/button';
import { Screen } from '../../ui/screen';

export function NotFound() {
  return (
    <Screen title={t('common.notFound.title')}>
      <p>{t('common.notFound.text')}</p>
      <ButtonLink href="/app/today">{t('common.notFound.action')}</ButtonLink>
    </Screen>
  );
}
