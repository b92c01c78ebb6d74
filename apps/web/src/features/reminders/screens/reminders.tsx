import { BellRing } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../i18n/i18n';
import { today } from '../../../platform/model/clock';
import { sentenceOf } from '../../../platform/model/failure';
import {
  type ReminderWords,
  reminders,
  reminderWords,
  remindersRepeat,
} from '../../../platform/model/preferences';
import { reminderCalendar } from '../model/reminder-calendar';
import { choicesNow, choose, readChoices } from '../model/reminder-choices';
import { canRemind, tryReminder } from '../model/reminders';
import { calendarFile } from '../../transfer/model/calendar-file';
import { Button } from '../../../ui/button';
import { CheckField, SelectField, TextField } from '../../../ui/field';
import { useAct } from '../../../ui/form';
import { fileName, saveFile } from '../../../ui/save-file';
import { Note, Screen } from '../../../ui/screen';
import { ClosedPage } from './closed-page';
import { OfWhom } from './of-whom';

const WORDS: readonly ReminderWords[] = ['nothing', 'count', 'names'];

/** When this device reminds, of whom, and with which words. */
export function Reminders() {
  useEffect(() => void readChoices(), []);
  return (
    <Screen title={t('more.reminders')} back={{ href: '/app/more', label: t('more.title') }}>
      {'Notification' in window && <OpenPage />}
      <ClosedPage />
      <How />
      <OfWhom />
      <Limits />
    </Screen>
  );
}

function OpenPage() {
  // A permission that was given once can be taken back in the browser.
  const [denied, setDenied] = useState(reminders.value && Notification.permission !== 'granted');
  const remind = async (wanted: boolean) => {
    const allowed = !wanted || (await Notification.requestPermission()) === 'granted';
    setDenied(!allowed);
    reminders.value = wanted && allowed;
  };
  return (
    <div class="stack form">
      <CheckField
        label={t('remind.open.label')}
        hint={t('remind.open.hint')}
        checked={reminders.value && !denied}
        onValue={(wanted) => void remind(wanted)}
      />
      {denied && <Note look="warn">{t('remind.open.denied')}</Note>}
      {canRemind() && (
        <div>
          <Button icon={BellRing} onClick={() => void tryReminder()}>
            {t('remind.open.tryGo')}
          </Button>
        </div>
      )}
    </div>
  );
}

function How() {
  const { quiet } = choicesNow();
  const [from, setFrom] = useState(quiet?.from ?? '');
  const [until, setUntil] = useState(quiet?.until ?? '');
  const act = useAct(sentenceOf);
  useEffect(() => {
    setFrom(quiet?.from ?? '');
    setUntil(quiet?.until ?? '');
  }, [quiet]);
  const keep = (next: { from: string; until: string }) => {
    setFrom(next.from);
    setUntil(next.until);
    const isWhole = next.from !== '' && next.until !== '' && next.from !== next.until;
    if (isWhole) void act.run(() => choose({ quiet: next }));
    else if (choicesNow().quiet) void act.run(() => choose({ quiet: undefined }));
  };
  return (
    <section class="stack form">
      <h2>{t('remind.how.title')}</h2>
      <SelectField
        label={t('remind.how.words')}
        hint={t('remind.how.wordsHint')}
        value={reminderWords.value}
        options={WORDS.map((value) => ({ value, label: t(`remind.how.${value}`) }))}
        onValue={(words) => (reminderWords.value = words)}
      />
      <CheckField
        label={t('remind.how.repeat')}
        hint={t('remind.how.repeatHint')}
        checked={remindersRepeat.value}
        onValue={(wanted) => (remindersRepeat.value = wanted)}
      />
      <div class="row">
        <TextField
          type="time"
          label={t('remind.how.quietFrom')}
          value={from}
          onValue={(value) => keep({ from: value, until })}
        />
        <TextField
          type="time"
          label={t('remind.how.quietUntil')}
          value={until}
          onValue={(value) => keep({ from, until: value })}
        />
      </div>
      <p class="soft">{t('remind.how.quietHint')}</p>
      {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
    </section>
  );
}

function Limits() {
  const save = () => {
    const { text } = calendarFile(reminderCalendar(t('remind.something')));
    saveFile(fileName(t('more.reminders'), today.value, 'ics'), text, 'text/calendar;charset=utf-8');
  };
  return (
    <section class="stack">
      <h2>{t('remind.limits.title')}</h2>
      <ul class="bullets">
        {(['network', 'saver', 'plan', 'unified', 'calendar'] as const).map((key) => (
          <li key={key}>{t(`remind.limits.${key}`)}</li>
        ))}
      </ul>
      <div>
        <Button onClick={save}>{t('remind.limits.calendarGo')}</Button>
      </div>
    </section>
  );
}
