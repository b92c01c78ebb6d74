import { FileDown, FileLock2, FileText } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { t } from '../../../i18n/i18n';
import { today } from '../../../platform/model/clock';
import { sentenceOf } from '../../../platform/model/failure';
import { client } from '../../../platform/model/session';
import { Button, ButtonLink } from '../../../ui/button';
import { TextField } from '../../../ui/field';
import { Progress } from '../../../ui/progress';
import { Note } from '../../../ui/screen';
import { fileName, saveFile } from '../../../ui/save-file';
import { toast } from '../../../ui/toast';

const LEAST_PASSWORD = 12;
type Form = 'encrypted' | 'readable';

/** Everything in one file. */
export function ExportPart() {
  const [busy, setBusy] = useState<Form | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const save = async (form: Form, make: () => Promise<string | Uint8Array<ArrayBuffer>>) => {
    if (busy) return;
    setBusy(form);
    setFailure(undefined);
    try {
      const content = await make();
      const file = fileName('health-records', today.value, form === 'encrypted' ? 'hrexport' : 'json');
      saveFile(file, content, form === 'encrypted' ? 'application/octet-stream' : 'application/json');
      toast({ text: t('transfer.export.saved', { file }) });
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <section class="panel stack-large">
      <div class="stack">
        <h2>{t('transfer.export.title')}</h2>
        <p>{t('transfer.export.text')}</p>
        {busy && <Progress label={t('transfer.export.preparing')} />}
        {failure !== undefined && <Note look="error">{sentenceOf(failure)}</Note>}
      </div>
      <Encrypted
        busy={busy === 'encrypted'}
        onSave={(password) => void save('encrypted', () => client.transfer.exportEncrypted({ password }))}
      />
      <div class="stack">
        <h3>{t('transfer.export.readable')}</h3>
        <p>{t('transfer.export.readableText')}</p>
        <div>
          <Button
            icon={FileDown}
            busy={busy === 'readable'}
            onClick={() => void save('readable', () => client.transfer.exportReadable())}
          >
            {t('transfer.export.saveReadable')}
          </Button>
        </div>
      </div>
      <div class="stack">
        <p>{t('transfer.export.doctor')}</p>
        <div>
          <ButtonLink href="/app/doctor" icon={FileText}>
            {t('doctor.title')}
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}

function Encrypted({ busy, onSave }: { busy: boolean; onSave: (password: string) => void }) {
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [isTried, setTried] = useState(false);
  const isShort = password.length < LEAST_PASSWORD;
  const differs = password !== again;
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!isShort && !differs) onSave(password);
      }}
    >
      <h3>{t('transfer.export.encrypted')}</h3>
      <p>{t('transfer.export.encryptedText')}</p>
      <div class="fields">
        <TextField
          type="password"
          label={t('transfer.export.password')}
          hint={t('transfer.export.passwordShort')}
          autocomplete="new-password"
          error={isTried && isShort ? t('transfer.export.passwordShort') : undefined}
          value={password}
          onValue={setPassword}
        />
        <TextField
          type="password"
          label={t('transfer.export.passwordAgain')}
          autocomplete="new-password"
          error={isTried && !isShort && differs ? t('transfer.export.passwordDiffers') : undefined}
          value={again}
          onValue={setAgain}
        />
      </div>
      <div>
        <Button type="submit" look="primary" icon={FileLock2} busy={busy}>
          {t('transfer.export.saveEncrypted')}
        </Button>
      </div>
    </form>
  );
}
