import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { isDemo, unlockDemoFamily } from '../../model/demo';
import { sentenceOf } from '../../../../platform/model/failure';
import {
  canUnlockByPasskey,
  email,
  lockedByHand,
  unlock,
  unlockByPasskey,
} from '../../../../platform/model/session';
import { Button } from '../../../../ui/button';
import { Form, useAct } from '../../../../ui/form';
import { Progress } from '../../../../ui/progress';
import { Note } from '../../../../ui/screen';
import { AccountFrame } from '../account/frame';
import { SecretField } from '../account/secret-field';
import { SignOutDialog } from '../account/sign-out-dialog';

/** The demo family asks for no password: it opens again by itself, or with one press after the person has locked it. */
export function Unlock() {
  const demo = useAct(sentenceOf);
  const open = () => void demo.run(unlockDemoFamily);
  useEffect(() => {
    if (isDemo() && !lockedByHand.value) open();
  }, []);
  if (!isDemo() || demo.error !== undefined) return <UnlockForm />;
  return (
    <AccountFrame title={t('account.unlock.title')} mark>
      <Button look="primary" busy={demo.busy} onClick={open}>
        {t('account.demoOpen')}
      </Button>
      {demo.busy && <Progress label={t('account.signIn.busy')} />}
    </AccountFrame>
  );
}

function UnlockForm() {
  const [secret, setSecret] = useState('');
  const [leaving, setLeaving] = useState(false);
  const [hasPasskey, setHasPasskey] = useState(false);
  const act = useAct(sentenceOf);
  useEffect(() => void canUnlockByPasskey().then(setHasPasskey, () => undefined), []);
  return (
    <AccountFrame title={t('account.unlock.title')} mark>
      {hasPasskey && (
        <Button look="primary" busy={act.busy} onClick={() => void act.run(unlockByPasskey)}>
          {t('account.unlock.passkey')}
        </Button>
      )}
      <p>{t('account.unlock.text', { email: email.value })}</p>
      <Form onSubmit={() => secret && void act.run(() => unlock(secret))}>
        <input
          class="visually-hidden"
          type="email"
          autocomplete="username"
          value={email.value}
          tabIndex={-1}
          aria-hidden="true"
          readOnly
        />
        <SecretField label={t('account.secret')} value={secret} onValue={setSecret} />
        {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
        <Button type="submit" {...(!hasPasskey && { look: 'primary' })} busy={act.busy}>
          {t('account.unlock.go')}
        </Button>
        {act.busy && <Progress label={t('account.signIn.busy')} />}
        <a href="/app/recover">{t('account.lost')}</a>
        <Button look="quiet" onClick={() => setLeaving(true)}>
          {t('account.unlock.other')}
        </Button>
      </Form>
      {leaving && (
        <SignOutDialog
          title={t('account.unlock.other')}
          text={t('account.unlock.otherText', { email: email.value })}
          onClose={() => setLeaving(false)}
        />
      )}
    </AccountFrame>
  );
}
