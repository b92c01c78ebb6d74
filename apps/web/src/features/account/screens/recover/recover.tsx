import { RecoveryPhraseError } from '@app/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { email as known, recover } from '../../../../platform/model/session';
import { Button } from '../../../../ui/button';
import { TextArea, TextField } from '../../../../ui/field';
import { Form, useAct } from '../../../../ui/form';
import { Progress } from '../../../../ui/progress';
import { Note } from '../../../../ui/screen';
import { AccountFrame, backToWelcome } from '../account/frame';
import { NewPasswordField, useNewPassword } from '../account/new-password';

export function Recover() {
  const [email, setEmail] = useState(known.value);
  const [words, setWords] = useState('');
  const password = useNewPassword(email);
  const [tried, setTried] = useState(false);
  const { route } = useLocation();
  const act = useAct(sentenceOf);
  const go = async () => {
    setTried(true);
    if (!(await password.check()) || !email.trim() || !words.trim()) return;
    await recover(email, words, password.value);
    // A later lock must not lead to this form again.
    route('/app/today', true);
  };
  return (
    <AccountFrame title={t('account.recover.title')} back={backToWelcome()}>
      <p>{t('account.recover.text')}</p>
      <Form onSubmit={() => act.run(go)}>
        <TextField
          label={t('account.email')}
          type="email"
          autocomplete="username"
          value={email}
          onValue={setEmail}
          error={tried && !email.trim() ? t('common.required') : undefined}
        />
        <TextArea
          label={t('account.recover.words')}
          hint={t('account.recover.wordsHint')}
          value={words}
          onValue={setWords}
          error={tried && !words.trim() ? t('common.required') : undefined}
        />
        <NewPasswordField label={t('account.recover.newSecret')} password={password} />
        {act.error !== undefined && (
          <Note look="error">
            {sentenceOf(act.error)}
            <Suggestions error={act.error} />
          </Note>
        )}
        <Button type="submit" look="primary" busy={act.busy}>
          {t('account.recover.go')}
        </Button>
        {act.busy && <Progress label={t('account.words.creating')} />}
      </Form>
    </AccountFrame>
  );
}

function Suggestions({ error }: { error: unknown }) {
  if (!(error instanceof RecoveryPhraseError) || error.unknownWords.length === 0) return null;
  return (
    <ul>
      {error.unknownWords.map(({ position, word, suggestions }) => (
        <li key={position}>
          {t('account.recover.suggestion', { position, word, suggestions: suggestions.join(', ') || '–' })}
        </li>
      ))}
    </ul>
  );
}
