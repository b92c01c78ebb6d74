import { useState } from 'preact/hooks';
import { t } from '../../i18n/i18n';
import { today } from '../model/clock';
import { sentenceOf } from '../model/failure';
import { acceptOlderState, askAgain, deleteOlderState, rolledBack, type RolledBack } from '../model/rollback';
import { whenWords } from '../../features/medications/model/words';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { useAct } from '../../ui/form';
import { Note } from '../../ui/screen';

/** A line that says that the service went back, and a dialog with what it means and what to do. */
export function RolledBackNotice() {
  const [isOpen, setOpen] = useState(false);
  const count = rolledBack.value.length;
  if (count === 0 && !isOpen) return null;
  return (
    <>
      {count > 0 && (
        <Note look="warn">
          {t('more.rollback.line', { count })}{' '}
          <Button onClick={() => setOpen(true)}>{t('more.rollback.open')}</Button>
        </Note>
      )}
      {isOpen && <RolledBackDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function RolledBackDialog({ onClose }: { onClose: () => void }) {
  const again = useAct(sentenceOf);
  const list = rolledBack.value;
  return (
    <Dialog title={t('more.rollback.title')} onClose={onClose}>
      <div class="dialog-text stack">
        {list.length === 0 ? (
          <p>{t('more.rollback.settled')}</p>
        ) : (
          <>
            <p>{t('more.rollback.means')}</p>
            <p>{t('more.rollback.kept')}</p>
            <p>{t('more.rollback.todo')}</p>
            <ul class="list">
              {list.map((each) => (
                <OlderState key={each.id} record={each} />
              ))}
            </ul>
          </>
        )}
        {again.error !== undefined && <Note look="error">{sentenceOf(again.error)}</Note>}
      </div>
      <div class="actions">
        <Button onClick={onClose}>{t('common.action.close')}</Button>
        {list.length > 0 && (
          <Button look="primary" busy={again.busy} onClick={() => void again.run(askAgain)}>
            {t('more.rollback.again')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

const KINDS = ['profile', 'medication', 'appointment', 'health_stat'] as const;

function OlderState({ record }: { record: RolledBack }) {
  const act = useAct(sentenceOf);
  const { kind, storedAt } = record;
  const known = KINDS.find((each) => each === kind);
  const name = record.name ?? (known ? t(`more.rollback.kind.${known}`) : kind);
  return (
    <li class="stack rolled-back">
      <span>
        <span class="list-title">{name}</span>
        <span class="list-sub">{t('more.rollback.stateOf', { when: whenWords(storedAt, today.value) })}</span>
      </span>
      {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
      <span class="row">
        <Button
          busy={act.busy}
          aria-label={t('more.rollback.useOf', { name })}
          onClick={() => void act.run(() => acceptOlderState(record))}
        >
          {t('more.rollback.use')}
        </Button>
        {kind !== 'profile' && (
          <Button
            look="danger"
            busy={act.busy}
            aria-label={t('more.rollback.deleteOf', { name })}
            onClick={() => void act.run(() => deleteOlderState(record))}
          >
            {t('common.action.delete')}
          </Button>
        )}
      </span>
    </li>
  );
}
