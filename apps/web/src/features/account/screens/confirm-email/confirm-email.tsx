import { useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { client, sessionState } from '../../../../platform/model/session';
import { Button, ButtonLink } from '../../../../ui/button';
import { useAct } from '../../../../ui/form';
import { Note } from '../../../../ui/screen';
import { AccountFrame } from '../account/frame';

/**
 * The screen to which the link of a mail leads. The person presses a button: programs that look into mail open every
 * link, and must confirm nothing.
 */
export function ConfirmEmail() {
  const [token] = useState(() => location.hash.slice(1));
  const [done, setDone] = useState<'confirmed' | 'freed' | 'sent' | undefined>(undefined);
  const using = useAct(sentenceOf);
  const asking = useAct(sentenceOf);
  const error = asking.error ?? using.error;
  const press = (act: typeof using, work: () => Promise<void>, after: typeof done) => () =>
    void act.run(async () => {
      await work();
      setDone(after);
    });
  return (
    <AccountFrame title={t('more.confirmEmail.title')}>
      {done === undefined && <p>{t('more.confirmEmail.text')}</p>}
      {done !== undefined && <Note look="info">{t(`more.confirmEmail.${done}`)}</Note>}
      {error !== undefined && <Note look="error">{sentenceOf(error)}</Note>}
      {done === undefined && using.error === undefined && (
        <>
          <Button
            look="primary"
            busy={using.busy}
            onClick={press(using, () => client.confirmEmail(token), 'confirmed')}
          >
            {t('more.confirmEmail.go')}
          </Button>
          <Button busy={using.busy} onClick={press(using, () => client.releaseEmail(token), 'freed')}>
            {t('more.confirmEmail.free')}
          </Button>
          <p>{t('more.confirmEmail.freeHow')}</p>
        </>
      )}
      {done === undefined && using.error !== undefined && sessionState.value !== 'signed-out' && (
        <Button busy={asking.busy} onClick={press(asking, () => client.requestEmailConfirmation(), 'sent')}>
          {t('more.confirmEmail.again')}
        </Button>
      )}
      <ButtonLink href="/">{t('more.confirmEmail.on')}</ButtonLink>
    </AccountFrame>
  );
}
