import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/common';
import { Database, type Executor, Housekeeping, IS_VALID_CALLER, type Statement } from '@app/database';
import type { PushSubscriptionEntity } from './entities/push-subscription.entity';
import type { ReminderEntity } from './entities/reminder.entity';
import { IS_LIVE_CALLER } from './push-subscriptions.repository';
import type { NextMessage } from './reminder.rule';

/** Of one account. */
export const MAX_REMINDERS = 500;
/** Of one account, in one turn. */
const CLAIMED = 20;
/** A process that has claimed a reminder and does not say more has died. Another one then tries. */
const LEASE_SECONDS = 120;

const COLUMNS = `id, subscription_id, slot_id, text, due_at, delay_minutes, repeat, time_zone, ends_at, nag_minutes,
  nag_times, message_at, sent, shown_due_at`;

const LIST: Statement = {
  name: 'reminders list',
  text: `SELECT ${COLUMNS} FROM reminders WHERE account_id = $1 AND ${IS_LIVE_CALLER} ORDER BY due_at, id`,
};
const PUT: Statement = {
  name: 'reminders put',
  text: `INSERT INTO reminders (account_id, id, subscription_id, slot_id, text, due_at, delay_minutes, repeat, time_zone,
      ends_at, nag_minutes, nag_times, message_at, send_at, sent, is_closing)
    SELECT a.id, $4, p.id, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, 0, false
    FROM accounts a, push_subscriptions p WHERE a.id = $1 AND p.account_id = $1 AND p.id = $5 AND ${IS_LIVE_CALLER}
      AND (SELECT count(*) FROM reminders r WHERE r.account_id = $1 AND r.id <> $4) < ${MAX_REMINDERS}
    ON CONFLICT (account_id, id) DO UPDATE SET subscription_id = excluded.subscription_id, slot_id = excluded.slot_id,
      text = excluded.text, due_at = excluded.due_at, delay_minutes = excluded.delay_minutes,
      repeat = excluded.repeat, time_zone = excluded.time_zone, ends_at = excluded.ends_at,
      nag_minutes = excluded.nag_minutes, nag_times = excluded.nag_times, message_at = excluded.message_at,
      send_at = excluded.send_at, sent = 0
    RETURNING ${COLUMNS}`,
};
const DELETE: Statement = {
  name: 'reminders delete',
  text: `DELETE FROM reminders WHERE account_id = $1 AND id = $4 AND ${IS_LIVE_CALLER} RETURNING id`,
};
/** The only statement that looks at all accounts: an index says what is due. */
const FIND_DUE: Statement = {
  name: 'operator find due reminders',
  text: 'SELECT DISTINCT account_id FROM (SELECT account_id FROM reminders WHERE send_at <= $1 ORDER BY send_at LIMIT $2) due',
};
/** Of several processes each gets others. */
const CLAIM: Statement = {
  name: 'reminders claim',
  text: `UPDATE reminders r SET send_at = $3
    FROM push_subscriptions p
    WHERE r.account_id = $1 AND p.account_id = $1 AND p.id = r.subscription_id AND r.id IN (
      SELECT d.id FROM reminders d WHERE d.account_id = $1 AND d.send_at <= $2 ORDER BY d.send_at LIMIT ${CLAIMED}
      FOR UPDATE SKIP LOCKED)
    RETURNING r.id, r.account_id, r.subscription_id, r.slot_id, r.text, r.due_at, r.delay_minutes, r.repeat, r.time_zone,
      r.ends_at, r.nag_minutes, r.nag_times, r.message_at, r.sent, r.shown_due_at, r.is_closing, r.send_at,
      p.endpoint, p.p256dh, p.auth,
      (SELECT a.token_version FROM accounts a WHERE a.id = $1),
      (SELECT a.suspended_at IS NOT NULL FROM accounts a WHERE a.id = $1) AS is_suspended`,
};
/** Nothing if the reminder was changed or answered while it was sent. */
const ADVANCE: Statement = {
  name: 'reminders advance',
  text: `UPDATE reminders SET due_at = $4, message_at = $5, send_at = $5, sent = $6, is_closing = false,
      shown_due_at = $7 WHERE account_id = $1 AND id = $2 AND send_at = $3`,
};
const DELAY: Statement = {
  name: 'reminders delay',
  text: 'UPDATE reminders SET send_at = $4 WHERE account_id = $1 AND id = $2 AND send_at = $3',
};
const LOCK_SLOT: Statement = {
  name: 'reminders lock slot',
  text: `SELECT r.id, r.subscription_id, r.due_at, r.delay_minutes, r.repeat, r.time_zone, r.ends_at, r.nag_minutes,
      r.nag_times, r.message_at, r.sent, r.shown_due_at, r.is_closing
    FROM reminders r WHERE r.account_id = $1 AND r.slot_id = $3
      AND ${IS_VALID_CALLER} ORDER BY r.id FOR UPDATE OF r`,
};
const ANSWER: Statement = {
  name: 'reminders answer',
  text: `UPDATE reminders SET due_at = $3, message_at = $4, sent = $5, shown_due_at = $6, is_closing = $7,
      send_at = $8 WHERE account_id = $1 AND id = $2`,
};
const FORGET: Statement = {
  name: 'reminders forget',
  text: `DELETE FROM reminders WHERE send_at IS NULL AND due_at < now() - interval '2 days'`,
};

