import { Injectable } from '@nestjs/common';
import { type Caller, notFound, ServiceError } from '@app/common';
import { assertLiveSession, Database } from '@app/database';
import { AccountKeysRepository } from './account-keys.repository';
import type { PutAccountKeysRequest } from '../../auth/keys/dto/account-keys.request';
import { type AccountKeysResponse, toAccountKeysResponse } from './dto/account-keys.response';

/** The identity of an account. The service passes it on to nobody: others get it through an invitation. */
@Injectable()
export class AccountKeysService {
  constructor(
    private readonly database: Database,
    private readonly keys: AccountKeysRepository,
  ) {}

  /** @throws ServiceError `not_found` where there are none, `token_revoked`. */
  async get(caller: Caller): Promise<AccountKeysResponse> {
    const keys = await this.keys.find(caller);
    if (keys) return toAccountKeysResponse(keys);
    await assertLiveSession(this.database, caller);
    throw notFound();
  }

  /** @throws ServiceError `keys_changed` where there are some already, `token_revoked`. */
  async put(caller: Caller, request: PutAccountKeysRequest): Promise<AccountKeysResponse> {
    const keys = await this.keys.insert(caller, request);
    if (keys) return toAccountKeysResponse(keys);
    await assertLiveSession(this.database, caller);
    throw new ServiceError('keys_changed');
  }
}
