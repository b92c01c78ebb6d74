import type { AccountUsage } from '@app/client';
import { language, t } from '../../../../i18n/i18n';
import { formatBytes, formatNumber, formatPercent } from '../../../../platform/model/dates';
import { fullnessOf } from '../../model/usage';
import { ButtonLink } from '../../../../ui/button';
import { Note } from '../../../../ui/screen';

/** How much the account stores of what it may store, and what to do when it is nearly full. */
export function Quota({ usage }: { usage: AccountUsage }) {
  const { share, state } = fullnessOf(usage);
  const number = (value: number) => formatNumber(value, language.value, 0);
  const bytes = (value: number) => formatBytes(value, language.value);
  return (
    <section class="stack">
      <h2>{t('more.quota.title')}</h2>
      <div>
        <progress class="quota" max={1} value={Math.min(share, 1)} aria-label={t('more.quota.title')} />
        <p>
          {t('more.quota.records', { used: number(usage.records), most: number(usage.maxRecords) })}
          {' · '}
          {t('more.quota.bytes', { used: bytes(usage.bytes), most: bytes(usage.maxBytes) })}
        </p>
      </div>
      {state !== 'fine' && (
        <Note look="warn">
          <p>{t(`more.quota.${state}`, { share: formatPercent(share, language.value) })}</p>
          <ButtonLink href="/app/transfer">{t('more.security.exportFirst')}</ButtonLink>
        </Note>
      )}
    </section>
  );
}
