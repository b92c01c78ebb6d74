import { useState } from 'preact/hooks';
import { t } from '../../../i18n/i18n';
import { now, today } from '../../../platform/model/clock';
import { dayOf, instantOf, isDay, timeOf } from '../../../platform/model/dates';
import { numberOf } from '../../medications/model/dosage';
import { sentenceOf } from '../../../platform/model/failure';
import { remarkOf } from '@app/client/documents';
import { enterDose, whoseWords } from '../../medications/model/medicines';
import { mayChange } from '../../profiles/model/people';
import { takenAmount } from '../model/taken-amount';
import { slotKey } from '../model/today-view';
import { doseWords, unitWords, whenWords } from '../../medications/model/words';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { TextField } from '../../../ui/field';
import { Form, useAct } from '../../../ui/form';
import { Note } from '../../../ui/screen';
import { toast } from '../../../ui/toast';
import { doseQuestion, type DoseQuestion } from './asked-dose';
import { holdInPlace } from './held-rows';

/** More than so many planned doses at once is asked about: a slip of the finger is a wrong dose in the record. */
const MOST_PLANNED = 3;

const asTyped = (at: Date) => `${dayOf(at)}T${timeOf(at)}`;

/** `undefined` for what is no time, or one that is still to come. */
function readTime(typed: string): Date | undefined {
  const [day, time = ''] = typed.split('T');
  if (!isDay(day) || !/^\d\d:\d\d/.test(time)) return undefined;
  const at = instantOf(day, time);
  return at.getTime() <= Date.now() ? at : undefined;
}

/** A dose as planned, now, or at another time, with its amount and a note. No time is written that nobody has said. */
export function DoseDialog({ medicine, slot, dose, asksAmount = false }: DoseQuestion) {
  const before = dose && new Date(dose.loggedAt);
  const planned = slot ? slot.planned : dose ? takenAmount(medicine, dose) : medicine.details.dose;
  const { correction } = medicine.details;
  const remark = dose && remarkOf(medicine, dose.id);
  const [isOther, setOther] = useState(!slot || asksAmount);
  const [typed, setTyped] = useState(asTyped(before ?? (asksAmount ? undefined : slot?.at) ?? new Date()));
  const [amount, setAmount] = useState(String(remark?.amount ?? planned?.amount ?? ''));
  const [note, setNote] = useState(remark?.note ?? '');
  const [tried, setTried] = useState(false);
  /** The large amount of which the person was asked. */
  const [askedOf, setAskedOf] = useState<string>();
  const act = useAct(sentenceOf);
  const name = whoseWords(medicine);
  const taken = dose?.taken ?? true;
  /** What is said of a dose is kept with the medicine. */
  const canSay = mayChange(medicine.profileId);
  const unit = remark?.unit ?? planned?.unit;
  const close = () => (doseQuestion.value = undefined);
  // The field knows no seconds: a time that nobody changed stays as it is.
  const at = before && typed === asTyped(before) ? before : readTime(typed);
  const count = numberOf(amount);
  const isAmountWrong = canSay && taken && unit !== undefined && !(count !== undefined && count > 0);
  const most = Math.max(
    MOST_PLANNED * (planned?.amount ?? Infinity),
    medicine.details.schedule?.mostIn24Hours ?? 0,
  );
  const isMuch = canSay && taken && count !== undefined && count > most;
  const save = (when: Date, said: { amount?: number; note?: string } = {}) =>
    void act.run(async () => {
      await enterDose(
        medicine,
        { taken, at: when, ...(unit && { unit }), ...(slot && { slot }), ...said },
        dose,
      );
      if (slot) holdInPlace(slotKey(slot));
      close();
      toast({ text: t('today.savedAt', { name, when: whenWords(when, today.value) }) });
    });
  const submit = () => {
    setTried(true);
    if (isMuch && askedOf !== amount) return setAskedOf(amount);
    if (at && !isAmountWrong)
      save(
        at,
        canSay ? { ...(taken && unit && { amount: count! }), ...(note.trim() && { note: note.trim() }) } : {},
      );
  };
  const title = asksAmount
    ? 'today.howMuchTitle'
    : slot
      ? 'today.whenTitle'
      : dose
        ? 'today.changeTitle'
        : 'today.addTitle';
  return (
    <Dialog title={t(title, { name })} onClose={close}>
      {!isOther && slot && (
        <div class="choices">
          <Button busy={act.busy} onClick={() => save(slot.at)}>
            {t('today.whenPlanned', { when: whenWords(slot.at, today.value) })}
          </Button>
          <Button busy={act.busy} onClick={() => save(new Date())}>
            {t('today.whenNow', { when: whenWords(now.value, today.value) })}
          </Button>
          <Button onClick={() => setOther(true)}>{t('today.whenOther')}</Button>
        </div>
      )}
      {act.error !== undefined && (
        <Note look="error">
          {sentenceOf(act.error)} {t('common.state.kept')}
        </Note>
      )}
      {correction && <Note>{t('today.correction', { text: correction })}</Note>}
      {isOther ? (
        <Form onSubmit={submit}>
          <TextField
            label={t('today.whenLabel')}
            type="datetime-local"
            max={asTyped(now.value)}
            value={typed}
            onValue={setTyped}
            error={tried && !at ? t('today.whenWrong') : undefined}
          />
          {canSay && taken && unit && (
            <TextField
              label={t('cabinet.form.amount')}
              note={unitWords(unit)}
              inputMode="decimal"
              value={amount}
              onValue={setAmount}
              error={
                tried && isAmountWrong
                  ? t('cabinet.form.amountWrong')
                  : isMuch && askedOf === amount
                    ? t('today.muchAsk', { planned: doseWords(planned) })
                    : undefined
              }
            />
          )}
          {canSay && (
            <TextField
              label={t('today.doseNote')}
              note={t('common.optional')}
              maxLength={200}
              value={note}
              onValue={setNote}
            />
          )}
          <div class="row">
            <Button onClick={close}>{t('common.action.cancel')}</Button>
            <Button type="submit" look="primary" busy={act.busy}>
              {t('common.action.save')}
            </Button>
          </div>
        </Form>
      ) : (
        <div class="actions">
          <Button onClick={close}>{t('common.action.cancel')}</Button>
        </div>
      )}
    </Dialog>
  );
}
