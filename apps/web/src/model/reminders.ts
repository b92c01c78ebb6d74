import { effect } from '@preact/signals';
import { t } from '../i18n/i18n';
import { now } from './clock';
import { dosesOf, medicines } from './medicines';
import { postponed } from './postponed';
import { reminders, remindersWithNames } from './preferences';
import { slotKey, viewOfToday } from './today-view';
import { nameWords } from './words';

interface Badging {
  setAppBadge?: (count: number) => Promise<void>;
  clearAppBadge?: () => Promise<void>;
}

const said = new Set<string>();

/** While the page is open: one notification for each due dose, and their number on the icon of the app. */
export function remindWhenDue(): void {
  effect(() => {
    const due = viewOfToday(medicines.value, dosesOf, now.value, postponed.value).now.filter(
      ({ at }) => at <= now.value,
    );
    const badge = navigator as Badging;
    void (due.length > 0 ? badge.setAppBadge?.(due.length) : badge.clearAppBadge?.())?.catch(() => undefined);
    const fresh = due.filter((slot) => !said.has(slotKey(slot)));
    if (fresh.length === 0 || !reminders.value || Notification.permission !== 'granted') return;
    fresh.forEach((slot) => said.add(slotKey(slot)));
    const names = fresh.map(({ medicine }) => nameWords(medicine)).join(', ');
    const body = remindersWithNames.value ? names : t('more.settings.reminder', { count: fresh.length });
    void notify(t('common.appName'), body);
  });
}

/** A phone shows notifications only through the service worker. */
async function notify(title: string, body: string): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration();
  const options = { body, icon: '/assets/icon-192.png', tag: 'due' };
  if (worker) await worker.showNotification(title, options);
  else new Notification(title, options);
}
