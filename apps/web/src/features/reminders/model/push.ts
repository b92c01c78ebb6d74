import { newId } from '@app/client';
import { signal } from '@preact/signals';
import { needAllTexts, t } from '../../../i18n/i18n';
import { today } from '../../../platform/model/clock';
import { addDays, instantOf } from '../../../platform/model/dates';
import { dropDraft, keepDraft, readDraft } from '../../../platform/model/drafts';
import { codeOf } from '../../../platform/model/failure';
import { isRead, needsCare } from '../../medications/model/findings';
import { memberOf } from '../../profiles/model/family';
import { medicineOf, medicines } from '../../medications/model/medicines';
import type { Medicine } from '@app/client/documents';
import { isPushed, reminderWords, remindersRepeat } from '../../../platform/model/preferences';
import { firstAfter, paceOf, type PlannedReminder, plannedReminders, shapeOf } from './push-plan';
import { placeOf, type ReminderText, type WorkerNews } from './push-text';
import { choicesNow, modeOf, readChoices } from './reminder-choices';
import { client, deviceLabel } from '../../../platform/model/session';
import { sealForDevice } from '../../../platform/model/device-box';
import { nameWords, timeWords } from '../../medications/model/words';

/** What this browser allows. `install`: only as an app on the home screen. */
export type PushAbility = 'possible' | 'install' | 'impossible';
/** `lost`: the browser has ended it. `service-off`: the operator has. */
export type PushState = 'checking' | 'off' | 'on' | 'denied' | 'lost' | 'service-off';

export const pushState = signal<PushState>('checking');
/** Why the last plan did not reach the service. */
export const pushFailure = signal<unknown>(undefined);

/** The subscription of this browser, as it was told to the service. */
interface PushDevice {
  id: string;
  endpoint: string;
}

const DEVICE = 'push-device';
const SUBSCRIPTIONS = '/api/push/subscriptions';
const REMINDERS = '/api/reminders';

/** A device of the account that takes reminders. */
export interface ReminderDevice {
  id: string;
  label: string;
  current: boolean;
  last_sent_at: string | null;
  failure: string | null;
}

interface StoredReminder {
  id: string;
  subscription_id: string;
  slot_id: string;
}

/** What the service keeps under an id. */
interface WantedReminder {
  id: string;
  planned: PlannedReminder;
  text: Omit<ReminderText, 'taken' | 'later'>;
}

export function pushAbility(): PushAbility {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return 'possible';
  // Safari on a phone has it in installed apps only.
  return /iPhone|iPad/.test(navigator.userAgent) ? 'install' : 'impossible';
}

const read = async <T>(path: string) => (await client.request({ method: 'GET', path })).body as unknown as T;
const put = (path: string, body: object) =>
  client.request({ method: 'PUT', path, body: body, replayable: true });
const remove = (path: string) => client.request({ method: 'DELETE', path });
const isMissing = (error: unknown) => codeOf(error) === 'not_found';

/** The devices of the account that take reminders. */
export const reminderDevices = () => read<ReminderDevice[]>(SUBSCRIPTIONS);

export async function removeReminderDevice(id: string): Promise<void> {
  await remove(`${SUBSCRIPTIONS}/${id}`);
}

async function subscriptionOf(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

/** Tells the service where this browser takes messages. */
async function tellDevice(id: string, subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  await put(`${SUBSCRIPTIONS}/${id}`, {
    endpoint,
    p256dh: keys!.p256dh,
    auth: keys!.auth,
    label: deviceLabel(),
  });
  await keepDraft(DEVICE, { id, endpoint: subscription.endpoint } satisfies PushDevice);
}

/** Asks the person for the permission, and subscribes. Call it from a tap. */
export async function startPush(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    pushState.value = 'denied';
    return;
  }
  try {
    const { public_key: key } = await read<{ public_key: string }>('/api/push/key');
    const { pushManager } = await navigator.serviceWorker.ready;
    // One of another key takes no messages of this service.
    await (await pushManager.getSubscription())?.unsubscribe();
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    await tellDevice(newId(), made);
    show('on');
    await planNow();
  } catch (error) {
    if (codeOf(error) !== 'push_off') throw error;
    show('service-off');
  }
}

export async function stopPush(): Promise<void> {
  const device = await readDraft<PushDevice>(DEVICE);
  await (await subscriptionOf())?.unsubscribe();
  if (device)
    await removeReminderDevice(device.id).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  await dropDraft(DEVICE);
  show('off');
}

function show(state: PushState): void {
  pushState.value = state;
  isPushed.value = state === 'on';
}

/** Finds out how it is with this device, and tells the service of a new subscription of the browser. */
async function ensureDevice(): Promise<PushDevice | undefined> {
  const device = await readDraft<PushDevice>(DEVICE);
  if (!device) {
    show('off');
    return undefined;
  }
  const subscription = await subscriptionOf();
  if (!subscription) {
    show('lost');
    return undefined;
  }
  const isKnown = (await reminderDevices()).some(({ id }) => id === device.id);
  if (!isKnown || subscription.endpoint !== device.endpoint) await tellDevice(device.id, subscription);
  show('on');
  return device;
}

/** The slots of which the service reminds any device of the account. */
export let remindedSlots: ReadonlySet<string> = new Set();

/** The same for each device of the account; the service does not learn whose it is. */
export const slotIdOf = (profileId: string, time: string) => client.pseudonym(`slot ${profileId} ${time}`);

