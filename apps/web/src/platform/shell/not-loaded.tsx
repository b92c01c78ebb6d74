import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { Note, Screen } from '../../ui/screen';

/** In the place of a screen whose code did not arrive. */
export function NotLoaded() {
  return (
    <Screen title={t('common.appName')}>
      <Note look="error">
        {t('common.error.chunk')}{' '}
        <Button onClick={() => location.reload()}>{t('common.action.reload')}</Button>
      </Note>
    </Screen>
  );
}
