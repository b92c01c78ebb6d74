import type { Dose } from '@app/client';
import { type Medicine, skipReasonOf } from '@app/client/documents';
import { Undo2 } from 'lucide-preact';
import { t } from '../../../i18n/i18n';
import { memberOf } from '../../profiles/model/family';
import { doseAuthorWords, mayChange, mayChangeEntry } from '../../profiles/model/people';
import { clockWords, nameWords, remarkWords, timeWords } from '../../medications/model/words';
import { Button } from '../../../ui/button';
import { takeBack } from './answers';
import { askAboutDose } from './dose-question';
import { whoOf } from './rows';
import { skipToExplain } from './skip-reason';

/** A dose of today: it opens to its time, amount and note. */
export function DoneRow({ medicine, dose, planned }: { medicine: Medicine; dose: Dose; planned?: string }) {
  const name = nameWords(medicine);
  const at = clockWords(new Date(dose.loggedAt));
  const time = planned ? timeWords(planned) : at;
  const reason = skipReasonOf(medicine, dose.id);
  const status = !dose.taken
    ? reason
      ? t('today.statusSkippedFor', { reason })
      : t('today.statusSkipped')
    : t(planned ? 'today.statusTaken' : 'today.statusExtra', { time: at });
  const mayChangeIt = mayChangeEntry(medicine.profileId, dose);
  const what = (
    <>
      <span class="list-title">
        {time} · {name}
      </span>
      <span class="list-sub">
        {[
          memberOf(medicine.profileId)?.details.name,
          status,
          doseAuthorWords(dose),
          remarkWords(medicine, dose.id),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </>
  );
  return (
    <li class="done-row">
      {mayChangeIt ? (
        <button type="button" class="done-what" onClick={() => void askAboutDose({ medicine, dose })}>
          <span class="visually-hidden">{t('cabinet.one.edit')}</span> {what}
        </button>
      ) : (
        <div class="done-what">{what}</div>
      )}
      {!dose.taken && !reason && mayChange(medicine.profileId) && (
        <Button
          look="quiet"
          aria-label={t('today.whyOf', { name, time, who: whoOf(medicine) })}
          onClick={() => (skipToExplain.value = { medicine, dose })}
        >
          {t('today.sayWhy')}
        </Button>
      )}
      {mayChangeIt && (
        <Button
          look="quiet"
          icon={Undo2}
          aria-label={t('today.undoOf', { name, time, who: whoOf(medicine) })}
          onClick={() => void takeBack(medicine, dose)}
        >
          {t('common.action.undo')}
        </Button>
      )}
    </li>
  );
}
