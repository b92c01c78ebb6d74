import type { SecondStepAsked, SecondStepChoice } from '@app/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { Button } from '../../../../ui/button';
import { TextField } from '../../../../ui/field';
import { Form } from '../../../../ui/form';
import { Progress } from '../../../../ui/progress';
import { Note } from '../../../../ui/screen';

export interface SecondStepProps {
  asked: SecondStepAsked;
  /** While the service looks at the choice. */
  busy: boolean;
  onChoice: (choice: SecondStepChoice) => void;
  onLeave: () => void;
}

/** After the password: a code of the app, or a passkey. */
export function SecondStep({ asked, busy, onChoice, onLeave }: SecondStepProps) {
  const [code, setCode] = useState('');
  const [tried, setTried] = useState(false);
  const title = useRef<HTMLParagraphElement>(null);
  useEffect(() => title.current?.focus(), []);
  useEffect(() => setCode(''), [asked]);
  const isWhole = /^\s*\d{3}\s*\d{3}\s*$/.test(code);
  const go = () => {
    setTried(true);
    if (isWhole) onChoice({ code });
  };
  return (
    <div class="stack">
      <p ref={title} tabIndex={-1}>
        {t(`more.secondStep.${asked.hasApp ? 'ask' : 'askPasskey'}`)}
      </p>
      {asked.failure !== undefined && !busy && <Note look="error">{sentenceOf(asked.failure)}</Note>}
      <Form onSubmit={go}>
        {asked.hasApp && (
          <>
            <TextField
              label={t('more.secondStep.code')}
              inputMode="numeric"
              autocomplete="one-time-code"
              value={code}
              onValue={setCode}
              error={tried && !isWhole && !busy && code ? t('more.secondStep.codeWrong') : undefined}
            />
            <Button type="submit" look="primary" busy={busy}>
              {t('more.secondStep.go')}
            </Button>
          </>
        )}
        {asked.hasPasskey && (
          <Button busy={busy} {...(!asked.hasApp && { look: 'primary' })} onClick={() => onChoice('passkey')}>
            {t('more.secondStep.passkey')}
          </Button>
        )}
        {busy && <Progress label={t('account.signIn.busy')} />}
        <p class="soft">{t('more.secondStep.lost')}</p>
        <a href="/app/recover">{t('account.lost')}</a>
        <Button look="quiet" onClick={onLeave}>
          {t('common.action.cancel')}
        </Button>
      </Form>
    </div>
  );
}
