import { speak, t } from '../../i18n/i18n';
import { browserLanguage } from '../../i18n/languages';

/** A browser that stores nothing throws at the first use of `localStorage`, and no other module of the page starts. */
function isRefused(): boolean {
  try {
    return localStorage.length < 0;
  } catch {
    return true;
  }
}

if (isRefused())
  void speak(browserLanguage()).then(() => {
    const opening = document.querySelector('main')!;
    opening.removeAttribute('aria-busy');
    const status = opening.querySelector('[role="status"]')!;
    status.className = '';
    status.textContent = t('common.error.SecurityError');
  });
