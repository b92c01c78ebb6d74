import { generateRecoveryPhrase } from '@app/client';
import { useMemo, useState } from 'preact/hooks';
import { t } from '../../i18n/i18n';
import { sentenceOf } from '../../model/failure';
import { signUp } from '../../model/session';
import { isAccepted, LEAST_SECRET_LENGTH, type Strength, strengthOf } from '../../model/strength';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { Form, useAct } from '../../ui/form';
import { Progress } from '../../ui/progress';
import { Note } from '../../ui/screen';
import { AccountFrame, backToWelcome } from '../account/frame';
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
  const [strength, setStrength] = useState<Strength | undefined>(undefined);

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
  const go = async () => {
    setTried(true);
    const found = await strengthOf(secret, email);
    setStrength(found);
    if (isEmail && isAccepted(found)) setStep('words');
  };
  const secretFault = strength && !isAccepted(strength) && fault(strength);
  return (
    <AccountFrame title={t('account.begin')} back={backToWelcome()}>
      <Form onSubmit={() => void act.run(go)}>
        <TextField
          label={t('account.email')}
          type="email"
          autocomplete="username"
          value={email}
          onValue={setEmail}
          error={tried && !isEmail ? t('account.emailWrong') : undefined}
        />
        <SecretField
          label={t('account.newSecret')}
          isNew
          least={LEAST_SECRET_LENGTH}
          value={secret}
          onValue={(typed) => {
            setSecret(typed);
            setStrength(undefined);
          }}
          error={secretFault || undefined}
        />
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

function fault(strength: Strength): string {
  return strength === 'tooShort' ? t('account.strength.tooShort') : t('common.error.secret_weak');
}
