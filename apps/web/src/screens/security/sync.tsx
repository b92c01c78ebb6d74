import type { SyncProblem } from '@app/client';
import { t } from '../../i18n/i18n';
import { today } from '../../model/clock';
import { codeSentence, sentenceOf } from '../../model/failure';
import { memberOf } from '../../model/family';
import { medicineOf, medicineOfDose } from '../../model/medicines';
import { settleProblem, syncNow, syncStatus } from '../../model/sync';
import { choicesOf, isDoubt } from '../../model/sync-problem';
import { visits } from '../../model/visits';
import { nameWords, whenWords } from '../../model/words';
import { Button } from '../../ui/button';
import { useAct } from '../../ui/form';
import { Note } from '../../ui/screen';

/** The last successful sync, the writes that wait, and the problems that the person must decide. */
export function Sync() {
  const { state, pending, lastSuccess, problems } = syncStatus.value;
  const act = useAct(sentenceOf);
  return (
    <section class="stack">
      <h2>{t('more.sync.title')}</h2>
      <p>
        {lastSuccess
          ? t('more.sync.at', { when: whenWords(new Date(lastSuccess), today.value) })
          : t('more.sync.never')}{' '}
        {pending > 0 && t('more.sync.waiting', { count: pending })}
      </p>
      {act.error !== undefined && <Note look="warn">{sentenceOf(act.error)}</Note>}
      <div>
        <Button busy={act.busy || state === 'syncing'} onClick={() => void act.run(syncNow)}>
          {t('more.sync.now')}
        </Button>
      </div>
      {problems.map((problem) => (
        <Problem key={problem.id} problem={problem} />
      ))}
    </section>
  );
}

/** What a person calls a record; `undefined` for a measurement, and for what this device does not have. */
function nameOf(id: string): string | undefined {
  const medicine = medicineOf(id) ?? medicineOfDose(id);
  if (medicine) return nameWords(medicine);
  return memberOf(id)?.details.name ?? visits.value.find((visit) => visit.id === id)?.details.title;
}

function Problem({ problem }: { problem: SyncProblem }) {
  const { id, recordId, code } = problem;
  const act = useAct(sentenceOf);
  const name = nameOf(recordId);
  return (
    <div class="note note-warn stack">
      <p>
        {name && <strong>{name}: </strong>}
        {codeSentence(code)} {t(isDoubt(code) ? 'more.sync.stays' : 'common.state.kept')}
      </p>
      {act.error !== undefined && <p>{sentenceOf(act.error)}</p>}
      <div class="row">
        {choicesOf(problem).map(({ resolution, text }) => (
          <Button
            key={resolution}
            busy={act.busy}
            onClick={() => void act.run(() => settleProblem(id, resolution))}
          >
            {t(`more.sync.${text}`)}
          </Button>
        ))}
      </div>
    </div>
  );
}
