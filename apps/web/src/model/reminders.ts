import { effect } from '@preact/signals';
import { t } from '../i18n/i18n';
import { now } from './clock';
import { dosesOf, medicineOf, medicines } from './medicines';
import { postponed } from './postponed';
import { reminders, remindersRepeat, remindersWithNames } from './preferences';
import { loadState } from './records';
import { type Planned, planOf, type Said, turnOf } from './reminder-plan';
import { sessionState } from './session';
import { nameWords } from './words';

interface Badging {
  setAppBadge?: (count: number) => Promise<void>;
  clearAppBadge?: () => Promise<void>;
}

const TAG = 'due';

/**
 * What is to come, as the page knew it when it was last unlocked. So a locked page goes on to remind. Security: it
 * holds ids and times, lives in memory only, and ends with the session.
 */
let plan: Planned[] = [];
let said: ReadonlyMap<string, Said> = new Map();

/** Whether the person wants reminders and the browser shows them. */
export const canRemind = () =>
  reminders.value && 'Notification' in window && Notification.permission === 'granted';

/** Reminds of what is due until it is answered, while the page is open; and shows how many on the icon of the app. */
export function remindWhenDue(): void {
  effect(() => {
    if (sessionState.value === 'signed-out') plan = [];
    else if (sessionState.value === 'unlocked' && loadState.value === 'ready')
      plan = planOf(medicines.value, dosesOf, now.value, postponed.value);
    const turn = turnOf(plan, said, now.value.getTime(), remindersRepeat.value);
    showBadge(turn.due.length);
    if (turn.due.length === 0 && said.size > 0) void closeReminder();
    if (!canRemind()) return;
    said = turn.said;
    if (turn.say.length > 0) void notify(t('common.appName'), wordsOf(turn.due));
  });
}

/** The names only where the person wants them, and never from a locked page. */
function wordsOf(due: readonly string[]): string {
  const names = due.flatMap((key) => {
    const medicine = medicineOf(key.split(' ')[0]);
    return medicine ? [nameWords(medicine)] : [];
  });
  if (remindersWithNames.value && names.length === due.length) return names.join(', ');
  return t('more.settings.reminder', { count: due.length });
}

function showBadge(count: number): void {
  const badge = navigator as Badging;
  void (count > 0 ? badge.setAppBadge?.(count) : badge.clearAppBadge?.())?.catch(() => undefined);
}

/** Shows a reminder at once, so that the person sees that it works. */
export function tryReminder(): Promise<void> {
  return notify(t('common.appName'), t('more.settings.reminderTry'));
}

const worker = () => navigator.serviceWorker?.getRegistration();

/** A phone shows notifications only through the service worker. A repeated one takes the place of the one before. */
async function notify(title: string, body: string): Promise<void> {
  const options = { body, icon: '/assets/icon-192.png', tag: TAG, renotify: true };
  const registration = await worker();
  if (registration) await registration.showNotification(title, options);
  else new Notification(title, options);
}

async function closeReminder(): Promise<void> {
  said = new Map();
  const shown = (await (await worker())?.getNotifications({ tag: TAG })) ?? [];
  shown.forEach((each) => each.close());
}
