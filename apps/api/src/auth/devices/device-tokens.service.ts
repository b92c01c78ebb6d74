import { Injectable } from '@nestjs/common';
import { type Caller, notFound, ServiceError } from '@app/common';
import { assertLiveSession, Database, type Executor } from '@app/database';
import { AccountsRepository } from '../accounts/accounts.repository';
import { ProofService } from '../accounts/proof.service';
import { SecurityEventsService } from '../events/security-events.service';
import { SessionsRepository } from '../sessions/sessions.repository';
import { hashOfDeviceToken, hashPrefixOf, newDeviceToken } from './device-token.rule';
import { type OpenedSession, DeviceTokensRepository } from './device-tokens.repository';
import {
  type DeviceTokenResponse,
  type IssuedDeviceTokenResponse,
  toDeviceTokenResponse,
} from './dto/device-token.response';

/** A sign-in on a device that may be known, or may want to be. */
export interface DeviceUse {
  session: OpenedSession;
  address: string;
  /** The hash of the device's token, if it sent a valid one. */
  knownHash?: Buffer | null;
  /** Whether the device asks for a token. */
  remember?: boolean;
}

/**
 * Tokens by which the service knows a device. A token opens nothing: it gives the device its own limit of wrong
 * secrets. Each one that is issued or ended is an event.
 */
@Injectable()
export class DeviceTokensService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly proofs: ProofService,
    private readonly sessions: SessionsRepository,
    private readonly devices: DeviceTokensRepository,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Issues a token for the device of the caller's session.
   *
   * @throws ServiceError `current_password_wrong`, `token_revoked`, `rate_limited`, `overloaded`.
   */
  async issue(caller: Caller, currentPassword: string): Promise<IssuedDeviceTokenResponse> {
    const account = await this.proofs.confirmPassword(caller, currentPassword);
    return this.database.transaction(async (transaction) => {
      if (!(await this.accounts.lock(transaction, account))) throw new ServiceError('token_revoked');
      const label = await this.sessions.lock(transaction, caller);
      if (label === undefined) throw new ServiceError('token_revoked');
      const session = { id: caller.sessionId, label };
      return this.insert(transaction, account.id, session, caller.address);
    });
  }

  /**
   * Records the use of a token at a sign-in, and issues one if the device asks for it: a new one takes the place
   * of the one that it sent. The transaction must hold the lock of the account's row.
   */
  async signIn(
    transaction: Executor,
    accountId: string,
    { session, address, knownHash, remember }: DeviceUse,
  ): Promise<Partial<IssuedDeviceTokenResponse>> {
    if (!knownHash) return remember ? this.insert(transaction, accountId, session, address) : {};
    const token = remember ? newDeviceToken() : undefined;
    const newHash = token === undefined ? undefined : hashOfDeviceToken(token);
    await this.devices.use(transaction, accountId, knownHash, session, newHash);
    return token === undefined ? {} : { device_token: token };
  }

  /** @throws ServiceError `token_revoked`. */
  async list(caller: Caller): Promise<DeviceTokenResponse[]> {
    const rows = await this.devices.list(caller);
    if (rows.length === 0) await assertLiveSession(this.database, caller);
    return rows.map((row) => toDeviceTokenResponse(row, caller.sessionId));
  }

  /** @throws ServiceError `not_found`, `token_revoked`. */
  async end(caller: Caller, id: string): Promise<void> {
    const prefix = hashPrefixOf(id);
    const isEnded =
      prefix !== undefined &&
      (await this.database.transaction(async (transaction) => {
        if (!(await this.devices.end(transaction, caller, prefix))) return false;
        await this.recordEnds(transaction, caller.accountId, 1, caller.address);
        return true;
      }));
    if (isEnded) return;
    await assertLiveSession(this.database, caller);
    throw notFound();
  }

  /** Ends the token of the device that opened a session: the person has ended this device's access. */
  async endOfSession(transaction: Executor, caller: Caller, sessionId: string): Promise<void> {
    const count = await this.devices.endOfSession(transaction, caller.accountId, sessionId);
    await this.recordEnds(transaction, caller.accountId, count, caller.address);
  }

  /**
   * A change of the password has opened another session for the caller's device. The other devices are forgotten,
   * unless the person wants to keep them.
   */
  async changeSession(
    transaction: Executor,
    caller: Caller,
    to: string,
    forgetOthers: boolean,
  ): Promise<void> {
    await this.devices.move(transaction, caller.accountId, caller.sessionId, to);
    if (!forgetOthers) return;
    const count = await this.devices.endOthers(transaction, caller.accountId, to);
    await this.recordEnds(transaction, caller.accountId, count, caller.address);
  }

  private async insert(
    transaction: Executor,
    accountId: string,
    session: OpenedSession,
    address: string,
  ): Promise<IssuedDeviceTokenResponse> {
    const token = newDeviceToken();
    const ended = await this.devices.insert(transaction, accountId, hashOfDeviceToken(token), session);
    await this.events.record(transaction, accountId, 'device_remembered', address);
    await this.recordEnds(transaction, accountId, ended, address);
    return { device_token: token };
  }

  private async recordEnds(
    transaction: Executor,
    accountId: string,
    count: number,
    address: string,
  ): Promise<void> {
    for (let ended = 0; ended < count; ended++)
      await this.events.record(transaction, accountId, 'device_forgotten', address);
  }
}
