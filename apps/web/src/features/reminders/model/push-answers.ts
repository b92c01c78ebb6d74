import type { Dose } from '@app/client';
import { t } from '../../../i18n/i18n';
import { toast } from '../../../ui/toast';
import { addDays, dayOf } from '../../../platform/model/dates';
import { entriesOf } from '../../../platform/model/device-box';
import { dropDraft, readDraft } from '../../../platform/model/drafts';
import {
  answerSlot,
  dosesOf,
  logDose,
  medicineOf,
  medicines,
  undoDose,
} from '../../medications/model/medicines';
import { ANSWER_ENTRY, type KeptAnswer } from './push-text';
import { remindedSlots, slotIdOf } from './push';
import { modeOf } from './reminder-choices';
import { client } from '../../../platform/model/session';
import { settle } from '../../doses/model/slots';
import { groupsOf, type SlotGroup } from '../../doses/model/today-view';

let taking: Promise<void> = Promise.resolve();

/** Makes doses of what was answered outside of the page. One after the other, so that none is logged twice. */
export function takeAnswers(): Promise<void> {
  taking = taking.then(() => navigator.locks.request('health-records/push-answers', takeAll));
  return taking;
}

async function takeAll(): Promise<void> {
  const logged: Dose[] = [];
  for (const name of await entriesOf(ANSWER_ENTRY)) {
    const kept = await readDraft<KeptAnswer>(name);
    try {
      if (kept) logged.push(...(await logAnswer(kept)));
      await dropDraft(name);
    } catch {
      // It stays, and is tried again with the next unlock.
    }
  }
  if (logged.length === 0) return;
  toast({
    text: t('remind.noted', { count: logged.length }),
    action: {
      label: t('common.action.undo'),
      run: () => void Promise.all(logged.map(undoDose)).catch(() => undefined),
    },
  });
}

/** What another device has answered since, or this page after a stop half-way, is not logged again. */
async function logAnswer({ medicineIds, dueAt, at }: KeptAnswer): Promise<Dose[]> {
  const logged: Dose[] = [];
  const day = dayOf(new Date(dueAt));
  for (const medicine of medicineIds.flatMap((id) => medicineOf(id) ?? [])) {
    const doses = dosesOf(medicine.id);
    const { slots } = settle(medicine, doses, day, day);
    const slot = slots.find((each) => each.at.getTime() === Date.parse(dueAt));
    const isThere = slot?.dose ?? doses.some(({ loggedAt }) => Date.parse(loggedAt) === at);
    if (isThere) continue;
    logged.push(
      await (slot ? answerSlot(slot, true, new Date(at)) : logDose(medicine.id, true, new Date(at))),
    );
  }
  return logged;
}

/** An answer this long before or after its time is told; older ones ring no more. */
const TOLD_MS = 12 * 3_600_000;
const told = new Set<string>();

/** Forgets what was told: new reminders do not know it. */
export function tellAgain(): void {
  told.clear();
}

/** Tells the service which reminders are answered, so that the devices of the account are quiet. */
export async function tellAnswered(now: Date): Promise<void> {
  if (remindedSlots.size === 0) return;
  for (const group of answeredGroups(now)) {
    if (told.has(group.key)) continue;
    const slotId = await slotIdOf(group.profileId, group.time);
    if (!remindedSlots.has(slotId)) continue;
    told.add(group.key);
    const body = { slot_id: slotId, due_at: group.at.toISOString(), answer: 'done' };
    const path = '/api/reminders/answers';
    await client
      .request({ method: 'POST', path, body, replayable: true })
      .catch(() => told.delete(group.key));
  }
}

function answeredGroups(now: Date): SlotGroup[] {
  const today = dayOf(now);
  const slots = medicines.value
    .filter((medicine) => modeOf(medicine) !== 'off')
    .flatMap(
      (medicine) => settle(medicine, dosesOf(medicine.id), addDays(today, -1), addDays(today, 1)).slots,
    )
    .filter(({ at }) => Math.abs(at.getTime() - now.getTime()) < TOLD_MS);
  return groupsOf(slots).filter((group) => group.slots.every(({ dose }) => dose));
}
