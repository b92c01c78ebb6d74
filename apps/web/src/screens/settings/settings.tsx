import { BellRing } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { browserLanguage, isLanguage, LANGUAGES, speak, t, type Language } from '../../i18n/i18n';
import { sentenceOf } from '../../model/failure';
import {
  choiceNotKept,
  chosenLanguage,
  lockAfterMinutes,
  reminders,
  remindersRepeat,
  remindersWithNames,
  textSize,
  theme,
  type Theme,
} from '../../model/preferences';
import { canRemind, tryReminder } from '../../model/reminders';
import { Button } from '../../ui/button';
import { CheckField, Choice, SelectField } from '../../ui/field';
import { Note, Screen } from '../../ui/screen';

const SIZES = [90, 100, 115, 130, 150, 200];
const LOCKS = [1, 5, 15, 60, 0];

export function Settings() {
  // A permission that was given once can be taken back in the browser.
  const [denied, setDenied] = useState(
    reminders.value && 'Notification' in window && Notification.permission !== 'granted',
  );
  const chooseLanguage = (value: 'auto' | Language) => {
    chosenLanguage.value = isLanguage(value) ? value : null;
    void speak(isLanguage(value) ? value : browserLanguage());
  };
  const remind = async (wanted: boolean) => {
    const allowed = !wanted || (await Notification.requestPermission()) === 'granted';
    setDenied(!allowed);
    reminders.value = wanted && allowed;
  };
  const lockWords = (minutes: number) =>
    minutes === 0 ? t('more.settings.lockNever') : t('more.settings.minutes', { count: minutes });
  return (
    <Screen title={t('more.settings.title')} back={{ href: '/app/more', label: t('more.title') }}>
      <div class="stack form">
        {choiceNotKept.value !== undefined && <Note look="warn">{sentenceOf(choiceNotKept.value)}</Note>}
        <SelectField
          label={t('more.settings.language')}
          value={isLanguage(chosenLanguage.value) ? chosenLanguage.value : 'auto'}
          options={[
            { value: 'auto' as const, label: t('more.settings.languageAuto') },
            ...(Object.keys(LANGUAGES) as Language[]).map((each) => ({
              value: each,
              label: LANGUAGES[each],
            })),
          ]}
          onValue={chooseLanguage}
        />
        <Choice
          legend={t('more.settings.theme')}
          value={theme.value}
          options={(['system', 'light', 'dark'] as Theme[]).map((each) => ({
            value: each,
            label: t(`more.settings.themes.${each}`),
          }))}
          onValue={(next) => (theme.value = next)}
        />
        <SelectField
          label={t('more.settings.textSize')}
          value={String(textSize.value)}
          options={SIZES.map((size) => ({ value: String(size), label: `${size} %` }))}
          onValue={(size) => (textSize.value = Number(size))}
        />
        <SelectField
          label={t('more.settings.lockAfter')}
          value={String(lockAfterMinutes.value)}
          options={LOCKS.map((minutes) => ({ value: String(minutes), label: lockWords(minutes) }))}
          onValue={(minutes) => (lockAfterMinutes.value = Number(minutes))}
        />
        {'Notification' in window && (
          <>
            <CheckField
              label={t('more.settings.reminders')}
              hint={t('more.settings.remindersHint')}
              checked={reminders.value && !denied}
              onValue={(wanted) => void remind(wanted)}
            />
            {denied && <Note look="warn">{t('more.settings.remindersDenied')}</Note>}
            {canRemind() && (
              <div>
                <Button icon={BellRing} onClick={() => void tryReminder()}>
                  {t('more.settings.reminderTryGo')}
                </Button>
              </div>
            )}
            <CheckField
              label={t('more.settings.repeat')}
              hint={t('more.settings.repeatHint')}
              checked={remindersRepeat.value}
              onValue={(wanted) => (remindersRepeat.value = wanted)}
            />
            <CheckField
              label={t('more.settings.withNames')}
              hint={t('more.settings.withNamesHint')}
              checked={remindersWithNames.value}
              onValue={(wanted) => (remindersWithNames.value = wanted)}
            />
          </>
        )}
      </div>
    </Screen>
  );
}
