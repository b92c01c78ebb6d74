import type { Passkey } from '@app/client';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { endOffer } from '../../model/passkey-offer';
import { makeWords, passkeysToRenew, renewPasskey, replaceKeys } from '../../model/security';
import { email } from '../../../../platform/model/session';
import { syncStatus } from '../../../../platform/model/sync';
import { Button, ButtonLink } from '../../../../ui/button';
import { Choice } from '../../../../ui/field';
import { Form, useAct } from '../../../../ui/form';
import { Progress } from '../../../../ui/progress';
import { Note, Screen } from '../../../../ui/screen';
import { toast } from '../../../../ui/toast';
import { NewPasswordField, useNewPassword } from '../account/new-password';
import { SecretField } from '../account/secret-field';
import { CheckWords, ShowWords } from '../sign-up/words';
import '../account/account.css';

type Stolen = 'no' | 'yes';

const back = () => ({ href: '/app/security', label: t('more.security.title') });

/** What it does, one question, a new password, the new words; only then anything changes. */
export function ReplaceKeys() {
  const [step, setStep] = useState<'password' | 'words' | 'check' | 'done'>('password');
  const [stolen, setStolen] = useState<Stolen | undefined>(undefined);
  const [current, setCurrent] = useState('');
  const [tried, setTried] = useState(false);
  const [phrase, setPhrase] = useState('');
  const next = useNewPassword(email.value);
  const act = useAct(sentenceOf);
  if (step === 'words')
    return <ShowWords frame={Screen} email={email.value} phrase={phrase} onDone={() => setStep('check')} />;
  if (step === 'check') {
    const go = async () => {
      const replacement = { currentPassword: current, newPassword: next.value, recoveryPhrase: phrase };
      await replaceKeys({ ...replacement, wasStolen: stolen === 'yes' });
      // It would take the former password.
      endOffer();
      setCurrent('');
      setPhrase('');
      setStep('done');
    };
    return (
      <CheckWords
        frame={Screen}
        phrase={phrase}
        go={t('keys.go')}
        busy={act.busy}
        onAgain={() => setStep('words')}
        onRight={() => void act.run(go)}
      >
        {act.busy && <Progress label={t('keys.busy')} />}
        {act.error !== undefined && (
          <Note look="error">
            {sentenceOf(act.error)}{' '}
            <Button onClick={() => setStep('password')}>{t('common.action.back')}</Button>
          </Note>
        )}
      </CheckWords>
    );
  }
  if (step === 'done') return <Done password={next.value} wasStolen={stolen === 'yes'} />;
  const go = async () => {
    setTried(true);
    if (!(await next.check()) || !current || !stolen) return;
    if (!phrase) setPhrase(await makeWords());
    setStep('words');
  };
  return (
    <Screen title={t('keys.title')} back={back()}>
      <p>{t('keys.why')}</p>
      <div class="honest">
        <h2>{t('keys.does')}</h2>
        <ul>
          <li>{t('keys.all')}</li>
          <li>{t('keys.secrets')}</li>
          <li>{t('keys.devices')}</li>
          <li>{t('keys.past')}</li>
        </ul>
      </div>
      <Form onSubmit={() => act.run(go)}>
        <Choice<Stolen>
          legend={t('keys.question')}
          value={stolen}
          options={[
            { value: 'no', label: t('keys.no') },
            { value: 'yes', label: t('keys.yes') },
          ]}
          onValue={setStolen}
        />
        {tried && !stolen && (
          <p class="field-error" role="alert">
            {t('common.required')}
          </p>
        )}
        <SecretField
          label={t('more.security.current')}
          value={current}
          onValue={setCurrent}
          error={tried && !current ? t('common.required') : undefined}
        />
        <NewPasswordField label={t('keys.next')} password={next} />
        <Button type="submit" look="primary" busy={act.busy}>
          {t('common.action.next')}
        </Button>
      </Form>
    </Screen>
  );
}

/** @param password the new one: a passkey gets its wrap by it. */
function Done({ password, wasStolen }: { password: string; wasStolen: boolean }) {
  const { resealing = 0, state } = syncStatus.value;
  const [most, setMost] = useState(resealing);
  if (resealing > most) setMost(resealing);
  return (
    <Screen title={t('keys.done')} back={back()}>
      <p>{t('keys.doneText')}</p>
      {resealing > 0 && (
        <Progress
          label={t('keys.left', { count: resealing })}
          done={most - resealing}
          total={Math.max(most, 1)}
        />
      )}
      {resealing === 0 && state === 'idle' && <p role="status">{t('keys.sealed')}</p>}
      {state === 'offline' && <Note look="warn">{t('keys.waits')}</Note>}
      {wasStolen ? <p>{t('keys.add')}</p> : <Renew password={password} />}
      <div>
        <ButtonLink href="/app/today">{t('common.nav.today')}</ButtonLink>
      </div>
    </Screen>
  );
}

function Renew({ password }: { password: string }) {
  const [passkeys, setPasskeys] = useState<Passkey[]>([]);
  const act = useAct(sentenceOf);
  const load = async () => setPasskeys(await passkeysToRenew());
  useEffect(() => void act.run(load), []);
  const renew = async (passkey: Passkey) => {
    const can = await renewPasskey(passkey, password);
    toast({ text: t(`keys.${can ? 'renewed' : 'notRenewed'}`, { name: passkey.label }) });
    await load();
  };
  return (
    <>
      {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
      {passkeys.map((passkey) => (
        <div key={passkey.id}>
          <Button busy={act.busy} onClick={() => void act.run(() => renew(passkey))}>
            {t('keys.renew', { name: passkey.label })}
          </Button>
        </div>
      ))}
    </>
  );
}