/** What a client says of a reminder. */
export type NewReminder = Pick<
  ReminderEntity,
  | 'id'
  | 'subscription_id'
  | 'slot_id'
  | 'text'
  | 'due_at'
  | 'delay_minutes'
  | 'repeat'
  | 'time_zone'
  | 'ends_at'
  | 'nag_minutes'
  | 'nag_times'
  | 'message_at'
>;

/** A reminder that this process sends. `send_at` says until when nobody else does. */
export type ClaimedReminder = Omit<ReminderEntity, 'created_at'> &
  Pick<PushSubscriptionEntity, 'endpoint' | 'p256dh' | 'auth'> & {
    token_version: number;
    is_suspended: boolean;
  };

/** What an answer leaves of a reminder. */
export type Answered = NextMessage & Pick<ReminderEntity, 'id' | 'shown_due_at' | 'is_closing' | 'send_at'>;

@Injectable()
export class RemindersRepository {
  constructor(
    private readonly database: Database,
    housekeeping: Housekeeping,
  ) {
    housekeeping.add(() => database.query(FORGET, []));
  }

  /** In the order of their occurrences. Empty also if the caller's session has ended. */
  async list(caller: Caller): Promise<ReminderEntity[]> {
    return this.database.query(LIST, valuesOf(caller));
  }

  /** @returns `undefined` if the caller's session has ended, there is no such device, or there are too many. */
  async put(caller: Caller, reminder: NewReminder): Promise<ReminderEntity | undefined> {
    const { repeat } = reminder;
    const values = [
      reminder.id,
      reminder.subscription_id,
      reminder.slot_id,
      reminder.text,
      reminder.due_at,
      reminder.delay_minutes,
      repeat && JSON.stringify(repeat),
      reminder.time_zone,
      reminder.ends_at,
      reminder.nag_minutes,
      reminder.nag_times,
      reminder.message_at,
    ];
    return (await this.database.query<ReminderEntity>(PUT, [...valuesOf(caller), ...values]))[0];
  }

  /** @returns whether there was one. */
  async delete(caller: Caller, id: string): Promise<boolean> {
    return (await this.database.query(DELETE, [...valuesOf(caller), id])).length > 0;
  }

  /** @returns ids of accounts with reminders that are due. */
  async findDue(now: Date, limit: number): Promise<string[]> {
    const rows = await this.database.query<{ account_id: string }>(FIND_DUE, [now.toISOString(), limit]);
    return rows.map(({ account_id: id }) => id);
  }

  /** Takes due reminders of an account, for this process alone and for two minutes. */
  async claim(accountId: string, now: Date): Promise<ClaimedReminder[]> {
    const until = new Date(now.getTime() + LEASE_SECONDS * 1000);
    return this.database.query(CLAIM, [accountId, now.toISOString(), until.toISOString()]);
  }

  /** Goes on to the next message. @param shownDueAt the occurrence that the device shows. */
  async advance(claimed: ClaimedReminder, next: NextMessage, shownDueAt: string | null): Promise<void> {
    const values = [...claimOf(claimed), next.due_at, next.message_at, next.sent, shownDueAt];
    await this.database.query(ADVANCE, values);
  }

  /** Tries the same message again later. */
  async delay(claimed: ClaimedReminder, sendAt: Date): Promise<void> {
    await this.database.query(DELAY, [...claimOf(claimed), sendAt.toISOString()]);
  }

  /** Locks the reminders of a slot on all devices. Empty also if the tokens of the account have changed. */
  async lockSlot(
    transaction: Executor,
    { accountId, tokenVersion }: Pick<Caller, 'accountId' | 'tokenVersion'>,
    slotId: string,
  ): Promise<ReminderEntity[]> {
    return transaction.query(LOCK_SLOT, [accountId, tokenVersion, slotId]);
  }

  async answer(transaction: Executor, accountId: string, answered: Answered): Promise<void> {
    await transaction.query(ANSWER, [
      accountId,
      answered.id,
      answered.due_at,
      answered.message_at,
      answered.sent,
      answered.shown_due_at,
      answered.is_closing,
      answered.send_at,
    ]);
  }
}

function valuesOf({ accountId, tokenVersion, sessionId }: Caller): unknown[] {
  return [accountId, tokenVersion, sessionId];
}

function claimOf({ account_id: accountId, id, send_at: sendAt }: ClaimedReminder): unknown[] {
  return [accountId, id, sendAt];
}
