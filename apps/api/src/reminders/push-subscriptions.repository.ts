import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/common';
import { Database, IS_VALID_CALLER, isLiveSession, type Statement } from '@app/database';
import type { PushSubscriptionEntity } from './entities/push-subscription.entity';

const COLUMNS = 'id, session_id, created_at, endpoint, p256dh, auth, label, last_sent_at, failure';
/** The caller's session has not ended. $1 account, $2 token version, $3 session. */
export const IS_LIVE_CALLER = `${IS_VALID_CALLER} AND ${isLiveSession('$3')}`;

const LIST: Statement = {
  name: 'push subscriptions list',
  text: `SELECT ${COLUMNS} FROM push_subscriptions WHERE account_id = $1 AND ${IS_LIVE_CALLER}
    ORDER BY created_at, id`,
};
const FIND: Statement = {
  name: 'push subscriptions find',
  text: `SELECT ${COLUMNS} FROM push_subscriptions WHERE account_id = $1 AND id = $4 AND ${IS_LIVE_CALLER}`,
};
/** A session is one browser, and a browser has one subscription. */
const PUT: Statement = {
  name: 'push subscriptions put',
  text: `WITH former AS (DELETE FROM push_subscriptions WHERE account_id = $1 AND session_id = $3 AND id <> $4)
    INSERT INTO push_subscriptions (account_id, id, session_id, endpoint, p256dh, auth, label)
    SELECT a.id, $4, $3, $5, $6, $7, $8 FROM accounts a WHERE a.id = $1 AND ${IS_LIVE_CALLER}
    ON CONFLICT (account_id, id) DO UPDATE SET session_id = excluded.session_id, endpoint = excluded.endpoint,
      p256dh = excluded.p256dh, auth = excluded.auth, label = excluded.label, failure = NULL
    RETURNING ${COLUMNS}`,
};
const DELETE: Statement = {
  name: 'push subscriptions delete',
  text: `DELETE FROM push_subscriptions WHERE account_id = $1 AND id = $4 AND ${IS_LIVE_CALLER} RETURNING id`,
};
const END: Statement = {
  name: 'push subscriptions end',
  text: 'DELETE FROM push_subscriptions WHERE account_id = $1 AND id = $2 AND endpoint = $3',
};
const RECORD: Statement = {
  name: 'push subscriptions record',
  text: `UPDATE push_subscriptions SET last_sent_at = coalesce($3, last_sent_at), failure = $4
    WHERE account_id = $1 AND id = $2`,
};

export type NewSubscription = Pick<PushSubscriptionEntity, 'id' | 'endpoint' | 'p256dh' | 'auth' | 'label'>;

/** Why a device was not told: the push service is away, takes no message of ours, or took it too late. */
export type PushFailure = 'delayed' | 'refused' | 'missed';

@Injectable()
export class PushSubscriptionsRepository {
  constructor(private readonly database: Database) {}

  /** Oldest first. Empty also if the caller's session has ended. */
  async list(caller: Caller): Promise<PushSubscriptionEntity[]> {
    return this.database.query(LIST, valuesOf(caller));
  }

  async find(caller: Caller, id: string): Promise<PushSubscriptionEntity | undefined> {
    return (await this.database.query<PushSubscriptionEntity>(FIND, [...valuesOf(caller), id]))[0];
  }

  /** @returns `undefined` if the caller's session has ended. */
  async put(
    caller: Caller,
    { id, endpoint, p256dh, auth, label }: NewSubscription,
  ): Promise<PushSubscriptionEntity | undefined> {
    const values = [...valuesOf(caller), id, endpoint, p256dh, auth, label];
    return (await this.database.query<PushSubscriptionEntity>(PUT, values))[0];
  }

  /** @returns whether there was one. */
  async delete(caller: Caller, id: string): Promise<boolean> {
    return (await this.database.query(DELETE, [...valuesOf(caller), id])).length > 0;
  }

  /** Ends a subscription that its push service knows no more, unless the browser has given another one meanwhile. */
  async end(accountId: string, id: string, endpoint: string): Promise<void> {
    await this.database.query(END, [accountId, id, endpoint]);
  }

  /** @param sentAt of a message that the push service has taken. */
  async record(
    accountId: string,
    id: string,
    sentAt: Date | null,
    failure: PushFailure | null,
  ): Promise<void> {
    await this.database.query(RECORD, [accountId, id, sentAt?.toISOString() ?? null, failure]);
  }
}

function valuesOf({ accountId, tokenVersion, sessionId }: Caller): unknown[] {
  return [accountId, tokenVersion, sessionId];
}
