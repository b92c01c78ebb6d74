import { useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { codeOf, sentenceOf } from '../../../../platform/model/failure';
import { endOffer } from '../../model/passkey-offer';
import { changeSecret, renewWords } from '../../model/security';
import { eraseAccount } from '../../model/sign-out';
import { email } from '../../../../platform/model/session';
import { Button, ButtonLink } from '../../../../ui/button';
import { Form, useAct } from '../../../../ui/form';
import { Note } from '../../../../ui/screen';
import { toast } from '../../../../ui/toast';
import { NewPasswordField, useNewPassword } from '../account/new-password';
import { SecretField } from '../account/secret-field';
import { SoleSpaces } from './sole-spaces';
import '../account/account.css';

function Failure({ error }: { error: unknown }) {
  return error === undefined ? null : <Note look="error">{sentenceOf(error)}</Note>;
}

export function ChangeSecret({ onChanged }: { onChanged: () => void }) {
  const [current, setCurrent] = useState('');
  const [tried, setTried] = useState(false);
  const next = useNewPassword(email.value);
  const act = useAct(sentenceOf);
  const go = async () => {
    setTried(true);
    if (!(await next.check()) || !current) return;
    await changeSecret(current, next.value);
    // It would take the former password.
    endOffer();
    setCurrent('');
    next.clear();
    setTried(false);
    toast({ text: t('more.security.passwordDone') });
    onChanged();
  };
  return (
    <details>
      <summary>{t('more.security.password')}</summary>
      <Form onSubmit={() => act.run(go)}>
        <p>{t('more.security.passwordText')}</p>
        <div>
          <ButtonLink href="/app/replace-keys">{t('more.security.replaceKeys')}</ButtonLink>
        </div>
        <SecretField
          label={t('more.security.current')}
          value={current}
          onValue={setCurrent}
          error={tried && !current ? t('common.required') : undefined}
        />
        <NewPasswordField label={t('more.security.next')} password={next} />
        <Failure error={act.error} />
        <Button type="submit" look="primary" busy={act.busy}>
          {t('more.security.passwordGo')}
        </Button>
      </Form>
    </details>
  );
}

export function NewWords() {
  const [secret, setSecret] = useState('');
  const [words, setWords] = useState<string[]>([]);
  const act = useAct(sentenceOf);
  const go = () =>
    void act.run(async () => {
      setWords((await renewWords(secret)).split(' '));
      setSecret('');
      toast({ text: t('more.security.wordsDone') });
    });
  return (
    <details>
      <summary>{t('more.security.words')}</summary>
      {words.length === 0 ? (
        <Form onSubmit={go}>
          <p>{t('more.security.wordsText')}</p>
          <SecretField label={t('more.security.current')} value={secret} onValue={setSecret} />
          <Failure error={act.error} />
          <Button type="submit" look="primary" busy={act.busy}>
            {t('more.security.wordsGo')}
          </Button>
        </Form>
      ) : (
        <div class="stack form">
          <p>{t('account.words.text')}</p>
          <p class="print-only">{t('account.words.sheetText', { email: email.value })}</p>
          <ol class="words" translate={false}>
            {words.map((word, at) => (
              <li key={at}>
                <span class="position">{at + 1}.</span>
                <span>{word}</span>
              </li>
            ))}
          </ol>
          <div>
            <Button onClick={() => window.print()}>{t('common.action.print')}</Button>
          </div>
        </div>
      )}
    </details>
  );
}

export function Erase() {
  const [secret, setSecret] = useState('');
  /** Whether others see records that only this account looks after. */
  const [isSole, setSole] = useState(false);
  const act = useAct(sentenceOf);
  const erase = (withSpaces: boolean) =>
    act.run(async () => {
      try {
        await eraseAccount(secret, withSpaces);
      } catch (error) {
        if (codeOf(error) === 'sole_owner') setSole(true);
        throw error;
      }
    });
  return (
    <details>
      <summary>{t('more.security.erase')}</summary>
      <Form onSubmit={() => void erase(false)}>
        <p>{t('more.security.eraseText')}</p>
        <div>
          <ButtonLink href="/app/transfer">{t('more.security.exportFirst')}</ButtonLink>
        </div>
        <SecretField label={t('more.security.current')} value={secret} onValue={setSecret} />
        {codeOf(act.error) !== 'sole_owner' && <Failure error={act.error} />}
        {isSole && <SoleSpaces busy={act.busy} onEraseAll={() => void erase(true)} />}
        <Button type="submit" look="danger" busy={act.busy}>
          {t('more.security.eraseGo')}
        </Button>
      </Form>
    </details>
  );
}
