import { decryptFile, type ImportReport, parseExportDocument } from '@app/client';
import { FileUp } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../i18n/i18n';
import { sentenceOf } from '../../../platform/model/failure';
import { loadRecords } from '../../../platform/model/records';
import { client } from '../../../platform/model/session';
import { fromDocument, type Incoming, readIncoming } from '../model/incoming-file';
import { announce } from '../../../ui/announce';
import { Button } from '../../../ui/button';
import { TextField } from '../../../ui/field';
import { Progress } from '../../../ui/progress';
import { Note } from '../../../ui/screen';
import { CsvPreview } from './csv-preview';
import { problemText } from './problem-text';
import { ProfilesPreview } from './profiles-preview';

type Plan = Parameters<typeof client.transfer.importAll>[0];

type Step =
  | { at: 'choose' }
  | { at: 'secret'; incoming: Incoming & { from: 'encrypted' } }
  | { at: 'preview'; incoming: Incoming }
  | { at: 'storing'; done: number; total: number }
  | {
      at: 'end';
      report: ImportReport & { created: number };
      stopped?: { done: number; total: number; failure?: unknown };
    };

/** Chooses a file, shows what is in it, and stores it. */
export function ImportPart() {
  const [step, setStep] = useState<Step>({ at: 'choose' });
  const [failure, setFailure] = useState<unknown>(undefined);
  const [busy, setBusy] = useState(false);
  const stop = useRef<AbortController>();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (step.at !== 'choose' && step.at !== 'storing') heading.current?.focus();
  }, [step.at]);
  useEffect(() => () => stop.current?.abort(), []);

  const read = async (file: File) => {
    setBusy(true);
    setFailure(undefined);
    try {
      const incoming = await readIncoming(
        new Uint8Array(await file.arrayBuffer()),
        t('visits.calendar.entry'),
      );
      setStep(incoming.from === 'encrypted' ? { at: 'secret', incoming } : { at: 'preview', incoming });
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };

  const store = async (plan: Plan) => {
    const controller = new AbortController();
    stop.current = controller;
    let [done, total] = [0, 0];
    setStep({ at: 'storing', done, total });
    try {
      const report = await client.transfer.importAll(plan, {
        signal: controller.signal,
        onProgress: (now, all) => {
          [done, total] = [now, all];
          setStep({ at: 'storing', done, total });
        },
      });
      setStep({ at: 'end', report });
      announce(t('common.state.saved'));
    } catch (error) {
      const stopped = { done, total, ...(!controller.signal.aborted && { failure: error }) };
      setStep({ at: 'end', report: { created: done, skipped: 0 }, stopped });
    }
    void loadRecords();
  };

  return (
    <section class="panel stack">
      <h2 ref={heading} tabIndex={-1}>
        {t('transfer.import.title')}
      </h2>
      {step.at === 'choose' && <Choose busy={busy} onFile={(file) => void read(file)} />}
      {step.at === 'secret' && (
        <Secret
          incoming={step.incoming}
          onOpened={(incoming) => setStep({ at: 'preview', incoming })}
          onCancel={() => setStep({ at: 'choose' })}
        />
      )}
      {step.at === 'preview' && (
        <Preview
          incoming={step.incoming}
          onStore={(plan) => void store(plan)}
          onCancel={() => setStep({ at: 'choose' })}
        />
      )}
      {step.at === 'storing' && <Storing {...step} onStop={() => stop.current?.abort()} />}
      {step.at === 'end' && <End {...step} onAgain={() => setStep({ at: 'choose' })} />}
      {failure !== undefined && <Note look="error">{problemText(failure)}</Note>}
    </section>
  );
}

function Choose({ busy, onFile }: { busy: boolean; onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <p>{t('transfer.import.text')}</p>
      <div>
        <input
          ref={input}
          type="file"
          class="visually-hidden"
          tabIndex={-1}
          aria-label={t('transfer.import.choose')}
          accept=".json,.csv,.txt,.tsv,.hrexport,application/json,application/fhir+json,text/csv"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file) onFile(file);
            event.currentTarget.value = '';
          }}
        />
        <Button look="primary" icon={FileUp} busy={busy} onClick={() => input.current?.click()}>
          {t('transfer.import.choose')}
        </Button>
      </div>
      {busy && <Progress label={t('transfer.import.opening')} />}
    </>
  );
}

interface SecretProps {
  incoming: Incoming & { from: 'encrypted' };
  onOpened: (incoming: Incoming) => void;
  onCancel: () => void;
}

function Secret({ incoming: { bytes, secret }, onOpened, onCancel }: SecretProps) {
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);
  const open = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      const document = await decryptFile(
        bytes,
        secret === 'password' ? { password: typed } : { recoveryPhrase: typed },
      );
      onOpened(fromDocument(parseExportDocument(document)));
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void open();
      }}
    >
      <p>{t('transfer.import.secretTitle')}</p>
      <TextField
        type={secret === 'password' ? 'password' : 'text'}
        label={t(secret === 'password' ? 'transfer.import.password' : 'transfer.import.phrase')}
        autocomplete="off"
        error={failure === undefined ? undefined : problemText(failure)}
        value={typed}
        onValue={setTyped}
      />
      {busy && <Progress label={t('transfer.import.opening')} />}
      <div class="row">
        <Button type="submit" look="primary" busy={busy}>
          {t('transfer.import.open')}
        </Button>
        <Button onClick={onCancel}>{t('common.action.cancel')}</Button>
      </div>
    </form>
  );
}

interface PreviewProps {
  incoming: Incoming;
  onStore: (plan: Plan) => void;
  onCancel: () => void;
}

function Preview({ incoming, onStore, onCancel }: PreviewProps) {
  switch (incoming.from) {
    case 'own':
    case 'fhir':
      return <ProfilesPreview incoming={incoming} onStore={onStore} onCancel={onCancel} />;
    case 'csv':
      return <CsvPreview text={incoming.text} onStore={onStore} onCancel={onCancel} />;
    case 'encrypted':
      return null;
  }
}

function Storing({ done, total, onStop }: { done: number; total: number; onStop: () => void }) {
  return (
    <>
      {total === 0 ? (
        <Progress label={t('transfer.import.opening')} />
      ) : (
        <Progress label={t('transfer.import.progress', { done, total })} done={done} total={total} />
      )}
      <div>
        <Button onClick={onStop}>{t('transfer.import.stop')}</Button>
      </div>
    </>
  );
}

function End({ report, stopped, onAgain }: Step & { at: 'end' } & { onAgain: () => void }) {
  return (
    <>
      {stopped ? (
        <Note look={stopped.failure === undefined ? 'info' : 'error'}>
          {stopped.failure !== undefined && <p>{sentenceOf(stopped.failure)}</p>}
          <p>
            {t(stopped.failure === undefined ? 'transfer.import.stopped' : 'transfer.import.failed', stopped)}
          </p>
        </Note>
      ) : (
        <Note>
          <p role="status">
            {t('transfer.import.done', { count: report.created })}{' '}
            {report.skipped > 0 && t('transfer.import.skipped', { count: report.skipped })}
          </p>
        </Note>
      )}
      <div>
        <Button onClick={onAgain}>{t('transfer.import.another')}</Button>
      </div>
    </>
  );
}
