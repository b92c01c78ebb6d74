import { speak, t } from '../../../../i18n/i18n';
import { browserLanguage, isLanguage, LANGUAGES, type Language } from '../../../../i18n/languages';
import { sentenceOf } from '../../../../platform/model/failure';
import {
  choiceNotKept,
  chosenLanguage,
  lockAfterMinutes,
  textSize,
  theme,
  type Theme,
} from '../../../../platform/model/preferences';
import { Choice, SelectField } from '../../../../ui/field';
import { Note, Screen } from '../../../../ui/screen';

const SIZES = [90, 100, 115, 130, 150, 200];
const LOCKS = [1, 5, 15, 60, 0];

export function Settings() {
  const chooseLanguage = (value: 'auto' | Language) => {
    chosenLanguage.value = isLanguage(value) ? value : null;
    void speak(isLanguage(value) ? value : browserLanguage());
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
      </div>
    </Screen>
  );
}
