import { OutboxNotEmptyError } from '@app/client';
import { useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { sessionState } from '../../../../platform/model/session';
import { signOut } from '../../model/sign-out';
import { syncNow } from '../../../../platform/model/sync';
import { Button } from '../../../../ui/button';
import { Dialog } from '../../../../ui/dialog';
import { useAct } from '../../../../ui/form';
import { Note } from '../../../../ui/screen';

export interface SignOutDialogProps {
  title: string;
  text: string;
  onClose: () => void;
}

/** Asks before a sign-out. Where changes wait that the service does not have, it says so, and offers to send them. */
export function SignOutDialog({ title, text, onClose }: SignOutDialogProps) {
  const [waits, setWaits] = useState(false);
  /** Whether a try to send has left something. */
  const [tried, setTried] = useState(false);
  const act = useAct(sentenceOf);
  const leave = async (force: boolean) => {
    try {
      await signOut(force);
    } catch (error) {
      if (!(error instanceof OutboxNotEmptyError)) throw error;
      setWaits(true);
    }
  };
  const sendFirst = async () => {
    setTried(false);
    await syncNow();
    await leave(false);
    setTried(true);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-text stack" role={waits ? 'alert' : undefined}>
        <p>{waits ? t('more.sync.unsent') : text}</p>
        {tried && <Note look="error">{t('more.sync.notSent')}</Note>}
        {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
      </div>
      <div class="actions">
        <Button onClick={onClose}>{t('common.action.cancel')}</Button>
        {/* A locked page sends nothing: its writes are sealed already, but a refused one needs a person. */}
        {waits && sessionState.value === 'unlocked' && (
          <Button look="primary" busy={act.busy} onClick={() => void act.run(sendFirst)}>
            {t('more.sync.sendFirst')}
          </Button>
        )}
        <Button
          look={waits ? 'danger' : 'primary'}
          busy={act.busy}
          onClick={() => void act.run(() => leave(waits))}
        >
          {waits ? t('more.sync.loseUnsent') : title}
        </Button>
      </div>
    </Dialog>
  );
}
