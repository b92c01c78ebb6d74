import { Injectable } from '@nestjs/common';
import { Clock } from '@app/common';
import { PUSH_MESSAGES } from '@app/common/observation';
import { Tickets } from '@app/security';
import type { ReminderEntity } from './entities/reminder.entity';
import { PushSender, type PushMessage } from './push-sender.service';
import { type PushFailure, PushSubscriptionsRepository } from './push-subscriptions.repository';
import { afterOccurrence, afterSending, inMinutes, MAX_LATE_MS, punctualityOf } from './reminder.rule';
import { type ClaimedReminder, RemindersRepository } from './reminders.repository';

/** How long the device may answer a message without a sign-in. */
const ANSWER_HOURS = 12;
const SUSPENDED_MINUTES = 60;

/** What an answer to a message names. */
export interface Answerable {
  slotId: string;
  dueAt: string;
  subscriptionId: string;
}

/** Sends the due reminders of one account. */
@Injectable()
export class ReminderSender {
  constructor(
    private readonly clock: Clock,
    private readonly push: PushSender,
    private readonly tickets: Tickets,
    private readonly reminders: RemindersRepository,
    private readonly subscriptions: PushSubscriptionsRepository,
  ) {}

  async sendDue(accountId: string): Promise<void> {
    for (const reminder of await this.reminders.claim(accountId, this.clock.now()))
      await this.sendOne(reminder);
  }

  private async sendOne(reminder: ClaimedReminder): Promise<void> {
    const now = this.clock.now();
    if (reminder.is_suspended) return this.reminders.delay(reminder, inMinutes(now, SUSPENDED_MINUTES));
    if (reminder.is_closing) return this.close(reminder);
    const punctuality = punctualityOf(now, new Date(reminder.message_at!));
    if (punctuality === 'missed') return this.giveUp(reminder, 'missed');
    const sent = await this.push.send(reminder, this.messageOf(reminder, punctuality === 'late'));
    if (sent.result === 'delayed') {
      await this.record(reminder, null, 'delayed');
      const next = new Date(this.clock.now().getTime() + sent.retryAfterSeconds * 1000);
      return this.reminders.delay(reminder, next);
    }
    if (sent.result === 'gone') return this.end(reminder);
    if (sent.result === 'refused') return this.giveUp(reminder, 'refused');
    await this.reminders.advance(reminder, afterSending(reminder, now), reminder.due_at);
    await this.record(reminder, now, null);
  }

  /** The device takes away what another one has answered. This is no news: a failure is not tried again. */
  private async close(reminder: ClaimedReminder): Promise<void> {
    const { shown_due_at: dueAt } = reminder;
    const payload = { v: 1, kind: 'close', slot_id: reminder.slot_id, due_at: dueAt };
    const { result } = await this.push.send(reminder, {
      payload,
      ttlSeconds: MAX_LATE_MS / 1000,
      topic: topicOf(reminder),
    });
    if (result === 'gone') return this.end(reminder);
    await this.reminders.advance(reminder, reminder, null);
  }

  private async giveUp(reminder: ClaimedReminder, failure: PushFailure): Promise<void> {
    if (failure === 'missed') PUSH_MESSAGES.tell({ result: 'missed' });
    await this.reminders.advance(
      reminder,
      afterOccurrence(reminder, this.clock.now()),
      reminder.shown_due_at,
    );
    await this.record(reminder, null, failure);
  }

  private end({ account_id: accountId, subscription_id: id, endpoint }: ClaimedReminder): Promise<void> {
    return this.subscriptions.end(accountId, id, endpoint);
  }

  private record(reminder: ClaimedReminder, sentAt: Date | null, failure: PushFailure | null): Promise<void> {
    return this.subscriptions.record(reminder.account_id, reminder.subscription_id, sentAt, failure);
  }

  private messageOf(reminder: ClaimedReminder, isLate: boolean): PushMessage {
    const { account_id: accountId, token_version: tokenVersion, slot_id: slotId, due_at: dueAt } = reminder;
    const answerable: Answerable = { slotId, dueAt, subscriptionId: reminder.subscription_id };
    const { ticket } = this.tickets.issue(
      'reminder',
      { accountId, tokenVersion },
      Buffer.from(JSON.stringify(answerable)),
      ANSWER_HOURS * 60 * 60,
    );
    const payload = {
      v: 1,
      kind: 'due',
      id: reminder.id,
      slot_id: slotId,
      due_at: dueAt,
      late: isLate,
      text: reminder.text,
      ticket,
    };
    return { payload, ttlSeconds: MAX_LATE_MS / 1000, topic: topicOf(reminder) };
  }
}

function topicOf({ slot_id: id }: Pick<ReminderEntity, 'slot_id'>): string {
  return id.replaceAll('-', '');
}
