import type { ComponentChildren } from 'preact';
import { LANGUAGES, language, speak, t, type Language } from '../../i18n/i18n';
import { chosenLanguage } from '../../model/preferences';
import { Screen, type ScreenProps } from '../../ui/screen';
import './account.css';

/** The layout of the screens before the unlock. */
export function AccountFrame({ children, ...screen }: Omit<ScreenProps, 'action'>) {
  return (
    <main class="account" id="content">
      <Screen {...screen}>{children}</Screen>
      <Languages />
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

export function Progress({ label, children }: { label: string; children?: ComponentChildren }) {
  return (
    <div class="progress" role="status">
      <progress aria-label={label} />
      <span>{label}</span>
      {children}
    </div>
  );
}
