import { language, speak, t } from '../../../../i18n/i18n';
import { LANGUAGES, type Language } from '../../../../i18n/languages';
import { chosenLanguage } from '../../../../platform/model/preferences';
import { Screen, type ScreenProps } from '../../../../ui/screen';
import './account.css';

export interface AccountFrameProps extends Omit<ScreenProps, 'action'> {
  /** Shows the mark of the page above the title. */
  mark?: boolean;
}

/** The layout of the screens before the unlock. */
export function AccountFrame({ children, mark = false, ...screen }: AccountFrameProps) {
  return (
    <main class="account" id="content">
      <Languages />
      <div class="account-body">
        {mark && <img class="account-mark" src="/assets/icon.svg" alt="" width="64" height="64" />}
        <Screen {...screen}>{children}</Screen>
      </div>
    </main>
  );
}

function Languages() {
  const choose = (next: Language) => () => {
    chosenLanguage.value = next;
    void speak(next);
  };
  return (
    <ul class="languages">
      {(Object.keys(LANGUAGES) as Language[]).map((each) => (
        <li key={each}>
          <button type="button" lang={each} aria-pressed={each === language.value} onClick={choose(each)}>
            {LANGUAGES[each]}
          </button>
        </li>
      ))}
    </ul>
  );
}

export const backToWelcome = () => ({ href: '/', label: t('common.action.back') });
