import { t } from '../../../i18n/i18n';
import { now } from '../../../platform/model/clock';
import { instantOf } from '../../../platform/model/dates';
import { clockWords, nameWords } from '../../medications/model/words';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { putOffChoice, putOffSlot } from './answers';

const MINUTES = [10, 30, 60, 120, 240];
const EVENING = '20:00';

/** When to ask again: one press. */
export function LaterDialog() {
  const slot = putOffChoice.value;
  if (!slot) return null;
  const close = () => (putOffChoice.value = undefined);
  const present = now.value.getTime();
  const evening = instantOf(slot.day, EVENING);
  const times = MINUTES.map((minutes) => new Date(present + minutes * 60_000));
  if (evening > times[times.length - 1]) times.push(evening);
  return (
    <Dialog title={t('today.laterTitle', { name: nameWords(slot.medicine) })} onClose={close}>
      <div class="choices">
        {times.map((until, at) => (
          <Button
            key={until.getTime()}
            onClick={() => {
              close();
              putOffSlot(slot, until);
            }}
          >
            {at < MINUTES.length
              ? t('today.inMinutes', { time: clockWords(until), span: spanWords(MINUTES[at]) })
              : t('today.thisEvening', { time: clockWords(until) })}
          </Button>
        ))}
      </div>
      <div class="actions">
        <Button onClick={close}>{t('common.action.cancel')}</Button>
      </div>
    </Dialog>
  );
}

function spanWords(minutes: number): string {
  return minutes < 60 ? t('today.minutes', { count: minutes }) : t('today.hours', { count: minutes / 60 });
}
