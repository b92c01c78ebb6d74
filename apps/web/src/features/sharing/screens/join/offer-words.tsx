import type { InvitationOffer } from '@app/client/spaces';
import { t } from '../../../../i18n/i18n';
import { whenText } from '../people/words';

/** Who invites, to whose record, what one will see and may do. */
export function OfferWords({ offer: { from, profile, role, expiresAt } }: { offer: InvitationOffer }) {
  return (
    <>
      <p class="lead">
        <strong>{t('people.join.from', { who: from.name })}</strong>{' '}
        {t('people.join.forWhom', { name: profile.name })}.
      </p>
      <div class="honest">
        <h2>{t('people.join.you')}</h2>
        <ul>
          <li>{t(`people.join.may.${role}`)}</li>
          <li>{t('people.join.seen')}</li>
          <li>{t('people.join.until', { when: whenText(expiresAt) })}</li>
        </ul>
      </div>
    </>
  );
}
