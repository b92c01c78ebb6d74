import { arePasskeysSupported } from '@app/client/passkeys';
import { useEffect, useState } from 'preact/hooks';
import type { SecondStepAsked, SecondStepChoice } from '@app/client';
import type { ComponentType } from 'preact';
import { needAllTexts, t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import {
  arePasskeysOff,
  email as known,
  signIn,
  signInByAutofill,
  signInByPasskey,
} from '../../../../platform/model/session';
import { Button } from '../../../../ui/button';
import { TextField } from '../../../../ui/field';
import { Form, useAct } from '../../../../ui/form';
import { Progress } from '../../../../ui/progress';
import { Note } from '../../../../ui/screen';
import { AccountFrame, backToWelcome } from '../account/frame';
import { SecretField } from '../account/secret-field';
import type { SecondStepProps } from './second-step';

/** The second step that a sign-in waits for. */
interface Waiting {
  Show: ComponentType<SecondStepProps>;
  asked: SecondStepAsked;
  /** Absent while the service looks at the choice. */
  answer: ((choice: SecondStepChoice) => void) | undefined;
  leave: () => void;
}

/** The screen that asks is loaded when it is needed, with its texts. */
async function askerOf(asked: SecondStepAsked, wait: (waiting: Waiting) => void): Promise<SecondStepChoice> {
  const [{ SecondStep: Show }] = await Promise.all([import('./second-step'), needAllTexts()]);
  return new Promise((resolve, reject) => {
    const leave = () => reject(new Left());
    const answer = (choice: SecondStepChoice) => {
      wait({ Show, asked, answer: undefined, leave });
      resolve(choice);
    };
    wait({ Show, asked, answer, leave });
  });
}

/** The person does not go on. */
class Left extends Error {}

export function SignIn() {
  const [email, setEmail] = useState(known.value);
  const [secret, setSecret] = useState('');
  const [tried, setTried] = useState(false);
  const [waiting, setWaiting] = useState<Waiting | undefined>(undefined);
  const act = useAct(sentenceOf);
  useEffect(() => {
    if (!arePasskeysSupported()) return undefined;
    const leave = new AbortController();
    void signInByAutofill(leave.signal);
    return () => leave.abort();
  }, []);
  const go = () => {
    setTried(true);
    const enter = async () => {
      try {
        await signIn(email, secret, (asked) => askerOf(asked, setWaiting));
      } catch (error) {
        setWaiting(undefined);
        if (error instanceof Left) return;
        throw error;
      }
      // Without a network there is no offer: it comes with a later sign-in.
      void import('../security/passkey-offer')
        .then(({ offerPasskey }) => offerPasskey(secret))
        .catch(() => undefined);
    };
    if (email.trim() && secret) void act.run(enter);
  };
  if (waiting) {
    const { Show, asked, answer, leave } = waiting;
    return (
      <AccountFrame title={t('account.signIn.title')}>
        <Show asked={asked} busy={!answer} onChoice={(choice) => answer?.(choice)} onLeave={leave} />
      </AccountFrame>
    );
  }
  return (
    <AccountFrame title={t('account.signIn.title')} back={backToWelcome()}>
      <Form onSubmit={go}>
        <TextField
          label={t('account.email')}
          type="email"
          autocomplete="username webauthn"
          value={email}
          onValue={setEmail}
          error={tried && !email.trim() ? t('common.required') : undefined}
        />
        <SecretField
          label={t('account.secret')}
          value={secret}
          onValue={setSecret}
          error={tried && !secret ? t('common.required') : undefined}
        />
        {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
        <Button type="submit" look="primary" busy={act.busy}>
          {t('account.signIn.go')}
        </Button>
        {arePasskeysSupported() && !arePasskeysOff.value && (
          <Button busy={act.busy} onClick={() => void act.run(signInByPasskey)}>
            {t('account.signIn.passkey')}
          </Button>
        )}
        {act.busy && <Progress label={t('account.signIn.busy')} />}
        <a href="/app/recover">{t('account.lost')}</a>
      </Form>
    </AccountFrame>
  );
}
