import { effect } from '@preact/signals';
import { language, t } from '../../../i18n/i18n';
import { now, today } from '../../../platform/model/clock';
import { checkedMembers, isChecking } from '../../medications/model/findings';
import { dosesByMedicine, dosesOf, medicineOf, medicines } from '../../medications/model/medicines';
import { members } from '../../profiles/model/family';
import { postponed } from '../../doses/model/postponed';
import { isPushed, reminders, reminderWords, remindersRepeat } from '../../../platform/model/preferences';
import type { WorkerNews } from './push-text';
import { loadState } from '../../../platform/model/records';
import { type Planned, planOf, type Said, turnOf } from './reminder-plan';
import { modeOf, reminderChoices } from './reminder-choices';
import { sessionState } from '../../../platform/model/session';
import { isOffline } from '../../../platform/model/sync';
import { nameWords } from '../../medications/model/words';

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
      plan = planOf(reminding(), dosesOf, now.value, postponed.value);
    const turn = turnOf(plan, said, now.value.getTime(), remindersRepeat.value);
    showBadge(turn.due.length);
    if (turn.due.length === 0 && said.size > 0) void closeReminder();
    // What the service sends needs no second message of the page, but without a network nothing comes.
    if (!canRemind() || (isPushed.value && !isOffline.value)) return;
    said = turn.said;
    if (turn.say.length > 0) void notify(t('common.appName'), wordsOf(turn.due));
  });
}

/** The medicines of which this device reminds. */
const reminding = () => medicines.value.filter((medicine) => modeOf(medicine) !== 'off');

/** The names only where the person wants them, and never from a locked page. */
function wordsOf(due: readonly string[]): string {
  const names = due.flatMap((key) => {
    const medicine = medicineOf(key.split(' ')[0]);
    return medicine ? [nameWords(medicine)] : [];
  });
  if (reminderWords.value === 'names' && names.length === due.length) return names.join(', ');
  return t('more.settings.reminder', { count: due.length });
}

let shownCount: number | undefined;

/** A call costs milliseconds. */
function showBadge(count: number): void {
  if (count === shownCount) return;
  shownCount = count;
  const badge = navigator as Badging;
  void (count > 0 ? badge.setAppBadge?.(count) : badge.clearAppBadge?.())?.catch(() => undefined);
}

/** Shows a reminder at once, so that the person sees that it works. */
export function tryReminder(): Promise<void> {
  return notify(t('common.appName'), t('remind.open.tryText'));
}

/** A change is often one of several. */
const PAUSE_MS = 1500;

/**
 * Keeps the service's plan of reminders as the family is, tells it what is answered, and takes what was answered outside of
 * the page. The code is loaded once the family is shown.
 */
export function followPush(): void {
  if (!navigator.serviceWorker || !navigator.locks) return;
  const load = () => Promise.all([import('./push'), import('./push-answers')]);
  const isReady = () => sessionState.value === 'unlocked' && loadState.value === 'ready';
  const later = (act: (parts: Awaited<ReturnType<typeof load>>) => Promise<unknown>) => {
    const timer = setTimeout(() => {
      // Without a network the code may not be here. The next change tries again.
      if (isReady())
        void load()
          .then(act)
          .catch(() => undefined);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  };
  effect(() => {
    void [members.value, checkedMembers.value, reminderChoices.value, language.value, today.value];
    void [reminderWords.value, remindersRepeat.value, medicines.value];
    // Whether a dose may be answered outside of the page is known after the check.
    if (!isReady() || isChecking.value) return undefined;
    return later(async ([{ planNow }, { takeAnswers, tellAgain, tellAnswered }]) => {
      await takeAnswers();
      await planNow();
      tellAgain();
      await tellAnswered(new Date());
    });
  });
  effect(() => {
    void dosesByMedicine.value;
    return isReady() ? later(([, { tellAnswered }]) => tellAnswered(new Date())) : undefined;
  });
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<WorkerNews>) => {
    if (data === 'answer-kept' && isReady()) void load().then(([, { takeAnswers }]) => takeAnswers());
  });
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
