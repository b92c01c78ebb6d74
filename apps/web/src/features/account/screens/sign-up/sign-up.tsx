import { generateRecoveryPhrase } from '@app/client';
import { useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { signUp } from '../../../../platform/model/session';
import { Button } from '../../../../ui/button';
import { TextField } from '../../../../ui/field';
import { Form, useAct } from '../../../../ui/form';
import { Progress } from '../../../../ui/progress';
import { Note } from '../../../../ui/screen';
import { AccountFrame, backToWelcome } from '../account/frame';
import { NewPasswordField, useNewPassword } from '../account/new-password';
import { CheckWords, ShowWords } from './words';

/** Email and password, the words, three of them again; only then the account is made. */
export function SignUp() {
  const [step, setStep] = useState<'password' | 'words' | 'check'>('password');
  const [email, setEmail] = useState('');
  const password = useNewPassword(email);
  const [tried, setTried] = useState(false);
  const [phrase, setPhrase] = useState('');
  const act = useAct(sentenceOf);
  const isEmail = /^[^@\s]+@[^@\s]+$/.test(email.trim());

  if (step === 'words') return <ShowWords email={email} phrase={phrase} onDone={() => setStep('check')} />;
  if (step === 'check')
    return (
      <CheckWords
        phrase={phrase}
        go={t('account.words.create')}
        busy={act.busy}
        onAgain={() => setStep('words')}
        onRight={() => void act.run(() => signUp({ email, secret: password.value, phrase }))}
      >
        {act.busy && <Progress label={t('account.words.creating')} />}
        {act.error !== undefined && (
          <Note look="error">
            {sentenceOf(act.error)}{' '}
            <Button onClick={() => setStep('password')}>{t('common.action.back')}</Button>
          </Note>
        )}
      </CheckWords>
    );
  const go = async () => {
    setTried(true);
    if (!(await password.check()) || !isEmail) return;
    if (!phrase) setPhrase(await generateRecoveryPhrase());
    setStep('words');
  };
  return (
    <AccountFrame title={t('account.begin')} back={backToWelcome()}>
      <Form onSubmit={() => act.run(go)}>
        <TextField
          label={t('account.email')}
          type="email"
          autocomplete="username"
          value={email}
          onValue={setEmail}
          error={tried && !isEmail ? t('account.emailWrong') : undefined}
        />
        <NewPasswordField label={t('account.newSecret')} password={password} />
        <div class="honest">
          <h2>{t('account.honest.title')}</h2>
          <ul>
            <li>{t('account.honest.read')}</li>
            <li>{t('account.honest.reset')}</li>
            <li>{t('account.honest.words')}</li>
          </ul>
        </div>
        <Button type="submit" look="primary" busy={act.busy}>
          {t('common.action.next')}
        </Button>
      </Form>
    </AccountFrame>
  );
}
