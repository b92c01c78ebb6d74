import { keepEntry, openOnDevice } from '../model/device-box';
import {
  ANSWER_ENTRY,
  type KeptAnswer,
  placeOf,
  type ReminderText,
  type WorkerNews,
} from '../../features/reminders/model/push-text';
import { workerWords } from '../../i18n/worker-words';

declare const self: ServiceWorkerGlobalScope;

/** A message of the service. */
type Message =
  | { kind: 'due'; id: string; slot_id: string; due_at: string; text: string; ticket: string }
  | { kind: 'close'; slot_id: string; due_at: string }
  | { kind: 'test' };

/** What a shown reminder keeps until it is answered. */
interface Shown {
  slotId: string;
  dueAt: string;
  ticket: string;
  medicineIds: readonly string[];
}

const LOOK = { icon: '/assets/icon-192.png' };
const TODAY = '/app/today';

/** Shows the reminders of the service, and takes their answers, also while the page is closed or locked. */
export function takeReminders(): void {
  self.addEventListener('push', (event) => event.waitUntil(receive(event.data)));
  self.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(answer(event.action, event.notification));
  });
}

async function receive(data: PushMessageData | null): Promise<void> {
  const words = workerWords(navigator.language);
  const message = readMessage(data);
  // A browser wants each message shown: one that this version cannot read is shown in general words.
  if (!message) return self.registration.showNotification(words.title, { ...LOOK, body: words.due });
  if (message.kind === 'test') {
    await self.registration.showNotification(words.title, { ...LOOK, body: words.test, tag: 'test' });
    return tellPages('test-arrived');
  }
  if (message.kind === 'close') {
    for (const shown of await self.registration.getNotifications({ tag: message.slot_id }))
      if ((shown.data as Shown).dueAt === message.due_at) shown.close();
    return;
  }
  const text = await openOnDevice<ReminderText>(message.text, placeOf(message.id));
  const shownData: Shown = {
    slotId: message.slot_id,
    dueAt: message.due_at,
    ticket: message.ticket,
    medicineIds: text?.medicineIds ?? [],
  };
  const later = { action: 'later', title: text?.later ?? words.later };
  const taken = text && text.medicineIds.length > 0 ? [{ action: 'taken', title: text.taken }] : [];
  // `renotify` and `actions` are not in the types of every version.
  const options = {
    ...LOOK,
    body: text?.body ?? words.due,
    tag: message.slot_id,
    renotify: true,
    data: shownData,
    actions: [...taken, later],
  };
  await self.registration.showNotification(text?.title ?? words.title, options);
}

/** @returns `undefined` for what no service of this version sends. */
function readMessage(data: PushMessageData | null): Message | undefined {
  try {
    const message = data?.json() as (Message & { v: number }) | undefined;
    return message?.v === 1 && ['due', 'close', 'test'].includes(message.kind) ? message : undefined;
  } catch {
    return undefined;
  }
}

async function answer(action: string, notification: Notification): Promise<void> {
  const shown = notification.data as Shown | null;
  if (!shown || (action !== 'taken' && action !== 'later')) return openPage();
  if (action === 'taken') {
    const { medicineIds, dueAt, slotId } = shown;
    const kept: KeptAnswer = { medicineIds, dueAt, at: Date.now() };
    await keepEntry(`${ANSWER_ENTRY}${slotId} ${dueAt}`, kept);
    await tellPages('answer-kept');
  }
  const isTold = await tellService(shown.ticket, action === 'taken' ? 'done' : 'later');
  // Without a network nothing would ring again. What was taken is kept, and told with the next unlock.
  if (isTold || action === 'taken') return;
  const { title, body, tag } = notification;
  await self.registration.showNotification(title, { ...LOOK, body, tag, data: shown });
}

async function tellService(ticket: string, given: 'done' | 'later'): Promise<boolean> {
  try {
    const { ok } = await fetch('/api/push/answers', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ticket, answer: given }),
    });
    return ok;
  } catch {
    return false;
  }
}

const pages = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

async function tellPages(news: WorkerNews): Promise<void> {
  for (const page of await pages()) page.postMessage(news);
}

/** A reminder leads to the page: the open one, else a new one. */
async function openPage(): Promise<void> {
  const [open] = await pages();
  await (open ? open.focus() : self.clients.openWindow(TODAY));
}
