import type { MedicineChange } from '@app/client/documents';
import { t } from '../../../../i18n/i18n';
import { authorWords } from '../../../profiles/model/people';
import { dayWords } from '../../model/words';

/** What was changed, the newest first; in a shared record with who did it. */
export function Changes({ changes }: { changes: readonly MedicineChange[] }) {
  if (changes.length === 0) return null;
  return (
    <section class="stack">
      <h2>{t('cabinet.one.changes')}</h2>
      {changes.some(({ by }) => by) && <p class="soft small">{t('common.share.byLastWriter')}</p>}
      <ul class="list">
        {[...changes].reverse().map((change, at) => (
          <Line key={at} change={change} />
        ))}
      </ul>
    </section>
  );
}

function Line({ change: { on, what, from, to, by } }: { change: MedicineChange }) {
  return (
    <li class="done-row">
      <span>
        <span class="list-title">{t(`cabinet.one.change.${what}`)}</span>
        {(from !== undefined || to !== undefined) && (
          <span class="list-sub">{t('cabinet.one.from', { from: from ?? '', to: to ?? '' })}</span>
        )}
      </span>
      <span>
        {dayWords(on)}
        {by && <span class="soft"> · {authorWords({ accountId: by, isCertain: false })}</span>}
      </span>
    </li>
  );
}
