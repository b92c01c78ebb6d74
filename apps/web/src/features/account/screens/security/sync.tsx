import type { SyncProblem } from '@app/client';
import { language, t } from '../../../../i18n/i18n';
import { metricName, valuesText } from '../../../../i18n/measure-words';
import { today } from '../../../../platform/model/clock';
import { codeSentence, sentenceOf } from '../../../../platform/model/failure';
import { memberOf } from '../../../profiles/model/family';
import { medicineOf, medicineOfDose } from '../../../medications/model/medicines';
import { settleProblem, syncNow, syncStatus } from '../../../../platform/model/sync';
import { choicesOf, isDoubt } from '../../../../platform/model/sync-problem';
import { visits } from '../../../appointments/model/visits';
import { stats } from '../../../health-stats/model/stats';
import { howTaken, nameWords, whenWords } from '../../../medications/model/words';
import { Button } from '../../../../ui/button';
import { useAct } from '../../../../ui/form';
import { Note } from '../../../../ui/screen';
import { toast } from '../../../../ui/toast';

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

/** In a shared profile that takes this change no more: nothing sends it elsewhere. */
const IS_OVER = ['access_ended', 'space_role_too_low'];

/** What was entered, for another place; `undefined` where this device does not have it any more. */
function textOf(id: string): string | undefined {
  const medicine = medicineOf(id);
  if (medicine) return linesOf(nameWords(medicine), howTaken(medicine.details), medicine.details.notes);
  const visit = visits.value.find((each) => each.id === id);
  if (visit)
    return linesOf(
      visit.details.title,
      whenWords(new Date(visit.details.startsAt), today.value),
      visit.details.notes,
    );
  const reading = stats.value.find((each) => each.id === id);
  if (!reading) return undefined;
  const { metric, values, unit, note } = reading.details;
  const value = valuesText(metric, values, unit, language.value);
  return linesOf(
    `${metricName(metric, t)}: ${value}`,
    whenWords(new Date(reading.recordedAt), today.value),
    note,
  );
}

const linesOf = (...lines: (string | undefined)[]) => lines.filter(Boolean).join('\n');

function CopyText({ text }: { text: string }) {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast({ text: t('people.copiedText') }),
      (error: unknown) => toast({ text: sentenceOf(error) }),
    );
  return <Button onClick={() => void copy()}>{t('people.copyText')}</Button>;
}

function Problem({ problem }: { problem: SyncProblem }) {
  const { id, recordId, code } = problem;
  const act = useAct(sentenceOf);
  const name = nameOf(recordId);
  const text = IS_OVER.includes(code) ? textOf(recordId) : undefined;
  return (
    <div class="note note-warn stack">
      <p>
        {name && <strong>{name}: </strong>}
        {codeSentence(code)} {t(isDoubt(code) ? 'more.sync.stays' : 'common.state.kept')}
      </p>
      {act.error !== undefined && <p>{sentenceOf(act.error)}</p>}
      <div class="row">
        {text && <CopyText text={text} />}
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
