import { Injectable } from '@nestjs/common';
import { type Caller, ServiceError } from '@app/common';
import { Database } from '@app/database';
import { AccountsRepository } from '../accounts/accounts.repository';
import { hashOfDeviceToken, newDeviceToken } from './device-token.rule';
import { DeviceTokensRepository } from './device-tokens.repository';
import type { DeviceTokenResponse } from './dto/device-token.response';
import { SessionsRepository } from '../sessions/sessions.repository';
import { SecurityEventsService } from '../events/security-events.service';

@Injectable()
export class DeviceTokensService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly sessions: SessionsRepository,
    private readonly devices: DeviceTokensRepository,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Creates a device token for the caller's account.
   *
   * Security: the token opens nothing. It gives the device its own limit of wrong secrets. So it stays valid
   * after a change of the password and after a recovery. `logoutAll` ends it.
   * @throws ServiceError `token_revoked`.
   */
  async issue(caller: Caller): Promise<DeviceTokenResponse> {
    const token = newDeviceToken();
    await this.database.transaction(async (transaction) => {
      const account = { id: caller.accountId, token_version: caller.tokenVersion };
      if (!(await this.accounts.lock(transaction, account))) throw new ServiceError('token_revoked');
      if (!(await this.sessions.lock(transaction, caller))) throw new ServiceError('token_revoked');
      await this.devices.insert(transaction, caller, hashOfDeviceToken(token));
      await this.events.recordOnceAMinute(transaction, caller.accountId, 'device_remembered', caller.address);
    });
    return { device_token: token };
  }
}
