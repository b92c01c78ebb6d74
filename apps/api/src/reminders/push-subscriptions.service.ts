import { createECDH } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Caller, Clock, invalidField, isUuid, notFound, ServiceError } from '@app/common';
import { assertLiveSession, Database, isForeignKeyViolation } from '@app/database';
import type { PutPushSubscriptionRequest } from './dto/push-subscription.request';
import {
  type PushSubscriptionResponse,
  type PushTestResponse,
  toPushSubscriptionResponse,
} from './dto/push-subscription.responses';
import type { PushSubscriptionEntity } from './entities/push-subscription.entity';
import { PushSender } from './push-sender.service';
import { PushSubscriptionsRepository } from './push-subscriptions.repository';

/** A test says within seconds whether messages arrive. Later, nobody looks. */
const TEST_TTL_SECONDS = 60;

/** The browsers of an account that take messages. */
@Injectable()
export class PushSubscriptionsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly push: PushSender,
    private readonly subscriptions: PushSubscriptionsRepository,
  ) {}

  /** @throws ServiceError `token_revoked`. */
  async list(caller: Caller): Promise<PushSubscriptionResponse[]> {
    const rows = await this.subscriptions.list(caller);
    if (rows.length === 0) await assertLiveSession(this.database, caller);
    return rows.map((row) => toPushSubscriptionResponse(row, caller.sessionId));
  }

  /** @throws ServiceError `not_found`, `token_revoked`. */
  async read(caller: Caller, id: string): Promise<PushSubscriptionResponse> {
    return toPushSubscriptionResponse(await this.find(caller, id), caller.sessionId);
  }

  /**
   * Keeps the subscription of the caller's browser. It replaces the one that this session had before.
   *
   * @throws ServiceError `push_off`, `validation_failed`, `token_revoked`.
   */
  async put(
    caller: Caller,
    id: string,
    request: PutPushSubscriptionRequest,
  ): Promise<PushSubscriptionResponse> {
    this.push.assertOn();
    if (!isUuid(id)) throw notFound();
    if (!this.push.accepts(request.endpoint))
      throw invalidField('endpoint', 'endpoint must be an address of a push service that this service knows');
    if (!isPublicKey(request.p256dh)) throw invalidField('p256dh', 'p256dh must be a public key of P-256');
    const row = await this.subscriptions.put(caller, { ...request, id }).catch(ifSessionEnded);
    if (!row) throw new ServiceError('token_revoked');
    return toPushSubscriptionResponse(row, caller.sessionId);
  }

  /** @throws ServiceError `not_found`, `token_revoked`. */
  async delete(caller: Caller, id: string): Promise<void> {
    if (isUuid(id) && (await this.subscriptions.delete(caller, id))) return;
    await assertLiveSession(this.database, caller);
    throw notFound();
  }

  /** Sends a message at once. @throws ServiceError `push_off`, `not_found`, `token_revoked`. */
  async test(caller: Caller, id: string): Promise<PushTestResponse> {
    const subscription = await this.find(caller, id);
    this.push.assertOn();
    const { result } = await this.push.send(subscription, {
      payload: { v: 1, kind: 'test' },
      ttlSeconds: TEST_TTL_SECONDS,
    });
    if (result === 'gone') await this.subscriptions.end(caller.accountId, id, subscription.endpoint);
    else {
      const failure = result === 'sent' ? null : result;
      await this.subscriptions.record(
        caller.accountId,
        id,
        failure === null ? this.clock.now() : null,
        failure,
      );
    }
    return { result };
  }

  private async find(caller: Caller, id: string): Promise<PushSubscriptionEntity> {
    const row = isUuid(id) ? await this.subscriptions.find(caller, id) : undefined;
    if (row) return row;
    await assertLiveSession(this.database, caller);
    throw notFound();
  }
}

/** Whether it is a point of the curve. A key that is not would fail at each message. */
function isPublicKey(p256dh: string): boolean {
  const curve = createECDH('prime256v1');
  curve.generateKeys();
  try {
    curve.computeSecret(Buffer.from(p256dh, 'base64url'));
    return true;
  } catch {
    return false;
  }
}

/** The session has ended since its token was checked. */
function ifSessionEnded(error: unknown): undefined {
  if (!isForeignKeyViolation(error)) throw error;
}
