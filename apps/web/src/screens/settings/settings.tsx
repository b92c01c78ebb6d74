import { useState } from 'preact/hooks';
import { browserLanguage, isLanguage, LANGUAGES, speak, t, type Language } from '../../i18n/i18n';
import {
  chosenLanguage,
  lockAfterMinutes,
  reminders,
  remindersWithNames,
  textSize,
  theme,
  type Theme,
} from '../../model/preferences';
import { CheckField, Choice, SelectField } from '../../ui/field';
import { Note, Screen } from '../../ui/screen';

const SIZES = [90, 100, 115, 130, 150, 200];
const LOCKS = [1, 5, 15, 60, 0];

export function Settings() {
  const [denied, setDenied] = useState(false);
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
              checked={reminders.value}
              onValue={(wanted) => void remind(wanted)}
            />
            {denied && <Note look="warn">{t('more.settings.remindersDenied')}</Note>}
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
