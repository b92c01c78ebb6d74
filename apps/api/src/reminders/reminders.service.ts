import { Injectable } from '@nestjs/common';
import { type Caller, Clock, invalidField, isUuid, notFound, ServiceError } from '@app/common';
import { assertLiveSession, Database, type Executor } from '@app/database';
import { Tickets } from '@app/security';
import type { ReminderEntity } from './entities/reminder.entity';
import type { AnswerReminderRequest, PushAnswerRequest, PutReminderRequest } from './dto/reminder.requests';
import { type ReminderResponse, toReminderResponse } from './dto/reminder.response';
import { PushSender } from './push-sender.service';
import { PushSubscriptionsRepository } from './push-subscriptions.repository';
import { afterOccurrence, inMinutes, type NextMessage } from './reminder.rule';
import type { Answerable } from './reminder-sender.service';
import { MAX_REMINDERS, RemindersRepository } from './reminders.repository';

const LATER_MINUTES = 15;

/** What the devices of an account want to be told. The client plans; the service keeps the time. */
@Injectable()
export class RemindersService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly push: PushSender,
    private readonly tickets: Tickets,
    private readonly reminders: RemindersRepository,
    private readonly subscriptions: PushSubscriptionsRepository,
  ) {}

  /** @throws ServiceError `token_revoked`. */
  async list(caller: Caller): Promise<ReminderResponse[]> {
    const rows = await this.reminders.list(caller);
    if (rows.length === 0) await assertLiveSession(this.database, caller);
    return rows.map(toReminderResponse);
  }

  /** @throws ServiceError `push_off`, `not_found` for the device, `quota_exceeded`, `token_revoked`. */
  async put(caller: Caller, id: string, request: PutReminderRequest): Promise<ReminderResponse> {
    this.push.assertOn();
    if (!isUuid(id)) throw notFound();
    const { nag, repeat = null, ends_at = null, delay_minutes = 0, ...rest } = request;
    if (repeat && (repeat.every_days === undefined) === (repeat.days_of_week === undefined))
      throw invalidField('repeat', 'repeat must have either every_days or days_of_week');
    const row = await this.reminders.put(caller, {
      ...rest,
      id,
      repeat,
      ends_at,
      delay_minutes,
      nag_minutes: nag?.minutes ?? 0,
      nag_times: nag?.times ?? 0,
      message_at: inMinutes(new Date(request.due_at), delay_minutes).toISOString(),
    });
    if (row) return toReminderResponse(row);
    await assertLiveSession(this.database, caller);
    if (!(await this.subscriptions.find(caller, request.subscription_id))) throw notFound();
    throw new ServiceError('quota_exceeded', {
      sentence: `This account has ${MAX_REMINDERS} reminders, and can have no more.`,
    });
  }

  /** @throws ServiceError `not_found`, `token_revoked`. */
  async delete(caller: Caller, id: string): Promise<void> {
    if (isUuid(id) && (await this.reminders.delete(caller, id))) return;
    await assertLiveSession(this.database, caller);
    throw notFound();
  }

  /** @throws ServiceError `token_revoked`. */
  async answer(
    caller: Caller,
    { slot_id: slotId, due_at: dueAt, answer }: AnswerReminderRequest,
  ): Promise<void> {
    const from = (await this.subscriptions.list(caller)).find(
      ({ session_id: id }) => id === caller.sessionId,
    );
    if (!(await this.answerSlot(caller, { slotId, dueAt, subscriptionId: from?.id ?? '' }, answer)))
      await assertLiveSession(this.database, caller);
  }

  /**
   * By the ticket of a message, so that a device whose page is closed or locked can answer. It opens nothing else.
   *
   * Security: a used, an old and an invented ticket get the same answer.
   */
  async answerByTicket({ ticket, answer }: PushAnswerRequest): Promise<void> {
    const read = this.tickets.read(ticket, 'reminder');
    if (!read?.holder || !read.sealed) return;
    const answerable = JSON.parse(read.sealed.toString()) as Answerable;
    await this.answerSlot(read.holder, answerable, answer);
  }

  /** @returns whether the account has such a slot. */
  private answerSlot(
    holder: Pick<Caller, 'accountId' | 'tokenVersion'>,
    { slotId, dueAt, subscriptionId }: Answerable,
    answer: 'done' | 'later',
  ): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const rows = await this.reminders.lockSlot(transaction, holder, slotId);
      for (const row of rows) {
        const isFrom = row.subscription_id === subscriptionId;
        await this.answerOne(transaction, holder.accountId, row, { dueAt, isFrom, answer });
      }
      return rows.length > 0;
    });
  }

  private async answerOne(
    transaction: Executor,
    accountId: string,
    row: ReminderEntity,
    { dueAt, isFrom, answer }: { dueAt: string; isFrom: boolean; answer: 'done' | 'later' },
  ): Promise<void> {
    const now = this.clock.now();
    const isShown = isSame(row.shown_due_at, dueAt);
    if (!isShown && !isSame(row.due_at, dueAt)) return;
    const next = answer === 'later' ? again(dueAt, now) : this.afterAnswer(row, dueAt, now);
    const isClosing = isShown && !isFrom;
    await this.reminders.answer(transaction, accountId, {
      ...next,
      id: row.id,
      shown_due_at: isClosing ? row.shown_due_at : null,
      is_closing: isClosing,
      send_at: isClosing ? now.toISOString() : next.message_at,
    });
  }

  private afterAnswer(row: ReminderEntity, dueAt: string, now: Date): NextMessage {
    return isSame(row.due_at, dueAt) ? afterOccurrence(row, now) : row;
  }
}

function again(dueAt: string, now: Date): NextMessage {
  return { due_at: dueAt, message_at: inMinutes(now, LATER_MINUTES).toISOString(), sent: 0 };
}

function isSame(one: string | null, other: string): boolean {
  return one !== null && Date.parse(one) === Date.parse(other);
}
