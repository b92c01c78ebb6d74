import type { NewApp, SecondStepState } from '@app/client';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { addApp, confirmApp, removeApp, secondStepOfAccount, setSecondStep } from '../../model/security';
import { Button } from '../../../../ui/button';
import { TextField } from '../../../../ui/field';
import { Form, useAct } from '../../../../ui/form';
import { QrCode } from '../../../../ui/qr-code';
import { Note } from '../../../../ui/screen';
import { toast } from '../../../../ui/toast';
import { SecretField } from '../account/secret-field';

/** Whether a sign-in by password asks for more, and the app whose codes it takes. */
export function SecondStepSettings({ onChanged }: { onChanged: () => void }) {
  const [state, setState] = useState<SecondStepState | undefined>(undefined);
  const act = useAct(sentenceOf);
  const load = () => act.run(async () => setState(await secondStepOfAccount()));
  useEffect(() => void load(), []);
  const changed = (words: string) => {
    toast({ text: words });
    void load();
    onChanged();
  };
  return (
    <section class="stack">
      <h2>{t('more.secondStep.title')}</h2>
      <p>{t('more.secondStep.text')}</p>
      {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
      {state && (
        <>
          <p>
            <strong>{t(`more.secondStep.${state.isRequired ? 'isOn' : 'isOff'}`)}</strong>{' '}
            {t(`more.secondStep.${state.hasApp ? 'hasApp' : 'noApp'}`)}
          </p>
          <WithPassword
            // Folded again after the act.
            key={String(state.isRequired)}
            title={t(`more.secondStep.${state.isRequired ? 'turnOff' : 'turnOn'}`)}
            {...(!state.isRequired && { text: t('more.secondStep.turnOnText') })}
            act={async (secret) => {
              const { isRequired } = await setSecondStep(!state.isRequired, secret);
              changed(t(`more.secondStep.${isRequired ? 'turnedOn' : 'turnedOff'}`));
            }}
          />
          <AddApp hasApp={state.hasApp} onAdded={() => changed(t('more.secondStep.appAdded'))} />
          {state.hasApp && (
            <WithPassword
              title={t('more.secondStep.removeApp')}
              act={async (secret) => {
                await removeApp(secret);
                changed(t('more.secondStep.appRemoved'));
              }}
            />
          )}
        </>
      )}
    </section>
  );
}

interface WithPasswordProps {
  title: string;
  text?: string;
  act: (secret: string) => Promise<void>;
}

/** An act that asks for the password, folded until it is wanted. */
function WithPassword({ title, text, act: run }: WithPasswordProps) {
  const [secret, setSecret] = useState('');
  const [tried, setTried] = useState(false);
  const act = useAct(sentenceOf);
  const go = async () => {
    setTried(true);
    if (!secret) return;
    await run(secret);
    setSecret('');
    setTried(false);
  };
  return (
    <details>
      <summary>{title}</summary>
      <Form onSubmit={() => act.run(go)}>
        {text && <p>{text}</p>}
        <SecretField
          label={t('more.security.current')}
          value={secret}
          onValue={setSecret}
          error={tried && !secret ? t('common.required') : undefined}
        />
        {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
        <Button type="submit" look="primary" busy={act.busy}>
          {title}
        </Button>
      </Form>
    </details>
  );
}

function AddApp({ hasApp, onAdded }: { hasApp: boolean; onAdded: () => void }) {
  const [app, setApp] = useState<NewApp | undefined>(undefined);
  const title = t(`more.secondStep.${hasApp ? 'changeApp' : 'addApp'}`);
  if (!app) return <WithPassword title={title} act={async (secret) => setApp(await addApp(secret))} />;
  return (
    <ConfirmApp
      app={app}
      onDone={(isAdded) => {
        setApp(undefined);
        if (isAdded) onAdded();
      }}
    />
  );
}

/** The secret is shown once, and counts when the app has shown a right code. */
function ConfirmApp({ app, onDone }: { app: NewApp; onDone: (isAdded: boolean) => void }) {
  const [code, setCode] = useState('');
  const act = useAct(sentenceOf);
  const go = async () => {
    await confirmApp(app.ticket, code);
    onDone(true);
  };
  return (
    <div class="stack form">
      <p>{t('more.secondStep.scan')}</p>
      <QrCode text={app.uri} label={t('more.secondStep.qr')} />
      <p>{t('more.secondStep.type')}</p>
      <p translate={false}>
        <code>{app.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <Form onSubmit={() => act.run(go)}>
        <TextField
          label={t('more.secondStep.code')}
          inputMode="numeric"
          autocomplete="one-time-code"
          value={code}
          onValue={setCode}
        />
        {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
        <Button type="submit" look="primary" busy={act.busy}>
          {t('more.secondStep.confirm')}
        </Button>
        <Button look="quiet" onClick={() => onDone(false)}>
          {t('common.action.cancel')}
        </Button>
      </Form>
    </div>
  );
}