/** Brings what the service keeps for this device to what the person wants. The tabs take turns. */
export function planNow(): Promise<void> {
  return navigator.locks.request('health-records/push-plan', async () => {
    try {
      await readChoices();
      const device = await ensureDevice();
      const stored = await read<StoredReminder[]>(REMINDERS);
      remindedSlots = new Set(stored.map(({ slot_id: id }) => id));
      if (device) await bringTo(device.id, stored);
      pushFailure.value = undefined;
    } catch (error) {
      pushFailure.value = error;
    }
  });
}

async function bringTo(deviceId: string, stored: readonly StoredReminder[]): Promise<void> {
  await needAllTexts();
  const own = stored.filter(({ subscription_id: id }) => id === deviceId).map(({ id }) => id);
  const wanted = await wantedReminders(deviceId);
  for (const id of own.filter((each) => !wanted.has(each)))
    await remove(`${REMINDERS}/${id}`).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  const known = new Set(own);
  for (const reminder of wanted.values()) if (!known.has(reminder.id)) await setReminder(deviceId, reminder);
}

/** By their ids, which follow from what they say and when: what has not changed is not sent again. */
async function wantedReminders(deviceId: string): Promise<Map<string, WantedReminder>> {
  const reminding = medicines.value.filter((medicine) => modeOf(medicine) !== 'off');
  const wanted = new Map<string, WantedReminder>();
  for (const planned of plannedReminders(reminding, today.value)) {
    const text = textOf(planned);
    const pace = paceOfPlanned(planned);
    const id = await client.pseudonym(JSON.stringify([deviceId, zone(), shapeOf(planned), text, pace]));
    wanted.set(id, { id, planned, text });
  }
  return wanted;
}

const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

function paceOfPlanned({ profileId, time }: PlannedReminder) {
  const { modes, quiet } = choicesNow();
  return paceOf(time, modes[profileId] === 'late', remindersRepeat.value, quiet);
}

async function setReminder(deviceId: string, { id, planned, text }: WantedReminder): Promise<void> {
  const due = firstAfter(planned, new Date());
  if (!due) return;
  const { delayMinutes, nag } = paceOfPlanned(planned);
  const words = { taken: t('remind.taken'), later: t('remind.later') };
  const slotId = await slotIdOf(planned.profileId, planned.time);
  await put(`${REMINDERS}/${id}`, {
    subscription_id: deviceId,
    slot_id: slotId,
    text: await sealForDevice({ ...text, ...words }, placeOf(id)),
    due_at: due.toISOString(),
    delay_minutes: delayMinutes,
    time_zone: zone(),
    ...(planned.repeat && {
      repeat: { time: planned.time, ...planned.repeat },
      ends_at: new Date(instantOf(addDays(planned.lastDay, 1), '00:00').getTime() - 1).toISOString(),
    }),
    ...(nag && { nag }),
  });
  remindedSlots = new Set([...remindedSlots, slotId]);
}

/** A text has room for so many ids of medicines. */
const MOST_IDS = 20;
const MOST_NAMES = 200;

/** The names only where the person wants them. A dose that is asked about in the page is not answered outside of it. */
function textOf({ profileId, time, medicineIds }: PlannedReminder): WantedReminder['text'] {
  const shown = medicineIds.flatMap((id) => medicineOf(id) ?? []);
  const isAsked = (medicine: Medicine) =>
    Boolean(medicine.details.correction) || !isRead(medicine) || needsCare(medicine);
  const canAnswer = shown.length <= MOST_IDS && !shown.some(isAsked);
  const answerable = { medicineIds: canAnswer ? medicineIds : [] };
  if (reminderWords.value === 'nothing')
    return { title: t('common.appName'), body: t('remind.something'), ...answerable };
  const title = [timeWords(time), memberOf(profileId)?.details.name].filter(Boolean).join(' · ');
  const names = shown.map(nameWords).join(', ');
  const isNamed = reminderWords.value === 'names' && names.length <= MOST_NAMES;
  const body = isNamed ? names : t('remind.medicines', { count: shown.length });
  const isLate = choicesNow().modes[profileId] === 'late';
  return { title, body: isLate ? t('remind.late', { what: body }) : body, ...answerable };
}

/** How long a person waits for a message that proves that they arrive. */
const TEST_MS = 10_000;

export type TestResult = 'arrived' | 'silent' | 'gone' | 'delayed' | 'refused';

/** Sends a message to this device, and waits for it. `silent`: the push service took it, and nothing came. */
export async function testPush(): Promise<TestResult> {
  const device = await ensureDevice();
  if (!device) return 'gone';
  let stop = () => {};
  const arrived = new Promise<boolean>((resolve) => {
    const hear = ({ data }: MessageEvent<WorkerNews>) => data === 'test-arrived' && resolve(true);
    navigator.serviceWorker.addEventListener('message', hear);
    const timer = setTimeout(() => resolve(false), TEST_MS);
    stop = () => {
      clearTimeout(timer);
      navigator.serviceWorker.removeEventListener('message', hear);
    };
  });
  try {
    const path = `${SUBSCRIPTIONS}/${device.id}/test`;
    const { body } = await client.request({ method: 'POST', path, body: {} });
    const { result } = body as unknown as { result: TestResult | 'sent' };
    if (result !== 'sent') return result;
    return (await arrived) ? 'arrived' : 'silent';
  } finally {
    stop();
  }
}
