import { generateRecoveryPhrase } from '@app/client';
import { useMemo, useState } from 'preact/hooks';
import { t } from '../../i18n/i18n';
import { sentenceOf } from '../../model/failure';
import { signUp } from '../../model/session';
import { LEAST_SECRET_LENGTH } from '../../model/strength';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { Form, useAct } from '../../ui/form';
import { Note } from '../../ui/screen';
import { AccountFrame, backToWelcome, Progress } from '../account/frame';
import { SecretField } from '../account/secret-field';
import { CheckWords, ShowWords } from './words';

/** Email and secret, the words, three of them again; only then the account is made. */
export function SignUp() {
  const [step, setStep] = useState<'secret' | 'words' | 'check'>('secret');
  const [email, setEmail] = useState('');
  const [secret, setSecret] = useState('');
  const [tried, setTried] = useState(false);
  const phrase = useMemo(() => generateRecoveryPhrase(), []);
  const act = useAct(sentenceOf);
  const isEmail = /^[^@\s]+@[^@\s]+$/.test(email.trim());
  const isLong = [...secret].length >= LEAST_SECRET_LENGTH;

  if (step === 'words') return <ShowWords email={email} phrase={phrase} onDone={() => setStep('check')} />;
  if (step === 'check')
    return (
      <CheckWords
        phrase={phrase}
        busy={act.busy}
        onAgain={() => setStep('words')}
        onRight={() => void act.run(() => signUp({ email, secret, phrase }))}
      >
        {act.busy && <Progress label={t('account.words.creating')} />}
        {act.error !== undefined && (
          <Note look="error">
            {sentenceOf(act.error)}{' '}
            <Button onClick={() => setStep('secret')}>{t('common.action.back')}</Button>
          </Note>
        )}
      </CheckWords>
    );
  const go = () => {
    setTried(true);
    if (isEmail && isLong) setStep('words');
  };
  return (
    <AccountFrame title={t('account.begin')} back={backToWelcome()}>
      <Form onSubmit={go}>
        <TextField
          label={t('account.email')}
          type="email"
          autocomplete="username"
          value={email}
          onValue={setEmail}
          error={tried && !isEmail ? t('common.required') : undefined}
        />
        <SecretField
          label={t('account.newSecret')}
          isNew
          least={LEAST_SECRET_LENGTH}
          value={secret}
          onValue={setSecret}
          error={tried && !isLong ? t('account.strength.tooShort') : undefined}
        />
        <div class="honest">
          <h2>{t('account.honest.title')}</h2>
          <ul>
            <li>{t('account.honest.read')}</li>
            <li>{t('account.honest.reset')}</li>
            <li>{t('account.honest.words')}</li>
          </ul>
        </div>
        <Button type="submit" look="primary">
          {t('common.action.next')}
        </Button>
      </Form>
    </AccountFrame>
  );
}
