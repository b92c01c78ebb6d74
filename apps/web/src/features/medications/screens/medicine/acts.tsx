import { useId, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { t } from '../../../../i18n/i18n';
import { today } from '../../../../platform/model/clock';
import { addDays } from '../../../../platform/model/dates';
import { sentenceOf } from '../../../../platform/model/failure';
import { changeMedicine, dosesOf, putBackMedicine, removeMedicine, whoseWords } from '../../model/medicines';
import { writtenHere } from '../../../profiles/model/people';
import type { Medicine, MedicineChange } from '@app/client/documents';
import { isPaused } from '../../model/schedule';
import { forecastStock } from '../../model/stock';
import { nameWords } from '../../model/words';
import { Button } from '../../../../ui/button';
import { Confirm, Dialog } from '../../../../ui/dialog';
import { TextField } from '../../../../ui/field';
import { Form, useAct } from '../../../../ui/form';
import { Note } from '../../../../ui/screen';
import { toast } from '../../../../ui/toast';

type Open = 'refill' | 'pause' | 'end' | 'delete' | undefined;

/** Refill, pause, end, delete. */
export function MedicineActs({ medicine }: { medicine: Medicine }) {
  const [open, setOpen] = useState<Open>(undefined);
  const { route } = useLocation();
  const act = useAct(sentenceOf);
  const { details } = medicine;
  const name = nameWords(medicine);
  const paused = isPaused(medicine, today.value);
  const changed = (change: Omit<MedicineChange, 'on'>) => [
    ...(details.changes ?? []),
    { on: today.value, ...change, ...writtenHere(medicine.profileId) },
  ];
  const close = () => setOpen(undefined);
  const run = (work: () => Promise<unknown>) => void act.run(work).then((done) => done && close());
  const resume = () =>
    changeMedicine(medicine, {
      pauses: (details.pauses ?? [])
        .map((each) =>
          each.until && each.until < today.value ? each : { ...each, until: addDays(today.value, -1) },
        )
        .filter(({ from, until }) => !until || from <= until),
      changes: changed({ what: 'resumed' }),
    });
  return (
    <>
      {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
      <div class="acts">
        {details.stock && <Button onClick={() => setOpen('refill')}>{t('cabinet.one.refill')}</Button>}
        {paused ? (
          <Button busy={act.busy} onClick={() => run(resume)}>
            {t('cabinet.one.resume')}
          </Button>
        ) : (
          <Hinted act="pause" onPress={setOpen} />
        )}
        {!details.endDate && <Hinted act="end" onPress={setOpen} />}
        <Hinted act="delete" onPress={setOpen} />
      </div>
      {open === 'refill' && (
        <Ask
          title={t('cabinet.one.refill')}
          label={t('cabinet.one.refillBy')}
          inputMode="decimal"
          busy={act.busy}
          onClose={close}
          onAnswer={(text) => {
            const left = forecastStock(medicine, dosesOf(medicine.id), new Date())?.left ?? 0;
            const more = Number(text.replace(',', '.'));
            if (details.stock && more > 0)
              run(() =>
                changeMedicine(medicine, {
                  stock: { ...details.stock!, count: left + more, countedAt: new Date().toISOString() },
                }),
              );
          }}
        />
      )}
      {open === 'pause' && (
        <Ask
          title={t('cabinet.one.pause')}
          label={t('cabinet.one.pauseUntil')}
          type="date"
          busy={act.busy}
          onClose={close}
          onAnswer={(until) =>
            run(() =>
              changeMedicine(medicine, {
                pauses: [...(details.pauses ?? []), { from: today.value, ...(until && { until }) }],
                changes: changed({ what: 'paused', ...(until && { to: until }) }),
              }),
            )
          }
        />
      )}
      {open === 'end' && (
        <Confirm
          title={t('cabinet.one.end')}
          text={t('cabinet.one.endText', { name })}
          yes={t('cabinet.one.end')}
          no={t('common.action.cancel')}
          busy={act.busy}
          onNo={close}
          onYes={() =>
            run(() =>
              changeMedicine(medicine, {
                endDate: addDays(today.value, -1),
                changes: changed({ what: 'ended' }),
              }),
            )
          }
        />
      )}
      {open === 'delete' && (
        <Confirm
          title={t('cabinet.one.delete')}
          text={t('cabinet.one.deleteText', { name })}
          yes={t('cabinet.one.delete')}
          no={t('common.action.cancel')}
          isDangerous
          busy={act.busy}
          onNo={close}
          onYes={() =>
            void act.run(async () => {
              route('/app/cabinet');
              await removeMedicine(medicine.id);
              sayRemoved(medicine);
            })
          }
        />
      )}
    </>
  );
}

type HintedAct = 'pause' | 'end' | 'delete';

/** A button with one line on what it does. */
function Hinted({ act, onPress }: { act: HintedAct; onPress: (act: HintedAct) => void }) {
  const id = useId();
  return (
    <div class="act">
      <Button
        {...(act === 'delete' && { look: 'danger' })}
        aria-describedby={id}
        onClick={() => onPress(act)}
      >
        {t(`cabinet.one.${act}`)}
      </Button>
      <span id={id} class="soft small">
        {t(`cabinet.one.hint.${act}`)}
      </span>
    </div>
  );
}

/** What went to the trash, whose it was, and the way back. */
function sayRemoved(medicine: Medicine): void {
  const name = whoseWords(medicine);
  const putBack = () =>
    putBackMedicine(medicine.id).then(
      () => toast({ text: t('cabinet.one.isBack', { name }) }),
      (error: unknown) => toast({ text: sentenceOf(error) }),
    );
  toast({
    text: t('cabinet.one.inTrash', { name }),
    action: { label: t('common.action.undo'), run: () => void putBack() },
  });
}

interface AskProps {
  title: string;
  label: string;
  type?: string;
  inputMode?: 'decimal';
  busy: boolean;
  onAnswer: (text: string) => void;
  onClose: () => void;
}

/** One question in a dialog. */
function Ask({ title, label, type = 'text', inputMode, busy, onAnswer, onClose }: AskProps) {
  const [text, setText] = useState('');
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={() => onAnswer(text)}>
        <TextField
          label={label}
          type={type}
          {...(inputMode && { inputMode })}
          value={text}
          onValue={setText}
        />
        <div class="actions">
          <Button onClick={onClose}>{t('common.action.cancel')}</Button>
          <Button type="submit" look="primary" busy={busy}>
            {t('common.action.save')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
