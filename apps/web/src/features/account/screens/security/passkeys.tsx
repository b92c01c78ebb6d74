import type { Passkey } from '@app/client';
import { arePasskeysSupported } from '@app/client/passkeys';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { today } from '../../../../platform/model/clock';
import { sentenceOf } from '../../../../platform/model/failure';
import { isUnlockRuledOut } from '../../model/passkey-ability';
import {
  addPasskey,
  missingPasskeys,
  passkeysOfAccount,
  removePasskey,
  renamePasskey,
  renewPasskey,
} from '../../model/security';
import { whenWords } from '../../../medications/model/words';
import { Button } from '../../../../ui/button';
import { Dialog } from '../../../../ui/dialog';
import { TextField } from '../../../../ui/field';
import { Form, useAct } from '../../../../ui/form';
import { Note } from '../../../../ui/screen';
import { toast } from '../../../../ui/toast';
import { SecretField } from '../account/secret-field';

/** The passkeys of the account, and a new one on this device. */
export function Passkeys({ onChanged }: { onChanged: () => void }) {
  const [passkeys, setPasskeys] = useState<Passkey[] | undefined>(undefined);
  const [missing, setMissing] = useState(0);
  const [chosen, setChosen] = useState<Passkey | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  // Not as an act: one that is under way would leave the next one out, and the list would stay as it was.
  const load = async () => {
    try {
      setPasskeys(await passkeysOfAccount());
      setMissing(await missingPasskeys());
      setFailure(undefined);
    } catch (error) {
      setFailure(error);
    }
  };
  useEffect(() => void load(), []);
  const changed = (words: string) => {
    setChosen(undefined);
    toast({ text: words });
    void load();
    onChanged();
  };
  return (
    <section class="stack">
      <h2>{t('more.security.passkey.title')}</h2>
      <p>{t('more.security.passkey.text')}</p>
      {failure !== undefined && <Note look="error">{sentenceOf(failure)}</Note>}
      {missing > 0 && <Note look="warn">{t('more.security.passkey.missing', { count: missing })}</Note>}
      {passkeys?.length === 0 && <p class="soft">{t('more.security.passkey.none')}</p>}
      <ul class="list">
        {passkeys?.map((passkey) => (
          <li key={passkey.id} class="done-row">
            <span>
              <span class="list-title">{passkey.label}</span>
              <span class="list-sub">
                {t(`more.security.passkey.${passkey.canUnlock ? 'unlocks' : 'signsIn'}`)}
                {' · '}
                {passkey.lastUsedAt
                  ? t('more.security.lastUsed', {
                      when: whenWords(new Date(passkey.lastUsedAt), today.value),
                    })
                  : t('more.security.passkey.unused')}
              </span>
              {passkey.isForeign && <Note look="warn">{t('more.security.passkey.foreign')}</Note>}
            </span>
            <Button
              aria-label={t('more.security.passkey.changeOf', { name: passkey.label })}
              onClick={() => setChosen(passkey)}
            >
              {t('more.security.passkey.change')}
            </Button>
          </li>
        ))}
      </ul>
      {arePasskeysSupported() && <NewPasskey onAdded={changed} />}
      {chosen && <Change passkey={chosen} onChanged={changed} onClose={() => setChosen(undefined)} />}
    </section>
  );
}

function NewPasskey({ onAdded }: { onAdded: (words: string) => void }) {
  const [secret, setSecret] = useState('');
  const [tried, setTried] = useState(false);
  const [isRuledOut, setRuledOut] = useState(false);
  const act = useAct(sentenceOf);
  useEffect(() => void isUnlockRuledOut().then(setRuledOut, () => undefined), []);
  const go = async () => {
    setTried(true);
    if (!secret) return;
    const { canUnlock } = await addPasskey(secret);
    setSecret('');
    setTried(false);
    onAdded(t(`more.security.passkey.${canUnlock ? 'added' : 'addedSignIn'}`));
  };
  return (
    <details>
      <summary>{t('more.security.passkey.add')}</summary>
      {isRuledOut && <p>{t('more.security.passkey.ruledOut')}</p>}
      <Form onSubmit={() => act.run(go)}>
        <SecretField
          label={t('more.security.current')}
          value={secret}
          onValue={setSecret}
          error={tried && !secret ? t('common.required') : undefined}
        />
        {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
        <Button type="submit" look="primary" busy={act.busy}>
          {t('more.security.passkey.addGo')}
        </Button>
      </Form>
    </details>
  );
}

interface ChangeProps {
  passkey: Passkey;
  onChanged: (words: string) => void;
  onClose: () => void;
}

function Change({ passkey, onChanged, onClose }: ChangeProps) {
  const { id, label, canUnlock, isForeign } = passkey;
  const [name, setName] = useState(label);
  const [secret, setSecret] = useState('');
  const act = useAct(sentenceOf);
  const rename = async () => {
    if (!name.trim()) return;
    await renamePasskey(id, name.trim());
    onChanged(t('common.state.saved'));
  };
  const renew = async () => {
    if (!secret) return;
    const can = await renewPasskey(passkey, secret);
    onChanged(t(`more.security.passkey.${can ? 'renewed' : 'notRenewed'}`));
  };
  const remove = async () => {
    if (!secret) return;
    await removePasskey(id, secret);
    onChanged(t('more.security.passkey.removed'));
  };
  return (
    <Dialog title={label} onClose={onClose}>
      <div class="stack">
        {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
        <Form onSubmit={() => act.run(rename)}>
          <TextField
            label={t('more.security.passkey.name')}
            value={name}
            onValue={setName}
            error={name.trim() ? undefined : t('common.required')}
          />
          <Button type="submit" busy={act.busy}>
            {t('more.security.passkey.rename')}
          </Button>
        </Form>
        <Form onSubmit={() => act.run(remove)}>
          <SecretField label={t('more.security.current')} value={secret} onValue={setSecret} />
          {!canUnlock && !isForeign && (
            <Button busy={act.busy} onClick={() => void act.run(renew)}>
              {t('more.security.passkey.renew')}
            </Button>
          )}
          <Button type="submit" look="danger" busy={act.busy}>
            {t('more.security.passkey.remove')}
          </Button>
        </Form>
      </div>
      <div class="actions">
        <Button onClick={onClose}>{t('common.action.cancel')}</Button>
      </div>
    </Dialog>
  );
}
