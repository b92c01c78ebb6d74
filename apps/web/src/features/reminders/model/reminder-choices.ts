import { signal } from '@preact/signals';
import { keepDraft, readDraft } from '../../../platform/model/drafts';
import type { Medicine } from '@app/client/documents';
import { sharedPlace } from '../../profiles/model/people';
import type { QuietTime } from './push-plan';
import { whenLocked } from '../../../platform/model/session';

/** Whether a device is told when something of a person is due, only when it is not answered after an hour, or never. */
export type ReminderMode = 'due' | 'late' | 'off';

/** What the person wants of this device. */
export interface ReminderChoices {
  /** By person. Who is not there is as {@link personModeOf} says. */
  modes: Readonly<Record<string, ReminderMode>>;
  /** Medicines of which this device says nothing. */
  silent: readonly string[];
  quiet?: QuietTime;
}

const NAME = 'reminder-choices';

/** Security: it says which medicines somebody takes. So it is stored encrypted, and a locked page has none in memory. */
export const reminderChoices = signal<ReminderChoices | undefined>(undefined);

const USUAL: ReminderChoices = { modes: {}, silent: [] };

export const choicesNow = (): ReminderChoices => reminderChoices.value ?? USUAL;

export async function readChoices(): Promise<void> {
  reminderChoices.value ??= (await readDraft<ReminderChoices>(NAME)) ?? USUAL;
}

/** @throws DeviceStorageError */
export async function choose(change: Partial<ReminderChoices>): Promise<void> {
  reminderChoices.value = { ...choicesNow(), ...change };
  await keepDraft(NAME, reminderChoices.value);
}

/** Of whom this device reminds, and how. Who may only look gives no dose, and is reminded by choice alone. */
export const personModeOf = (profileId: string): ReminderMode =>
  choicesNow().modes[profileId] ?? (sharedPlace(profileId)?.role === 'viewer' ? 'off' : 'due');

export function modeOf({ id, profileId, details }: Medicine): ReminderMode {
  return details.schedule?.asNeeded || choicesNow().silent.includes(id) ? 'off' : personModeOf(profileId);
}

whenLocked(() => (reminderChoices.value = undefined));
